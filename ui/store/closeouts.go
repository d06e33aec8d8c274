package store

import (
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/format"
)

// CloseOut is a position that the service has closed out.
type CloseOut struct {
	Key     model.Key
	Size    model.Amount // before it was closed out; 0 if that is not known
	At      time.Time    // by the clock of the service
	IsExact bool         // else only a comparison has shown it: it happened at some time before
	// cost is the change of realised and unrealised PnL together since the last state before the position was in
	// trouble; not a number if that is not known. If isPart is true, it was in trouble already when it was first
	// seen, and cost is the change since then.
	cost      model.Amount
	isPart    bool
	keptUntil time.Time // how long its row is shown
	isOver    bool      // the position was opened again
}

// Cost returns what the close-out cost: the change of realised and unrealised PnL together since the last state before
// the position was in trouble. It is false if that is not known.
func (c *CloseOut) Cost() (model.Amount, bool) { return c.cost, c.cost.IsNumber() && !c.isPart }

// KeptFor is how long the row of a position is shown after it was closed out.
const KeptFor = time.Minute

// CloseOuts are the positions that the service has closed out, and what those in trouble were before that. They are
// changed only together with the book.
type CloseOuts struct {
	inTrouble map[model.Key]beforeTrouble
	latest    []CloseOut // the newest last
	told      int        // how many of these were told
	incidents incidents
}

// beforeTrouble is what a position was before it was in trouble.
type beforeTrouble struct {
	profit model.Sum    // realised and unrealised PnL
	isPart bool         // it was in trouble already when it was first seen
	size   model.Amount // the last one that is not 0
}

// The limits of what is kept. No scope has that many positions in trouble at a time.
const (
	maxInTrouble = 10_000
	maxCloseOuts = 1000
)

// troubleChange is a change of a position that is in trouble before it or after it, or of its loss socialisation
// amount.
type troubleChange struct {
	before, after model.Position
	isGone        bool // the service no longer has the position: there is no state after
	source        book.ChangeSource
	decimals      int // of the asset
}

// isInTrouble reports whether a position has a status of one that is closed out, or will be.
func isInTrouble(p *model.Position) bool {
	switch p.Status() {
	case model.StatusDistressed, model.StatusOrdersClosed, model.StatusClosedOut:
		return true
	}
	return false
}

// concern reports whether CloseOuts must know a change. Nearly all changes are none.
func (c *CloseOuts) concern(before, after *model.Position) bool {
	switch {
	case before == nil:
		return false
	case isInTrouble(before), after != nil && isInTrouble(after):
		return true
	case after != nil && before.Numbers()[model.LossSocialisationAmount] != after.Numbers()[model.LossSocialisationAmount]:
		return true
	}
	return c.incidents.current[before.Key] != nil
}

// profitOf returns the realised and unrealised PnL of a position together.
func profitOf(p *model.Position) (profit model.Sum) {
	profit.Add(p.Number(model.RealisedPnl))
	profit.Add(p.Number(model.UnrealisedPnl))
	return profit
}

// note notes a change at a time by the clock of the data; seen is the same time by the clock of the service. isAlert
// reports whether an alert is active for a position.
func (c *CloseOuts) note(change *troubleChange, isAlert func(model.Key) bool, now, seen time.Time) {
	before, after := &change.before, &change.after
	c.incidents.note(change, isAlert, now, seen)
	if change.isGone || !isInTrouble(before) && !isInTrouble(after) {
		return
	}
	if !before.IsOpen() && after.IsOpen() {
		c.reopened(after.Key)
	}
	last, isKnown := c.inTrouble[after.Key]
	if !isKnown {
		last.profit, last.isPart = profitOf(before), isInTrouble(before)
	}
	if before.IsOpen() {
		last.size = before.Number(model.OpenVolume)
	}
	if view.IsCloseOut(before, after) {
		delete(c.inTrouble, after.Key)
		closed := closeOutOf(change, last, now, seen)
		c.addCloseOut(closed)
		c.incidents.closedOut(closed)
		return
	}
	switch {
	case !isInTrouble(after) || after.Status() == model.StatusClosedOut:
		delete(c.inTrouble, after.Key)
	case isKnown || len(c.inTrouble) < maxInTrouble:
		if c.inTrouble == nil {
			c.inTrouble = make(map[model.Key]beforeTrouble)
		}
		c.inTrouble[after.Key] = last
	}
}

func closeOutOf(change *troubleChange, last beforeTrouble, now, seen time.Time) CloseOut {
	closed := CloseOut{Key: change.after.Key, Size: last.size, At: seen, isPart: last.isPart, keptUntil: now.Add(KeptFor)}
	if e, ok := event.New(&change.before, &change.after, change.source, seen); ok {
		closed.At, closed.IsExact = e.At()
	}
	cost := profitOf(&change.after)
	if cost.LeftOut(change.decimals) == 0 && last.profit.LeftOut(change.decimals) == 0 {
		cost.SubtractSum(last.profit)
		closed.cost = cost.Amount(change.decimals)
	} else {
		closed.cost = model.TextAmount("")
	}
	return closed
}

func (c *CloseOuts) addCloseOut(closed CloseOut) {
	if c.latest = append(c.latest, closed); len(c.latest) > maxCloseOuts {
		c.latest = slices.Delete(c.latest, 0, 1)
		c.told = max(c.told-1, 0)
	}
}

// Of returns the latest close-out of a position, and false if none is known, or if the position was opened again.
func (c *CloseOuts) Of(key model.Key) (*CloseOut, bool) {
	for i := len(c.latest) - 1; i >= 0; i-- {
		if closed := &c.latest[i]; closed.Key == key {
			return closed, !closed.isOver
		}
	}
	return nil, false
}

// reopened notes that a position was opened again.
func (c *CloseOuts) reopened(key model.Key) {
	if closed, ok := c.Of(key); ok {
		closed.isOver = true
	}
}

// KeptOf returns the close-out of a position whose row is shown because of it, and false if it is not.
func (c *CloseOuts) KeptOf(p *model.Position, now time.Time) (*CloseOut, bool) {
	if len(c.latest) == 0 || p.IsOpen() {
		return nil, false
	}
	closed, ok := c.Of(p.Key)
	return closed, ok && now.Before(closed.keptUntil)
}

// noteTrouble notes what a change says about a position in trouble, unless its row may be out of date.
func (d *data) noteTrouble(c *book.Change) {
	if d.isOfTrouble(c) {
		d.incidents.CloseOuts.note(d.troubleOf(c), d.alerts.IsActive, d.trades.at, d.arrival.Seen())
	}
}

// isOfTrouble reports whether a change says something about a position in trouble, and its row is not out of date.
func (d *data) isOfTrouble(c *book.Change) bool {
	return d.incidents.CloseOuts.concern(c.Before, c.After) && d.arrival.CanUse(c.Before, c.After)
}

// troubleOf returns what a change says about a position in trouble.
func (d *data) troubleOf(c *book.Change) *troubleChange {
	change := troubleChange{before: *c.Before, source: c.Source}
	change.decimals = d.instruments.Decimals(model.UnrealisedPnl, c.Before.Market)
	if change.isGone = c.After == nil; !change.isGone {
		change.after = *c.After
	}
	return &change
}

// keptWith returns what is kept together with what changes of snapshots have closed out.
func (d *data) keptWith(changes []troubleChange) *view.Kept {
	var keys []model.Key
	for i := range changes {
		if !changes[i].isGone && view.IsCloseOut(&changes[i].before, &changes[i].after) {
			keys = append(keys, changes[i].after.Key)
		}
	}
	return d.filter.Kept.With(keys)
}

// dropClosedOut hides the rows of positions that were closed out a minute ago.
func (d *data) dropClosedOut(f *Flow, now time.Time) {
	if d.isRead() || f.frozen {
		return
	}
	d.view.DropKept(func(key model.Key) bool {
		closed, ok := d.incidents.CloseOuts.Of(key)
		return ok && now.Before(closed.keptUntil)
	})
}

// tell says which positions of a scope were closed out since the last time: many in one line. It is empty if none were.
func (c *CloseOuts) tell(scope model.Scope, f *format.Formatter) string {
	untold := c.latest[c.told:]
	if len(untold) == 0 {
		return ""
	}
	c.told = len(c.latest)
	untold = slices.DeleteFunc(slices.Clone(untold), func(each CloseOut) bool { return !scope.Covers(each.Key) })
	switch len(untold) {
	case 0:
		return ""
	case 1:
		return "CLOSED OUT: " + f.Position(untold[0].Key) + ", " + CloseOutWords(&untold[0], f) + "."
	}
	return closedOutTogether(untold, f)
}

// CloseOutWords says what a position was before it was closed out, and what that cost.
func CloseOutWords(closed *CloseOut, f *format.Formatter) string {
	words := ""
	if !closed.Size.IsZero() {
		words = "was " + f.NumberIn(closed.Size, model.OpenVolume, closed.Key.Market, true).Marked(format.RawMark) + ", "
	}
	switch cost := costOf(closed, f); {
	case cost == "":
		return words + "its cost is not known"
	case closed.isPart:
		return words + "PnL " + cost + " since it was first seen"
	default:
		return words + "cost " + cost
	}
}

// costOf returns what a close-out cost, or the known part of that, with the asset; empty if nothing is known.
func costOf(closed *CloseOut, f *format.Formatter) string {
	if !closed.cost.IsNumber() {
		return ""
	}
	words := f.NumberIn(closed.cost, model.UnrealisedPnl, closed.Key.Market, true).Marked(format.RawMark)
	if asset := f.Instruments().Market(closed.Key.Market).Asset; !asset.IsZero() {
		words += " " + f.Asset(asset)
	}
	return words
}

// closedOutTogether says which positions were closed out at about the same time.
func closedOutTogether(all []CloseOut, f *format.Formatter) string {
	words := format.Counted(len(all), "position") + " CLOSED OUT: "
	for i := range all {
		if i > 0 {
			words += "; "
		}
		words += f.Position(all[i].Key)
		if _, ok := all[i].Cost(); ok {
			words += " " + costOf(&all[i], f)
		}
	}
	return words + "."
}
