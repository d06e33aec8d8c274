package ui

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/persist"
	"blotter/ui/views"
)

// distressed is a view of another scope, filter, order and other columns than the screen begins with.
func distressed() views.View {
	return views.View{
		Number: 1,
		Name:   "distressed",
		Shown:  views.Shown{Settings: view.Settings{Scope: model.Scope{Parties: []model.ID{desk1}}, Filter: "sol|eth", Order: view.Order{Column: view.SizeColumn, Descending: true}}, Columns: columns.Only([]view.Column{view.PartyColumn, view.MarketColumn, view.SizeColumn, view.AgeColumn})},
	}
}

// withViews has the screen watch everything, with these views in the configuration.
func withViews(all ...views.View) func(*Options) {
	return func(o *Options) {
		watchAll(o)
		o.Views = all
	}
}

// TestAViewWithAWrongFilter is listed with its error and not applied, whether it is of the configuration or was saved.
// Without the wrong part it would show other rows than the trader meant.
func TestAViewWithAWrongFilter(t *testing.T) {
	configured, saved := distressed(), distressed()
	configured.Filter = "status:distressed party:"
	saved.Number, saved.Name, saved.Filter = 2, "mine", "statis:x"
	change := func(o *Options) {
		withViews(configured)(o)
		o.SavedViews = []views.View{saved}
	}
	onScreen(t, 160, 24, change, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		before := s.m.shown()
		s.press("1")
		s.sees(`View 1 distressed is not applied: its filter is wrong: "party:" is not complete: a text must follow, as in party:desk-1.`)
		s.press("2")
		s.sees(`View 2 mine is not applied: its filter is wrong: unknown field "statis"`)
		s.press("v")
		s.sees(`not applied: its filter is wrong: "party:" is not complete`, `not applied: its filter is wrong: unknown field "statis"`)
		s.press("1")
		s.sees("View 1 distressed is not applied", `not applied: its filter is wrong: unknown field "statis"`)
		if after := s.m.shown(); !after.Shows(&before) {
			t.Errorf("the screen shows %+v", after)
		}
	})
	onScreen(t, 160, 24, func(o *Options) { change(o); o.View = 1 }, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.sees("View 1 distressed is not applied: its filter is wrong", "10 positions")
	})
}

// TestAViewIsOneStep: it changes scope, filter, order, columns and closed, and one esc changes all of them back.
func TestAViewIsOneStep(t *testing.T) {
	view := distressed()
	view.ShowClosed = true
	onScreen(t, 120, 24, withViews(view), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("c", "s", "r", "C", "end", "tab", "enter", "/")
		s.write("desk")
		s.press("enter", "down", "z")
		before := s.text()
		s.press("1")
		s.wantScope([]model.ID{desk1}, nil)
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()[:2]...))
		s.wantHeading("PARTY", "MARKET", "SIZE", "▼", "IDLE")
		if !cursorOn("desk-1       SOL/USDT")(s) {
			t.Errorf("the largest size is not on top:\n%s", s.text())
		}
		s.firstLine("  1 distressed  ")
		s.firstLine("  all parties › desk-1 › [sol|eth]  ")
		s.press("esc")
		s.wantScope(nil, nil)
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()...))
		s.press("G", "g", "down")
		if after := s.text(); after != before {
			t.Errorf("after esc the screen is\n%s\nand was\n%s", after, before)
		}
		s.press("esc")
		s.sees("─ ") // the full screen was the step before
		s.press("esc")
		s.wantMarkets("LINK", "SOL", "BTC", "BTC", "DOGE", "BTC", "DOGE", "ETH", "SOL", "ETH")
	})
}

// TestTheFirstLineNamesTheView while nothing of it was changed.
func TestTheFirstLineNamesTheView(t *testing.T) {
	v := views.View{Number: 4, Name: "mine", Shown: views.Shown{Settings: view.Settings{Order: view.Order{Column: view.AgeColumn}}}}
	onScreen(t, 80, 24, withViews(v), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("4")
		s.firstLine("  4 mine  ")
		for _, change := range [][]string{{"s", "u"}, {"c"}, {"C", "end", "tab", "enter"}, {"/", "e", "enter"}, {"P"}} {
			s.press(change...)
			s.publish(whole(s.m.store.Subscriptions()[0], deskRows()[:2]...))
			if strings.Contains(s.lines()[0], "mine") {
				t.Errorf("after %v the first line is %s", change, s.lines()[0])
			}
			s.press("0", "4")
			s.publish(whole(all, deskRows()...))
			s.firstLine("  4 mine  ")
		}
		s.press("0")
		if strings.Contains(s.lines()[0], "mine") {
			t.Errorf("the default view is %s", s.lines()[0])
		}
		s.press("esc")
		s.firstLine("  4 mine  ")
		for width := 40; width <= 200; width++ {
			s.send(tea.WindowSizeMsg{Width: width, Height: 24})
			if first := s.lines()[0]; strings.Contains(first, "4 m") && !strings.HasSuffix(first+"  ", "  4 mine  ") && !strings.Contains(first, "  4 mine  ") {
				t.Errorf("at a width of %d the first line is %s", width, first)
			}
		}
	})
}

// TestTheFilterOfAViewComesBack: a filter that is typed in a view is a step of its own.
func TestTheFilterOfAViewComesBack(t *testing.T) {
	onScreen(t, 120, 24, withViews(views.View{Number: 1, Shown: views.Shown{Settings: view.Settings{Filter: "eth"}}}), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("/", "d", "o", "enter", "1")
		s.firstLine("  1  all parties › [eth]  ")
		s.wantMarkets("ETH")
		s.press("/", "ctrl+u", "s", "o", "l", "enter")
		s.firstLine("  all parties › [sol]  ")
		s.wantMarkets("SOL")
		s.press("esc")
		s.firstLine("  1  all parties › [eth]  ")
		s.wantMarkets("ETH")
		s.press("/", "esc")
		s.firstLine("  all parties  ")
		s.press("esc", "esc")
		s.firstLine("  all parties › [do]  ")
		s.wantMarkets("DOGE")
		s.press("esc", "esc")
		s.sees("No step to undo.")
	})
}

// TestZeroIsWhatTheProgramBeganWith.
func TestZeroIsWhatTheProgramBeganWith(t *testing.T) {
	begin := func(o *Options) {
		withViews(distressed())(o)
		o.Filter, o.Columns = "desk", []columns.State{{Column: "age"}}
	}
	onScreen(t, 120, 24, begin, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		before := s.heading()
		s.press("1", "C", "d", "enter", "0")
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()...))
		s.wantHeading(before...)
		s.firstLine("  all parties › desk-1 › all parties › [desk]  ")
		s.wantMarkets("ETH", "SOL", "LINK", "BTC")
	})
}

// TestTheScreenBeginsWithAView: esc goes from there to the default view.
func TestTheScreenBeginsWithAView(t *testing.T) {
	begin := func(o *Options) {
		withViews(distressed())(o)
		o.View = 1
	}
	onScreen(t, 120, 24, begin, func(s *screen) {
		if first := s.source.watched[0]; len(s.source.watched) != 1 || len(first) != 1 || first[0].Party != desk1 {
			t.Fatalf("it watched %v", s.source.watched)
		}
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()[:2]...))
		s.firstLine("  1 distressed  all parties › desk-1 › [sol|eth]  ")
		s.wantHeading("PARTY", "MARKET", "SIZE", "▼", "IDLE")
		s.press("esc")
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()...))
		s.wantMarkets("ETH", "SOL", "BTC", "LINK", "DOGE", "BTC")
		s.wantScope(nil, nil)
	})
}

// TestASavedViewIsThereInTheNextRun, and the columns and the order of a view are not those of the default view then.
func TestASavedViewIsThereInTheNextRun(t *testing.T) {
	var state persist.State
	var rows []string
	onScreen(t, 120, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("P", "/")
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()[:2]...))
		s.write("sol")
		s.press("enter", "s", "z", "s", "z", "C", "end", "tab", "enter", "v", "7")
		s.sees("No view 7; s saves one at the cursor.", "─ views ─")
		s.press("s")
		s.write("sol of 1")
		s.sees(" name of view 7: sol of 1\n")
		s.press("enter")
		shown := len((&views.Shown{}).ColumnTitles()) - 1 // of those by default, one was hidden
		count := fmt.Sprintf("%d of %d columns", shown, len(view.Columns()))
		s.sees("Saved as view 7 sol of 1 for this run: nothing is remembered.",
			"▌7 sol of 1                desk-1 · [sol] · by SIZE ▼ · "+count)
		s.press("esc")
		s.firstLine("  7 sol of 1  ")
		s.press("0", "7", "s", "r")
		rows, state = s.lines(), s.m.State()
	})
	written, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	if len(written) > 1500 {
		t.Errorf("the state takes %d bytes", len(written))
	}
	var read persist.State
	if err := json.Unmarshal(written, &read); err != nil {
		t.Fatal(err)
	}
	next := func(o *Options) {
		watchAll(o)
		o.Use(&read, func(string) bool { return false })
	}
	onScreen(t, 120, 24, next, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.sees("uPnL ▲", "IDLE")
		s.press("7")
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()[:2]...))
		s.firstLine("  7 sol of 1  ")
		s.press("s", "r")
		s.seesNot("IDLE")
		if got, want := s.markets(), []string{"SOL"}; !slices.Equal(got, want) {
			t.Errorf("the view has the rows %v, and had\n%s", got, strings.Join(rows, "\n"))
		}
	})
}

// TestAViewOfTheConfigurationComesFirst: it is applied in place of a saved one, and a notice shows that after
// saving.
func TestAViewOfTheConfigurationComesFirst(t *testing.T) {
	change := func(o *Options) {
		withViews(distressed())(o)
		o.SavedViews = []views.View{{Number: 1, Name: "old"}, {Number: 2, Name: "two"}}
		o.Keep.State = func(persist.State) error { return nil }
	}
	onScreen(t, 120, 24, change, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("v", "down")
		s.sees("▌1 distressed ", "configured · desk-1 · [sol|eth] · by SIZE ▼ · "+fmt.Sprintf("4 of %d columns\n", len(view.Columns())), " 2 two ")
		s.press("s", "enter")
		s.sees("Saved, but the configuration has its own view 1.")
		s.press("d", "d")
		s.sees("Deleted the saved view 1.", "▌1 distressed ")
		s.press("d")
		s.sees("No saved view is here.")
		s.press("down", "d", "down", "up", "d")
		s.sees("d again deletes the saved view 2.", "▌2 two ")
		s.press("d")
		s.sees("Deleted the saved view 2.")
		s.seesNot("2 two ")
		if saved := s.m.State().Views; len(saved) != 0 {
			t.Errorf("saved: %+v", saved)
		}
	})
}

// TestASavedViewIsRememberedSoon, not only when the program ends.
func TestASavedViewIsRememberedSoon(t *testing.T) {
	var remembered []persist.State
	change := func(o *Options) {
		watchAll(o)
		o.Keep.State = func(state persist.State) error { remembered = append(remembered, state); return nil }
	}
	onScreen(t, 80, 24, change, func(s *screen) {
		s.send(tickMsg{})
		s.press("v", "down", "s", "enter")
		s.sees("Saved as view 1.")
		s.pass(2 * time.Second)
		if len(remembered) != 1 || len(remembered[0].Views) != 1 {
			t.Errorf("after 2 s it is remembered as %+v", remembered)
		}
	})
}

// TestHostileSavedViewsAreHarmless: a state file can have anything in it.
func TestHostileSavedViewsAreHarmless(t *testing.T) {
	state := persist.State{Remembered: views.Remembered{Order: "age"}, PageSize: 50}
	for number := -3; number < 15; number++ {
		state.Views = append(state.Views, views.Saved{
			Remembered: views.Remembered{Order: "\x1b]0;", Group: "desk", Columns: slices.Repeat([]columns.State{{Column: "age", Width: 1 << 40}, {Column: "\x1b"}}, 1000)},
			Number:     number,
			Name:       "\x1b[31m" + strings.Repeat("x", 1<<16),
			Filter:     "upnl<<< sol " + strings.Repeat("ü", 1<<16),
			Parties:    append([]string{"", "\x1b[2J"}, slices.Repeat([]string{desk1.String()}, 100_000)...),
		}, views.Saved{Number: number, Name: "second"})
	}
	change := func(o *Options) {
		watchAll(o)
		o.Use(&state, func(string) bool { return false })
	}
	onScreen(t, 80, 24, change, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("v")
		for _, digit := range views.Digits {
			s.press(digit, "v")
			s.seesNot("second")
			if drawn := s.m.View().Content; strings.Contains(drawn, "\x1b[31mx") || strings.Contains(drawn, "\x1b[2J") {
				t.Fatalf("the terminal gets %q", drawn)
			}
			if n := len(s.m.store.Settings().Scope.Parties); n > 2 {
				t.Fatalf("%d parties are watched", n)
			}
		}
		s.press("esc", "esc", "esc")
		if written, err := json.Marshal(s.m.State()); err != nil || len(written) > (views.Last+1)*48<<10 {
			t.Errorf("the next state has %d bytes, %v", len(written), err)
		}
	})
}

// TestAViewThatIsTooLargeIsNotSaved, so that the state file stays small.
func TestAViewThatIsTooLargeIsNotSaved(t *testing.T) {
	large := func(o *Options) { o.Scope.Parties = slices.Repeat([]model.ID{desk1}, 501) }
	onScreen(t, 120, 24, large, func(s *screen) {
		s.press("v", "down", "s")
		s.sees("This cannot be saved: it has 501 parties or markets, and a saved view can have 500.")
	})
}

// TestStepsOfViewsAreBounded, also with filters between them.
func TestStepsOfViewsAreBounded(t *testing.T) {
	change := withViews(views.View{Number: 1, Shown: views.Shown{Settings: view.Settings{Filter: "eth"}}}, views.View{Number: 2, Shown: views.Shown{Settings: view.Settings{Filter: "sol"}}}, views.View{Number: 3, Shown: views.Shown{Settings: view.Settings{Scope: model.Scope{Parties: []model.ID{desk2}}}}})
	onScreen(t, 80, 24, change, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("z", "tab", "?", "esc")
		for range 40 {
			s.press("1", "/", "x", "enter", "b", "2", "/", "y", "enter", "b", "3")
			kinds := make(map[stepKind]int)
			for _, each := range s.m.steps {
				kinds[each.kind]++
			}
			if most := kinds[viewStep] + 1; len(s.m.steps) > maxSteps || kinds[filterStep] > most || kinds[groupStep] > most {
				t.Fatalf("the steps are %v", kinds)
			}
		}
		for range maxSteps {
			s.press("esc")
		}
		s.press("esc")
		s.sees("No step to undo.")
	})
}

// TestAViewOfAnotherScopeEndsTheFreeze; one of the same scope does not.
func TestAViewOfAnotherScopeEndsTheFreeze(t *testing.T) {
	onScreen(t, 120, 24, withViews(distressed(), views.View{Number: 2, Shown: views.Shown{Settings: view.Settings{Filter: "eth"}}}), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("f", "2")
		s.firstLine("FROZEN")
		s.wantMarkets("ETH")
		s.press("1")
		s.sees("No longer frozen: the scope changed.")
	})
}

func TestGoldenViews(t *testing.T) {
	change := func(o *Options) {
		withViews(distressed())(o)
		o.SavedViews = []views.View{{Number: 3, Name: "all, the worst first", Shown: views.Shown{
			Settings: view.Settings{Order: view.Order{Column: view.TroubleColumn}, ShowClosed: true},
		}}}
		o.Profiles = views.ProfileSwitch{Names: []string{"mainnet", "testnet"}, Current: "mainnet"}
	}
	onScreen(t, 80, 24, change, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("v", "down")
		s.golden("views")
	})
}
