// Package delivery delivers events of alerts to the programs of their rules, at least once: what a program did not take
// waits, is tried again, and is kept for the next run.
//
//	Deliver -> Outbox of the rule -> message -> run -> delivered
//	                  ^                          |
//	                  +---- failed: later <------+
//
// An Outbox is what waits for one program, and has no goroutine and no clock. Delivery has a goroutine for each rule.
package delivery

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/format"
	"blotter/ui/metrics"
)

// Options are what a Delivery needs.
type Options struct {
	Rules []string // the names of those that have a program
	// Run runs the program of a rule with a message on its standard input, and waits for its end. An error after the
	// end of its context is no failure.
	Run func(ctx context.Context, rule string, message []byte) error
	// Kept is what waited when the last run ended, by rule. Keep keeps what waits; nil if nothing is kept.
	Kept map[string]*Outbox
	Keep func(map[string]*Outbox) error
	Warn func(error) // a failure of Keep, or of a program, in words; nil if the screen shows it
}

// Delivery delivers the events of the alerts of one service. Its methods may be called by several goroutines.
type Delivery struct {
	options Options
	ctx     context.Context
	stop    context.CancelFunc
	running sync.WaitGroup
	wake    map[string]chan struct{} // by rule: something has come

	mu       sync.Mutex
	boxes    map[string]*Outbox
	failures map[string]int // by rule: calls that have failed since the start
	outcomes map[string]alerts.Outcome
	news     chan struct{} // there are outcomes that were not read
	keeping  sync.Mutex    // while what waits is written
	warned   bool          // it cannot be kept
}

// Start starts a Delivery, which ends with ctx.
func Start(ctx context.Context, o Options) *Delivery {
	d := &Delivery{
		options: o, wake: make(map[string]chan struct{}), boxes: make(map[string]*Outbox),
		failures: make(map[string]int), outcomes: make(map[string]alerts.Outcome), news: make(chan struct{}, 1),
	}
	d.ctx, d.stop = context.WithCancel(ctx)
	for _, rule := range o.Rules {
		d.boxes[rule], d.wake[rule] = &Outbox{}, make(chan struct{}, 1)
		if kept := o.Kept[rule]; kept != nil {
			d.boxes[rule] = kept
		}
	}
	for rule := range d.boxes { // all of them are there before the first goroutine reads one
		d.running.Go(func() { d.deliver(rule) })
	}
	return d
}

// Close ends the running programs, and waits for them. What waits stays kept.
func (d *Delivery) Close() {
	d.stop()
	d.running.Wait()
}

// Deliver takes events of one rule, and keeps them. It does not wait for the program.
func (d *Delivery) Deliver(events []view.AlertEvent) {
	if len(events) == 0 {
		return
	}
	rule := events[0].Rule.Name
	d.mu.Lock()
	box := d.boxes[rule]
	if box == nil {
		d.note(alerts.Outcome{Rule: rule, Err: errors.New("not run: the configuration has no command for it")})
		d.mu.Unlock()
		return
	}
	for i := range events {
		box.add(&events[i])
	}
	d.mu.Unlock()
	d.keep()
	signal(d.wake[rule])
}

// signal signals a channel, unless a signal waits in it.
func signal(to chan<- struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}

// Outcome waits for the next outcome of a rule, and returns the latest; false if ctx or the Delivery has ended.
func (d *Delivery) Outcome(ctx context.Context) (alerts.Outcome, bool) {
	for {
		d.mu.Lock()
		for _, rule := range slices.Sorted(maps.Keys(d.outcomes)) {
			outcome := d.outcomes[rule]
			delete(d.outcomes, rule)
			d.mu.Unlock()
			return outcome, true
		}
		d.mu.Unlock()
		select {
		case <-d.news:
		case <-ctx.Done():
			return alerts.Outcome{}, false
		case <-d.ctx.Done():
			return alerts.Outcome{}, false
		}
	}
}

// note notes an outcome, which takes the place of an earlier one of its rule that was not read.
func (d *Delivery) note(outcome alerts.Outcome) {
	d.outcomes[outcome.Rule] = outcome
	signal(d.news)
}

// Figures returns the figures of each rule.
func (d *Delivery) Figures() (figures []metrics.Program) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, rule := range d.options.Rules {
		figures = append(figures, metrics.Program{Rule: rule, NotDelivered: d.boxes[rule].size(), Failures: d.failures[rule]})
	}
	return figures
}

// deliver delivers what comes for a rule, until the Delivery ends.
func (d *Delivery) deliver(rule string) {
	box := d.boxes[rule]
	for {
		wait := d.tryAll(rule, box)
		var later <-chan time.Time
		if wait > 0 {
			later = time.After(wait)
		}
		select {
		case <-later:
		case <-d.wake[rule]:
		case <-d.ctx.Done():
			return
		}
	}
}

// tryAll delivers what waits for a rule. It returns the time until the next try; 0 if nothing waits.
func (d *Delivery) tryAll(rule string, box *Outbox) time.Duration {
	for {
		d.mu.Lock()
		now := time.Now()
		dropped := box.dropOld(now)
		message, of, waits := box.message(rule)
		wait := box.next.Sub(now)
		d.mu.Unlock()
		if dropped > 0 {
			d.warn(fmt.Errorf("alert %s: %s not delivered within %s of its end, and dropped", rule,
				format.Counted(dropped, "alert"), format.Duration(keptFor)))
			d.keep()
		}
		switch {
		case !waits:
			return 0
		case wait > 0:
			return wait
		}
		err := d.options.Run(d.ctx, rule, message.Append(nil))
		if d.ctx.Err() != nil { // it may have been ended: it is delivered again
			return 0
		}
		d.took(rule, box, message.Direction, of, err)
	}
}

// took notes what a program has done with a message.
func (d *Delivery) took(rule string, box *Outbox, direction string, of []Alert, err error) {
	d.mu.Lock()
	outcome := alerts.Outcome{Rule: rule, Err: err}
	hadFailed := box.Failures > 0
	if err != nil {
		box.failed(time.Now())
		d.failures[rule]++
	} else {
		box.delivered(direction, of)
	}
	outcome.Failures, outcome.Next, outcome.Waiting = box.Failures, box.next, box.size()
	if err != nil || hadFailed {
		d.note(outcome)
	}
	d.mu.Unlock()
	if err == nil {
		d.keep()
	}
	switch {
	case err != nil && !hadFailed:
		d.warn(fmt.Errorf("command of alert %s: %w; it is called again", rule, err))
	case err == nil && hadFailed:
		d.warn(fmt.Errorf("command of alert %s: it works again", rule))
	}
}

// keep keeps what waits.
func (d *Delivery) keep() {
	if d.options.Keep == nil {
		return
	}
	d.keeping.Lock()
	defer d.keeping.Unlock()
	d.mu.Lock()
	waiting := make(map[string]*Outbox)
	for rule, box := range d.boxes {
		waiting[rule] = box.clone()
	}
	d.mu.Unlock()
	if err := d.options.Keep(waiting); err != nil && !d.warned {
		d.warned = true
		d.warn(fmt.Errorf("what waits for programs of alerts is lost at the end: %w", err))
	}
}

func (d *Delivery) warn(err error) {
	if d.options.Warn != nil {
		d.options.Warn(err)
	}
}
