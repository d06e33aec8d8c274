package ui

import (
	"time"

	"blotter/model/filter"
	"blotter/ui/keys"
	"blotter/ui/overlay/baseline"
	"blotter/ui/overlay/columnlist"
	"blotter/ui/overlay/filterline"
	"blotter/ui/overlay/names"
	"blotter/ui/overlay/palette"
	"blotter/ui/overlay/pick"
	"blotter/ui/overlay/rule"
	"blotter/ui/overlay/searchline"
	"blotter/ui/overlay/shift"
	"blotter/ui/overlay/timeline"
	"blotter/ui/overlay/viewlist"
	"blotter/ui/pane"
	"blotter/ui/positions"
	"blotter/ui/store"
)

// The kinds of overlays that keys of the screen open.
const (
	partiesKind = "parties"
	marketsKind = "markets"
	columnsKind = "columns"
	viewsKind   = "views"
	paletteKind = keys.Palette
)

// overlayKinds has, for each kind of overlay, the function that makes it. If the overlay cannot be opened, the function
// returns nil and effects in place of it.
var overlayKinds = map[string]func(m *Model, subject any) (pane.Pane, []pane.Effect){
	pane.FilterKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		m.steps.ClosePages()
		return filterline.New(m.store.Settings().Filter, filterline.Target{
			Parse: filter.Parse, Complete: func(typed string) (int, []string) { return m.store.View().Complete(typed) },
			Narrow: pane.Filter, Kept: []pane.Effect{pane.FocusPositions{}}, Found: positions.Found,
		}), nil
	},
	pane.EventsFilterKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		return filterline.New(m.events.Filter(), filterline.Target{
			Parse: filter.ParseEvents, Complete: func(typed string) (int, []string) { return m.store.View().CompleteEvents(typed) },
			Narrow: func(text string) pane.Effect { return pane.FilterEvents(text) },
			Found:  func(*pane.Context) string { return m.events.Listed() + "  esc clears " },
		}), nil
	},
	partiesKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		parties, _ := store.WatchableOf(m.store)
		return pick.New(parties), nil
	},
	marketsKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		_, markets := store.WatchableOf(m.store)
		return pick.New(markets), nil
	},
	columnsKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		m.steps.ClosePages()
		return columnlist.New(m.positions.Columns()), nil
	},
	pane.NamesKind: func(m *Model, subject any) (pane.Pane, []pane.Effect) {
		settings := names.Settings{Names: m.options.Names, DisplayDecimals: m.options.DisplayDecimals}
		return names.Open(subject.(pane.Named), m.store.Format(), settings)
	},
	viewsKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		m.steps.ClosePages()
		return viewlist.New(&m.views, &m.switching, m.shownNow), nil
	},
	viewlist.NamingKind: func(_ *Model, subject any) (pane.Pane, []pane.Effect) {
		return viewlist.NewNaming(subject.(*viewlist.List)), nil
	},
	pane.RuleKind: func(m *Model, subject any) (pane.Pane, []pane.Effect) {
		return rule.New(m.service().store.Alerts().Rules(), subject.(int), m.store.Settings().Filter), nil
	},
	pane.ShiftKind: func(*Model, any) (pane.Pane, []pane.Effect) { return shift.New(), nil },
	pane.TimeKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		live, latest := m.service().store, time.Duration(0)
		if m.past == nil { // a time of a file is the one next to what is shown
			latest = 12 * time.Hour
		}
		zone, oldest := live.Format().Local, m.controls.Oldest()
		return timeline.New(func() time.Time { return zone(live.Now().Add(latest)) }, zone(oldest), m.past != nil), nil
	},
	pane.SearchKind: func(_ *Model, subject any) (pane.Pane, []pane.Effect) {
		return searchline.New(subject.(*pane.Page)), nil
	},
	paletteKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		c, f, settings := m.context(), m.store.Format(), m.store.Settings()
		whyNotLive := m.keys.Fill(c.WhyNotLive)
		parties, markets := store.WatchableOf(m.store)
		return palette.New(
			palette.OfActions(m.keys.List(m.activeGroups(), m.allParts(), c), paletteKind),
			palette.OfViews(&m.views, m.keys.KeysOf("view"), f), palette.OfProfiles(&m.switching), palette.OfThemes(m.options.Appearance.Theme),
			palette.OfTopics(topicKind),
			palette.OfColumns(m.positions.Columns(), settings.Order, m.store.View().ShowsChanges()),
			palette.OfScope(parties, whyNotLive), palette.OfScope(markets, whyNotLive),
		), nil
	},
	pane.BaselineKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		return baseline.Open(m.context(), m.keeper.Offered)
	},
}

// overlayKeys returns the keys of the overlays, in the order of the help page.
func overlayKeys() []*keys.Group {
	interrupt := keys.For(interruptAction)
	return []*keys.Group{
		keys.GroupOf[*filterline.Line]("typing a filter", keys.For(filterline.Actions()...), interrupt),
		keys.GroupOf[*pick.Picker]("choosing parties or markets", keys.Moving(true), keys.Ends(true, "first row", "last row"), keys.For(pick.Actions()...), interrupt),
		keys.GroupOf[*columnlist.List]("choosing columns", keys.Moving(false), keys.Ends(false, "first column", "last column"), keys.For(columnlist.Actions()...), interrupt),
		keys.GroupOf[*names.Dialog]("giving names", keys.InForm(), keys.For(names.Actions()...), interrupt),
		keys.GroupOf[*viewlist.List]("views and profiles", keys.Moving(false), keys.Ends(false, "first row", "last row"), keys.For(viewlist.Actions()...), interrupt),
		keys.GroupOf[*viewlist.Naming]("naming a view", keys.For(viewlist.NamingActions()...), interrupt),
		keys.GroupOf[*rule.Dialog]("making an alert", keys.InForm(), keys.For(rule.Actions()...), interrupt),
		keys.GroupOf[*shift.Line]("typing a change of prices", keys.For(shift.Actions()...), interrupt),
		keys.GroupOf[*timeline.Line]("typing a time", keys.For(timeline.Actions()...), interrupt),
		keys.GroupOf[*searchline.Line]("searching in a page", searchline.Finding(), keys.For(searchline.Actions()...), interrupt),
		keys.GroupOf[*palette.Palette]("the palette", keys.Moving(true), keys.Ends(true, "first entry", "last entry"), keys.For(palette.Actions()...), interrupt),
		keys.GroupOf[*baseline.Replacement]("replacing a baseline", keys.For(baseline.Actions()...), interrupt),
	}
}
