package positions

import (
	"slices"

	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/pane"
)

// sorting is what the keys that sort rows need to know: which column, and which order was before.
type sorting struct {
	chosen view.Column // the column that the sort key sorts by
	before *view.Order // the order before the rows were sorted by trouble; nil if they were not
}

// chosenFor returns the column that the sort key sorts by if rows are in an order.
func chosenFor(order view.Order) view.Column {
	if order.Column == view.TroubleColumn {
		return view.MarginRatioColumn
	}
	return order.Column
}

// choose chooses the next of some columns that rows can be sorted by. Columns of changes are among them only if a view
// shows changes.
func (s *sorting) choose(among columns.Settings, v *view.View, step int) {
	var sortable []view.Column
	for _, of := range among {
		unavailable := of.Hidden || of.Column.NeedsBaseline() && !v.ShowsChanges()
		if of.Column.IsSortable() && (!unavailable || of.Column == s.chosen) {
			sortable = append(sortable, of.Column)
		}
	}
	at := slices.Index(sortable, s.chosen)
	s.chosen = sortable[(at+step+len(sortable))%len(sortable)]
}

// by sorts by a column; done again, it reverses the order that there is now.
func (s *sorting) by(column view.Column, now view.Order) []pane.Effect {
	s.chosen = column
	return setOrder(view.Order{Column: column, Descending: column == now.Column && !now.Descending})
}

// byTrouble puts the worst positions first, or goes back to the order before if there was one.
func (s *sorting) byTrouble(now view.Order) []pane.Effect {
	if now.Column == view.TroubleColumn {
		if s.before == nil {
			return pane.Saying("The worst are first already.")
		}
		return setOrder(*s.before)
	}
	s.before = &now
	said := pane.Saying("The worst first: distressed, closed out, then by uPnL/MM.")
	return append(said, setOrder(view.Order{Column: view.TroubleColumn})...)
}

func setOrder(order view.Order) []pane.Effect {
	return []pane.Effect{pane.Set(func(s *view.Settings) { s.Order = order })}
}

// SortBy sorts by a column; done again, it reverses the order.
func (p *Pane) SortBy(by view.Column) []pane.Effect {
	p.notices.saidUnits = false
	return p.sorting.by(by, p.store.Settings().Order)
}
