// Package follow keeps one positions stream open: it opens the stream, stages its snapshot, merges its updates,
// compares it now and then with a second stream, checks whether a silent service responds, and opens it again when it
// ends. Package endpoint decides when and where a request may be sent. All results go to a Sink.
//
//	session ──message──▶ Follower ──Commit, Update, Publish──▶ Sink
//	reads as fast as        │  ▲
//	bytes come              │  └─responded── a page of one record, which shows only that the service works
//	                        └─────audit──── a second stream, read page by page ──Audit──▶ Sink
//
// The state machine is in phase.go, the alarms of a Follower are in alarms.go. A Follower has three parts, which share
// its subscription: audits (audits.go), the check whether the service responds (silence.go), and what shows that the
// stream is behind (judging.go, by the rules in judgement.go).
package follow

import (
	"context"
	"hash/maphash"
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
	// BeginStream begins the updates of a stream whose snapshot was not taken. The rows before stay.
	BeginStream(subscription model.Subscription)
	// Update applies updates, or a page that came after the rows were shown. The positions are copied. An error means
	// that there is no room for them.
	Update(updates book.Updates) error
	// Audit compares a page of an audit. It waits until there is room for it, and returns an error only if ctx ends
	// before that. The positions are copied.
	Audit(ctx context.Context, page book.AuditPage) error
	// Doubt takes the rows in doubt that are marked.
	Doubt(doubts book.Doubts)
	// Publish takes the new state of the subscription.
	Publish(link model.Link)
}

// Follower keeps the stream of one subscription open, and opens it again when it ends. All of its state belongs to the
// goroutine of Run.
type Follower struct {
	*subscription
	lease *endpoint.Lease
	// healthy is true once the open stream has sent a whole message with content.
	healthy bool

	staging   *staging // a snapshot that has no last page yet; nil if there is none
	dropped   bool     // the first pages of a snapshot that goes on were dropped: its last page does not make it whole
	judged    judging
	wokenAt   time.Time           // when the loop ran last, which shows a sleep of the machine
	reopening *endpoint.Reopening // of the last stream, if it ended without a failure
	refusals  refusals
	probing   probing
	audits    audits
	resync    chan struct{} // audit now
}

// refusals are the refusals of the stream, by address, since it was last open.
type refusals struct {
	by     map[string]bool
	rounds int           // in a row, of all addresses
	wait   time.Duration // that the service named
}

// New returns a Follower that is not running.
func New(config Config, of model.Subscription) *Follower {
	if config.Now == nil {
		config.Now = time.Now
	}
	s := &subscription{
		Config: config,
		link: model.Link{Subscription: of, Since: time.Now(),
			TrustedFor: 3 * max(config.Times.ProbeAfter, config.Times.ProbeEvery)},
	}
	seed := maphash.MakeSeed()
	f := &Follower{
		subscription: s,
		judged:       judging{subscription: s, judgement: judgement{seed: seed, standing: newStanding(seed)}},
		refusals:     refusals{by: make(map[string]bool)},
		probing:      probing{subscription: s, verified: make(chan verification, 1)},
		audits: audits{
			subscription: s, schedule: auditSchedule{every: config.Times.AuditEvery},
			invited: make(chan *sharedAudit, 1), asked: make(chan question), soon: make(chan struct{}, 1),
		},
		resync: make(chan struct{}, 1),
	}
	f.judged.audits, f.audits.judged = &f.audits, &f.judged.judgement
	return f
}

// Resync begins an audit now, or ends the wait after every address has refused the stream. It does not wait.
func (f *Follower) Resync() { endpoint.Signal(f.resync) }

// RequestAudit brings the next audit forward, because there is a hint that an update was missed. A shortest time
// between audits is kept, because some services give such hints always. It does not wait.
func (f *Follower) RequestAudit() { endpoint.Signal(f.audits.soon) }

// Run keeps the stream open, and opens it again when it ends, until ctx ends.
func (f *Follower) Run(ctx context.Context) {
	f.News.enter(1)
	defer f.News.enter(-1)
	f.Left.takeTo(ctx, f.judged.standing, f.link.Subscription)
	defer func() { f.Left.add(f.judged.standing, f.notAfter(time.Now()), time.Now()) }()
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
		f.audits.stop()
		if ctx.Err() != nil {
			f.lease.Release(nil)
			return
		}
		f.handleLoss(err)
	}
}

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
	f.alarms = alarms{silence: time.Now().Add(f.Times.SnapshotSilence), held: time.Now().Add(heldChecks), doubts: f.alarms.doubts}
	select {
	case <-f.resync: // the new stream has the same effect
	default:
	}
	f.publish()
}

// follow reads a stream until it breaks, and returns why it did.
func (f *Follower) follow(ctx context.Context) error {
	defer f.Shared.enter(&f.audits, f.link.Address)()
	session := f.open(ctx, f.lease)
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
			f.audits.begin(ctx, f.probing.unanswered == 0)
		case q := <-f.audits.asked:
			f.judged.answer(q)
		case end := <-f.audits.end:
			if next := f.handleAuditEnd(ctx, end); next != nil {
				bytesBefore += session.bytes()
				session.cancel()
				session = next
			}
		case shared := <-f.audits.invited:
			f.audits.join(ctx, shared)
		case <-f.resync:
			f.audits.byTrader = true
			f.verifyAndAudit()
		case <-f.audits.soon:
			f.audits.bringForward(time.Now(), ofRow)
		case v := <-f.probing.verified:
			f.judged.judge(time.Now())
			f.probing.handle(v)
		case <-due:
			err = f.act(ctx, session)
		}
		if err != nil {
			return err
		}
		f.detectSleep()
		if f.probing.compare {
			f.probing.verify(ctx)
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
	f.judged.lateness.resumed = f.judged.lateness.resumed && !f.hasPaused()
	f.link.Messages++
	m.Page, m.Updates = f.withoutUnrequested(m.Page), f.withoutUnrequested(m.Updates)
	now := time.Now()
	f.News.addPage(m.Page, f.notAfter(now))
	f.News.add(m.Updates, f.notAfter(now))
	f.dropAbandoned(now)
	if m.HasContent() {
		f.progressed(now)
	}
	f.readClock()
	f.judged.setNode(session.stream.Load())
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
