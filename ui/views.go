package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// View is what a digit key applies: what is watched, which rows are shown, and how. (A view.View is the rows
// themselves.)
type View struct {
	Number     int    // from 1 to 9; 0 is the default view: what the program began with
	Name       string // empty where it has none
	Scope      model.Scope
	Filter     string
	Order      view.Order
	ShowClosed bool
	Columns    []columns.State // the default where there are none
	Group      view.Grouping
}

// lastView is the highest number of a view.
const lastView = 9

// shows reports whether another view shows the same rows in the same way.
func (v *View) shows(other *View) bool {
	return v.Scope.Equal(other.Scope) && strings.TrimSpace(v.Filter) == strings.TrimSpace(other.Filter) && v.Order == other.Order &&
		v.ShowClosed == other.ShowClosed && slices.Equal(v.Columns, other.Columns) && v.Group == other.Group
}

// views are the views that the digit keys apply.
type views struct {
	first      View   // the default view
	configured []View // those of the configuration
	saved      []View // those that the trader saved, in the order of their numbers
	applied    View   // the view that was applied last; at first the default view
	before     View   // what was on the screen before one of 1 to 9 was applied
}

// worstFirst returns the views with the worst positions first, without groups.
func worstFirst(views []View) []View {
	views = slices.Clone(views)
	for i := range views {
		views[i].Order, views[i].Group = view.Order{Column: view.TroubleColumn}, view.Ungrouped
	}
	return views
}

// newViews returns the views of the options. The default view is the screen as it is without another one.
func newViews(options *Options) views {
	v := views{first: defaultView(options), configured: normalised(options.Views), saved: normalised(options.SavedViews)}
	v.applied = v.first
	return v
}

// begin makes the options begin with their view, and returns the step to it from the default view.
func (v *views) begin(o *Options) steps {
	view, found := v.find(o.View)
	if !found || view.shows(&v.first) {
		return nil
	}
	v.apply(view, v.first)
	o.Scope, o.Filter, o.Order, o.ShowClosed, o.Columns, o.Group = view.Scope, view.Filter, view.Order, view.ShowClosed, view.Columns, view.Group
	return steps{stepTo(&view, v.first, v.first)}
}

// stepTo is the step to a view: from what was shown before it, and the view that was applied before it.
func stepTo(view *View, shown, applied View) step {
	return step{kind: viewStep, shown: shown, applied: applied, filter: view.Filter}
}

// defaultView returns the view that the options describe.
func defaultView(o *Options) View {
	return View{
		Name: "default", Scope: o.Scope, Filter: understood(o.Filter), Order: o.Order, ShowClosed: o.ShowClosed,
		Columns: columns.Remembered(o.Columns).State(), Group: o.Group,
	}
}

// normalised returns views as the screen would save them, each number once, in the order of the numbers.
func normalised(all []View) []View {
	var views []View
	for _, v := range all {
		if taken := slices.ContainsFunc(views, func(each View) bool { return each.Number == v.Number }); taken || v.Number < 1 || v.Number > lastView {
			continue
		}
		v.Name = draw.Cut(format.OneLine(v.Name), maxViewName)
		v.Filter, v.Columns = understood(v.Filter), columns.Remembered(v.Columns).State()
		views = append(views, v)
	}
	slices.SortFunc(views, func(a, b View) int { return a.Number - b.Number })
	return views
}

// find returns the view with a number: that of the configuration where there are two.
func (v *views) find(number int) (view View, found bool) {
	if number == 0 {
		return v.first, true
	}
	for _, each := range slices.Concat(v.configured, v.saved) {
		if each.Number == number {
			return each, true
		}
	}
	return View{}, false
}

// isConfigured reports whether the configuration has a view with a number.
func (v *views) isConfigured(number int) bool {
	return slices.ContainsFunc(v.configured, func(each View) bool { return each.Number == number })
}

// save puts a view in the place of the saved one with its number.
func (v *views) save(view View) {
	v.remove(view.Number)
	v.saved = normalised(append(v.saved, view))
}

// remove removes the saved view with a number, and reports whether there was one.
func (v *views) remove(number int) bool {
	before := len(v.saved)
	v.saved = slices.DeleteFunc(slices.Clone(v.saved), func(each View) bool { return each.Number == number })
	return len(v.saved) < before
}

// shownView returns what is on the screen as a view without number and name.
func (m *Model) shownView() View {
	return View{
		Scope: m.data.scope, Filter: m.data.filter.Text, Order: m.data.order, ShowClosed: m.data.filter.ShowClosed,
		Columns: m.positions.columns.State(), Group: m.data.groups.By,
	}
}

// rememberedView returns the view that the next run begins with, as far as it is remembered: what is on the screen, but
// while one of 1 to 9 is, what was there before it.
func (m *Model) rememberedView() View {
	if m.views.applied.Number > 0 {
		return m.views.before
	}
	return m.shownView()
}

// applyNumbered applies the view with a number, as one step.
func (m *Model) applyNumbered(number int) tea.Cmd {
	view, found := m.views.find(number)
	if !found {
		m.notify(m.keys.Fill(fmt.Sprintf("No view %d; {views} saves one.", number)))
		return nil
	}
	m.closePages()
	shown := m.shownView()
	if shown.shows(&view) {
		m.views.apply(view, shown)
		m.notify("This is view " + viewTitle(&view) + ".")
		return nil
	}
	m.steps.add(stepTo(&view, shown, m.views.applied))
	m.views.apply(view, shown)
	return m.show(view)
}

// apply notes which view was applied, and what was shown before it.
func (v *views) apply(view, shown View) {
	if v.applied.Number == 0 {
		v.before = shown
	}
	v.applied = view
}

// undoView goes back to what was shown before a view was applied.
func (m *Model) undoView(undone step) tea.Cmd {
	m.steps = m.steps[:len(m.steps)-1]
	m.views.applied = undone.applied
	return m.show(undone.shown)
}

// show changes the screen to a view. It adds no step.
func (m *Model) show(view View) tea.Cmd {
	d := &m.data
	d.filter.Text, d.filter.ShowClosed, d.order = view.Filter, view.ShowClosed, view.Order
	d.filter.Now = m.serviceNow().In(m.options.Location)
	d.group(view.Group)
	m.positions.columns = columns.Remembered(view.Columns)
	m.positions.chosen = chosenFor(view.Order)
	m.positions.widths.Forget()
	if !view.Scope.Equal(d.scope) {
		return m.watchScope(view.Scope)
	}
	return d.prepare(m.now())
}

// appliedFilter is the filter of the latest view among the steps; empty where there is no view among them.
func (m *Model) appliedFilter() string {
	if at := m.steps.latestView(); at >= 0 {
		return m.steps[at].filter
	}
	return ""
}

// viewWords returns the number and name of the view while nothing of it has changed; empty for the default view.
func (m *Model) viewWords() string {
	applied := &m.views.applied
	shown := m.shownView()
	if now, found := m.views.find(applied.Number); applied.Number == 0 || !found || now.Name != applied.Name || !shown.shows(applied) {
		return ""
	}
	return viewTitle(applied)
}

// viewTitle is the number of a view with its name.
func viewTitle(v *View) string { return strings.TrimSpace(fmt.Sprintf("%d %s", v.Number, v.Name)) }

// viewSummary returns a line about what a view shows.
func (m *Model) viewSummary(v *View) string {
	parts := []string{m.scopeWords(&v.Scope)}
	if filter := strings.TrimSpace(v.Filter); filter != "" {
		parts = append(parts, "["+format.OneLine(filter)+"]")
	}
	order := "by " + orderTitle(v.Order.Column)
	if v.Order.Descending {
		order += " ▼"
	}
	parts = append(parts, order)
	if v.Group != view.Ungrouped {
		parts = append(parts, "grouped by "+v.Group.String())
	}
	if v.ShowClosed {
		parts = append(parts, "closed shown")
	}
	if n := len(shownTitles(v.Columns)); len(v.Columns) > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d columns", n, len(v.Columns)))
	}
	return strings.Join(parts, " · ")
}

// orderTitle is the title of the column of an order.
func orderTitle(c view.Column) string {
	if c == view.TroubleColumn {
		return "trouble"
	}
	return c.Title()
}

// shownTitles are the titles of the columns that are shown.
func shownTitles(states []columns.State) []string {
	var titles []string
	for _, s := range columns.Remembered(states) {
		if !s.Hidden {
			titles = append(titles, s.Column.Title())
		}
	}
	return titles
}
