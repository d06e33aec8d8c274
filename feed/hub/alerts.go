package hub

import (
	"context"
	"slices"
	"sync"

	"blotter/model/event"
	"blotter/model/view"
)

// deskAlerts are what the rules of the desk are in alert for. The desk evaluates them once, for all sessions.
type deskAlerts struct {
	mu    sync.Mutex
	rules []*deskRule   // in the order in which they came
	came  chan struct{} // closed when something comes, and replaced
}

// deskRule is what is known of a rule.
type deskRule struct {
	view.DeskAlerts
	count ruleCount
}

// ruleCount counts what has come of a rule.
type ruleCount struct{ calls, changes int } // of SetAlerts, and all changes, with those that Changes no longer has

// maxChanges is how many changes of a rule are kept for sessions that have not got them yet. What is in alert is right
// without them.
const maxChanges = 200

// SetAlerts hands on to all sessions what a rule is in alert for now, and what has begun and ended since the last call.
func (h *Hub) SetAlerts(of view.DeskAlerts) {
	d := &h.alerts
	d.mu.Lock()
	defer d.mu.Unlock()
	i := slices.IndexFunc(d.rules, func(r *deskRule) bool { return r.Rule == of.Rule })
	if i < 0 {
		i = len(d.rules)
		d.rules = append(d.rules, &deskRule{DeskAlerts: view.DeskAlerts{Rule: of.Rule}})
	}
	r := d.rules[i]
	all := slices.Concat(r.Changes, of.Changes) // sessions read the old ones
	r.Active, r.Changes = of.Active, all[max(len(all)-maxChanges, 0):]
	r.IsFull = len(of.Active) >= view.MaxAlerts
	r.count.changes += len(of.Changes)
	r.count.calls++
	close(d.came)
	d.came = make(chan struct{})
}

// NextAlerts waits for what the rules of the desk are in alert for, and returns it of those rules that have changed
// since the last call: at first of all. It must not be changed.
func (s *Session) NextAlerts(ctx context.Context) ([]view.DeskAlerts, error) {
	ctx, cancel := s.bounded(ctx)
	defer cancel()
	for {
		news, came := s.hub.alerts.since(s.alerts)
		if len(news) > 0 {
			return news, nil
		}
		select {
		case <-came:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// since returns what has come since a session has got something, notes that it has got it, and returns what is closed
// when more comes.
func (d *deskAlerts) since(seen map[string]ruleCount) (news []view.DeskAlerts, came <-chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.rules {
		was, isKnown := seen[r.Rule]
		if was == r.count {
			continue
		}
		of := r.DeskAlerts
		if !isKnown {
			of.Changes = r.beginnings()
		} else if n := r.count.changes - was.changes; n < len(of.Changes) {
			of.Changes = of.Changes[len(of.Changes)-n:]
		}
		seen[r.Rule] = r.count
		news = append(news, of)
	}
	return news, d.came
}

// beginnings returns the changes with which what is in alert has begun. A session that joins needs no others.
func (r *deskRule) beginnings() (begun []view.AlertChange) {
	for i := range r.Changes {
		change := &r.Changes[i]
		isOf := func(a event.Alert) bool { return a.Key == change.Position.Key && a.Since.Equal(change.At) }
		if change.Begins && !change.IsAgain && slices.ContainsFunc(r.Active, isOf) {
			begun = append(begun, *change)
		}
	}
	return begun
}
