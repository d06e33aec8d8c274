package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/keys"
	"blotter/ui/views"
)

// TestAFilterThatCannotBeUnderstood is an error beside what is typed, and not only an empty table.
func TestAFilterThatCannotBeUnderstood(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.sees("/  words, or party:x uPnL/MM<-20%; tab completes", "6 rows of 10  esc clears")
		s.write("sol statis:d")
		const words = `unknown field "statis"; did you mean status? as a name: "st`
		s.sees(" / sol statis:d   " + words)
		s.wantMarkets("SOL") // the rows are as before the word that is not understood
		s.press("enter")
		s.sees(" / sol statis:d   " + words) // still open
		s.press("ctrl+c")
		s.sees(" / sol statis:d   ctrl+c again quits.")
		s.press("esc", "/")
		s.write("xrp")
		s.sees("No position matches; esc clears the filter\n", "No position matches; esc clears the filter.\n")
		s.seesNot("unknown field")
	})
}

// TestAWrongFilterKeepsTheRows that the last right one showed, until it is right again.
func TestAWrongFilterKeepsTheRows(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("upnl<-12.65")
		s.wantMarkets("ETH", "SOL")
		s.write("x")
		s.sees("upnl< needs a number, as in")
		s.wantMarkets("ETH", "SOL")
		s.write("y eth")
		s.sees("upnl< needs a number, as in")
		s.wantMarkets("ETH", "SOL")
		s.press("enter") // still open
		s.sees(" / upnl<-12.65xy eth")
		s.press("backspace", "backspace", "backspace", "backspace", "backspace", "backspace")
		s.seesNot("needs a number")
		s.wantMarkets("ETH", "SOL")
	})
}

// TestNamesOfColumnsAreFields, as the names of fields are those of columns.
func TestNamesOfColumnsAreFields(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("unrealised < -12.65")
		s.wantMarkets("ETH", "SOL")
	})
}

// TestAFilterThatFillsTheLine leaves room for what is wrong with it, and for what enter and tab say.
func TestAFilterThatFillsTheLine(t *testing.T) {
	onScreen(t, 40, 10, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("/")
		s.write("side:long upnl>1000 party:desk-1 statis:d")
		s.sees(` / …tatis:d   unknown field "statis"; d…`)
		s.press("backspace", "backspace", "backspace", "backspace")
		s.write("us:")
		s.sees(" / …ng upnl>1000 party:desk-1 status:")
		s.press("enter")
		s.sees(`"status:" is not complete`)
		s.press("tab")
		s.sees(`"closed out"  "orders clo…`)
	})
}

// TestAFilterIsNotCompleteWhileItIsTyped: nothing is wrong then, and the rest of it is used. Enter says what is
// missing.
func TestAFilterIsNotCompleteWhileItIsTyped(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("sol|")
		s.wantMarkets("SOL")
		s.seesNot("complete:")
		s.press("backspace")
		s.write(" side:")
		s.wantMarkets("SOL")
		s.seesNot("complete:")
		s.press("enter")
		s.sees(` / sol side:   "side:" is not complete: long, short or flat must follow`)
		s.write("l")
		s.press("enter")
		s.sees("[sol side:l]")
		s.press("/", "esc", "/")
		s.write("eth or btc")
		s.sees(`"or" is searched as a text; eth|btc finds one of the two`)
	})
}

// TestTheFirstFilterMayNotBeUnderstood: it comes from the configuration.
func TestTheFirstFilterMayNotBeUnderstood(t *testing.T) {
	change := func(o *Options) {
		watchAll(o)
		o.Filter = "sol statis:d"
	}
	onScreen(t, 80, 24, change, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.wantMarkets("SOL")
		s.sees("[sol]", `Filter: unknown field "statis"`)
	})
}

// TestAllThatIsWrongAtFirstIsSaid, one after the other: after four seconds, or after a key. Neither a key nor an alert
// replaces what was not shown.
func TestAllThatIsWrongAtFirstIsSaid(t *testing.T) {
	wrong := []string{
		"Names are not used.", "gain: 6 positions", "The state is not used.", "View 3 is not applied: its filter is wrong",
		"freeze has r now; resync has no key.", `Filter: unknown field "statis"`, "uPnL is sorted per asset.",
	}
	next := map[string]func(s *screen){
		"after four seconds": func(s *screen) { s.pass(4 * time.Second) },
		"after a key":        func(s *screen) { s.press("down") },
		"after a notice": func(s *screen) {
			s.press("y")
			s.sees("clipboard")
			s.press("up")
		},
	}
	for name, next := range next {
		onScreen(t, 80, 24, func(o *Options) {
			watchAll(o)
			o.Instruments, o.Filter, o.View = nil, "statis:d", 3
			o.Notices = []string{"Names are not used.", "The state is not used."}
			o.Views = []views.View{{Number: 3, Shown: views.Shown{Settings: view.Settings{Filter: "upnl<<< x"}}}}
			o.Keys = keys.Settings{"freeze": {"r"}}
			o.Alerts = []alerts.Rule{ruleOf("gain", "rpnl>0", "")}
		}, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			for _, words := range wrong {
				if !strings.Contains(s.text(), words) {
					t.Errorf("%s: the screen does not show %q:\n%s", name, words, s.text())
				}
				next(s)
			}
		})
	}
}

// TestTheWordsOfAnEmptyTableAreTrue: esc clears the filter only if the filter is the latest step.
func TestTheWordsOfAnEmptyTableAreTrue(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("xrp")
		s.press("enter")
		s.sees("No position matches; esc clears the filter.")
		s.press("tab")
		s.sees("No position matches; / and esc clears the filter.")
		s.press("esc", "esc")
		s.seesNot("No position matches")
	})
}

// TestEscTwiceAtOnce: a terminal sends that as another key.
func TestEscTwiceAtOnce(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("xrp")
		s.seesNot("6 of 10 positions")
		s.send(tea.KeyPressMsg{Code: tea.KeyEscape, Mod: tea.ModAlt})
		s.sees("6 of 10 positions")
		s.press("p")
		s.sees("all parties", "[ ]")
		s.send(tea.KeyPressMsg{Code: tea.KeyEscape, Mod: tea.ModAlt})
		s.seesNot("[ ]")
	})
}

// TestAKeptFilterIsOnTheFirstLine, because nothing else shows why rows are missing.
func TestAKeptFilterIsOnTheFirstLine(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("side:long")
		s.seesNot("[side:long]")
		s.press("enter")
		for width := 44; width <= 160; width++ {
			s.send(tea.WindowSizeMsg{Width: width, Height: 24})
			if line := s.lines()[0]; !strings.Contains(line, "[side:long]") {
				t.Errorf("%d wide: %s", width, line)
			}
		}
		s.press("esc")
		s.seesNot("[side:long]")
	})
}

// TestComparisons are in the units of the screen, and only what is complete narrows the rows.
func TestComparisons(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("upnl<-12.65")
		s.wantMarkets("ETH", "SOL")
		s.write("|>")
		s.sees("upnl> needs a number, as in upnl>1.5k")
		s.press("backspace", "backspace", "backspace", "backspace")
		s.wantMarkets("ETH", "SOL", "BTC")
		s.press("ctrl+u")
		s.write("m%<0")
		s.wantMarkets("ETH", "SOL")
	})
}

// TestNumbersWithoutDecimalsAreLeftOut, and the screen shows that.
func TestNumbersWithoutDecimalsAreLeftOut(t *testing.T) {
	change := func(o *Options) {
		watchAll(o)
		o.Instruments = model.NewInstruments(nil, nil, nil)
	}
	onScreen(t, 80, 24, change, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("/")
		s.write("size>5")
		s.sees("markets without decimals left out; 5r compares raw", "No position matches")
		s.write("r")
		s.seesNot("No position matches", "left out")
		s.press("ctrl+u")
		s.write("size>0")
		s.seesNot("No position matches", "left out")
	})
}

// TestAgesAreComparedAgain each second, but not while the rows are frozen.
func TestAgesAreComparedAgain(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("age>5s")
		s.wantMarkets("BTC")
		s.press("enter")
		s.pass(4 * time.Second)
		s.wantMarkets("ETH", "BTC", "LINK")
		s.press("f")
		s.pass(10 * time.Second)
		s.wantMarkets("ETH", "BTC", "LINK")
		s.press("f")
		s.pass(2 * time.Second)
		s.wantMarkets("ETH", "SOL", "BTC", "LINK", "DOGE", "BTC")
	})
}

// TestTabCompletes fields and values, and lists the candidates.
func TestTabCompletes(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("!sta")
		s.press("tab")
		s.sees(" / !status: ")
		s.write("or")
		s.press("tab")
		s.sees(` / !status:"orders closed"`)
		s.wantMarkets("ETH", "SOL", "BTC", "DOGE", "BTC")
		s.write(" party:DE")
		s.press("tab")
		s.sees(" party:desk-   desk-1  desk-2  desk-3")
		s.press("2", "tab")
		s.sees(" party:desk-2")
		s.wantMarkets("BTC")
		s.write(" u")
		s.press("tab")
		s.sees("updated  upnl")
		s.press("x", "tab")
		s.sees("nothing to complete")
	})
}

// TestNamesWithOperators are filters as they are typed. The filter is kept with the quotes that it needs elsewhere.
func TestNamesWithOperators(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		names := []string{"xyz:GOLD", "EURUSD=X", "BTC>100K-DEC"}
		var positions []model.Position
		for _, name := range names {
			positions = append(positions, position(desk1, model.MakeID(name), "10", "100", "500", "0", model.StatusUnspecified, 1))
		}
		s.publish(whole(all, positions...))
		for _, name := range names {
			s.press("/", "ctrl+u")
			s.write(name)
			s.sees("▌"+name+" ", "1 of 3 positions")
			s.press("enter")
			s.sees(`["` + name + `"]`)
			s.press("/", "ctrl+u")
			s.write(name[:4])
			s.press("tab")
			s.sees(` / "` + name + `"`)
			s.sees("▌"+name+" ", "1 of 3 positions")
			s.press("esc")
		}
		s.press("/")
		s.write("xyz:SILVER")
		s.sees(`unknown field "xyz"; as a name: "xyz:SILVER"; fi`)
		s.press("esc", "!", "n")
		s.write("gold")
		s.press("tab")
		s.write("xyz:GOLD")
		s.press("tab")
		s.write("xyz:SILVER")
		s.press("enter")
		s.sees(`unknown field "xyz"`)
		s.press("ctrl+u", "enter")
		s.pass(7 * time.Second)
		s.sees(`gold    "xyz:GOLD"    for 5s, again 15m    1 now`)
	})
}

// TestTheFilterNarrowsMarginLevels to its parties, markets and assets. The rest of it is about positions alone.
func TestTheFilterNarrowsMarginLevels(t *testing.T) {
	onScreen(t, 80, 30, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("tab", "z", "/")
		s.write("party:desk-1 upnl<0")
		s.press("enter", "tab", "z")
		s.sees("rows 1–2 of 2 on this page, 2 filtered out")
		s.press("/")
		s.write("x")
		s.sees("/ party:desk-1 upnl<0x")
		s.press("ctrl+u")
		s.write("xrp")
		s.press("enter", "tab", "z")
		s.sees("No record on this page matches the filter.", "rows 0–0 of 0 on this page, 4 filtered out")
	})
}

// TestFilterByANameFromRightToLeft: it can be typed.
func TestFilterByANameFromRightToLeft(t *testing.T) {
	named := func(o *Options) {
		watchAll(o)
		in := deskInstruments()
		markets := []model.Market{in.Market(ethMarket), in.Market(solMarket), in.Market(btcMarket)}
		o.Instruments = model.NewInstruments([]model.Party{{ID: desk2, Name: "مكتب"}}, markets, nil)
	}
	onScreen(t, 80, 24, named, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("/")
		s.write("مكتب")
		s.sees("1 row of 10", " / مكتبǀ", " ǀمكتبǀ ")
		s.press("enter")
		s.sees("[ǀمكتبǀ]")
		if got := s.markets(); len(got) != 1 || got[0] != "BTC" {
			t.Error("shows", got)
		}
	})
}
