package feed

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"blotter/model"
)

// A service reads its snapshot first and begins to send updates afterwards, without sequence numbers: what
// changes in between is lost, on a stream that looks healthy. Only a second look can find it. An audit
// opens a second stream beside the first and lets both run until the second one's snapshot is whole and the first has
// told what the second one tells next; then the second takes over. The second stream has a gap too, and only the first
// one tells what changed in it.

// How audits are timed.
const (
	firstAuditAfter  = 10 * time.Second // a (re)connect has just made a gap
	hintedAuditAfter = time.Minute      // at the earliest after the last snapshot
	auditGrace       = 2 * time.Second  // for the second stream's first update: blocks come about once a second
	auditPatience    = 5 * time.Second  // for a first stream that has yet to catch up
	auditRetry       = 5 * time.Second  // where the address fails
	auditTurn        = time.Second / 10 // where many others are being opened
	auditPerRows     = time.Minute      // more between audits for each hundred thousand rows
	hintedPerRows    = auditPerRows / 5 // more before a hinted one
)

// audit is a second look that is under way. The nil audit is none.
type audit struct {
	session *session
	pass    *pass
	rows    *model.Rows                  // what the second stream's snapshot says, and what the first said better
	spoken  map[model.Key]model.Position // what the first stream said of rows that the snapshot does not have so far
	floors  *floors
	ahead   pending         // what the second stream said after its snapshot
	ripeAt  time.Time       // the snapshot is whole, and this is when the second stream takes over at the earliest
	resumed *model.Position // its first update; nil where it has told none
	heardAt time.Time       // when the second stream last said something

	connectedAt time.Time // its request went out
	doubt       bool      // whether there is no such position, or no service
}

// auditAt is when to look again after a snapshot: soon after a connection was made, and then the less often the
// more there is to read.
func (s *subscription) auditAt(now time.Time, audited bool) time.Time {
	every := s.feed.config.Times.AuditEvery
	if every < 0 {
		return time.Time{}
	}
	if audited {
		every += auditPerRows * time.Duration(s.size)
	} else {
		every = min(every, firstAuditAfter)
	}
	return now.Add(every*9/10 + rand.N(every/5+1))
}

// bringForward has the next audit come earlier, because there is a hint that it will find something.
func (s *subscription) bringForward(now time.Time) {
	if s.audit != nil || s.clock.audit.IsZero() {
		return
	}
	after := min(hintedAuditAfter, s.feed.config.Times.AuditEvery) + hintedPerRows*time.Duration(s.size)
	earliest := s.link.SnapshotAt.Add(after)
	if earliest.Before(now) {
		earliest = now
	}
	if earliest.Before(s.clock.audit) {
		s.clock.audit = earliest
	}
}

// lookAgain starts an audit.
func (s *subscription) lookAgain(ctx context.Context, now time.Time) {
	if s.audit != nil || s.link.Phase != model.Live {
		return
	}
	pass, v, _ := s.feed.addresses.ask()
	switch {
	case pass == nil && v.proven:
		s.clock.audit = now.Add(auditTurn/2 + rand.N(auditTurn))
		return
	case pass == nil:
		s.clock.audit = now.Add(auditRetry)
		return
	}
	s.audit = &audit{
		session: s.feed.open(ctx, pass.base, s.link.Key),
		pass:    pass,
		rows:    model.NewRows(),
		spoken:  make(map[model.Key]model.Position),
		floors:  newFloors(),
	}
	s.link.Auditing = true
	s.clock.audit = now.Add(s.feed.config.Times.SnapshotSilence)
	s.tell()
}

// endAudit gives up an audit that is under way.
func (s *subscription) endAudit() {
	if s.audit == nil {
		return
	}
	s.audit.session.close()
	s.audit.pass.over()
	s.audit, s.link.Auditing = nil, false
}

func (a *audit) reports() <-chan report {
	if a == nil {
		return nil
	}
	return a.session.reports
}

// inDoubt tells whether only the verifier can say what the second stream's silence means.
func (a *audit) inDoubt() bool { return a != nil && a.doubt && a.heardAt.IsZero() && a.ripeAt.IsZero() }

// isRipe tells whether the second stream can take over.
func (a *audit) isRipe(now time.Time) bool {
	if a == nil || a.ripeAt.IsZero() || now.Before(a.ripeAt) {
		return false
	}
	return a.caughtUp() || !now.Before(a.overdueAt())
}

// caughtUp tells whether the first stream has told all that the second one missed: it has come as far as the second
// one's first update. Where that has none, or none with a time, there is nothing to tell it by.
func (a *audit) caughtUp() bool {
	if a.resumed == nil {
		return true
	}
	at, isTime := a.resumed.Number(model.UpdatedAt).Int64()
	return !isTime || a.floors.newest > at || a.floors.times[a.resumed.Key] == at
}

// overdueAt is when the second stream takes over at the latest.
func (a *audit) overdueAt() time.Time { return a.ripeAt.Add(auditPatience) }

// follow takes updates of the second stream.
func (a *audit) follow(updates []model.Position) {
	if a.resumed == nil && len(updates) > 0 {
		first := updates[0]
		a.resumed = &first
	}
	a.ahead.put(updates)
}

// remember takes what the first stream says while the audit is under way. The newer of the two streams' word
// on a row wins, and of equally new ones the one that came later.
func (a *audit) remember(rows []model.Position) {
	if a == nil {
		return
	}
	for i := range rows {
		row := &rows[i]
		a.floors.raise(row)
		switch known := a.rows.Get(row.Key); {
		case known == nil:
			a.spoken[row.Key] = *row
		case row.Newer(known):
			a.rows.Put(row)
		}
	}
}

// stage takes a page of the second stream's snapshot.
func (a *audit) stage(rows []model.Position) {
	for i := range rows {
		row := &rows[i]
		if said, ok := a.spoken[row.Key]; ok {
			delete(a.spoken, row.Key)
			if !row.Newer(&said) {
				row = &said
			}
		}
		if known := a.rows.Get(row.Key); known == nil || row.Newer(known) {
			a.rows.Put(row)
		}
	}
}

// hearAudit takes what the second stream reports.
func (s *subscription) hearAudit(r report) {
	now, a, times := time.Now(), s.audit, &s.feed.config.Times
	switch {
	case r.connected:
		a.pass.connected()
		a.connectedAt = now
		s.clock.audit = now.Add(times.SnapshotSilence)
		if s.link.Pair() {
			s.clock.audit = now.Add(times.PairSilence)
		}
		return
	case r.err != nil:
		s.failAudit(r.err)
		return
	}
	m := r.message
	defer a.session.done(m)
	a.pass.opened()
	a.heardAt = now
	if m.isPage {
		a.stage(m.page)
	}
	a.follow(m.updates)
	if !a.ripeAt.IsZero() {
		return
	}
	if m.lastPage || m.isUpdate {
		a.ripeAt = now.Add(auditGrace)
		s.clock.audit = a.ripeAt
	} else if m.isPage {
		s.clock.audit = now.Add(times.SnapshotSilence)
	}
}

// stallAudit deals with a second stream on which something should have come. Where a pair is asked for, silence
// says that there is no such position; half a message says nothing yet.
func (s *subscription) stallAudit(now time.Time) {
	a, patience := s.audit, s.feed.config.Times.SnapshotSilence
	rest, latest := a.session.rest(patience), a.connectedAt.Add(patience)
	began := a.session.bytes.Load() > 0
	switch {
	case now.Before(rest):
		s.clock.audit = rest
	case s.link.Pair() && began && a.heardAt.IsZero() && now.Before(latest):
		s.clock.audit = latest
	case !s.link.Pair() || began || a.connectedAt.IsZero():
		s.failAudit(a.session.stopped(a.rows.Len()))
	default:
		a.doubt = true
		s.feed.verifier.ask(a.pass.base, s.verified)
	}
}

// failAudit gives up an audit whose stream broke. The first stream goes on.
func (s *subscription) failAudit(err error) {
	s.log(slog.LevelWarn, "audit of a positions stream: "+words(err))
	if problem := problemOf(err); problem.Refuse {
		s.audit.pass.refused(problem)
	} else {
		s.audit.pass.failed(problem, askedToWait(err))
	}
	s.endAudit()
	s.clock.audit = time.Now().Add(max(s.feed.config.Times.RefusedRetry, askedToWait(err)))
	s.tell()
}

// takeOver has the second stream go on in place of the first, and returns it. What the first one says now is of
// no interest any longer. Where it has not told all that the second one missed, the next audit must find that.
func (s *subscription) takeOver(first *session, toldAll bool) *session {
	a, now := s.audit, time.Now()
	first.close()
	s.pass.over()
	a.pass.succeed(s.pass)
	for key := range a.spoken {
		row := a.spoken[key]
		a.rows.Put(&row)
	}
	s.pass, s.floors, s.connectedAt = a.pass, a.floors, a.connectedAt
	s.audit, s.link.Auditing = nil, false
	s.link.Audits++
	s.link.Address = s.pass.base.String()
	s.link.Silent = a.heardAt.IsZero() && a.rows.Len() == 0
	if a.heardAt.After(s.link.HeardAt) {
		s.link.HeardAt = a.heardAt
	}
	s.prove(now)
	s.vouch(now)
	s.commit(model.Snapshot{Subscription: s.link.Subscription, Rows: a.rows, Audit: true})
	s.merge(a.ahead.rows)
	if !toldAll && !s.unsure { // where that happens each time, to look sooner does not help
		s.bringForward(now)
	}
	s.unsure = !toldAll
	s.tell()
	return a.session
}

// promote has a second stream whose snapshot is whole go on where the first broke. It returns nil where there is
// none.
func (s *subscription) promote(first *session, err error) *session {
	if s.audit == nil || s.audit.ripeAt.IsZero() {
		return nil
	}
	s.log(slog.LevelWarn, "positions stream: "+words(err)+"; the audit's stream goes on")
	s.pass.failed(problemOf(err), askedToWait(err))
	return s.takeOver(first, false)
}
