package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/alertpage"
	"blotter/ui/analysis"
	"blotter/ui/detail"
	"blotter/ui/events"
	"blotter/ui/keys"
	"blotter/ui/margins"
	"blotter/ui/pane"
	"blotter/ui/positions"
	"blotter/ui/replay"
	"blotter/ui/views"
)

// DefaultKeys returns every key as it is without settings, with those of a replay.
func DefaultKeys() *keys.Map {
	k, _ := newKeys(nil)
	return k
}

// newKeys returns every key, with those that the settings give to actions, and words about the keys that other actions
// lose by that.
func newKeys(settings keys.Settings) (k *keys.Map, words string) {
	everywhere, reading := everywhereKeys(), readingKeys()
	pages := []*keys.Group{
		keys.GroupOf[*detail.Page]("detail", keys.For(detail.Actions()...)),
		keys.GroupOf[*analysis.Session]("session", keys.For(analysis.SessionActions()...), keys.For(analysis.AssetActions()...)),
		keys.GroupOf[*analysis.Pane]("analysis", keys.For(analysis.Actions()...), keys.For(analysis.AssetActions()...)),
	}
	replayed := keys.GroupOf[replay.Controls]("replay and rewind", keys.For(replay.Actions()...))
	panes := []*keys.Group{
		keys.GroupOf[*positions.Pane]("positions", keys.For(positions.Actions()...)),
		keys.GroupOf[*margins.Pane]("margin levels", keys.For(margins.Actions()...)),
		keys.GroupOf[*events.Page]("events", keys.For(events.Actions()...)),
		keys.GroupOf[*alertpage.Page]("alerts", keys.For(alertpage.Actions()...)),
	}
	inDialogs := keys.GroupOf[pane.Overlay]("dialogs", keys.For([]keys.Action[*Model]{
		{Name: "cancel", Keys: keys.Esc, Help: "close it", Hint: "cancel", Priority: 3, Effect: pane.Leave{}}, interruptAction,
	}...)).BesideText()
	shared := []*keys.Group{keys.Lists("lists and pages", false), keys.Lists("lists beside a text", true), keys.Forms("forms"), inDialogs}
	overlays := dialogKeys()
	k = &keys.Map{
		Day:    dayKeys[:],
		Groups: slices.Concat([]*keys.Group{everywhere}, shared, panes, []*keys.Group{reading}, overlays, pages, []*keys.Group{replayed}),
	}
	for _, g := range slices.Concat(panes, pages, overlays) {
		together := []*keys.Group{g}
		for _, each := range append(shared, reading) {
			if each.WorksIn(g) {
				together = append(together, each)
			}
		}
		if !inDialogs.WorksIn(g) { // no other keys work in a dialog
			together = append(append(together, everywhere), replayed)
		}
		k.Together = append(k.Together, together)
	}
	return k, k.Apply(settings)
}

// dayKeys are the names of the actions that do what a trader does each day. With their heading, they are twenty lines.
var dayKeys = [...]string{
	"filter", "choose_parties", "choose_markets", "sort_by_trouble", "sort", "group", "detail", "next_pane",
	"what_if", "session", "rewind", "baseline", "next_alert", "connection", "mark_row", "make_group", "save_rows", "back", keys.Palette,
}

// does returns the function of a key that calls a method of the shell.
func does(method func(*Model) tea.Cmd) func(*Model, *pane.Context) []pane.Effect {
	return func(m *Model, _ *pane.Context) []pane.Effect { return []pane.Effect{pane.Send(method(m))} }
}

func everywhereKeys() *keys.Group {
	return keys.GroupOf[*Model]("everywhere", keys.For([]keys.Action[*Model]{
		{Name: "filter", Keys: []string{"/"}, Help: "filter the positions", Hint: "filter", Priority: 1,
			Effect: pane.Open{Dialog: pane.FilterDialog{}}},
		{Name: "choose_parties", Keys: []string{"p"}, Help: "choose parties", Hint: "party", Priority: 2,
			OnlyLive: true, Effect: pane.Open{Dialog: partiesDialog{}}},
		{Name: "choose_markets", Keys: []string{"m"}, Help: "choose markets", Hint: "market", Priority: 3,
			OnlyLive: true, Effect: pane.Open{Dialog: marketsDialog{}}},
		{Name: "next_pane", Keys: []string{"tab"}, Help: "next pane", Hint: nextPaneHint, Priority: 7, Do: does(turnFocus(+1))},
		{Name: "previous_pane", Keys: []string{"shift+tab"}, Help: "previous pane", Do: does(turnFocus(-1))},
		{Name: "selected_row", Keys: []string{"L"}, Help: "show the selected row", Do: func(m *Model, _ *pane.Context) []pane.Effect {
			m.steps.closePages()
			m.positions.Rows.Reveal()
			return []pane.Effect{pane.FocusPositions{}}
		}, WhyNot: func(m *Model, _ *pane.Context) string {
			_, ok := m.positions.Rows.Cursor()
			return keys.ReasonIf(!ok, "no row is selected")
		}},
		{Name: "full_screen", Keys: []string{"z"}, Help: "full screen", Do: does((*Model).toggleZoom)},
		{Name: "split_up", Keys: []string{"<"}, Help: "move the split up", Do: does(bySplit(-1)), WhyNot: (*Model).whyNoSplit},
		{Name: "split_down", Keys: []string{">"}, Help: "move the split down", Do: does(bySplit(+1)), WhyNot: (*Model).whyNoSplit},
		{Name: "choose_columns", Keys: []string{"C"}, Help: "choose columns", Effect: pane.Open{Dialog: columnsDialog{}}},
		{Name: "view", Keys: views.Digits, Shown: "0-9", Help: "show a view; 0: the default",
			IsNumbered: true, Do: func(_ *Model, c *pane.Context) []pane.Effect {
				return []pane.Effect{pane.ShowView(c.Number)}
			}},
		{Name: "views", Keys: []string{"v"}, Help: "views and profiles", Effect: pane.Open{Dialog: viewsDialog{}}},
		{Name: "baseline", Keys: []string{"B"}, Help: "baseline for changes",
			Effect: pane.Open{Dialog: pane.BaselineDialog{}}, WhyNot: func(_ *Model, c *pane.Context) string {
				return keys.ReasonIf(c.Store.Book().Len() == 0 && !c.Store.Baseline().IsOfLaterRows(), "no positions yet")
			}},
		{Name: "session", Keys: []string{"h"}, Help: "session: totals over time", Hint: "session", Priority: 21,
			HintIf:     func(m *Model, _ *pane.Context) bool { return m.steps.topPage().page != sessionKind },
			PinnedFrom: keys.WideLine, Effect: pane.Show(sessionKind)},
		{Name: "what_if", Keys: []string{"x"}, Help: "what if, exposure, days", Hint: "analysis", Priority: 20,
			PinnedFrom: keys.WideLine, Do: func(*Model, *pane.Context) []pane.Effect {
				return []pane.Effect{pane.Show(analysisKind), pane.Open{Dialog: pane.WhatIfDialog{}}}
			}},
		{Name: "freeze", Keys: []string{"f"}, Help: "freeze the rows", Hint: "freeze", Priority: 12, Effect: pane.Change(toggleFrozen)},
		{Name: "resync", Keys: []string{"r"}, Help: "resync: read all again", OnlyLive: true, Do: does((*Model).resync)},
		{Name: "events", Keys: []string{"e"}, Help: "events", Hint: "events", Priority: 13, Effect: pane.Show(eventsKind)},
		{Name: "connection", Keys: []string{"i"}, Help: "connection and corrections", Effect: pane.Show(connectionKind)},
		{Name: "next_alert", Keys: []string{"!"}, Help: "alerts and incidents", Hint: "alerts", Priority: 23,
			PinnedFrom: keys.WideLine, Effect: pane.Show(alertsKind)},
		{Name: "back", Keys: keys.Esc, Help: "one step back; never quits", Hint: "back", Priority: 2, Effect: pane.Back{},
			HintIf: func(m *Model, _ *pane.Context) bool { return m.steps.topPage().opened != nil },
			WhyNot: func(m *Model, _ *pane.Context) string { return keys.ReasonIf(len(m.steps) == 0, "no step to undo") }},
		{Name: "help", Keys: []string{"?"}, Help: "help", Hint: "help", Priority: 24, PinnedFrom: 1, Effect: pane.Show(helpKind),
			HintIf: func(m *Model, _ *pane.Context) bool { return m.steps.topPage().page != helpKind },
			WhyNot: func(m *Model, _ *pane.Context) string {
				return keys.ReasonIf(m.steps.topPage().page == helpKind, "this is help")
			}},
		{Name: keys.Palette, Keys: []string{":", "ctrl+p"}, Shown: ":", Help: "everything by name",
			Hint: "by name", Priority: 14, Effect: pane.Open{Dialog: paletteDialog{}}},
		{Name: "quit", Keys: []string{"q"}, Help: "close, go live, or quit", Hint: quitHint, Priority: 25, PinnedFrom: 1, Do: does((*Model).quit)},
		interruptAction,
		{Name: "suspend", Keys: []string{"ctrl+z"}, Help: "suspend", Effect: pane.Send(tea.Suspend)},
		{Name: "redraw", Keys: []string{"ctrl+l"}, Help: "redraw", Effect: pane.Send(tea.ClearScreen)},
	}...), keys.For(replay.RewindActions()...))
}

func readingKeys() *keys.Group {
	return keys.GroupOf[pane.TextPage]("detail, connection, help",
		keys.For(keys.Action[pane.TextPage]{
			Name: "filter", Keys: []string{"/"}, Help: "search in this page", Hint: "search", Priority: 3,
			Do: func(r pane.TextPage, _ *pane.Context) []pane.Effect {
				return []pane.Effect{pane.Open{Dialog: pane.SearchDialog{Page: r.AsPage()}}}
			},
		}), keys.For([]keys.Action[*Model]{
			{Name: "name", Keys: []string{"n"}, Help: "name it, set its decimals", OnlyLive: true,
				Do: func(m *Model, c *pane.Context) []pane.Effect {
					return m.positions.Name(c)
				}, WhyNot: func(m *Model, c *pane.Context) string {
					if page := m.steps.topPage(); page.opened != nil && page.page != pane.DetailKind {
						return "no row is shown here"
					}
					return m.positions.WhyNoNaming(c)
				}},
		}...))
}

var interruptAction = keys.Action[*Model]{Name: "interrupt", Keys: []string{"ctrl+c"}, Help: "twice: quit", Do: does(func(m *Model) tea.Cmd {
	if m.notice.confirms("interrupt", m.keys.Fill("{interrupt} again quits.")) {
		return tea.Quit
	}
	return nil
})}
