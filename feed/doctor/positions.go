package doctor

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/follow"
	"blotter/feed/wire"
	"blotter/model"
)

// examinePositions reads the snapshots of the first subscriptions, as many as streams may be opened now, and reports
// how each ended. The error is the worst of their errors. If pages work and a stream sends nothing, a proxy may hold it
// back.
func (d *Doctor) examinePositions(ctx context.Context, address endpoint.Inspection, subscriptions []model.Subscription, pagesWork bool) error {
	var tried []*trial
	for _, s := range subscriptions {
		lease, err := address.Lease()
		if err != nil && len(tried) == 0 {
			d.Report(failure("positions", err))
			return err
		}
		if err != nil {
			break
		}
		tried = append(tried, &trial{key: s.Key, lease: lease, pagesWork: pagesWork, start: time.Now(), ended: make(chan struct{})})
	}
	for _, t := range tried {
		go t.run(ctx, d.SnapshotSilence)
	}
	if len(tried) < len(subscriptions) {
		d.Report(Finding{About: "positions", Detail: fmt.Sprintf("only the first %d of %d subscriptions are tried", len(tried), len(subscriptions))})
	}
	var worst error
	failed := 0
	for _, t := range tried {
		<-t.ended
		if t.err != nil {
			failed++
			worst = worse(worst, t.err)
		}
		if errors.Is(t.err, context.Canceled) {
			continue // the caller has cancelled it
		}
		f := t.finding()
		if len(subscriptions) > 1 {
			f.Of = t.key
		}
		d.Report(f)
	}
	if f := clock(address, tried); f.Detail != "" {
		d.Report(f)
	}
	if 0 < failed && failed < len(tried) {
		return &DegradedError{fmt.Sprintf("of %d subscriptions that were tried, %d failed", len(tried), failed), worst}
	}
	return worst
}

// bufferingAdvice is what to do about a proxy that collects what a stream sends before it passes it on.
const bufferingAdvice = "a proxy before the service buffers responses: have it pass streams on at once (nginx: proxy_buffering off)"

// bufferingSuspected is added to the advice about a stream that sends nothing: a snapshot that is small waits longest.
const bufferingSuspected = "a proxy that buffers responses delays a small snapshot too (nginx: proxy_buffering off)"

// trial is one subscription that is tried. Its results may be read when ended is closed.
type trial struct {
	key   model.Key
	lease *endpoint.Lease
	start time.Time

	pagesWork bool // pages of margin levels work at this address
	ended     chan struct{}

	err         error
	took        time.Duration
	hasBegun    bool          // a message has come
	rows        int           // positions of the snapshot
	unrequested int           // positions that were not requested
	newest      int64         // the latest time of change, in nanoseconds since the Unix epoch
	heldBack    time.Duration // how long the response was held back on its way
}

// run reads one snapshot.
func (t *trial) run(ctx context.Context, silence time.Duration) {
	defer close(t.ended)
	t.err = follow.ReadSnapshot(ctx, t.lease, t.key, silence, t.take)
	t.took = time.Since(t.start)
}

func (t *trial) take(stream *endpoint.Stream, m *wire.Message) error {
	t.hasBegun, t.heldBack = true, stream.HeldBackFor()
	requested := model.Subscription{Key: t.key}
	for i := range m.Page {
		if !requested.Covers(m.Page[i].Key) {
			t.unrequested++
			continue
		}
		t.rows++
		if at, usable := m.Page[i].ChangedAt(math.MaxInt64); usable {
			t.newest = max(t.newest, at)
		}
	}
	return nil
}

// finding returns how the trial ended.
func (t *trial) finding() Finding {
	if t.err != nil {
		f := failure("positions", t.err)
		if errors.Is(t.err, context.DeadlineExceeded) {
			f.Detail = fmt.Sprintf("no complete snapshot in time: %d positions came", t.rows)
			if t.pagesWork && !t.hasBegun {
				f.Advice += "; " + bufferingSuspected
			}
		}
		return f
	}
	f := Finding{About: "positions", Detail: fmt.Sprintf("%d, complete after %s", t.rows, t.took.Round(100*time.Microsecond))}
	if t.heldBack > 0 {
		f.Detail += fmt.Sprintf("; its response was held back for about %s on the way", t.heldBack.Round(time.Second))
		f.Advice = bufferingAdvice
	}
	if t.unrequested > 0 {
		f.Detail += fmt.Sprintf("; %d more were not requested and are left out", t.unrequested)
		f.Advice = "the service ignores the filter: ask its operator"
	}
	return f
}

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
