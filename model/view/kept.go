package view

import (
	"maps"

	"blotter/model"
)

// Kept are flat positions that a view shows although they are closed, as far as its filter matches them. In the orders
// of trouble and of the margin ratio they are below what has lost half of its maintenance margin.
type Kept struct{ rows map[model.Key]bool }

// NewKept returns the positions that a view keeps first.
func NewKept(keys []model.Key) *Kept {
	k := &Kept{make(map[model.Key]bool, len(keys))}
	for _, key := range keys {
		k.rows[key] = true
	}
	return k
}

// Keep sets whether a position is kept, and puts its row in its place.
func (v *View) Keep(key model.Key, isKept bool) {
	if v.encoder.Kept[key] == isKept {
		return
	}
	set := func() {
		if delete(v.encoder.Kept, key); isKept {
			v.encoder.Kept[key] = true
		}
	}
	t, number := v.book.Row(key)
	if number == 0 || !v.scope.Covers(key) {
		set()
		return
	}
	e := v.entry(t, number)
	p := v.encoder.Position(e)
	v.remove(e, &p)
	set()
	e.Rank = v.ranks.Of(e, &p)
	v.insert(e, &p)
	v.repositionGroup(e)
}

// KeepOnly sets which positions are kept.
func (v *View) KeepOnly(keys []model.Key) {
	kept := NewKept(keys)
	for key := range v.encoder.Kept {
		if !kept.rows[key] {
			v.Keep(key, false)
		}
	}
	for _, key := range keys {
		v.Keep(key, true)
	}
}

// keptOf returns the positions that a view with a filter keeps first.
func keptOf(f *Filter) map[model.Key]bool {
	if f.Kept == nil {
		return make(map[model.Key]bool)
	}
	return maps.Clone(f.Kept.rows)
}
