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
	Number  int      `json:"number"`
	Name    string   `json:"name,omitempty"`
	Parties []string `json:"parties,omitempty"` // identifiers; none: all
	Markets []string `json:"markets,omitempty"`
	Filter  string   `json:"filter,omitempty"`
	Remembered
}

// Remembered is Shown without scope and filter, as it is remembered from one run to the next.
type Remembered struct {
	Columns    []columns.State `json:"columns,omitempty"` // none: the default
	Order      string          `json:"order"`             // the key of a column or order: see view.Column; empty: never set
	Descending bool            `json:"descending,omitempty"`
	ShowClosed bool            `json:"show_closed,omitempty"`
	Group      string          `json:"group,omitempty"` // see view.Grouping
}

// Note notes the parts of what is shown now that differ from what was shown at first. The others may come from the
// configuration, which must not replace what the trader set.
func (r *Remembered) Note(now, first *Shown) {
	r.Columns = now.Columns
	if now.Order != first.Order {
		r.Order, r.Descending = now.Order.Column.Key(), now.Order.Descending
	}
	if now.ShowClosed != first.ShowClosed {
		r.ShowClosed = now.ShowClosed
	}
	if now.Group != first.Group {
		r.Group = now.Group.String()
	}
}

// Use changes what is shown at first to what is remembered, except parts whose key the configuration sets, and parts
// that cannot be used.
func (r *Remembered) Use(first *Shown, isConfigured func(key string) bool) {
	first.Columns = r.Columns
	if column, err := view.ParseSortColumn(r.Order); err == nil && !isConfigured("screen.order") && !isConfigured("screen.descending") {
		first.Order = view.Order{Column: column, Descending: r.Descending}
	}
	if group, err := view.ParseGrouping(r.Group); err == nil && !isConfigured("screen.group") {
		first.Group = group
	}
	if !isConfigured("screen.show_closed") {
		first.ShowClosed = r.ShowClosed
	}
}

// The limits of a saved view.
const (
	maxParties = 500      // and also of markets
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

func (v *View) remember() Saved {
	return Saved{
		Number: v.Number, Name: v.Name, Parties: TextsOf(v.Scope.Parties), Markets: TextsOf(v.Scope.Markets), Filter: v.Filter,
		Remembered: Remembered{v.Columns, v.Order.Column.Key(), v.Order.Descending, v.ShowClosed, v.Group.String()},
	}
}

// CheckSize returns an error if the settings are too large to be saved; nil if they are not.
func (s *Shown) CheckSize() error {
	if n := max(len(s.Scope.Parties), len(s.Scope.Markets)); n > maxParties {
		return fmt.Errorf("it has %s parties or markets, and a saved view can have %d", format.Grouped(n), maxParties)
	}
	if text, err := json.Marshal((&View{Shown: *s}).remember()); err != nil || len(text) > maxSize {
		return errors.New("its parties, markets and filter are too long to be saved")
	}
	return nil
}

// View returns the view that was saved. Parts that cannot be used have their default.
func (s *Saved) View() View {
	v := View{Number: s.Number, Name: s.Name}
	v.Order = view.Order{Column: view.TroubleColumn, Descending: s.Descending}
	s.Use(&v.Shown, func(string) bool { return false })
	v.Scope = model.Scope{Parties: idsOf(s.Parties), Markets: idsOf(s.Markets)}
	typed := input.New(s.Filter) // no longer than what can be typed
	v.Filter = typed.String()
	return v
}

// TextsOf returns identifiers as texts.
func TextsOf(ids []model.ID) []string {
	var texts []string
	for _, id := range ids {
		texts = append(texts, id.String())
	}
	return texts
}

// idsOf returns the identifiers that texts mean, each once, without empty ones and those beyond the limit.
func idsOf(texts []string) []model.ID {
	var ids []model.ID
	for _, text := range texts[:min(len(texts), maxParties)] {
		if id := model.CanonicalID(text); !id.IsZero() && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}
