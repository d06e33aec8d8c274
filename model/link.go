package model

import "time"

// Phase is where a subscription stands in its life.
type Phase uint8

// The phases of a subscription.
const (
	Connecting Phase = iota // asked for, no answer yet
	Syncing                 // the snapshot comes in, page by page
	Live                    // the snapshot is committed, updates are merged
	Waiting                 // broken; tries again at RetryAt
	Refused                 // the service said no; tries slowly, from RetryAt on
)

// String is the word for the phase.
func (p Phase) String() string {
	return [...]string{"connecting", "syncing", "live", "waiting", "refused"}[p]
}

// Link is the state of one subscription, in facts. Times carry the monotonic clock.
type Link struct {
	Subscription
	Phase   Phase
	Address string // the base address that serves, or is tried

	StagedRows, StagedPages int  // how far the snapshot is
	Committed               bool // there are rows, or word that there are none
	Silent                  bool // a pair was asked for and not a byte came: there is no such position yet

	HeardAt    time.Time // the last byte of the stream
	VerifiedAt time.Time // the last time that the service answered while the stream was silent
	AskableAt  time.Time // when it can be asked whether it is there, where it limits requests while the stream is silent; else zero
	SnapshotAt time.Time // the last commit of a snapshot
	StaleSince time.Time // since when the rows cannot be vouched for; zero where they can

	Problem *Problem  // what went wrong last; nil once that is over
	Attempt int       // which try comes next, from 1
	RetryAt time.Time // when
	Banned  bool      // the service named the time: trying earlier is no use

	Auditing bool // a second stream is being compared with the first
	Audits   int  // how many were made
}

// Problem is why a subscription is broken or refused.
type Problem struct {
	Status int    // the HTTP status, 0 where there was no answer
	Words  string // one line, neutralised
	Refuse bool   // trying again unchanged is of little use
}

// Freshness says in a word how far what a subscription told can be trusted.
type Freshness uint8

// The words, the best first.
const (
	FreshLive       Freshness = iota // heard from within LiveFor
	FreshQuiet                       // nothing lately, but nothing is wrong
	FreshConnecting                  // nothing yet
	FreshStale                       // cannot be vouched for
)

// LiveFor is how long after the last word of the service a subscription counts as live.
const LiveFor = 10 * time.Second

// String is the word as the screen has it.
func (f Freshness) String() string {
	return [...]string{"LIVE", "QUIET", "CONNECTING", "STALE"}[f]
}

// Freshness is how far the rows of the subscription can be trusted at now, and for how long it has been stale or
// how long ago the service was heard; 0 where it never was.
func (l *Link) Freshness(now time.Time) (Freshness, time.Duration) {
	switch {
	case !l.StaleSince.IsZero():
		return FreshStale, now.Sub(l.StaleSince)
	case !l.Committed && !l.Silent:
		return FreshConnecting, 0
	case l.HeardAt.IsZero():
		return FreshQuiet, 0
	}
	heard := now.Sub(l.HeardAt)
	if l.Silent || heard >= LiveFor {
		return FreshQuiet, heard
	}
	return FreshLive, heard
}

// Worst is the link that the trader has to know of first: the stalest, and of those equally stale the one
// that is so for longest. It is nil where there are no links.
func Worst(links []Link, now time.Time) *Link {
	var worst *Link
	var how Freshness
	var since time.Duration
	for i := range links {
		freshness, age := links[i].Freshness(now)
		if worst == nil || freshness > how || freshness == how && age > since {
			worst, how, since = &links[i], freshness, age
		}
	}
	return worst
}
