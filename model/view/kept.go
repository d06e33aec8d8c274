package view

import "blotter/model"

// Kept are the positions that were closed out a short time ago: the view shows them although they are closed. The zero
// Kept has none. Views of the same book can share one, and a nil Kept keeps nothing.
type Kept struct {
	rows map[model.Key]bool // whether the row is shown whatever the filter is: it was shown when it was closed out
}

// With returns what also keeps some positions, as far as the filter matches them.
func (k *Kept) With(keys []model.Key) *Kept {
	if k == nil || len(keys) == 0 {
		return k
	}
	with := &Kept{rows: make(map[model.Key]bool, len(k.rows)+len(keys))}
	for key, always := range k.rows {
		with.rows[key] = always
	}
	for _, key := range keys {
		with.rows[key] = k.rows[key] // false if it is new
	}
	return with
}

func (k *Kept) add(key model.Key) {
	if k.rows == nil {
		k.rows = make(map[model.Key]bool)
	}
	k.rows[key] = true
}

// of returns the visibility of a closed row, which is another one without Kept.
func (k *Kept) of(e entry, without visibility, c *encoder) visibility {
	if k == nil || len(k.rows) == 0 || without == shown || e.side() != model.Flat {
		return without
	}
	if always, isKept := k.rows[c.key(e)]; isKept && (always || without == hiddenAsClosed) {
		return shown
	}
	return without
}

// IsCloseOut reports whether a change is that of a position which the service has closed out. before is nil for a new
// position, and after for a removed one.
func IsCloseOut(before, after *model.Position) bool {
	if before == nil || after == nil || after.IsOpen() || after.Status() != model.StatusClosedOut {
		return false
	}
	return before.IsOpen() || before.Status() == model.StatusDistressed || before.Status() == model.StatusOrdersClosed
}

// DropKept shows the closed positions no longer that need not be kept.
func (v *View) DropKept(isNeeded func(model.Key) bool) {
	for key := range v.Filter.Kept.rows {
		if isNeeded(key) {
			continue
		}
		t, number := v.book.Row(key)
		if number == 0 || !v.scope.Covers(key) {
			delete(v.Filter.Kept.rows, key)
			continue
		}
		e := v.entry(t, number)
		p, before := v.encoder.position(e), v.visibilityOf(e)
		delete(v.Filter.Kept.rows, key)
		after := v.visibilityOf(e)
		if after == before {
			continue
		}
		v.count(e, &p, before, -1)
		v.count(e, &p, after, +1)
		v.changeVisibility(e, before, after)
		v.repositionGroup(e)
	}
}
