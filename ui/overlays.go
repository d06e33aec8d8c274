package ui

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
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
	partiesKind  = "parties"
	marketsKind  = "markets"
	columnsKind  = "columns"
	viewsKind    = "views"
	baselineKind = "baseline"
	paletteKind  = keys.Palette
)

// overlayKinds open the overlays. What cannot be opened has effects in its place.
var overlayKinds = map[string]func(m *Model, subject any) (pane.Overlay, []pane.Effect){
	pane.FilterKind: func(m *Model, _ any) (pane.Overlay, []pane.Effect) {
		m.pages.closeAll(&m.steps)
		return filterline.New(m.store.Settings().Filter, filterline.Target{
			Parse: filter.Parse, Complete: func(typed string) (int, []string) { return m.store.View().Complete(typed) },
			Narrow: func(text string) pane.Effect { return pane.Filter{Text: text} },
			Kept:   []pane.Effect{pane.FocusPositions{}}, Found: positions.Found,
		}), nil
	},
	pane.EventsFilterKind: func(m *Model, _ any) (pane.Overlay, []pane.Effect) {
		return filterline.New(m.events.Filter(), filterline.Target{
			Parse: filter.ParseEvents, Complete: func(typed string) (int, []string) { return m.store.View().CompleteEvents(typed) },
			Narrow: func(text string) pane.Effect { return pane.FilterEvents{Text: text} },
			Found:  func(*pane.Context) string { return m.events.Listed() + "  esc clears " },
		}), nil
	},
	partiesKind: func(m *Model, _ any) (pane.Overlay, []pane.Effect) {
		in, scope := m.store.Instruments(), m.store.Settings().Scope
		p := pick.New(pick.Kind{Name: "parties", Find: in.FindParty, Apply: func(ids []model.ID) pane.Effect {
			return pane.Watch{Scope: model.Scope{Parties: ids, Markets: scope.Markets}}
		}, Notes: holdingsOf(m.store)}, scope.Parties)
		parties, _ := offered(m.store)
		p.Offer(parties, m.store.Format().Party)
		return p, nil
	},
	marketsKind: func(m *Model, _ any) (pane.Overlay, []pane.Effect) {
		in, scope := m.store.Instruments(), m.store.Settings().Scope
		p := pick.New(pick.Kind{Name: "markets", Find: in.FindMarket, Apply: func(ids []model.ID) pane.Effect {
			return pane.Watch{Scope: model.Scope{Parties: scope.Parties, Markets: ids}}
		}, Notes: holdingsOf(m.store)}, scope.Markets)
		_, markets := offered(m.store)
		p.Offer(markets, m.store.Format().Market)
		return p, nil
	},
	columnsKind: func(m *Model, _ any) (pane.Overlay, []pane.Effect) {
		m.pages.closeAll(&m.steps)
		return columnlist.New(m.positions.Columns()), nil
	},
	pane.NamesKind: func(m *Model, subject any) (pane.Overlay, []pane.Effect) {
		settings := names.Settings{Names: m.options.Names, DisplayDecimals: m.options.DisplayDecimals}
		dialog, problem := names.New(m.named(subject.(pane.Named)), m.store.Format(), settings)
		if dialog == nil {
			return nil, pane.Saying(problem)
		}
		return dialog, nil
	},
	viewsKind: func(m *Model, _ any) (pane.Overlay, []pane.Effect) {
		m.pages.closeAll(&m.steps)
		return viewlist.New(m.views.Applied.Number, m.listedViews), nil
	},
	viewlist.NamingKind: func(_ *Model, subject any) (pane.Overlay, []pane.Effect) {
		return viewlist.NewNaming(subject.(*viewlist.List)), nil
	},
	pane.RuleKind: func(m *Model, subject any) (pane.Overlay, []pane.Effect) {
		rules, place := m.past.service(m.panes).store.Alerts().Rules(), subject.(int)
		if place < len(rules) {
			return rule.Edit(rules, place), nil
		}
		return rule.New(rules, m.store.Settings().Filter), nil
	},
	pane.ShiftKind: func(*Model, any) (pane.Overlay, []pane.Effect) { return shift.New(), nil },
	pane.TimeKind: func(m *Model, _ any) (pane.Overlay, []pane.Effect) {
		live, latest := m.past.service(m.panes).store, time.Duration(0)
		if m.past == nil { // a time of a file is the one next to what is shown
			latest = 12 * time.Hour
		}
		return timeline.New(func() time.Time { return live.Format().Local(live.Now().Add(latest)) }, m.past != nil), nil
	},
	pane.SearchKind: func(_ *Model, subject any) (pane.Overlay, []pane.Effect) {
		return searchline.New(subject.(*pane.Page)), nil
	},
	paletteKind: func(m *Model, _ any) (pane.Overlay, []pane.Effect) {
		c, f, settings := m.context(), m.store.Format(), m.store.Settings()
		whyNotLive, scope := m.keys.Fill(c.WhyNotLive), settings.Scope
		parties, markets := offered(m.store)
		return palette.New(
			palette.OfActions(m.keys.List(m.activeGroups(), m.allParts(), c), paletteKind),
			palette.OfViews(&m.views, m.keys.KeysOf("view"), f), palette.OfProfiles(&m.switching), palette.OfThemes(m.options.Appearance.Theme),
			palette.OfTopics(topicKind),
			palette.OfColumns(m.positions.Columns(), settings.Order, m.store.View().ShowsChanges()),
			palette.OfScope("party", parties, f.Party, whyNotLive, func(id model.ID) model.Scope {
				return model.Scope{Parties: []model.ID{id}, Markets: scope.Markets}
			}),
			palette.OfScope("market", markets, f.Market, whyNotLive, func(id model.ID) model.Scope {
				return model.Scope{Parties: scope.Parties, Markets: []model.ID{id}}
			}),
		), nil
	},
	baselineKind: func(m *Model, _ any) (pane.Overlay, []pane.Effect) {
		return baseline.Open(m.context(), m.options.KeptBaseline)
	},
}

// holdingsOf returns how many positions of a party or a market are open, and their unrealised PnL, for those that have
// some.
func holdingsOf(s *store.Store) func() pick.Notes {
	return func() pick.Notes {
		of := s.Holdings()
		return func(id model.ID) string {
			h := of[id]
			if h == nil {
				return ""
			}
			words := fmt.Sprintf("%d open", h.Open)
			if !h.Asset.IsZero() && h.Unrealised.LeftOut() == 0 {
				words += "  uPnL " + s.Format().RoundedAmount(h.Unrealised.Amount(), h.Asset, true)
			}
			if s.Stale().Any() {
				words += " ?"
			}
			return words
		}
	}
}

// offered returns the parties and the markets that can be chosen: those of the configuration, of the scope, and of the
// positions that were seen. Some are there more than once.
func offered(s *store.Store) (parties, markets []model.ID) {
	in, scope := s.Instruments(), s.Settings().Scope
	parties, markets = s.Seen()
	return slices.Concat(in.Parties(), scope.Parties, parties), slices.Concat(in.Markets(), scope.Markets, markets)
}

// overlayKeys returns the keys of the overlays, in the order of the help page.
func overlayKeys() []*keys.Group {
	interrupt := keys.For(interruptAction)
	return []*keys.Group{
		keys.TypingIn[*filterline.Line]("typing a filter", keys.For(filterline.Actions()...), interrupt),
		keys.TypingIn[*pick.Picker]("choosing parties or markets", keys.Moving(true), keys.Ends(true, "first row", "last row"), keys.For(pick.Actions()...), interrupt),
		keys.GroupOf[*columnlist.List]("choosing columns", keys.Moving(false), keys.Ends(false, "first column", "last column"), keys.For(columnlist.Actions()...), interrupt),
		keys.TypingIn[*names.Dialog]("giving names", keys.For(names.Actions()...), interrupt),
		keys.GroupOf[*viewlist.List]("views and profiles", keys.Moving(false), keys.Ends(false, "first row", "last row"), keys.For(viewlist.Actions()...), interrupt),
		keys.TypingIn[*viewlist.Naming]("naming a view", keys.For(viewlist.NamingActions()...), interrupt),
		keys.TypingIn[*rule.Dialog]("making an alert", keys.For(rule.Actions()...), interrupt),
		keys.TypingIn[*shift.Line]("typing a change of prices", keys.For(shift.Actions()...), interrupt),
		keys.TypingIn[*timeline.Line]("typing a time", keys.For(timeline.Actions()...), interrupt),
		keys.TypingIn[*searchline.Line]("searching in a page", searchline.Finding(), keys.For(searchline.Actions()...), interrupt),
		keys.TypingIn[*palette.Palette]("the palette", keys.Moving(true), keys.Ends(true, "first entry", "last entry"), keys.For(palette.Actions()...), interrupt),
		keys.GroupOf[*baseline.Replacement]("replacing a baseline", keys.For(baseline.Actions()...), interrupt),
	}
}

// listedViews returns what the list of views has in it.
func (m *Model) listedViews() *viewlist.Content {
	c := &viewlist.Content{
		Set: &m.views, Shown: m.shownNow(), Format: m.store.Format(), ProfilesNote: m.switching.Note(), SaveKey: m.keys.Key("save_view"),
	}
	for _, name := range m.switching.Names {
		c.Profiles = append(c.Profiles, viewlist.Profile{Name: name, IsPresent: name == m.switching.Present, Words: m.switching.Words(name)})
	}
	return c
}

// named returns what the dialog for names is about.
func (m *Model) named(row pane.Named) names.Subject {
	subject := names.Subject{MarginKey: row.MarginKey, Title: row.Title, IsGroup: row.IsGroup}
	if row.IsRecord {
		subject.Record = func() *model.MarginLevels { return m.margins.Record(row.MarginKey) }
	}
	return subject
}

var _ tea.Model = (*Model)(nil)
