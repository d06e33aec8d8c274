package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"blotter/model/filter"
	"blotter/model/view"
)

// View is a section [[view]]: what a digit key of the screen applies. A part that is nil is as in the default view.
type View struct {
	Number     int // from 1 to 9
	Name       string
	Parties    []string // names or identifiers; empty but not nil: all parties
	Markets    []string // the same of markets
	Filter     *string
	Order      *view.Column
	Descending *bool
	ShowClosed *bool
	Columns    []view.Column // those that are shown, from left to right
	Group      *view.Grouping
}

// viewSection is the section of the views. A profile that has views has them in place of those above.
const viewSection = "view"

func (v *View) keys() keys {
	return keys{
		{name: "number", kind: number(&v.Number, 0, 1, 9), sample: "1",
			help: "The digit key, from 1 to 9. 0 is the default view, with which the program begins without --view."},
		{name: "name", kind: text(&v.Name, "a text that is not empty"), sample: `"distressed"`,
			help: "Its name on the first line of the screen."},
		{name: "parties", kind: list(&v.Parties, "names or identifiers"), sample: `["desk-1"]`, help: "What is watched, as under [watch]."},
		{name: "markets", kind: list(&v.Markets, "names or identifiers"), sample: "[]"},
		{name: "filter", kind: optional(&v.Filter, viewFilter), sample: `"status:distressed|uPnL/MM<-50%"`},
		{name: "order", kind: optional(&v.Order, column), sample: `"unrealised"`,
			help: "As under [screen]; ascending if descending is not given."},
		{name: "descending", kind: optional(&v.Descending, boolean), sample: "false"},
		{name: "show_closed", kind: optional(&v.ShowClosed, boolean), sample: "false"},
		{name: "columns", kind: shownColumns(&v.Columns), sample: `["party", "market", "size", "unrealised", "m%", "status"]`,
			help: "The columns that are shown, from left to right, as far as there is room. Party and market always are."},
		{name: "group", kind: optional(&v.Group, grouping), sample: `"party"`, help: groupingHelp()},
	}
}

// optional is a key without a default. The variable is nil if the key is not given.
func optional[T any](to **T, kindOf func(*T) kind) kind {
	value := new(T)
	k := kindOf(value)
	set := k.set
	k.reset = func() { *to = nil }
	k.set = func(given any) error {
		*to = value
		return set(given)
	}
	return k
}

func groupingHelp() string {
	return "What the rows are grouped by: " + strings.Join(view.GroupingKeys(),
		", ") + ` (the groups under [[group]]), or "" for no groups.`
}

func grouping(to *view.Grouping) kind {
	allowed := "one of " + strings.Join(view.GroupingKeys(), ", ") + `, or ""`
	return kindOf(to, view.Ungrouped, allowed, "", func(value any) (view.Grouping, bool) {
		s, isText := value.(string)
		g, err := view.ParseGrouping(s)
		return g, isText && err == nil
	})
}

func shownColumns(to *[]view.Column) kind {
	all := view.Columns()
	var names []string
	for _, c := range all {
		names = append(names, c.Key())
	}
	allowed := "a list of columns, each in quotes and once: " + strings.Join(names, ", ")
	return kindOf(to, nil, allowed, "", func(value any) ([]view.Column, bool) {
		given, ok := texts(value)
		columns := make([]view.Column, 0, len(given))
		for _, name := range given {
			at := slices.Index(names, view.KeyOf(name))
			if at < 0 || slices.Contains(columns, all[at]) {
				return nil, false
			}
			columns = append(columns, all[at])
		}
		return columns, ok
	})
}

// checkViews checks that each view has a number of its own, and that no name is empty.
func (f *File) checkViews() error {
	taken := make(map[int]string)
	for i := range f.Views {
		v, section := &f.Views[i], fmt.Sprintf("%s[%d]", viewSection, i)
		key := section + ".number"
		if v.Number == 0 {
			return f.Wrap(section, errors.New("must have a number from 1 to 9"))
		}
		if other, isTaken := taken[v.Number]; isTaken {
			return f.sameAs(key, other, "")
		}
		taken[v.Number] = key
		if err := cmp.Or(f.refuseEmptyName(section+".parties", v.Parties), f.refuseEmptyName(section+".markets", v.Markets)); err != nil {
			return err
		}
	}
	return nil
}

// CheckViewFilters returns what is wrong with the filter of a view, or nil. Parse does not check it: the
// screen lists such a view with its error.
func (f *File) CheckViewFilters() error {
	for i := range f.Views {
		if text := f.Views[i].Filter; text != nil {
			if _, err := filter.Parse(*text); err != nil {
				return f.Wrap(fmt.Sprintf("%s[%d].filter", viewSection, i), err)
			}
		}
	}
	return nil
}

// FilterHints returns what the writer of the file may have meant by its filters, a line each.
func (f *File) FilterHints() (hints []error) {
	note := func(key, text string) {
		if hint := filter.Hint(text); hint != "" {
			hints = append(hints, f.Wrap(key, errors.New(hint)))
		}
	}
	note("screen.filter", f.Screen.Filter)
	for i, v := range f.Views {
		if v.Filter != nil {
			note(fmt.Sprintf("%s[%d].filter", viewSection, i), *v.Filter)
		}
	}
	for i, a := range f.Alerts {
		note(fmt.Sprintf("alert[%d].filter", i), a.Filter)
		note(fmt.Sprintf("alert[%d].clear", i), a.Clear)
	}
	return hints
}
