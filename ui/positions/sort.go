package positions

import (
	"blotter/model/view"
	"blotter/ui/pane"
)

// sorting is the order of the rows before they were sorted by trouble; nil if they were not.
type sorting struct{ before *view.Order }

// by sorts by a column; done again, it reverses the order that there is now.
func (s *sorting) by(column view.Column, now view.Order) []pane.Effect {
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
