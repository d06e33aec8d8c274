package doctor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
)

// examinePositions opens a stream for each subscription and keeps all of them open side by side, as a dashboard does,
// up to the limit of the service. It reads their snapshots, reports how each ended, and closes the streams. The error
// is the worst of their errors. If pages work and a stream sends nothing, a proxy may hold it back. It adds how the
// times of the positions are written.
func (d *Doctor) examinePositions(ctx context.Context, address endpoint.Inspection,
	subscriptions []model.Subscription, pagesWork bool, updatedAt *model.TimeUnits) error {
	t := newTrials(pagesWork, d.SnapshotSilence)
	defer t.close()
	t.open(ctx, address, subscriptions)
	err := d.reportTrials(address, t, len(subscriptions))
	for _, one := range t.all { // all have settled
		updatedAt.Merge(&one.times)
	}
	return err
}

// manySubscriptions is how many subscriptions have a line each. If there are more, those that work share one.
const manySubscriptions = 10

// reportTrials reports how the trials of some of the subscriptions ended, and returns the worst of their errors.
func (d *Doctor) reportTrials(address endpoint.Inspection, t *trials, subscriptions int) error {
	var worst error
	var passed []*trial // those that share a line
	failed, refused := 0, t.limit()
	if len(t.all) < subscriptions && refused == nil {
		d.Report(Finding{About: "positions", Detail: fmt.Sprintf("only the first %d of %d subscriptions are tried",
			len(t.all), subscriptions)})
	}
	for _, one := range t.all { // all have settled: limit has waited for that
		if one.err != nil {
			failed++
			worst = worse(worst, one.err)
		}
		if errors.Is(one.err, context.Canceled) || refused != nil && endpoint.OutcomeOf(one.err) == endpoint.Limited {
			continue // the caller has cancelled it, or the limit is reported below
		}
		f := one.finding()
		if subscriptions > 1 {
			f.Of = one.key
		}
		if subscriptions > manySubscriptions && f.Err == nil && f.Advice == "" {
			passed = append(passed, one)
			continue
		}
		d.Report(f)
	}
	if len(passed) > 0 {
		d.Report(sharedFinding(passed))
	}
	if refused != nil {
		d.Report(Finding{
			About: "streams", Err: refused, Detail: fmt.Sprintf("the scope needs %d streams; %d are open side by side, and one more is refused: %s",
				subscriptions, len(t.all)-failed, endpoint.Describe(refused)),
			Advice: "watch fewer parties or markets; all programs behind one gateway may share the limit",
		})
	}
	if f := clock(address, t.all); f.Detail != "" {
		d.Report(f)
	}
	switch {
	case refused != nil && failed < len(t.all):
		return &DegradedError{fmt.Sprintf("of %d streams, %d could be opened", subscriptions, len(t.all)-failed), worst}
	case 0 < failed && failed < len(t.all):
		return &DegradedError{fmt.Sprintf("of %d subscriptions that were tried, %d failed", len(t.all), failed), worst}
	}
	return worst
}

// sharedFinding returns one finding for trials that passed.
func sharedFinding(passed []*trial) Finding {
	rows, longest := 0, time.Duration(0)
	for _, t := range passed {
		rows, longest = rows+t.rows, max(longest, t.took)
	}
	return Finding{About: "positions", Detail: fmt.Sprintf("%d, of %d streams side by side, each complete within %s",
		rows, len(passed), longest.Round(100*time.Microsecond))}
}

// bufferingAdvice is what to do about a proxy that collects what a stream sends before it passes it on.
const bufferingAdvice = "a proxy before the service buffers responses: have it pass streams on at once (nginx: proxy_buffering off)"

// bufferingSuspected is added to the advice about a stream that sends nothing: a snapshot that is small waits longest.
const bufferingSuspected = "a proxy that buffers responses delays a small snapshot too (nginx: proxy_buffering off)"

// clockTolerance is how far two clocks may differ: the Date header has whole seconds.
const clockTolerance = 2 * time.Second

// clock compares the service's clock with this machine's: by the Date headers, or else by the newest position, which
// may be old. The finding is empty if there is neither.
func clock(address endpoint.Inspection, tried []*trial) Finding {
	f := Finding{About: "clock"}
	var newest int64
	for _, t := range tried {
		newest = max(newest, t.newest)
	}
	var wrong bool
	switch offset, known := address.ClockOffset(); {
	case known:
		wrong = offset.Abs() > clockTolerance
		f.Detail = "the service's clock agrees with this machine's"
		if wrong {
			side := "ahead of"
			if offset < 0 {
				side = "behind"
			}
			f.Detail = fmt.Sprintf("the service's clock is %s %s this machine's", offset.Abs().Round(time.Second), side)
		}
	case newest > 0:
		at := time.Unix(0, newest)
		wrong = time.Until(at) > clockTolerance
		f.Detail = "the newest position is " + age(at)
	}
	if wrong {
		f.Advice = "set the clock of this machine, or have that of the service set"
	}
	return f
}
