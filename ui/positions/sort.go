package positions

import (
	"slices"

	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/pane"
)

// chosenFor returns the column that the sort key sorts by if rows are in an order.
func chosenFor(order view.Order) view.Column {
	if order.Column == view.TroubleColumn {
		return view.MarginRatioColumn
	}
	return order.Column
}

// chooseColumn chooses the next column that rows can be sorted by.
func (p *Pane) chooseColumn(c *pane.Context, step int) []pane.Effect {
	var sortable []view.Column
	for _, s := range p.columns {
		unavailable := s.Hidden || s.Column.NeedsBaseline() && !p.store.View().ShowsChanges()
		if s.Column.IsSortable() && (!unavailable || s.Column == p.chosen) {
			sortable = append(sortable, s.Column)
		}
	}
	at := slices.Index(sortable, p.chosen)
	p.chosen = sortable[(at+step+len(sortable))%len(sortable)]
	return pane.Saying(c.Keys.Fill("{sort} sorts by ") + columns.Title(p.chosen) + ".")
}

// sort sorts by the chosen column; done again, it reverses the order.
func (p *Pane) sort(*pane.Context) []pane.Effect { return p.SortBy(p.chosen) }

// SortBy sorts by a column; done again, it reverses the order.
func (p *Pane) SortBy(by view.Column) []pane.Effect {
	p.chosen = by
	p.unitsReported = false
	order := p.store.Settings().Order
	return p.setOrder(view.Order{Column: by, Descending: by == order.Column && !order.Descending})
}

// sortByTrouble puts the worst positions first, or goes back to the order before if there was one.
func (p *Pane) sortByTrouble(*pane.Context) []pane.Effect {
	order := p.store.Settings().Order
	if order.Column == view.TroubleColumn {
		if p.before == nil {
			return pane.Saying("The worst are first already.")
		}
		return p.setOrder(*p.before)
	}
	p.before = &order
	said := pane.Saying("The worst first: distressed, closed out, then by uPnL/MM.")
	return append(said, p.setOrder(view.Order{Column: view.TroubleColumn})...)
}

func (p *Pane) setOrder(order view.Order) []pane.Effect {
	return []pane.Effect{pane.Set(func(s *view.Settings) { s.Order = order })}
}

// reportUnits says once how rows with numbers of several units are sorted.
func (p *Pane) reportUnits() string {
	by := p.store.View().Order.Column
	if words := columns.PerUnit(by); words != "" && !p.unitsReported && p.store.View().HasSeveralUnits(by) {
		p.unitsReported = true
		return words
	}
	return ""
}
