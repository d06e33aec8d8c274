package delivery

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/alerts"
)

// Holder is the program that holds the lock of what is kept: it runs the programs of its rules for what it watches.
// Another one judges for itself, and runs programs for what the holder does not watch. Each writes only the alerts for
// which it runs programs.
type Holder struct {
	Process int         `json:"process"`
	Host    string      `json:"host"`
	Scope   model.Scope `json:"scope"`
	Rules   []string    `json:"rules,omitempty"` // that have a program
}

// runs reports whether the holder, nil if there is no other, runs the program of a rule for a position. That of a group
// or of the feed, with the zero key, it runs if it watches the same scope.
func (h *Holder) runs(rule string, key model.Key, scope model.Scope) bool {
	switch {
	case h == nil || !slices.Contains(h.Rules, rule):
		return false
	case key == model.Key{}:
		return h.Scope.Equal(scope)
	}
	return h.Scope.Covers(key)
}

// File keeps what several programs need of alerts.
type File interface {
	// Hold reports whether this program holds the lock, and takes it if no other one does.
	Hold() bool
	// Change reads what is kept, and writes it if change reports that it has changed it. Meanwhile no other program
	// does.
	Change(change func(*Kept) (changed bool)) error
}

// retryLock is how often a program that does not hold the lock tries to.
const retryLock = 5 * time.Second

// RunBy returns who else runs programs of rules; empty if no other does.
func (d *Delivery) RunBy() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.other == nil || len(d.other.Rules) == 0 {
		return ""
	}
	return fmt.Sprintf("process %d on %s", d.other.Process, d.other.Host)
}

// add adds an event to what waits for the program of its rule. What the holder runs is added to its shadow: it is
// delivered if the holder ends before it has reported that.
func (d *Delivery) add(e *view.AlertEvent) {
	rule := e.Rule.Name
	box, shadow := d.boxes[rule], d.shadows[rule]
	if len(e.Changes) == 0 || e.Group != nil {
		if d.other.runs(rule, model.Key{}, d.options.Scope) {
			box = shadow
		}
		box.add(e)
		return
	}
	runs := func(change view.AlertChange) bool { return d.other.runs(rule, change.Position.Key, d.options.Scope) }
	if !slices.ContainsFunc(e.Changes, runs) {
		box.add(e)
		return
	}
	own, others := *e, *e
	own.Changes, others.Changes = nil, nil
	for _, change := range e.Changes {
		if runs(change) {
			others.Changes = append(others.Changes, change)
		} else {
			own.Changes = append(own.Changes, change)
		}
	}
	own.Count, others.Count = len(own.Changes), len(others.Changes)
	if own.Count > 0 {
		box.add(&own)
	}
	shadow.add(&others)
}

// isOwn reports whether this program writes what is kept of an alert.
func (d *Delivery) isOwn(rule string, key model.Key) bool {
	return (key == model.Key{} || d.options.Scope.Covers(key)) && !d.other.runs(rule, key, d.options.Scope)
}

// mergeInto replaces in what is kept the alerts for which this program runs programs.
func (d *Delivery) mergeInto(kept *Kept) {
	kept.At = time.Now().UTC()
	if d.other == nil {
		kept.Holder = &d.options.Self
	}
	stored := make(map[string]alerts.InAlert)
	for _, of := range kept.InAlert {
		stored[of.Rule] = of
	}
	kept.InAlert = nil
	names := slices.Concat(slices.Collect(maps.Keys(stored)), slices.Collect(maps.Keys(d.inAlert)))
	slices.Sort(names)
	for _, rule := range slices.Compact(names) {
		of := alerts.InAlert{Rule: rule, Condition: stored[rule].Condition}
		if own, isOwn := d.inAlert[rule]; isOwn {
			of.Condition = own.Condition
		}
		of.Alerts = slices.DeleteFunc(slices.Clone(stored[rule].Alerts), func(b alerts.Begun) bool { return d.isOwn(rule, b.Key) })
		for _, b := range d.inAlert[rule].Alerts {
			if d.isOwn(rule, b.Key) {
				of.Alerts = append(of.Alerts, b)
			}
		}
		if len(of.Alerts) > 0 {
			kept.InAlert = append(kept.InAlert, of)
		}
	}
	if kept.Waiting == nil {
		kept.Waiting = make(map[string]*Outbox)
	}
	for rule, box := range d.boxes {
		merged := box.clone()
		if others := kept.Waiting[rule]; others != nil {
			merged.addOthers(others, func(key model.Key) bool { return !d.isOwn(rule, key) })
		}
		kept.Waiting[rule] = merged
	}
}

// addOthers adds the alerts of another Outbox that pass a test.
func (o *Outbox) addOthers(from *Outbox, passes func(model.Key) bool) {
	for _, a := range from.Waiting {
		if passes(a.Of) && len(o.Waiting) < maxWaiting {
			o.Waiting = append(o.Waiting, a)
		}
	}
	for name, of := range from.Delivered {
		if passes(of) {
			o.setDelivered(name, of)
		}
	}
}

// tryHold takes the lock if its holder has ended. Then this program also runs the programs that the holder has run.
// Else it learns what the holder does.
func (d *Delivery) tryHold() {
	holds := d.options.File.Hold()
	err := d.options.File.Change(func(kept *Kept) bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.forgetKnown(kept)
		if !holds {
			d.other = kept.Holder
			return false
		}
		d.takeOver(kept)
		return true
	})
	if err != nil {
		d.warnOnce(err)
	}
	if d.holds = holds && err == nil; d.holds {
		for _, wake := range d.wake {
			signal(wake)
		}
	}
}

// takeOver makes this program the holder: what waited for the programs of the last one is delivered, and what that has
// not reported.
func (d *Delivery) takeOver(kept *Kept) {
	last := d.other
	d.other = nil
	for rule, box := range d.boxes {
		runsNow := func(key model.Key) bool { return last.runs(rule, key, d.options.Scope) && d.isOwn(rule, key) }
		if waiting := kept.Waiting[rule]; waiting != nil {
			box.addOthers(waiting, runsNow)
		}
		for _, a := range d.shadows[rule].Waiting {
			if a.Begin != nil {
				box.note(a.Of, true, *a.Begin)
			}
			if a.End != nil {
				box.note(a.Of, false, *a.End)
			}
		}
		d.shadows[rule] = &Outbox{}
	}
	d.mergeInto(kept)
}

// forgetKnown drops of what the holder runs the begins and ends that it has reported.
func (d *Delivery) forgetKnown(kept *Kept) {
	inAlert := make(map[string]bool)
	for _, of := range kept.InAlert {
		for _, b := range of.Alerts {
			inAlert[of.Rule+"\n"+nameOf(b.Key)] = true
		}
	}
	for rule, box := range d.shadows {
		for i := range box.Waiting {
			a := &box.Waiting[i]
			if isKnown := inAlert[rule+"\n"+a.Key]; isKnown {
				a.Begin = nil
			} else if a.End != nil {
				a.Begin, a.End = nil, nil
			}
		}
		box.Waiting = slices.DeleteFunc(box.Waiting, func(a Alert) bool { return a.Begin == nil && a.End == nil })
	}
}
