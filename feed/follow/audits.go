package follow

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
	"blotter/model/book"
)

// audits are the comparisons with a second stream: when the next one begins, and the one that is under way.
type audits struct {
	*subscription
	judged    *judgement
	schedule  auditSchedule
	invited   chan *sharedAudit
	asked     chan question
	soon      chan struct{} // there is a hint
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
	wasNone   bool          // the last one reached a node that is behind
	// onlyBehindSince is since when audits have reached only nodes that are behind; zero if the last one has not.
	onlyBehindSince time.Time
	wasShared       bool // the last one
	lostTurn        bool // the last one could not begin, or has failed
	areQuick        bool // the last one that compared all took less than quickAuditBegins
	byUpdate        bool // the next one begins with the first update
	byTrader        bool // the next one does not wait for its turn
	believesOlder   bool // the next one counts also for rows of which it has older states
	// A stream is closed if an audit shows that it misses updates, but not again for some time.
	givenUpAt  time.Time
	giveUpWait time.Duration
}

// An audit that gets no message may have reached a node that hangs, so it ends soon: sooner if the last one that has
// compared all was quick. If it was slow, or there was none, and several in a row get no message, the service may be
// slow: the next ones wait as long as other snapshots. After quick ones, one of several waits longer for this reason.
const (
	auditBegins      = 5 * time.Second
	quickAuditBegins = time.Second
	quickAudits      = 6 // in a row that get no message, after quick ones
	slowAudits       = 3 // the same, if there are no quick ones
)

// beginWithin returns how long the next audit waits for its first message, if other snapshots wait this long.
func (a *audits) beginWithin(longest time.Duration) time.Duration {
	areQuick := a.compared > 0 && a.areQuick
	switch {
	case areQuick && a.failed%(quickAudits+1) < quickAudits:
		return min(quickAuditBegins, longest)
	case areQuick && a.failed%(2*(quickAudits+1)) < 2*quickAudits, !areQuick && a.failed < slowAudits:
		return min(auditBegins, longest)
	}
	return longest
}

// areNeeded reports whether the rows are in doubt: no audit has compared them, the last one was none because of its
// node, the stream is behind, or a doubt about some of them began lately.
func (a *audits) areNeeded(lag model.Lag) bool {
	return a.compared == 0 || a.wasNone || canReplace(lag) || a.judged.standing.areRecent(time.Now())
}

func (a *audits) isHinted() bool { return a.hinted != [hints]bool{} }

// count counts an audit that has ended, with its hints, by whether it has found something.
func (a *audits) count(hasFound, isSilent bool) {
	switch {
	case hasFound, a.wasNone:
		a.ofSilence = 0
	case isSilent:
		a.ofSilence++
	}
	for of, wasHinted := range a.hinted {
		if hasFound {
			a.needless[of] = 0
		} else if wasHinted {
			a.needless[of]++
		}
	}
	a.hinted = [hints]bool{}
}

// nextUrgency returns how urgent the next audit of a stream is.
func (a *audits) nextUrgency(link *model.Link, isSilent bool) endpoint.Urgency {
	switch {
	case a.areNeeded(link.Lag), a.hinted[ofRow]:
		return endpoint.InDoubt
	case a.isHinted(), a.lostTurn, isSilent && link.VerifiedAt.Before(link.MessageAt):
		return endpoint.Hinted
	}
	return endpoint.Routine
}

// bringForward makes the next audit begin earlier, because of a hint.
func (a *audits) bringForward(now time.Time, of hint) {
	earliest := endpoint.Later(now, a.readAt.Add(a.schedule.hinted(a.needless[of])))
	waits := a.turn != nil && a.urgency < of.urgency() // it gets another turn
	switch {
	case waits && a.alarms.audit.IsZero(), earliest.Before(a.alarms.audit):
		a.alarms.audit, a.hinted[of] = earliest, true
	case !a.alarms.audit.IsZero() && a.needless[of] == 0: // it begins soon in any case, and is more urgent now
		a.hinted[of] = true
	}
}

// await waits in the background for the turn of an audit.
func (a *audits) await(ctx context.Context, urgency endpoint.Urgency) {
	switch {
	case a.link.Auditing, a.turn != nil && a.urgency >= urgency:
		return
	case a.turn != nil:
		a.cancel()
	}
	ctx, cancel := context.WithCancel(ctx)
	turn := make(chan struct{})
	a.turn, a.urgency, a.cancel = turn, urgency, cancel
	a.Go(func() {
		if a.Pool.AwaitAudit(ctx, urgency) != nil {
			return
		}
		select {
		case turn <- struct{}{}:
		case <-ctx.Done():
		}
	})
}

// begin starts an audit. While the service does not respond, it is postponed.
func (a *audits) begin(ctx context.Context, responds bool) {
	if a.turn != nil {
		a.cancel()
	}
	a.turn = nil
	if !responds && !a.Pool.AuditsWork(a.link.Address) { // no whole snapshot is requested now
		a.alarms.audit, a.lostTurn = time.Now().Add(endpoint.AuditDelay(1)), true
		return
	}
	var shared *sharedAudit
	if !needsStream(&a.link) {
		shared = a.Shared.begin(a)
	}
	a.start(ctx, shared)
}

// start starts an audit, with a stream of its own if shared is nil.
func (a *audits) start(ctx context.Context, shared *sharedAudit) {
	a.byUpdate, a.alarms.audit = false, time.Time{} // no other one begins before it has ended
	ctx, cancel := context.WithCancel(ctx)
	ends := make(chan auditEnd)
	a.end, a.cancel, a.link.Auditing = ends, cancel, true
	a.publish()
	standby := standbySnapshot{
		Config: a.Config, subscription: a.link.Subscription, address: a.link.Address,
		shown: a.judged.shown, sent: newSentTimes(a.judged.seed), mayBeEmpty: !a.hasRows || a.foundEmpty, updates: book.NewRows(),
		isFirstEmpty: a.link.EmptySnapshots == 1,
		asked:        a.asked, mayBeBelieved: a.judged.standing.mayBeBelieved(), held: book.NewRows(),
		isSample: a.judged.standing.isSample(), isBelieved: a.believesOlder,
		beginsWithin: a.beginWithin(a.Times.SnapshotSilence), rows: a.schedule.rows,
	}
	a.Go(func() {
		end := standby.audit(ctx, a, shared)
		if end.open != nil {
			end.open.cancel = cancel
		}
		select {
		case ends <- end:
		case <-ctx.Done():
			end.open.close()
		}
	})
}

// stop cancels the audit that waits or is running.
func (a *audits) stop() {
	if a.link.Auditing || a.turn != nil {
		a.cancel()
		a.turn, a.end, a.link.Auditing = nil, nil, false
	}
}

// beginEarly makes the next audit begin early, because its stream may replace one that is behind. It does not change
// when an audit that failed is tried again.
func (a *audits) beginEarly() {
	if a.failed > 0 {
		return
	}
	if at := a.readAt.Add(a.schedule.again(a.unhelpful, a.wasNone)); at.Before(a.alarms.audit) {
		a.alarms.audit = at
	}
}

// verifyWhenSilent sets when an audit verifies the rows if the stream stays silent.
func (a *audits) verifyWhenSilent() {
	if a.schedule.every >= 0 {
		a.alarms.news = a.link.MessageAt.Add(a.Times.ProbeAfter)
		a.alarms.quiet = endpoint.Later(a.link.MessageAt.Add(a.Times.ProbeAfter), a.schedule.quiet(a.readAt, a.ofSilence))
	}
}

// auditJitter is the longest random delay that is added for an audit that was postponed, so that many do not begin at
// once.
const auditJitter = time.Second / 10

// retry sets when an audit that failed is tried again. If no request was sent, that is as soon as one may be sent: only
// an audit finds what a gap has lost.
func (a *audits) retry(now time.Time, end *auditEnd) {
	err := end.err
	if postponed, ok := errors.AsType[*endpoint.PostponedError](err); ok {
		a.alarms.audit, a.lostTurn = endpoint.Later(now, postponed.Until).Add(rand.N(auditJitter)), true
		return
	}
	if errors.Is(err, errNotShared) {
		a.alarms.audit, a.lostTurn = now, true
		return
	}
	a.failed++
	a.byTrader, a.lostTurn = false, true
	wait := endpoint.AuditDelay(a.failed)
	stopped, isStopped := errors.AsType[*stoppedError](err)
	switch isCostly := isStopped && stopped.Positions > 0; {
	case isCostly:
		wait += a.schedule.scaled(auditPerRows)
	case end.shared != nil:
		wait = a.schedule.again(0, true)
	case a.areNeeded(a.link.Lag), a.isSilent(now):
		wait = a.schedule.again(a.failed-1, true)
	}
	a.alarms.audit = now.Add(wait)
	a.log(end.level(slog.LevelWarn), "audit of a positions stream: "+endpoint.Describe(err))
}
