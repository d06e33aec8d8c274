package feed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"blotter/model"
)

// triedAtOnce is how many subscriptions Examine tries. At an address that has failed already they are not more than
// one that fails may be dialled in a minute.
func (e *examination) triedAtOnce() int {
	if e.marginsFailure != nil {
		return dialsPerMinute - 1
	}
	return dialsAtOnce
}

// streams tries the subscriptions, all at once, and tells of each in its turn. The error is the worst of theirs.
func (e *examination) streams(ctx context.Context, subscriptions []model.Subscription) error {
	tried := subscriptions[:min(len(subscriptions), e.triedAtOnce())]
	if len(tried) < len(subscriptions) {
		e.tell(Finding{About: "positions", Detail: fmt.Sprintf("only the first %d of %d subscriptions are tried", len(tried), len(subscriptions))})
	}
	looks := make([]chan look, len(tried))
	for i := range tried {
		looks[i] = make(chan look, 1)
		e.feed.spawn(func(context.Context) { looks[i] <- e.positions(ctx, tried[i].Key) })
	}
	var worst error
	var newest time.Time
	failed := 0
	for i := range looks {
		l := <-looks[i]
		if len(subscriptions) > 1 {
			l.Of = tried[i].Key
		}
		if l.About != "" {
			e.tell(l.Finding)
		}
		if l.failure != nil {
			failed++
			worst = worse(worst, l.failure)
		}
		if l.newest.After(newest) {
			newest = l.newest
		}
	}
	if !newest.IsZero() {
		e.tell(clockFinding(newest))
	}
	if 0 < failed && failed < len(tried) {
		return &PartlyWellError{fmt.Sprintf("of %d subscriptions that were tried, %d failed", len(tried), failed), worst}
	}
	return worst
}

// look is what came of trying one subscription. It has no Finding where nobody wants to know any longer.
type look struct {
	Finding
	failure error
	rows    int
	first   time.Duration // until the first message
	heard   time.Time     // the latest message
	newest  time.Time     // of the positions' times
}

// positions reads one snapshot.
func (e *examination) positions(ctx context.Context, key model.Key) look {
	times := &e.feed.config.Times
	pair := !key.Party.IsZero() && !key.Market.IsZero()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stuck := time.AfterFunc(times.SnapshotSilence, func() { cancel(errNoSnapshot) })
	defer stuck.Stop()
	var silence <-chan time.Time // from when the request went out
	start := time.Now()
	session := e.feed.open(ctx, e.base, key)
	defer session.close()
	var l look
	for {
		select {
		case <-ctx.Done():
			return l.failed(e, context.Cause(ctx))
		case <-silence:
			if pair && session.bytes.Load() == 0 {
				return l.finds(fmt.Sprintf("silent for %s: there is no such position, which is how a service says so", times.PairSilence))
			}
		case r := <-session.reports:
			if r.err != nil {
				return l.failed(e, causeOf(ctx, r.err))
			}
			stuck.Reset(times.SnapshotSilence)
			if r.message == nil {
				silence = time.After(times.PairSilence)
				continue
			}
			whole := l.take(r.message, time.Since(start))
			session.done(r.message)
			if whole {
				return l.finds(fmt.Sprintf("%d in a snapshot of %d kB, begun after %s, whole after %s", l.rows, (session.bytes.Load()+999)/1000,
					l.first.Round(100*time.Microsecond), time.Since(start).Round(100*time.Microsecond)))
			}
		}
	}
}

// take takes a message, and tells whether the snapshot is whole.
func (l *look) take(m *message, after time.Duration) bool {
	if l.first == 0 {
		l.first = after
	}
	l.heard = time.Now()
	l.rows += len(m.page)
	l.newest = newestOf(m.page, l.newest)
	return m.lastPage || m.isUpdate
}

func (l look) finds(detail string) look {
	l.Finding = Finding{About: "positions", Detail: detail}
	return l
}

func (l look) failed(e *examination, err error) look {
	l.failure, l.newest = err, time.Time{}
	switch {
	case errors.Is(err, context.Canceled):
		return l
	case !isTimeout(err) && !errors.Is(err, errNoSnapshot):
		l.Finding = e.failure("positions", err)
		return l
	}
	l = l.finds("the stream stays silent")
	l.Err, l.Advice = err, "ask whoever runs the service"
	switch {
	case l.rows > 0 && time.Since(l.heard) < e.feed.config.Times.ProbeAfter:
		l.Detail = fmt.Sprintf("the snapshot is not whole yet after %s", counted(l.rows, "position"))
		l.Advice = "give it more time with --timeout"
		return l
	case l.rows > 0:
		l.Detail = fmt.Sprintf("the snapshot stopped after %s", counted(l.rows, "position"))
	}
	if e.marginsFailure == nil {
		l.Advice = "margin levels are answered, so it is the stream that is stuck: " + l.Advice
	}
	return l
}

func clockFinding(newest time.Time) Finding {
	f := Finding{About: "clock", Detail: "the newest position is " + age(newest)}
	if time.Until(newest) > aheadFor {
		f.Advice = "set the clock of this machine, or have that of the service set"
	}
	return f
}

// newestOf is the latest time of an update, so far.
func newestOf(rows []model.Position, newest time.Time) time.Time {
	for i := range rows {
		if nanoseconds, ok := rows[i].Number(model.UpdatedAt).Int64(); ok && nanoseconds > 0 {
			if at := time.Unix(0, nanoseconds); at.After(newest) {
				newest = at
			}
		}
	}
	return newest
}
