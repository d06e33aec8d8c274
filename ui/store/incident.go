package store

import (
	"maps"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/view"
)

// Incident is what has happened to a position from when it was in trouble on, until the service has closed it out, or
// it is no longer in trouble.
type Incident struct {
	Number uint64 // from 1, in the order in which they began
	Key    model.Key
	Alert  IncidentAlert
	Steps  []Step    // the oldest first, at most one for each status
	Closed *CloseOut // nil if it was not closed out
	Gone   bool      // the service no longer has the position
	IsOver bool      // it was closed out, or is no longer in trouble
}

// IncidentAlert is the first alert that was active for a position when it was in trouble; zero if there was none.
type IncidentAlert struct {
	Name     string // of the rule
	At       time.Time
	SeenAt   time.Time
	Ratio    model.MarginRatio
	HasRatio bool
}

// Step is a status of a position, and when it got it.
type Step struct {
	Status  model.Status
	At      time.Time // by the clock of the service
	IsExact bool      // else it got the status at some time before
	SeenAt  time.Time // by the clock of the screen
	block   int64     // when the service has updated the position; 0 if that is not known
}

// RewindTo returns the time at which the trouble began, by the clock of the screen.
func (i *Incident) RewindTo() time.Time { return i.Steps[0].SeenAt }

// Cost returns what the incident has cost; false if that is not known, or if it has not ended with a close-out.
func (i *Incident) Cost() (model.Amount, bool) {
	if i.Closed == nil {
		return model.Amount{}, false
	}
	return i.Closed.Cost()
}

// SharedLoss is a row that has got a part of a loss that was socialised.
type SharedLoss struct {
	Key    model.Key
	Amount model.Amount // by how much its loss socialisation amount has grown; not a number if that is not known
	block  int64
}

// The limits of incidents: how many are kept, and how many losses that were socialised.
const (
	maxIncidents    = 1000
	maxSharedLosses = 1000
)

// incidents are the latest incidents, and what may belong to them.
type incidents struct {
	all     []*Incident // the oldest first
	count   uint64      // of all that have begun
	current map[model.Key]*Incident
	alerts  map[model.Key]activeAlert
	losses  []SharedLoss // the oldest first
	scope   model.Scope  // of all these
}

// activeAlert is the first alert of a position since it had none, and how many it has.
type activeAlert struct {
	first  IncidentAlert
	active int
}

// Incidents returns the latest incidents, the oldest first.
func (c *CloseOuts) Incidents() []*Incident { return c.incidents.all }

// Losses returns the rows of a scope that have got a part of a loss in the block in which a position was closed out.
func (c *CloseOuts) Losses(of *Incident, scope model.Scope) []SharedLoss {
	block := of.Steps[len(of.Steps)-1].block
	if of.Closed == nil || block == 0 {
		return nil
	}
	var losses []SharedLoss
	for _, each := range c.incidents.losses {
		if each.block == block && scope.Covers(each.Key) {
			losses = append(losses, each)
		}
	}
	return losses
}

// blockOf returns the time of the block that has changed a position; 0 if an update did not say it.
func blockOf(change *troubleChange, seen time.Time) int64 {
	if e, ok := event.New(&change.before, &change.after, change.source, seen); ok {
		if at, exact := e.At(); exact {
			return at.UnixNano()
		}
	}
	return 0
}

// stepOf returns the step of a change at a time of the screen and of the service.
func stepOf(change *troubleChange, now, seen time.Time) Step {
	step := Step{Status: change.after.Status(), At: seen, SeenAt: now, block: blockOf(change, seen)}
	if step.block != 0 {
		step.At, step.IsExact = time.Unix(0, step.block), true
	}
	return step
}

// note notes a change. isAlert reports whether an alert is active for a position.
func (i *incidents) note(change *troubleChange, isAlert func(model.Key) bool, now, seen time.Time) {
	before, after := &change.before, &change.after
	if change.isGone {
		if of := i.current[before.Key]; of != nil {
			of.Gone = true
			i.end(of)
		}
		return
	}
	i.noteLoss(change, seen)
	of := i.current[after.Key]
	step := stepOf(change, now, seen)
	if of == nil {
		if !isUnderWay(before) && !isUnderWay(after) && !view.IsCloseOut(before, after) {
			return
		}
		if of = i.beginIncident(after.Key, isAlert); of == nil {
			return
		}
		if isUnderWay(before) { // it was in trouble already when it was first seen
			of.Steps = append(of.Steps, Step{Status: before.Status(), At: step.At, SeenAt: now})
		}
	}
	if !slices.ContainsFunc(of.Steps, func(s Step) bool { return s.Status == after.Status() }) {
		of.Steps = append(of.Steps, step)
	}
	if !isUnderWay(after) {
		i.end(of)
	}
}

// isUnderWay reports whether a position will be closed out unless something else happens.
func isUnderWay(p *model.Position) bool {
	return p.Status() == model.StatusDistressed || p.Status() == model.StatusOrdersClosed
}

// beginIncident begins the incident of a position. It returns nil if too many are under way. An incident of the same
// position that ended without a close-out is dropped.
func (i *incidents) beginIncident(key model.Key, isAlert func(model.Key) bool) *Incident {
	if len(i.current) >= maxInTrouble {
		return nil
	}
	hasRecovered := func(each *Incident) bool { return each.Key == key && each.IsOver && each.Closed == nil }
	i.all = slices.DeleteFunc(i.all, hasRecovered)
	if len(i.all) >= maxIncidents {
		i.dropOne()
	}
	i.count++
	begun := &Incident{Number: i.count, Key: key}
	if known, ok := i.alerts[key]; ok && isAlert(key) {
		begun.Alert = known.first
	}
	if i.current == nil {
		i.current = make(map[model.Key]*Incident)
	}
	i.current[key] = begun
	i.all = append(i.all, begun)
	return begun
}

// dropOne drops the oldest incident that ended without a close-out; else the oldest.
func (i *incidents) dropOne() {
	place := max(slices.IndexFunc(i.all, func(each *Incident) bool { return each.IsOver && each.Closed == nil }), 0)
	if dropped := i.all[place]; i.current[dropped.Key] == dropped {
		delete(i.current, dropped.Key)
	}
	i.all = slices.Delete(i.all, place, place+1)
}

func (i *incidents) end(of *Incident) {
	of.IsOver = true
	delete(i.current, of.Key)
}

// noteLoss notes by how much the loss socialisation amount of a row has grown.
func (i *incidents) noteLoss(change *troubleChange, seen time.Time) {
	if event.Between(&change.before, &change.after)&event.LossSocialised == 0 {
		return
	}
	block := blockOf(change, seen)
	if block == 0 {
		return
	}
	was, is := change.before.Number(model.LossSocialisationAmount), change.after.Number(model.LossSocialisationAmount)
	amount, ok := model.Difference(is, was, change.decimals)
	if !ok {
		amount = model.TextAmount("")
	}
	if i.losses = append(i.losses, SharedLoss{change.after.Key, amount, block}); len(i.losses) > maxSharedLosses {
		i.losses = slices.Delete(i.losses, 0, maxSharedLosses/10) // several at once: all others are moved
	}
}

// closedOut notes that the latest incident of a position has ended with a close-out.
func (i *incidents) closedOut(closed CloseOut) {
	for _, each := range slices.Backward(i.all) {
		if each.Key == closed.Key {
			each.Closed = &closed
			return
		}
	}
}

// noteAlert notes the beginning or the end of an alert at a time by the clock of the service.
func (i *incidents) noteAlert(name string, change *view.AlertChange, at time.Time) {
	key := change.Position.Key
	if change.Feed != "" || change.Group != nil || change.IsAgain {
		return
	}
	known, isKnown := i.alerts[key]
	if !change.Begins {
		if known.active--; known.active <= 0 {
			delete(i.alerts, key)
		} else {
			i.alerts[key] = known
		}
		return
	}
	if !isKnown {
		if len(i.alerts) >= maxInTrouble {
			return
		}
		known.first = IncidentAlert{name, at, change.At, change.Ratio, change.HasRatio}
	}
	known.active++
	if i.alerts == nil {
		i.alerts = make(map[model.Key]activeAlert)
	}
	i.alerts[key] = known
	if of := i.current[key]; of != nil && of.Alert.Name == "" {
		of.Alert = known.first
	}
}

// narrow drops what is under way of positions outside of a scope, if it has changed: what happens to them is not seen
// any more.
func (i *incidents) narrow(scope model.Scope) {
	if scope.Equal(i.scope) {
		return
	}
	i.scope = scope
	maps.DeleteFunc(i.current, func(key model.Key, _ *Incident) bool { return !scope.Covers(key) })
	i.all = slices.DeleteFunc(i.all, func(each *Incident) bool { return !each.IsOver && !scope.Covers(each.Key) })
	maps.DeleteFunc(i.alerts, func(key model.Key, _ activeAlert) bool { return !scope.Covers(key) })
}
