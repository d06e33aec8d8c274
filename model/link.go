package model

import (
	"cmp"
	"time"
)

// Phase is the state of a subscription's stream.
type Phase uint8

// The phases of a subscription.
const (
	Connecting Phase = iota // the stream is being opened, nothing has come yet
	Syncing                 // the snapshot comes, page by page
	Live                    // the snapshot is committed, updates are merged
	Waiting                 // the stream broke; the next try is at RetryAt
	Refused                 // the service refused the stream; it is tried slowly, from RetryAt on
)

// String returns the phase in words.
func (p Phase) String() string {
	return [...]string{"connecting", "syncing", "live", "waiting", "refused"}[p]
}

// Phases returns all phases.
func Phases() []Phase { return []Phase{Connecting, Syncing, Live, Waiting, Refused} }

// Link is the state of one subscription. Its times have both the wall clock and the monotonic clock.
type Link struct {
	Subscription
	Phase   Phase
	Since   time.Time // when the phase began
	Address string    // the base address that is used, or tried

	StagedRows, StagedPages int  // how much of the snapshot has come
	Committed               bool // a whole snapshot was committed, perhaps an empty one
	Partial                 bool // the rows came without the last page of their snapshot: some may be missing

	ConnectedAt    time.Time // when the stream was opened
	MessageAt      time.Time // when the last whole message with content came on the stream
	RespondedAt    time.Time // when the last request was sent whose response shows only that the service works
	VerifiedAt     time.Time // when all rows were last verified: by a whole snapshot, or by an audit, when that was opened
	PostponedUntil time.Time // until when rows count as good although the service limits checks; zero if it does not
	StaleSince     time.Time // since when the rows may be out of date; zero if they are not

	// TrustedFor is how long rows count as good after the last message or response of the service; 0 is 45 seconds.
	// A silent service is checked, and found to be down, within less: a longer time means that no check could be sent,
	// because the machine slept.
	TrustedFor time.Duration

	Problem   *Problem  // what went wrong last; nil once that is over
	Attempt   int       // which retry comes next, counted from 1 since a stream was healthy; 0 if nothing has failed
	RetryAt   time.Time // when it comes
	ByService bool      // the service named that time

	Tries    int   // how often its stream was opened, successfully or not
	Messages int64 // how many messages all of these streams have sent
	Bytes    int64 // how many bytes of responses were read for that, after decompression

	// Changes is how many changed rows wait for the screen, while it takes no data. A row that changes twice counts
	// twice.
	Changes int

	Auditing bool // a second stream is being compared with the first
	Audits   int  // how many audits have ended
	// UnauditedRows is how many rows of the last snapshot no audit has compared so far.
	UnauditedRows int
	// EmptySnapshots is how many snapshots in a row had no rows, if the first one of the stream had none and there were
	// none before: that of the stream and those of audits, on other connections. EmptyAudited of them are audited.
	EmptySnapshots int

	Block         Block     // the block that the response to the stream named; zero if it named none
	BlockAt       time.Time // when that response came
	NewestBlock   Block     // the newest block that a response of the address has named, perhaps of another node
	NewestBlockAt time.Time // when that response came
	Lag           Lag       // how far the stream is behind
	// LateBy is how late its updates come, by the service's clock; 0 if that is less than 5 seconds.
	LateBy time.Duration

	ClockOffset time.Duration // the service's clock minus this machine's, 0 if they may agree, or it sends no time

	ListsFlat   bool // the service lists flat positions: its streams or their audits have sent one
	Unrequested int  // positions that the service sent although they were not requested: they are left out
	LeftOut     int  // positions of the snapshot that are over the limit of rows
}

// EmptyAudited is how many snapshots without rows show that there are none: one node may have lost its rows.
const EmptyAudited = 3

// IsEmptyUnaudited reports whether the stream has sent a snapshot without rows, and too few others show that there are
// none.
func (l *Link) IsEmptyUnaudited() bool {
	return 0 < l.EmptySnapshots && l.EmptySnapshots < EmptyAudited
}

// Problem is why a subscription is broken or refused.
type Problem struct {
	Address string // the base address where it happened
	Status  int    // the HTTP status, 0 if there was no response or none with such a status
	Words   string // one line, neutralised
	Refuse  bool   // the same request would probably be refused again
	NotSent bool   // the request was not sent, because of the configuration
	Advice  string // what to do about it; may be empty
	IsOwn   bool   `json:",omitempty"` // the words are those of this program, and have nothing of the service

	HeldBack bool // a proxy seems to hold back what the service has sent
}

// Lag is how far a stream is behind, and what has shown it. Package follow judges that.
type Lag struct {
	By    time.Duration // 0 if it is not behind
	Shown LagShownBy
	Since time.Time // of LagOfEmptySnapshot: when the rows were known to be right. The lag is the time since then
}

// LagShownBy is what has shown that a stream is behind.
type LagShownBy uint8

// What can show that a stream is behind.
const (
	NoLag              LagShownBy = iota
	LagOfBlock                    // the block that its response named was old
	LagOfRows                     // its newest row is older than one that was shown before the stream was opened
	LagOfUpdates                  // its updates come late
	LagOfAudit                    // an audit has shown states of rows that it has not sent
	LagOfEmptySnapshot            // its snapshot has no rows, and there were some before: these are kept
	LagOfAllBlocks                // all blocks that the service has named lately are old, and its rows are not newer
	LagShownByCount
)

// Freshness is one word for how far the rows of a subscription can be trusted.
type Freshness uint8

// The words, the best first.
const (
	FreshLive       Freshness = iota // a message came within liveFor
	FreshQuiet                       // nothing came lately, but nothing is wrong
	FreshPartial                     // the last page of the snapshot did not come: rows may be missing
	FreshBehind                      // the stream is behind: see Lag
	FreshConnecting                  // nothing has come yet
	FreshStale                       // the rows may be out of date
	freshnessCount
)

// String returns the word on the screen.
func (f Freshness) String() string {
	return [freshnessCount]string{"LIVE", "QUIET", "PARTIAL", "BEHIND", "CONNECTING", "STALE"}[f]
}

// Freshnesses returns all words, the best first.
func Freshnesses() []Freshness {
	var all []Freshness
	for f := range freshnessCount {
		all = append(all, f)
	}
	return all
}

// IsStale reports whether the rows are only kept: their stream has ended, or nothing has shown for too long that they
// are right.
func (f Freshness) IsStale() bool { return f == FreshStale }

// MayLackChanges reports whether rows may have changed and the stream has not sent that: it is stale, or behind by any
// time. MayBeOutOfDate reports whether that is long enough to matter.
func (f Freshness) MayLackChanges() bool { return f.IsStale() || f == FreshBehind }

const (
	// liveFor is how long after the last message of the service a subscription counts as live.
	liveFor = 10 * time.Second
	// trustedFor replaces a TrustedFor of 0.
	trustedFor = 45 * time.Second
	// clockStep is how much the wall clock may fall behind the monotonic clock before it counts as set back.
	clockStep = 5 * time.Second
)

// LastReceived returns when the last message or response of the service came; zero if none did.
func (l *Link) LastReceived() time.Time {
	received := l.MessageAt
	for _, at := range []time.Time{l.RespondedAt, l.VerifiedAt} {
		if at.After(received) {
			received = at
		}
	}
	return received
}

// SinceLastReceived returns how long ago the last message or response of the service came, and false if none did.
func (l *Link) SinceLastReceived(now time.Time) (since time.Duration, known bool) {
	received := l.LastReceived()
	if received.IsZero() {
		return 0, false
	}
	since, _ = elapsed(now, received)
	return since, true
}

// Elapsed returns how long ago a time was, by the clock that has advanced more: the monotonic clock stops while a
// machine sleeps, and the wall clock may be set back. All ages on the screen that depend on the clock of this machine
// are computed with it.
func Elapsed(now, at time.Time) time.Duration {
	d, _ := elapsed(now, at)
	return d
}

// elapsed returns how long ago a time was, by the clock that has advanced more: the monotonic clock stops while a
// machine sleeps. It reports false if the wall clock was set back since then, because a sleep would not be noticed.
func elapsed(now, at time.Time) (d time.Duration, known bool) {
	monotonic, wall := now.Sub(at), now.Round(0).Sub(at.Round(0))
	return max(monotonic, wall), wall > monotonic-clockStep
}

// Freshness returns how far the rows of the subscription can be trusted at now, and an age: for how long they have been
// stale, how far they are behind, or how long ago the last message came; 0 if none ever came.
func (l *Link) Freshness(now time.Time) (Freshness, time.Duration) {
	if !l.StaleSince.IsZero() {
		stale, _ := elapsed(now, l.StaleSince)
		return FreshStale, stale
	}
	if !l.Committed && !l.Partial {
		return FreshConnecting, 0
	}
	if received := l.LastReceived(); !received.IsZero() {
		since, known := elapsed(now, received)
		limited := l.PostponedUntil.Round(0).After(now.Round(0))
		if !known || since > cmp.Or(l.TrustedFor, trustedFor) && !limited {
			return FreshStale, since
		}
	}
	if behind := l.Behind(now); behind > 0 {
		return FreshBehind, behind
	}
	if l.MessageAt.IsZero() {
		return FreshQuiet, 0
	}
	age, _ := elapsed(now, l.MessageAt)
	switch {
	case l.Partial:
		return FreshPartial, age
	case age >= liveFor:
		return FreshQuiet, age
	}
	return FreshLive, age
}

// outOfDateFrom is how far a node must be behind for its rows to count as out of date. Rows that are less behind are
// used, so that an alert of a distressed position is not late.
const outOfDateFrom = time.Minute

// MayBeOutOfDate reports whether the rows of the subscription may be out of date at now: if they are stale, if none
// have come yet, if the stream is behind by a minute or more, or if the rows were kept although the snapshot is empty.
// Nothing begins, ends or is drawn because of such rows. Everything that uses rows calls this function. The rows of a
// node that is less behind are used, and its lag is shown.
func (l *Link) MayBeOutOfDate(now time.Time) bool {
	switch how, since := l.Freshness(now); {
	case how.IsStale(), how == FreshConnecting:
		return true
	case how == FreshBehind:
		return since >= outOfDateFrom || l.Lag.Shown == LagOfEmptySnapshot
	}
	return false
}

// ServiceTime returns a time of this machine by the clock of the service: all times that the service sends are compared
// with that.
func ServiceTime(links []Link, local time.Time) time.Time {
	for i := range links {
		if offset := links[i].ClockOffset; offset != 0 {
			return local.Add(offset)
		}
	}
	return local
}

// AheadFor is how far a time that the service gives may be ahead of its clock and still count. A later time is
// ignored: it does not decide which of two states of a row is newer, or how old a row is.
const AheadFor = 5 * time.Second

// Behind returns how far the stream is behind at now; 0 if it is not behind.
func (l *Link) Behind(now time.Time) time.Duration {
	if l.Lag.Shown != LagOfEmptySnapshot {
		return l.Lag.By
	}
	since, _ := elapsed(now, l.Lag.Since)
	return max(since, l.Lag.By)
}

// LinkOf returns the link of the subscription that a position with the key belongs to; nil if there is none.
func LinkOf(links []Link, key Key) *Link {
	for i := range links {
		if links[i].Covers(key) {
			return &links[i]
		}
	}
	return nil
}

// LinkOfSubscription returns the link of a subscription; nil if there is none.
func LinkOfSubscription(links []Link, of Subscription) *Link {
	for i := range links {
		if links[i].Subscription == of {
			return &links[i]
		}
	}
	return nil
}

// Worst returns the link with the worst freshness; of several such links, the one with the largest age. One with late
// updates is worse than one that is QUIET. It returns nil if there are no links.
func Worst(links []Link, now time.Time) *Link {
	var worst *Link
	var lowest int
	var since time.Duration
	for i := range links {
		freshness, age := links[i].Freshness(now)
		rank := 2 * int(freshness)
		if links[i].IsLate(now) {
			rank, age = 2*int(FreshQuiet)+1, links[i].LateBy
		}
		if worst == nil || rank > lowest || rank == lowest && age > since {
			worst, lowest, since = &links[i], rank, age
		}
	}
	return worst
}

// IsLate reports whether the stream is LIVE or QUIET, and its updates come late.
func (l *Link) IsLate(now time.Time) bool {
	freshness, _ := l.Freshness(now)
	return l.LateBy > 0 && (freshness == FreshLive || freshness == FreshQuiet)
}
