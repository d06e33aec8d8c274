package feed

import (
	"context"
	"log/slog"
	"time"

	"blotter/model"
)

// subscription keeps one positions stream going for as long as it is wanted. All of it belongs to the goroutine
// that runs it.
type subscription struct {
	feed *Feed
	link model.Link
	pass *pass

	connectedAt time.Time   // the request went out
	doubt       bool        // whether there is no such position, or no service
	staging     *model.Rows // the pages of a snapshot that is not whole yet
	refusals    int         // in a row
	unanswered  int         // how often in a row the service did not say that it is there
	floors      *floors     // what a stream that took over must not fall behind
	audit       *audit      // a second look that is under way
	unsure      bool        // the last one ended before the first stream had told all

	resync   chan struct{} // look again now
	hint     chan struct{} // look again soon
	verified chan error    // answers of the verifier
	clock    alarms
	size     int // of the last snapshot, in hundreds of thousands of rows
}

// alarms are when a subscription acts by itself; zero where it does not.
type alarms struct {
	silence time.Time // too long without a byte, where something must come
	prove   time.Time // the stream has stayed for a while
	probe   time.Time // the stream is silent: is the service there?
	audit   time.Time // look again, or have looked for long enough
}

// next is the earliest alarm, zero where there is none.
func (a *alarms) next() time.Time {
	var next time.Time
	for _, at := range [...]time.Time{a.silence, a.prove, a.probe, a.audit} {
		if next.IsZero() || !at.IsZero() && at.Before(next) {
			next = at
		}
	}
	return next
}

// due tells whether an alarm goes off, and turns it off.
func due(alarm *time.Time, now time.Time) bool {
	if alarm.IsZero() || alarm.After(now) {
		return false
	}
	*alarm = time.Time{}
	return true
}

func (f *Feed) newSubscription(wanted model.Subscription) *subscription {
	return &subscription{
		feed:     f,
		link:     model.Link{Subscription: wanted, Attempt: 1},
		resync:   make(chan struct{}, 1),
		hint:     make(chan struct{}, 1),
		verified: make(chan error, 1),
	}
}

// run keeps the subscription alive until ctx ends.
func (s *subscription) run(ctx context.Context) {
	for ctx.Err() == nil {
		pass, err := s.feed.addresses.enter(ctx, s.wait)
		if err != nil {
			return
		}
		s.pass = pass
		s.connect()
		err = s.follow(ctx)
		s.endAudit()
		if ctx.Err() != nil {
			s.pass.over()
			return
		}
		s.lose(ctx, err)
	}
}

func (s *subscription) tell() { s.feed.mailbox.tell(&s.link) }

// wait tells that a connection may not be opened yet.
func (s *subscription) wait(v verdict) {
	s.link.Phase, s.link.Attempt, s.link.RetryAt, s.link.Banned = model.Waiting, v.attempt, v.at, v.banned
	s.link.Address = v.base.String()
	if s.link.Problem == nil {
		s.link.Problem = v.problem // what another met that tried for all
	}
	if v.proven || s.link.Problem == nil {
		s.link.Phase = model.Connecting // it is only its turn that it waits for
	}
	s.tell()
}

// connect tells that a connection is being opened.
func (s *subscription) connect() {
	s.apply(dialled, nil)
	s.link.Address = s.pass.base.String()
	s.link.StagedRows, s.link.StagedPages, s.link.Banned = 0, 0, false
	s.staging, s.floors = model.NewRows(), nil
	s.clock, s.doubt = alarms{}, false
	select {
	case <-s.resync: // this is what was asked for
	default:
	}
	s.tell()
}

// follow reads a stream until it breaks, and returns why it did.
func (s *subscription) follow(ctx context.Context) error {
	session := s.feed.open(ctx, s.pass.base, s.link.Key)
	defer func() { session.close() }()
	alarm := time.NewTimer(time.Hour)
	defer alarm.Stop()
	for {
		if at := s.clock.next(); !at.IsZero() {
			alarm.Reset(time.Until(at))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case r := <-session.reports:
			if r.err == nil {
				s.hear(session, r)
				break
			}
			// Where a second stream is under way, it goes on in place of the first.
			second := s.promote(session, r.err)
			if second == nil {
				return r.err
			}
			session = second
		case r := <-s.audit.reports():
			s.hearAudit(r)
		case <-s.resync:
			if s.audit == nil {
				s.clock.audit = time.Now()
			}
		case <-s.hint:
			s.bringForward(time.Now())
		case err := <-s.verified:
			if err := s.verify(err); err != nil {
				return err
			}
		case <-alarm.C:
			if err := s.act(ctx, session); err != nil {
				return err
			}
		}
		if s.audit.isRipe(time.Now()) {
			session = s.takeOver(session, s.audit.caughtUp())
		}
	}
}

// hear takes what the session reports while it lives.
func (s *subscription) hear(session *session, r report) {
	now := time.Now()
	if r.connected {
		s.pass.connected()
		s.log(slog.LevelInfo, "positions stream: connected")
		s.connectedAt = now
		s.prove(now)
		s.clock.silence = now.Add(s.patience())
		return
	}
	m := r.message
	defer session.done(m)
	s.heard(now)
	if m.isPage {
		s.hearPage(m)
	}
	if m.isUpdate {
		s.apply(updated, m.updates)
	}
	if s.link.Phase == model.Live {
		s.clock.silence = time.Time{}
	}
	s.tell()
}

func (s *subscription) hearPage(m *message) {
	if s.link.Phase != model.Live {
		s.link.StagedPages++
		s.link.StagedRows += len(m.page)
	}
	if m.lastPage {
		s.apply(completed, m.page)
		return
	}
	s.apply(paged, m.page)
	s.clock.silence = time.Now().Add(s.feed.config.Times.SnapshotSilence)
}

// apply does what the state machine says about an event and the rows that came with it.
func (s *subscription) apply(e event, rows []model.Position) {
	phase, deed := step(s.link.Phase, e)
	s.link.Phase = phase
	switch deed {
	case stage:
		put(s.staging, rows)
	case commit:
		put(s.staging, rows)
		s.commit(model.Snapshot{Subscription: s.link.Subscription, Rows: s.staging})
	case begin:
		s.commit(model.Snapshot{Subscription: s.link.Subscription, Rows: s.staging})
		s.merge(rows)
	case follow:
		s.merge(rows)
	case drop:
		s.staging = nil
	}
}

func put(into *model.Rows, rows []model.Position) {
	for i := range rows {
		into.Put(&rows[i])
	}
}

// merge lets updates through to the screen.
func (s *subscription) merge(rows []model.Position) {
	rows = s.floors.above(rows, time.Now())
	s.audit.remember(rows)
	s.feed.mailbox.put(s.link.Subscription, rows)
}

// commit shows a whole snapshot in place of everything before.
func (s *subscription) commit(snapshot model.Snapshot) {
	now := time.Now()
	s.link.Committed, s.link.SnapshotAt = true, now
	s.link.StaleSince, s.link.Problem, s.link.RetryAt, s.link.Attempt = time.Time{}, nil, time.Time{}, 1
	s.staging = nil
	s.size = snapshot.Rows.Len() / 100_000
	s.clock.audit = s.auditAt(now, snapshot.Audit)
	s.log(slog.LevelInfo, "positions stream: snapshot is whole", "positions", snapshot.Rows.Len(), "audit", snapshot.Audit)
	s.feed.mailbox.commit(snapshot) // the rows are the screen's from here on
}

// act does what is due by now.
func (s *subscription) act(ctx context.Context, session *session) error {
	now := time.Now()
	if due(&s.clock.silence, now) {
		if err := s.fallSilent(now, session); err != nil {
			return err
		}
	}
	if due(&s.clock.prove, now) {
		s.prove(now)
	}
	if due(&s.clock.probe, now) {
		s.feed.verifier.ask(s.pass.base, s.verified)
		s.clock.probe = now.Add(s.feed.config.Times.ProbeEvery)
	}
	switch {
	case !due(&s.clock.audit, now):
	case s.audit == nil:
		s.lookAgain(ctx, now)
	case s.audit.ripeAt.IsZero():
		s.stallAudit(now)
	default: // the first stream has yet to catch up
		s.clock.audit = s.audit.overdueAt()
	}
	return nil
}

// prove takes note of how long the stream has stood, and of when to look again.
func (s *subscription) prove(now time.Time) {
	s.clock.prove = time.Time{}
	if again := s.pass.prove(); again > 0 {
		s.clock.prove = now.Add(again)
	}
}

// lose takes note that the stream is gone and what comes of it, and waits where the service refused.
func (s *subscription) lose(ctx context.Context, err error) {
	now := time.Now()
	if s.link.Committed && s.link.StaleSince.IsZero() {
		s.link.StaleSince = now
	}
	s.link.Silent = false
	s.link.Problem = problemOf(err)
	s.logLoss(err)
	if s.link.Problem.Refuse {
		s.pass.refused(s.link.Problem)
		s.refuse(ctx, now, askedToWait(err))
		return
	}
	s.pass.failed(s.link.Problem, askedToWait(err))
	s.apply(broken, nil)
}

// maxRefusedRetry is how long a refused subscription waits at most, where the service names no time.
const maxRefusedRetry = 10 * time.Minute

// refuse waits, long, before what was refused is asked for again.
func (s *subscription) refuse(ctx context.Context, now time.Time, asked time.Duration) {
	s.refusals++
	s.apply(refused, nil)
	s.link.RetryAt = now.Add(max(asked, backoff(2*s.feed.config.Times.RefusedRetry, maxRefusedRetry, s.refusals)))
	s.link.Attempt = s.refusals + 1
	s.link.Banned = asked > 0
	s.tell()
	resync := s.resync
	if s.link.Banned {
		resync = nil
	}
	select {
	case <-ctx.Done():
	case <-time.After(time.Until(s.link.RetryAt)):
	case <-resync:
	}
}
