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
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"blotter/model"
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
	Run   func(ctx context.Context, rule string, message []byte) error
	File  File        // keeps all for the next run; nil if nothing is kept
	Scope model.Scope // what this program watches
	Self  Holder      // this program
	Warn  func(error) // a failure of File, or of a program, in words; nil if the screen shows it
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
	shadows  map[string]*Outbox // what the holder runs
	other    *Holder            // nil if no other program is the holder
	holds    bool               // this program is the holder; of begin and keepOften
	earlier  []alerts.InAlert   // what was in alert at the end of the last run
	inAlert  map[string]alerts.InAlert
	failures map[string]int // by rule: calls that have failed since the start
	outcomes map[string]alerts.Outcome
	news     chan struct{} // there are outcomes that were not read
	isKept   bool          // something was written, or kept by the last run
	warned   bool          // it cannot be kept
}

// Start starts a Delivery, which ends with ctx. The error is about what was kept, in one line.
func Start(ctx context.Context, o Options) (*Delivery, error) {
	d := &Delivery{
		options: o, wake: make(map[string]chan struct{}), boxes: make(map[string]*Outbox), shadows: make(map[string]*Outbox),
		failures: make(map[string]int), outcomes: make(map[string]alerts.Outcome), news: make(chan struct{}, 1),
		inAlert: make(map[string]alerts.InAlert),
	}
	d.ctx, d.stop = context.WithCancel(ctx)
	for _, rule := range o.Rules {
		d.boxes[rule], d.shadows[rule], d.wake[rule] = &Outbox{}, &Outbox{}, make(chan struct{}, 1)
	}
	problem := d.begin()
	d.running.Go(d.keepOften)
	for rule := range d.boxes { // all of them are there before the first goroutine reads one
		d.running.Go(func() { d.deliver(rule) })
	}
	return d, problem
}

// begin takes what is kept, and the lock if no other program holds it.
func (d *Delivery) begin() (problem error) {
	if d.options.File == nil {
		return nil
	}
	d.holds = d.options.File.Hold()
	err := d.options.File.Change(func(kept *Kept) bool {
		if problem = kept.DropOld(time.Now()); !d.holds {
			d.other = kept.Holder
		}
		d.isKept = !kept.At.IsZero()
		for _, of := range kept.InAlert {
			of.Alerts = slices.DeleteFunc(slices.Clone(of.Alerts), func(b alerts.Begun) bool { return !d.isOwn(of.Rule, b.Key) })
			d.earlier = append(d.earlier, of)
			d.inAlert[of.Rule] = of
		}
		for rule, box := range d.boxes {
			if waiting := kept.Waiting[rule]; waiting != nil {
				box.addOthers(waiting, func(key model.Key) bool { return d.isOwn(rule, key) })
				box.LeftOut = waiting.LeftOut
			}
		}
		if !d.holds || len(d.options.Rules) == 0 && !d.isKept {
			return false
		}
		d.mergeInto(kept)
		return true
	})
	return cmp.Or(err, problem)
}

// Close ends the running programs, and waits for them. What waits stays kept.
func (d *Delivery) Close() {
	d.stop()
	d.running.Wait()
	d.keep()
}

// keepOften keeps all once more from time to time, until the Delivery ends. While another program holds the lock, it
// tries to take that.
func (d *Delivery) keepOften() {
	if d.options.File == nil {
		return
	}
	for {
		wait := keepEvery
		if !d.holds {
			wait = retryLock
		}
		select {
		case <-time.After(wait):
		case <-d.ctx.Done():
			return
		}
		if !d.holds {
			d.tryHold()
		} else {
			d.keep()
		}
	}
}

// Earlier returns what was in alert at the end of the last run.
func (d *Delivery) Earlier() []alerts.InAlert { return d.earlier }

// Deliver takes events of one rule, which may be none, and what it is in alert for after them, and keeps both. It does
// not wait for the program.
func (d *Delivery) Deliver(events []view.AlertEvent, inAlert alerts.InAlert) {
	rule := inAlert.Rule
	d.mu.Lock()
	if d.inAlert[rule] = inAlert; len(inAlert.Alerts) == 0 {
		delete(d.inAlert, rule)
	}
	box := d.boxes[rule]
	if box == nil && len(events) > 0 {
		d.note(alerts.Outcome{Rule: rule, Err: errors.New("not run: the configuration has no command for it")})
		d.mu.Unlock()
		return
	}
	for i := range events {
		d.add(&events[i])
	}
	d.mu.Unlock()
	d.keep()
	if box != nil {
		signal(d.wake[rule])
	}
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
	outcome.Waiting = box.size()
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

// keep keeps what waits, and what is in alert.
func (d *Delivery) keep() {
	if d.options.File == nil {
		return
	}
	err := d.options.File.Change(func(kept *Kept) bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.mergeInto(kept)
		d.isKept = d.isKept || !kept.isEmpty()
		return d.isKept
	})
	if err != nil {
		d.warnOnce(err)
	}
}

// warnOnce warns that nothing is kept.
func (d *Delivery) warnOnce(err error) {
	d.mu.Lock()
	isFirst := !d.warned
	d.warned = true
	d.mu.Unlock()
	if isFirst {
		d.warn(fmt.Errorf("what waits for programs of alerts, and what is in alert, is lost at the end: %w", err))
	}
}

func (d *Delivery) warn(err error) {
	if d.options.Warn != nil {
		d.options.Warn(err)
	}
}
