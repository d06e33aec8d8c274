package doctor

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/follow"
	"blotter/feed/wire"
	"blotter/model"
)

// trials are subscriptions that are tried together: the stream of each stays open until close.
type trials struct {
	pagesWork bool // pages of margin levels work at this address
	silence   time.Duration
	all       []*trial

	opening chan struct{} // has a value for each stream that has not responded yet
	hold    chan struct{} // closed when the streams need not stay open
	running sync.WaitGroup
}

func newTrials(pagesWork bool, silence time.Duration) *trials {
	return &trials{
		pagesWork: pagesWork, silence: silence,
		opening: make(chan struct{}, endpoint.DialsAtOnce), hold: make(chan struct{}),
	}
}

// open begins the trials, in order: at most the allowed number of connections is opened at once. It stops if the
// service refuses a stream because of a limit, or if no other may be opened. The first one may always be opened.
func (t *trials) open(ctx context.Context, address endpoint.Inspection, subscriptions []model.Subscription) {
	untilRefused, stop := context.WithCancel(ctx)
	t.running.Go(func() { <-t.hold; stop() })
	for _, s := range subscriptions {
		select {
		case t.opening <- struct{}{}:
		case <-untilRefused.Done():
			return
		}
		lease, err := address.Lease(untilRefused)
		if err != nil {
			return
		}
		one := &trial{trials: t, key: s.Key, lease: lease, start: time.Now(), settled: make(chan struct{})}
		t.all = append(t.all, one)
		t.running.Go(func() {
			one.run(ctx)
			if endpoint.OutcomeOf(one.err) == endpoint.Limited {
				stop()
			}
			if !one.hasBegun {
				<-t.opening
			}
		})
	}
}

// close closes all streams and waits for that.
func (t *trials) close() {
	close(t.hold)
	t.running.Wait()
}

// limit returns why the service refused a stream while others were open, when all trials have settled; nil if it
// refused none, or all.
func (t *trials) limit() (refused error) {
	works := false
	for _, one := range t.all {
		<-one.settled
		works = works || one.err == nil
		if refused == nil && endpoint.OutcomeOf(one.err) == endpoint.Limited {
			refused = one.err
		}
	}
	if !works {
		return nil
	}
	return refused
}

// trial is one subscription that is tried. Its results may be read when settled is closed.
type trial struct {
	*trials
	key     model.Key
	lease   *endpoint.Lease
	start   time.Time
	settled chan struct{} // closed when the snapshot is complete or cannot be

	err         error
	took        time.Duration
	hasBegun    bool  // a message has come
	isComplete  bool  // the snapshot is
	rows        int   // positions of the snapshot
	unrequested int   // positions that were not requested
	newest      int64 // the latest time of change, in nanoseconds since the Unix epoch
	times       model.TimeUnits
	heldBack    time.Duration // how long the response was held back on its way
}

// run reads one snapshot, and keeps the stream open as long as the others.
func (t *trial) run(ctx context.Context) {
	err := follow.ReadSnapshot(ctx, t.lease, t.key, t.silence, t.takeMessage)
	if !t.isComplete {
		t.err = err
		t.settle()
	}
}

func (t *trial) settle() {
	t.took = time.Since(t.start)
	close(t.settled)
}

func (t *trial) takeMessage(stream *endpoint.Stream, m *wire.Message) error {
	if !t.hasBegun {
		t.hasBegun = true
		<-t.opening // another stream may be opened
	}
	t.heldBack = stream.HeldBackFor()
	requested := model.Subscription{Key: t.key}
	for i := range m.Page {
		if !requested.Covers(m.Page[i].Key) {
			t.unrequested++
			continue
		}
		t.rows++
		t.times.Add(m.Page[i].Number(model.UpdatedAt))
		at, _ := m.Page[i].Number(model.UpdatedAt).Nanoseconds()
		t.newest = max(t.newest, at)
	}
	if m.LastPage {
		t.isComplete = true
		t.settle()
		<-t.hold // what follows is not read: a stream is open for some seconds
	}
	return nil
}

func (t *trial) finding() Finding {
	if t.err != nil {
		f := failure("positions", t.err)
		isLate := errors.Is(t.err, context.DeadlineExceeded)
		if isLate {
			f.Detail = fmt.Sprintf("no complete snapshot in time: %d positions came", t.rows)
		}
		_, isHeldBack := errors.AsType[*endpoint.HeldBackError](t.err)
		if t.pagesWork && !t.hasBegun && !isHeldBack && (isLate || follow.IsStopped(t.err)) {
			f.Advice += "; " + bufferingSuspected
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
