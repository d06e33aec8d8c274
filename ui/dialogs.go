package ui

import (
	"fmt"
	"time"

	"blotter/model/filter"
	"blotter/ui/dialog"
	"blotter/ui/format"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/positions"
	"blotter/ui/replay"
	"blotter/ui/store"
)

// The dialogs that only keys of the shell open.
type (
	partiesDialog struct{ pane.IsDialog }
	marketsDialog struct{ pane.IsDialog }
	columnsDialog struct{ pane.IsDialog }
	viewsDialog   struct{ pane.IsDialog }
	paletteDialog struct{ pane.IsDialog }
)

// dialogMaker makes dialogs from what the screen shows.
type dialogMaker struct{ m *Model }

// dialog makes a dialog. If it cannot be opened, dialog returns nil and effects in place of it.
func (d dialogMaker) dialog(of pane.Dialog) (pane.Pane, []pane.Effect) {
	m := d.m
	switch of := of.(type) {
	case pane.FilterDialog:
		m.steps.closePages()
		return dialog.NewFilterLine(m.store.Settings().Filter, dialog.FilterTarget{
			Subject:  "positions",
			Parse:    func(typed string) (*filter.Query, error) { return m.store.View().Names().Parse(typed) },
			Complete: func(typed string) (int, []string) { return filter.Complete(typed, m.store.View().Names()) },
			Narrow:   pane.Filter, Kept: []pane.Effect{pane.FocusPositions{}}, Found: positions.Found,
		}), nil
	case pane.EventFilterDialog:
		return dialog.NewFilterLine(m.events.Filter(), dialog.FilterTarget{
			Subject:  "events",
			Parse:    func(typed string) (*filter.Query, error) { return m.store.View().Names().ParseEvents(typed) },
			Complete: func(typed string) (int, []string) { return filter.CompleteEvents(typed, m.store.View().Names()) },
			Narrow:   func(text string) pane.Effect { return pane.FilterEvents(text) },
			Found:    func(*pane.Context) string { return m.events.Listed() + "  esc clears " },
		}), nil
	case partiesDialog:
		parties, _ := store.WatchableOf(m.store)
		return dialog.NewPicker(parties), nil
	case marketsDialog:
		_, markets := store.WatchableOf(m.store)
		return dialog.NewPicker(markets), nil
	case columnsDialog:
		m.steps.closePages()
		return dialog.NewColumnList(m.positions.Columns()), nil
	case pane.OrderDialog:
		return dialog.NewOrderList(m.positions.Columns(), m.store.Settings().Order, m.store.View().ShowsChanges()), nil
	case pane.NamesDialog:
		settings := dialog.NamesSettings{Names: m.options.Names, DisplayDecimals: m.options.DisplayDecimals}
		return dialog.OpenNames(of, m.store.Format(), settings)
	case viewsDialog:
		m.steps.closePages()
		return dialog.NewViewList(&m.views, &m.switching, m.shown), nil
	case dialog.ViewNameDialog:
		return dialog.NewViewName(of.Over), nil
	case pane.RuleDialog:
		alerts := m.service().store.Alerts()
		return dialog.NewRuleForm(alerts.Rules(), of.Place, alerts.NewFilter(m.store.Settings())), nil
	case pane.GroupDialog:
		return dialog.NewGroupLine(of.Positions, m.keeper.State != nil), nil
	case pane.WhatIfDialog:
		return dialog.NewWhatIfLine(m.controls.Scenario(), replay.Rewind{Memory: m.options.Memory, File: m.options.Replay}.WhyNot), nil
	case pane.TimeDialog:
		return d.timeLine(), nil
	case pane.FileDialog:
		return d.fileLine(of), nil
	case pane.SaveDialog:
		return dialog.NewSaveLine(of), nil
	case pane.SearchDialog:
		return dialog.NewSearchLine(of.Page), nil
	case paletteDialog:
		return d.palette(), nil
	case pane.BaselineDialog:
		return dialog.OpenBaseline(m.context(), m.keeper.Offered)
	}
	panic(fmt.Sprintf("no dialog is opened by %T", of))
}

// fileLine returns the line in which the file is typed that a text is saved to. If there are no files, or what is shown
// is in none, it only copies.
func (d dialogMaker) fileLine(of pane.FileDialog) *dialog.SaveLine {
	to := pane.SaveDialog{What: of.What, Copy: of.Copy, IsCopied: of.IsCopied}
	files := d.m.options.Files
	if files == nil {
		to.WhyNoFile = "a desk writes no files for traders"
	} else if of.Write == nil {
		to.WhyNoFile = "no file in what if"
	} else {
		to.Path = files.Place(of.Name)
		to.Save = func(path string) (string, error) {
			what, text, err := of.Write()
			if err == nil {
				err = files.Create(path, text)
			}
			return "Saved " + what + ": " + format.OneLine(path) + ".", err
		}
	}
	return dialog.NewSaveLine(to)
}

func (d dialogMaker) timeLine() *dialog.TimeLine {
	m := d.m
	live, latest := m.service().store, time.Duration(0)
	if m.past == nil { // a time of a file is the one next to what is shown
		latest = 12 * time.Hour
	}
	zone, oldest := live.Format().Local, m.controls.Oldest()
	return dialog.NewTimeLine(func() time.Time { return zone(live.Now().Add(latest)) }, zone(oldest), m.past != nil)
}

func (d dialogMaker) palette() *dialog.Palette {
	m := d.m
	c, f := m.context(), m.store.Format()
	whyNotLive := m.keys.Fill(c.WhyNotLive)
	parties, markets := store.WatchableOf(m.store)
	var others []*keys.Group
	goTo := make(map[*keys.Group]pane.Effect)
	for _, place := range m.places() {
		for _, g := range m.keys.Of(place.part) {
			others, goTo[g] = append(others, g), place.goTo
		}
	}
	listed := m.keys.List(m.activeKeys().groups(), others, m.allParts(), c)
	return dialog.NewPalette(
		dialog.ActionEntries(listed, keys.Palette, func(g *keys.Group) pane.Effect { return goTo[g] }),
		dialog.ViewEntries(&m.views, m.keys.KeysOf("view"), f),
		dialog.ProfileEntries(&m.switching),
		dialog.ThemeEntries(&m.options.Appearance),
		dialog.TopicEntries(topicKind),
		dialog.PlaceEntries(tabKind, topicKind),
		dialog.OrderEntries(m.positions.Columns(), m.store.Settings().Order, m.store.View().ShowsChanges()),
		dialog.ColumnEntries(m.positions.Columns()),
		dialog.ScopeEntries(parties, whyNotLive),
		dialog.ScopeEntries(markets, whyNotLive),
		dialog.GroupEntries(m.store.Instruments().Groups(), whyNotLive),
	)
}

// place is a part of the screen with keys, and what goes there.
type place struct {
	part any
	goTo pane.Effect
}

// places are the parts of the screen that the palette goes to.
func (m *Model) places() []place {
	return []place{
		{m.positions, pane.FocusPositions{}}, {m.margins, pane.FocusMargins{}}, {m.events, pane.Show(eventsKind)},
		{m.alerts, pane.Show(alertsKind)}, {m.analysis.Session, pane.Show(sessionKind)},
		{m.analysis.Tabs, pane.Show(analysisKind)},
	}
}

// dialogKeys returns the keys of the overlays, in the order of the help page.
func dialogKeys() []*keys.Group {
	return []*keys.Group{
		keys.GroupOf[*dialog.FilterLine]("typing a filter", keys.For(dialog.FilterActions()...)),
		keys.GroupOf[*dialog.Picker]("choosing parties or markets", keys.For(dialog.PickerActions()...)),
		keys.GroupOf[*dialog.OrderList]("choosing the order", keys.For(dialog.OrderActions()...)),
		keys.GroupOf[*dialog.ColumnList]("choosing columns", keys.For(dialog.ColumnListActions()...)),
		keys.GroupOf[*dialog.NamesForm]("giving names", keys.For(dialog.NamesActions()...)),
		keys.GroupOf[*dialog.ViewList]("views and profiles", keys.For(dialog.ViewListActions()...)),
		keys.GroupOf[*dialog.ViewName]("naming a view", keys.For(dialog.ViewNameActions()...)),
		keys.GroupOf[*dialog.GroupLine]("naming a group", keys.For(dialog.GroupActions()...)),
		keys.GroupOf[*dialog.RuleForm]("making an alert", keys.For(dialog.RuleActions()...)),
		keys.GroupOf[*dialog.WhatIfLine]("typing a change of prices", keys.For(dialog.WhatIfActions()...)),
		keys.GroupOf[*dialog.TimeLine]("typing a time", keys.For(dialog.TimeActions()...)),
		keys.GroupOf[*dialog.SaveLine]("saving to a file", keys.For(dialog.SaveActions()...)),
		keys.GroupOf[*dialog.SearchLine]("searching in a page", keys.For(dialog.SearchActions()...)),
		keys.GroupOf[*dialog.Palette]("the palette", keys.For(dialog.PaletteActions()...)),
		keys.GroupOf[*dialog.BaselineQuestion]("replacing a baseline", keys.For(dialog.BaselineActions()...)),
	}
}
