package views

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/format"
	"blotter/ui/input"
)

// Saved is a view as it is remembered from one run to the next.
type Saved struct {
	Number     int             `json:"number"`
	Name       string          `json:"name,omitempty"`
	Parties    []string        `json:"parties,omitempty"` // identifiers; none: all
	Markets    []string        `json:"markets,omitempty"`
	Filter     string          `json:"filter,omitempty"`
	Order      string          `json:"order"` // the key of a column or order: see view.Column
	Descending bool            `json:"descending,omitempty"`
	ShowClosed bool            `json:"show_closed,omitempty"`
	Columns    []columns.State `json:"columns,omitempty"` // none: the default
	Group      string          `json:"group,omitempty"`   // see view.Grouping
}

// The limits of a saved view.
const (
	MaxName    = 24       // cells
	maxParties = 500      // and as many markets
	maxSize    = 48 << 10 // bytes
)

// Saved returns the saved views to remember.
func (s *Set) Saved() []Saved {
	var saved []Saved
	for _, v := range s.saved {
		saved = append(saved, v.remember())
	}
	return saved
}

// remember returns the view to remember.
func (v *View) remember() Saved {
	return Saved{
		Number: v.Number, Name: v.Name, Parties: textsOf(v.Scope.Parties), Markets: textsOf(v.Scope.Markets), Filter: v.Filter,
		Order: v.Order.Column.Key(), Descending: v.Order.Descending, ShowClosed: v.ShowClosed, Columns: v.Columns, Group: v.Group.String(),
	}
}

// CheckSize returns an error for a view that is too large to be saved.
func (v *View) CheckSize() error {
	if n := max(len(v.Scope.Parties), len(v.Scope.Markets)); n > maxParties {
		return fmt.Errorf("it has %s parties or markets, and a saved view can have %d", format.Grouped(n), maxParties)
	}
	if text, err := json.Marshal(v.remember()); err != nil || len(text) > maxSize {
		return errors.New("its parties, markets and filter are too long to be saved")
	}
	return nil
}

// View returns the view that was saved. Parts that cannot be used have their default.
func (s *Saved) View() View {
	v := View{Number: s.Number, Name: s.Name, ShowClosed: s.ShowClosed, Columns: s.Columns}
	v.Scope = model.Scope{Parties: idsOf(s.Parties), Markets: idsOf(s.Markets)}
	typed := input.New(s.Filter) // no longer than what can be typed
	v.Filter = typed.String()
	v.Order = view.Order{Column: view.TroubleColumn, Descending: s.Descending}
	if column, err := view.ParseSortColumn(s.Order); err == nil {
		v.Order.Column = column
	}
	if group, err := view.ParseGrouping(s.Group); err == nil {
		v.Group = group
	}
	return v
}

// textsOf returns identifiers as texts.
func textsOf(ids []model.ID) []string {
	var texts []string
	for _, id := range ids {
		texts = append(texts, id.String())
	}
	return texts
}

// idsOf returns the identifiers that texts mean, each once, but for empty ones and those beyond the limit.
func idsOf(texts []string) []model.ID {
	var ids []model.ID
	for _, text := range texts[:min(len(texts), maxParties)] {
		if id := model.CanonicalID(text); !id.IsZero() && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
