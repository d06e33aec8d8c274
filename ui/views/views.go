// Package views has the views that digit keys apply: what is watched, which rows are shown, and how. It keeps those of
// the configuration beside those that were saved, compares them, and has the JSON that they are remembered in.
// Beside them it has the state of the change from one profile to another.
//
// The package applies no view and does not depend on keys; it uses the columns of package columns.
package views

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// MaxName is how many cells the name of a view may have.
const MaxName = 24

// View is what a digit key applies. (A view.View is the rows themselves.)
type View struct {
	Number int    // from 1 to 9; 0 is the default view: the screen as the program begins without another view
	Name   string // empty if it has none
	Shown
}

// Shown is what is on the screen: which rows, and in which columns.
type Shown struct {
	view.Settings
	Columns []columns.State // the default if there are none
}

// Last is the highest number of a view.
const Last = 9

// Digits are the keys of the views, that of the default view first.
var Digits = []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}

// Shows reports whether other settings show the same rows in the same way.
func (s *Shown) Shows(other *Shown) bool {
	one, two := s.Settings, other.Settings
	one.Filter, two.Filter = strings.TrimSpace(one.Filter), strings.TrimSpace(two.Filter)
	return one.Equal(&two) && slices.Equal(s.Columns, other.Columns)
}

// Title returns the number of a view with its name.
func (v *View) Title() string { return strings.TrimSpace(fmt.Sprintf("%d %s", v.Number, v.Name)) }

// Wrong returns what is wrong with the filter; empty if nothing is. A view with a wrong filter is not applied: without
// the wrong part, the filter would match other rows.
func (s *Shown) Wrong() string {
	if wrong := filter.FirstError(filter.Parse, s.Filter); wrong != nil {
		return "its filter is wrong: " + wrong.Words
	}
	return ""
}

// Problem returns a message about a view that cannot be applied; empty if it can.
func (v *View) Problem() string {
	if wrong := v.Wrong(); wrong != "" {
		return "View " + format.OneLine(v.Title()) + " is not applied: " + wrong + "."
	}
	return ""
}

// Summary returns a line about what is shown, or about what is wrong with it.
func (s *Shown) Summary(f *format.Formatter) string {
	if wrong := s.Wrong(); wrong != "" {
		return "not applied: " + wrong
	}
	parts := []string{f.Scope(&s.Scope)}
	if text := strings.TrimSpace(s.Filter); text != "" {
		parts = append(parts, "["+format.OneLine(text)+"]")
	}
	order := "by " + cmp.Or(columns.Title(s.Order.Column), "trouble")
	if s.Order.Descending {
		order += " ▼"
	}
	parts = append(parts, order)
	if s.Group != view.Ungrouped {
		parts = append(parts, "grouped by "+s.Group.String())
	}
	if s.ShowClosed {
		parts = append(parts, "closed shown")
	}
	if len(s.Columns) > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d columns", len(s.ColumnTitles()), len(s.Columns)))
	}
	return strings.Join(parts, " · ")
}

// ColumnTitles returns the titles of the columns that are shown.
func (s *Shown) ColumnTitles() []string {
	var titles []string
	for _, each := range columns.SettingsOf(s.Columns) {
		if !each.Hidden {
			titles = append(titles, columns.Title(each.Column))
		}
	}
	return titles
}

// WorstFirst returns the views with the worst positions first, without groups.
func WorstFirst(views []View) []View {
	views = slices.Clone(views)
	for i := range views {
		views[i].Order, views[i].Group = view.Order{Column: view.TroubleColumn}, view.Ungrouped
	}
	return views
}

// Set is the views that the digit keys apply.
type Set struct {
	Default View  // that of the digit 0
	Applied View  // the view that was applied last; at first the default view
	Before  Shown // what was on the screen before one of 1 to 9 was applied

	configured []View // those of the configuration
	saved      []View // those that the trader saved, in the order of their numbers
}

// NewSet returns a set of views, in which the default view is applied.
func NewSet(first View, configured, saved []View) Set {
	return Set{Default: first, Applied: first, configured: normalised(configured), saved: normalised(saved)}
}

// normalised returns views as the screen would save them, each number once, in the order of the numbers.
func normalised(all []View) []View {
	var views []View
	for _, v := range all {
		if v.Number < 1 || v.Number > Last || hasNumber(views, v.Number) {
			continue
		}
		v.Name = draw.Cut(format.OneLine(v.Name), MaxName)
		v.Columns = columns.SettingsOf(v.Columns).State()
		views = append(views, v)
	}
	slices.SortFunc(views, func(a, b View) int { return a.Number - b.Number })
	return views
}

// Find returns the view with a number: that of the configuration if there are two.
func (s *Set) Find(number int) (view View, found bool) {
	if number == 0 {
		return s.Default, true
	}
	for _, each := range slices.Concat(s.configured, s.saved) {
		if each.Number == number {
			return each, true
		}
	}
	return View{}, false
}

// IsConfigured reports whether the configuration has a view with a number.
func (s *Set) IsConfigured(number int) bool { return hasNumber(s.configured, number) }

// IsSaved reports whether a view with a number was saved.
func (s *Set) IsSaved(number int) bool { return hasNumber(s.saved, number) }

func hasNumber(views []View, number int) bool {
	return slices.ContainsFunc(views, func(each View) bool { return each.Number == number })
}

// Apply notes which view was applied, and what was shown before it.
func (s *Set) Apply(view View, shown Shown) {
	if s.Applied.Number == 0 {
		s.Before = shown
	}
	s.Applied = view
}

// ShownTitle returns the number and name of the view while nothing of it has changed; empty for the default view.
func (s *Set) ShownTitle(shown Shown) string {
	now, _ := s.Find(s.Applied.Number)
	if now.Number == 0 || now.Name != s.Applied.Name || !shown.Shows(&s.Applied.Shown) {
		return ""
	}
	return s.Applied.Title()
}

// Remembered returns what the next run begins with: what is on the screen, or, if that is a view of 1 to 9, what was on
// the screen before it.
func (s *Set) Remembered(shown Shown) Shown {
	if s.Applied.Number > 0 {
		return s.Before
	}
	return shown
}

// SaveShown saves what is on the screen as the view with a number, and returns words about it. It is kept for the next
// run or not.
func (s *Set) SaveShown(shown Shown, number int, name string, isKept bool) (words string) {
	view := View{Number: number, Name: name, Shown: shown}
	s.saved = normalised(slices.Concat([]View{view}, s.saved)) // in the place of the one with its number
	if s.IsConfigured(number) {
		return fmt.Sprintf("Saved, but the configuration has its own view %d.", number)
	}
	s.Apply(view, shown)
	if !isKept {
		return "Saved as view " + view.Title() + " for this run: nothing is remembered."
	}
	return "Saved as view " + view.Title() + "."
}

// Delete removes the saved view with a number, and returns words about it.
func (s *Set) Delete(number int) (words string) {
	s.saved = slices.DeleteFunc(slices.Clone(s.saved), func(each View) bool { return each.Number == number })
	return fmt.Sprintf("Deleted the saved view %d.", number)
}
