package view

import "blotter/model"

// Settings say which rows a view shows, and in which order.
type Settings struct {
	Scope      model.Scope
	Filter     string // an empty text matches all rows
	ShowClosed bool   // also rows of volume 0
	Order      Order
	Group      Grouping
}

// Settings returns the settings of the view.
func (v *View) Settings() Settings {
	return Settings{v.scope, v.Filter.Text, v.Filter.ShowClosed, v.Order, v.Groups.By}
}

// Equal reports whether two settings are the same.
func (s *Settings) Equal(other *Settings) bool {
	sameRows := s.Scope.Equal(other.Scope) && s.Filter == other.Filter && s.ShowClosed == other.ShowClosed
	return sameRows && s.Order == other.Order && s.Group == other.Group
}
