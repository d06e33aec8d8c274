package positions

import (
	"blotter/model"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// opened is the position whose detail is open. It stays the selected one whatever happens to its row, until the detail
// is closed or the trader goes to another row.
type opened struct {
	is       bool
	position model.Position // as it was last
	isAbsent bool           // no table has the position now
}

// KeepOpened keeps the selected position for as long as its detail is open.
func (p *Pane) KeepOpened(isOpen bool) {
	o := &p.opened
	if !isOpen {
		*o = opened{}
		return
	}
	if !o.is {
		o.take(p)
	}
	if !o.is {
		return
	}
	now, isKnown := p.store.Book().Find(o.position.Key)
	if o.isAbsent = !isKnown; isKnown {
		o.position = now
	}
}

// take takes the position under the cursor; none if there is none.
func (o *opened) take(p *Pane) {
	*o = opened{}
	if _, ok := p.Rows.Cursor(); !ok {
		return
	}
	if position, ok := p.store.View().At(p.Rows.Place()); ok {
		*o = opened{is: true, position: position}
	}
}

// ended returns in words why the position whose detail is open has no row in the table; empty if it has one.
func (o *opened) ended(of *store.Store) string {
	v, scope := of.View(), of.Settings().Scope
	_, isShown := v.Place(o.position.Key)
	switch {
	case !scope.Covers(o.position.Key) || of.IsCleared():
		return "no longer in the scope: this is what it was last"
	case o.isAbsent:
		return "the service has it no longer: this is what it was last"
	case isShown || v.IsFolded(o.position.Key):
		return ""
	case !o.position.IsOpen() && !of.Settings().ShowClosed:
		return "closed: its row is hidden"
	}
	return "its row is hidden: the filter leaves it out"
}

// selected returns the opened position as the selected line.
func (o *opened) selected(of *store.Store) pane.Line {
	position := o.position
	return pane.Line{Position: &position, Ended: o.ended(of), IsStale: o.isAbsent}
}
