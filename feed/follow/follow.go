// Package follow keeps one positions stream open: it opens the stream, stages its snapshot, merges its updates,
// compares it now and then with a second stream, checks whether a silent service responds, and opens it again when it
// ends. Package endpoint decides when and where a request may be sent. All results go to a Sink.
//
//	session ──message──▶ Follower ──Commit, Update, Publish──▶ Sink
//	reads as fast as        │  ▲
//	bytes come              │  └─responded── a page of one record, which shows only that the service works
//	                        └─────audit──── a second stream, read page by page ──Audit──▶ Sink
//
// The state machine is in phase.go, the alarms of a Follower are in alarms.go. When a stream counts as behind, and what
// happens then, is in judgement.go.
package follow

import (
	"context"
	"hash/maphash"
	"log/slog"
	"slices"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
	"blotter/model/book"
)

// Sink takes the results of a Follower. Its methods are called by several goroutines.
type Sink interface {
	// Commit replaces all positions of the subscription. The rows belong to the Sink from here on.
	Commit(snapshot book.Snapshot)
	// BeginPartial begins the rows of a stream whose snapshot has no last page so far. The rows before stay.
	BeginPartial(subscription model.Subscription)
	// Update applies updates, or a page that came after the rows were shown. The positions are copied. An error means
	// that there is no room for them.
	Update(updates book.Updates) error
	// Audit compares a page of an audit. It waits until there is room for it, and returns an error only if ctx ends
	// before that. The positions are copied.
	Audit(ctx context.Context, page book.AuditPage) error
	// Publish takes the new state of the subscription.
	Publish(link model.Link)
}

// Follower keeps the stream of one subscription open, and opens it again when it ends. All of its state belongs to the
// goroutine of Run.
type Follower struct {
	Config
	link  model.Link
	lease *endpoint.Lease
	// healthy is true once the open stream has sent a whole message with content.
	healthy bool

	staging    *staging // a snapshot that has no last page yet; nil if there is none
	dropped    bool     // the first pages of a snapshot that goes on were dropped: its last page does not make it whole
	judged     judgement
	hasRows    bool // the subscription has rows
	foundEmpty bool // but the last snapshot or audit has none
	alarms     alarms
	wokenAt    time.Time           // when the loop ran last, which shows a sleep of the machine
	reopening  *endpoint.Reopening // of the last stream, if it ended without a failure
	refusals   refusals
	probing    probing
	audits     audits
	schedule   auditSchedule

	resync    chan struct{} // audit now
	invited   chan *sharedAudit
	auditSoon chan struct{} // audit soon
	verified  chan verification
}

// refusals are the refusals of the stream, by address, since it was last open.
type refusals struct {
	by     map[string]bool
	rounds int           // in a row, of all addresses
	wait   time.Duration // that the service named
}

// probing is the check whether the service responds.
type probing struct {
	underWay   bool
	unanswered int       // in a row
	limitedAt  time.Time // since when the service has limited checks; zero if it does not
	compare    bool      // the clocks are to be compared: a check that was sent before is not used
	comparedAt time.Time // when that was last so because of the time of a row
}

// audits are the comparisons with a second stream.
type audits struct {
	turn      chan struct{} // of the one that waits for its turn; nil if none does
	urgency   endpoint.Urgency
	end       chan auditEnd // of the one that is under way; nil if none is
	cancel    func()        // cancels the one that waits or is under way
	failed    int           // in a row
	unhelpful int           // in a row, after which the rows are still in doubt
	readAt    time.Time     // when the last snapshot was whole, or the last audit ended, also if it failed
	compared  int           // those of current nodes that have compared the rows of the open stream
	hinted    [hints]bool   // the next one is because of these hints
	needless  [hints]int    // those in a row that were because of such a hint and have found nothing
	ofSilence int           // those in a row of the silent stream that have found nothing
	wasNone   bool          // the last one reached a node that is behind or lacks rows
	wasShared bool          // the last one
	lostTurn  bool          // the last one could not begin, or has failed
	areQuick  bool          // the last one that compared all took less than quickAuditBegins
	byUpdate  bool          // the next one begins with the first update
	byTrader  bool          // the next one does not wait for its turn
	// A stream is closed if an audit shows that it misses updates, but not again for some time.
	givenUpAt  time.Time
	giveUpWait time.Duration
}

// New returns a Follower that is not running.
func New(config Config, subscription model.Subscription) *Follower {
	if config.Now == nil {
		config.Now = time.Now
	}
	return &Follower{
		Config: config,
		link: model.Link{Subscription: subscription, Since: time.Now(),
			TrustedFor: 3 * max(config.Times.ProbeAfter, config.Times.ProbeEvery)},
		judged:    judgement{seed: maphash.MakeSeed()},
		schedule:  auditSchedule{every: config.Times.AuditEvery},
		refusals:  refusals{by: make(map[string]bool)},
		resync:    make(chan struct{}, 1),
		invited:   make(chan *sharedAudit, 1),
		auditSoon: make(chan struct{}, 1),
		verified:  make(chan verification, 1),
	}
}

// Resync begins an audit now, or ends the wait after every address has refused the stream. It does not wait.
func (f *Follower) Resync() { signal(f.resync) }

// RequestAudit brings the next audit forward, because there is a hint that an update was missed. A shortest time
// between audits is kept, because some services give such hints always. It does not wait.
func (f *Follower) RequestAudit() { signal(f.auditSoon) }

func signal(to chan<- struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// Run keeps the stream open, and opens it again when it ends, until ctx ends.
func (f *Follower) Run(ctx context.Context) {
	f.News.enter(1)
	defer f.News.enter(-1)
	for ctx.Err() == nil {
		lease, err := f.Pool.Acquire(ctx, f.reopening, f.refusals.has, f.publishWait)
		switch {
		case ctx.Err() != nil:
			if lease != nil {
				lease.Release(nil)
			}
			return
		case err != nil: // every address has refused
			f.waitRefused(ctx)
			continue
		}
		f.lease = lease
		f.begin()
		err = f.follow(ctx)
		f.endAudit()
		if ctx.Err() != nil {
			f.lease.Release(nil)
			return
		}
		f.handleLoss(err)
	}
}

func (f *Follower) publish() { f.Sink.Publish(f.link) }

// begin records that a stream is being opened.
func (f *Follower) begin() {
	f.apply(opened, nil)
	f.link.Address, f.link.ConnectedAt = f.lease.Address(), time.Now()
	f.link.StagedRows, f.link.StagedPages, f.link.ByService = 0, 0, false
	f.link.Unrequested, f.link.LeftOut = 0, 0
	f.link.Block, f.link.BlockAt, f.link.Lag = model.Block{}, time.Time{}, model.Lag{}
	f.link.LateBy = 0
	f.link.Tries++
	f.staging, f.dropped, f.healthy, f.reopening = nil, false, false, nil
	f.judged.restart(newSentTimes(f.judged.seed))
	f.audits.unhelpful = 0
	f.alarms = alarms{silence: time.Now().Add(f.Times.SnapshotSilence), held: time.Now().Add(heldChecks)}
	select {
	case <-f.resync: // the new stream has the same effect
	default:
	}
	f.publish()
}

// follow reads a stream until it breaks, and returns why it did.
func (f *Follower) follow(ctx context.Context) error {
	defer f.Shared.enter(f, f.link.Address)()
	session := f.open(ctx)
	defer func() { session.cancel() }()
	bytesBefore := f.link.Bytes
	defer func() { f.link.Bytes = bytesBefore + session.bytes() }()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	overdue := make(chan time.Time)
	close(overdue)
	f.wokenAt = f.Now()
	for {
		due := timer.C
		if at := f.alarms.next(); !at.IsZero() {
			if wait := time.Until(at); wait > 0 {
				timer.Reset(wait)
			} else {
				due = overdue
			}
		}
		var err error
		select {
		case <-ctx.Done():
			return ctx.Err()
		case r := <-session.reports:
			f.link.Bytes = bytesBefore + session.bytes()
			err = f.handleReport(session, r)
			if f.staging != nil && f.link.StagedPages > firstPages && len(session.reports) == 0 {
				time.Sleep(pagesTogether)
			}
		case <-f.audits.turn:
			f.beginAudit(ctx)
		case end := <-f.audits.end:
			if next := f.handleAuditEnd(ctx, end); next != nil {
				bytesBefore += session.bytes()
				session.cancel()
				session = next
			}
		case shared := <-f.invited:
			joinShared(ctx, f, shared)
		case <-f.resync:
			f.audits.byTrader = true
			f.verifyAndAudit()
		case <-f.auditSoon:
			f.bringAuditForward(time.Now(), ofRow)
		case v := <-f.verified:
			f.handleVerification(v)
		case <-due:
			err = f.act(ctx, session)
		}
		if err != nil {
			return err
		}
		f.detectSleep()
		if f.probing.compare {
			f.verify(ctx)
		}
	}
}

func (f *Follower) handleReport(session *session, r report) error {
	if r.err != nil {
		if f.endedWithoutFailure(session.stream.Load(), r.err) {
			f.reopening = f.lease.ReleaseEnded()
		}
		return r.err
	}
	m := r.message
	defer session.done(m)
	f.link.Messages++
	m.Page, m.Updates = f.withoutUnrequested(m.Page), f.withoutUnrequested(m.Updates)
	now := time.Now()
	f.News.add(m.Page, f.notAfter(now))
	f.News.add(m.Updates, f.notAfter(now))
	f.dropAbandoned(now)
	if m.HasContent() {
		f.progressed(now)
	}
	f.readClock()
	f.setNode(session.stream.Load())
	if m.IsPage {
		if err := f.handlePage(m); err != nil {
			return err
		}
	}
	if m.IsUpdate {
		if err := f.apply(updated, m.Updates); err != nil {
			return err
		}
	}
	if f.link.Phase == model.Live {
		f.alarms.silence = time.Time{}
	}
	f.publish()
	return nil
}

// withoutUnrequested leaves out, in place, the positions that were not requested: each position belongs to one
// subscription. A service that ignores the filter sends such positions.
func (f *Follower) withoutUnrequested(rows []model.Position) []model.Position {
	return slices.DeleteFunc(rows, func(p model.Position) bool {
		if f.link.Covers(p.Key) {
			return false
		}
		if f.link.Unrequested++; f.link.Unrequested == 1 {
			f.log(slog.LevelWarn, "positions stream: the service sends positions that were not requested; they are left out")
		}
		return true
	})
}

// enter sets the phase and, if it is another one, when it began.
func (f *Follower) enter(phase model.Phase) {
	if phase != f.link.Phase {
		f.link.Phase, f.link.Since = phase, time.Now()
	}
}

// apply does the action of the state machine for an event and the rows that came with it. An error means that there is
// no room for updates.
func (f *Follower) apply(e event, rows []model.Position) error {
	isShown := f.link.Phase == model.Live
	phase, action := step(f.link.Phase, e)
	f.enter(phase)
	switch action {
	case stage, commit:
		f.stage(e, rows)
		f.judged.add(rows, f.notAfter(time.Now()))
		if action == commit {
			return f.commit(isShown)
		}
	case show:
		return f.showPartial()
	case merge:
		return f.merge(e, rows)
	case discard:
		f.staging = nil
	}
	return nil
}
