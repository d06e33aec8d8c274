package view

import "blotter/model"

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
	v.changes++
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
