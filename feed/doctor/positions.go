package doctor

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/follow"
	"blotter/feed/wire"
	"blotter/model"
)

// examinePositions reads the snapshots of the first subscriptions, as many as streams may be opened now, and reports
// how each ended. The error is the worst of their errors.
func (d *Doctor) examinePositions(ctx context.Context, address endpoint.Inspection, subscriptions []model.Subscription) error {
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
		tried = append(tried, &trial{key: s.Key, lease: lease, start: time.Now(), ended: make(chan struct{})})
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
	if f := clock(tried); f.Detail != "" {
		d.Report(f)
	}
	if 0 < failed && failed < len(tried) {
		return &DegradedError{fmt.Sprintf("of %d subscriptions that were tried, %d failed", len(tried), failed), worst}
	}
	return worst
}

// trial is one subscription that is tried. Its results may be read when ended is closed.
type trial struct {
	key   model.Key
	lease *endpoint.Lease
	start time.Time
	ended chan struct{}

	err         error
	took        time.Duration
	rows        int           // positions of the snapshot
	unrequested int           // positions that were not requested
	newest      int64         // the latest time of change, in nanoseconds since the Unix epoch
	clockOffset time.Duration // the service's clock minus this machine's
	hasClock    bool
}

// run reads one snapshot.
func (t *trial) run(ctx context.Context, silence time.Duration) {
	defer close(t.ended)
	t.err = follow.ReadSnapshot(ctx, t.lease, t.key, silence, t.take)
	t.took = time.Since(t.start)
}

func (t *trial) take(stream *endpoint.Stream, m *wire.Message) error {
	t.clockOffset, t.hasClock = stream.ClockOffset()
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
		}
		return f
	}
	f := Finding{About: "positions", Detail: fmt.Sprintf("%d, complete after %s", t.rows, t.took.Round(100*time.Microsecond))}
	if t.unrequested > 0 {
		f.Detail += fmt.Sprintf("; %d more were not requested and are left out", t.unrequested)
		f.Advice = "the service ignores the filter: ask its operator"
	}
	return f
}

// clockTolerance is how far two clocks may differ: the Date header has whole seconds.
const clockTolerance = 2 * time.Second

// clock compares the service's clock with this machine's: by the Date header, or else by the newest position, which may
// be old. The finding is empty where there is neither.
func clock(tried []*trial) Finding {
	f := Finding{About: "clock"}
	var newest int64
	for _, t := range tried {
		newest = max(newest, t.newest)
	}
	var wrong bool
	switch i := slices.IndexFunc(tried, func(t *trial) bool { return t.hasClock }); {
	case i >= 0:
		offset := tried[i].clockOffset
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
