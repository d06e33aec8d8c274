package ui

import (
	"time"

	"blotter/model/filter"
	"blotter/ui/dialog"
	"blotter/ui/keys"
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
		return dialog.NewFilterLine(m.store.Settings().Filter, dialog.FilterTarget{
			Parse: filter.Parse, Complete: func(typed string) (int, []string) { return m.store.View().Complete(typed) },
			Narrow: pane.Filter, Kept: []pane.Effect{pane.FocusPositions{}}, Found: positions.Found,
		}), nil
	},
	pane.EventsFilterKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		return dialog.NewFilterLine(m.events.Filter(), dialog.FilterTarget{
			Parse: filter.ParseEvents, Complete: func(typed string) (int, []string) { return m.store.View().CompleteEvents(typed) },
			Narrow: func(text string) pane.Effect { return pane.FilterEvents(text) },
			Found:  func(*pane.Context) string { return m.events.Listed() + "  esc clears " },
		}), nil
	},
	partiesKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		parties, _ := store.WatchableOf(m.store)
		return dialog.NewPicker(parties), nil
	},
	marketsKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		_, markets := store.WatchableOf(m.store)
		return dialog.NewPicker(markets), nil
	},
	columnsKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		m.steps.ClosePages()
		return dialog.NewColumnList(m.positions.Columns()), nil
	},
	pane.NamesKind: func(m *Model, subject any) (pane.Pane, []pane.Effect) {
		settings := dialog.NamesSettings{Names: m.options.Names, DisplayDecimals: m.options.DisplayDecimals}
		return dialog.OpenNames(subject.(pane.Named), m.store.Format(), settings)
	},
	viewsKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		m.steps.ClosePages()
		return dialog.NewViewList(&m.views, &m.switching, m.shownNow), nil
	},
	dialog.ViewNameKind: func(_ *Model, subject any) (pane.Pane, []pane.Effect) {
		return dialog.NewViewName(subject.(*dialog.ViewList)), nil
	},
	pane.RuleKind: func(m *Model, subject any) (pane.Pane, []pane.Effect) {
		return dialog.NewRuleForm(m.service().store.Alerts().Rules(), subject.(int), m.store.Settings().Filter), nil
	},
	pane.ShiftKind: func(*Model, any) (pane.Pane, []pane.Effect) { return dialog.NewWhatIfLine(), nil },
	pane.TimeKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		live, latest := m.service().store, time.Duration(0)
		if m.past == nil { // a time of a file is the one next to what is shown
			latest = 12 * time.Hour
		}
		zone, oldest := live.Format().Local, m.controls.Oldest()
		return dialog.NewTimeLine(func() time.Time { return zone(live.Now().Add(latest)) }, zone(oldest), m.past != nil), nil
	},
	pane.SearchKind: func(_ *Model, subject any) (pane.Pane, []pane.Effect) {
		return dialog.NewSearchLine(subject.(*pane.Page)), nil
	},
	paletteKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		c, f, settings := m.context(), m.store.Format(), m.store.Settings()
		whyNotLive := m.keys.Fill(c.WhyNotLive)
		parties, markets := store.WatchableOf(m.store)
		return dialog.NewPalette(
			dialog.ActionEntries(m.keys.List(m.activeGroups(), m.allParts(), c), paletteKind),
			dialog.ViewEntries(&m.views, m.keys.KeysOf("view"), f), dialog.ProfileEntries(&m.switching), dialog.ThemeEntries(m.options.Appearance.Theme),
			dialog.TopicEntries(topicKind),
			dialog.ColumnEntries(m.positions.Columns(), settings.Order, m.store.View().ShowsChanges()),
			dialog.ScopeEntries(parties, whyNotLive), dialog.ScopeEntries(markets, whyNotLive),
		), nil
	},
	pane.BaselineKind: func(m *Model, _ any) (pane.Pane, []pane.Effect) {
		return dialog.OpenBaseline(m.context(), m.keeper.Offered)
	},
}

// overlayKeys returns the keys of the overlays, in the order of the help page.
func overlayKeys() []*keys.Group {
	interrupt := keys.For(interruptAction)
	return []*keys.Group{
		keys.GroupOf[*dialog.FilterLine]("typing a filter", keys.For(dialog.FilterActions()...), interrupt),
		keys.GroupOf[*dialog.Picker]("choosing parties or markets", keys.Moving(true), keys.Ends(true, "first row", "last row"), keys.For(dialog.PickerActions()...), interrupt),
		keys.GroupOf[*dialog.ColumnList]("choosing columns", keys.Moving(false), keys.Ends(false, "first column", "last column"), keys.For(dialog.ColumnListActions()...), interrupt),
		keys.GroupOf[*dialog.NamesForm]("giving names", keys.InForm(), keys.For(dialog.NamesActions()...), interrupt),
		keys.GroupOf[*dialog.ViewList]("views and profiles", keys.Moving(false), keys.Ends(false, "first row", "last row"), keys.For(dialog.ViewListActions()...), interrupt),
		keys.GroupOf[*dialog.ViewName]("naming a view", keys.For(dialog.ViewNameActions()...), interrupt),
		keys.GroupOf[*dialog.RuleForm]("making an alert", keys.InForm(), keys.For(dialog.RuleActions()...), interrupt),
		keys.GroupOf[*dialog.WhatIfLine]("typing a change of prices", keys.For(dialog.WhatIfActions()...), interrupt),
		keys.GroupOf[*dialog.TimeLine]("typing a time", keys.For(dialog.TimeActions()...), interrupt),
		keys.GroupOf[*dialog.SearchLine]("searching in a page", dialog.FindingActions(), keys.For(dialog.SearchActions()...), interrupt),
		keys.GroupOf[*dialog.Palette]("the palette", keys.Moving(true), keys.Ends(true, "first entry", "last entry"), keys.For(dialog.PaletteActions()...), interrupt),
		keys.GroupOf[*dialog.BaselineQuestion]("replacing a baseline", keys.For(dialog.BaselineActions()...), interrupt),
	}
}
