package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/layout"
)

// groupedScreen is a screen with the desk grouped by party.
func groupedScreen(t *testing.T, test func(s *screen)) {
	t.Helper()
	deskScreen(t, func(s *screen) {
		s.press("b")
		test(s)
	})
}

// table returns the lines from the heading of the table of positions on.
func (s *screen) table() []string { return s.lines()[layout.TopHeight+s.m.parts().Headline:] }

// wantLines checks the first columns of the lines of the table, without the marks of the cursor.
func (s *screen) wantLines(want ...string) {
	s.t.Helper()
	var got []string
	for _, line := range s.table()[1:] {
		line = strings.TrimLeft(line, " ▌?")
		if strings.HasPrefix(line, "─") || line == "" {
			break
		}
		got = append(got, strings.Fields(line)[0])
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		s.t.Errorf("the lines are %v, want %v:\n%s", got, want, s.text())
	}
}

// seesLine looks for a line with these words.
func (s *screen) seesLine(words string) {
	s.t.Helper()
	if !slices.ContainsFunc(s.lines(), func(line string) bool { return strings.Join(strings.Fields(line), " ") == words }) {
		s.t.Errorf("no line is %q:\n%s", words, s.text())
	}
}

func TestGoldenGroups(t *testing.T) {
	for _, size := range []struct{ width, height int }{{40, 10}, {80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size.width, size.height), func(t *testing.T) {
			onScreen(t, size.width, size.height, func(o *Options) { o.Order.Column = view.TroubleColumn }, func(s *screen) {
				s.publish(deskDelta(s))
				s.pass(4 * time.Second)
				s.press("b", "down", "down", "down", "space", "g", "down")
				s.pass(5 * time.Second)
				s.golden(fmt.Sprintf("grouped-%dx%d", size.width, size.height))
				s.press("b", "g")
				s.golden(fmt.Sprintf("grouped-by-market-%dx%d", size.width, size.height))
			})
		})
	}
}

// TestGroupsTakeTurns: b groups by party, market and asset, and then not at all.
func TestGroupsTakeTurns(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("b")
		s.sees("Grouped by party.", "PARTY / MARKET")
		s.wantLines("▾desk-1", "ETH/USDT", "SOL/USDT", "▾network", "BTC/USDT", "▾desk-3", "LINK/USDT", "▾a3f9…81c2", "DOGE/USDT", "▾desk-2", "BTC/USDT")
		s.press("b")
		s.sees("Grouped by market.", "MARKET / PARTY")
		s.wantLines("▾ETH/USDT", "desk-1", "▾SOL/USDT", "desk-1", "▾LINK/USDT", "desk-3", "▾DOGE/USDT", "a3f9…81c2", "▾BTC/USDT", "network", "desk-2")
		s.press("b")
		s.sees("Grouped by asset.", "ASSET / MARKET")
		s.wantLines("▾USDT", "ETH/USDT", "SOL/USDT", "BTC/USDT", "LINK/USDT", "DOGE/USDT", "BTC/USDT")
		s.press("b")
		s.sees("Not grouped.")
		s.wantMarkets("ETH", "SOL", "BTC", "LINK", "DOGE", "BTC")
	})
}

func TestEscUndoesGroups(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("b", "b", "esc")
		s.wantMarkets("ETH", "SOL", "BTC", "LINK", "DOGE", "BTC")
		s.press("b", "b", "b", "b", "esc") // nothing to undo
		s.sees("No step to undo.")
	})
	onScreen(t, 80, 24, func(o *Options) { o.Group = view.GroupByMarket }, func(s *screen) {
		s.publish(deskDelta(s))
		s.sees("MARKET / PARTY")
		s.press("b")
		s.sees("ASSET / MARKET")
		s.press("esc")
		s.sees("MARKET / PARTY")
	})
}

// TestTheCursorKeepsItsRow through groups, folding, updates and another grouping.
func TestTheCursorKeepsItsRow(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("down") // SOL of desk-1
		for range 4 {
			s.press("b")
			if line := s.cursorLine(); !strings.Contains(line, "-132.30") {
				t.Errorf("the cursor is on %q", line)
			}
		}
		s.press("b", "space")
		if line := s.cursorLine(); !strings.HasPrefix(line, "▌▸desk-1") {
			t.Errorf("after folding, the cursor is on %q", line)
		}
		rows := deskRows()
		rows[0].SetNumber(model.UnrealisedPnl, model.AmountOf(900_000_00)) // desk-1 is last now
		s.publish(book.Delta{Updates: []book.Updates{{Subscription: all, Positions: rows[:1]}}})
		if line := s.cursorLine(); !strings.HasPrefix(line, "▌▸desk-1") || !strings.Contains(line, "+899,867.70") {
			t.Errorf("after an update, the cursor is on %q", line)
		}
		s.press("b") // by market: the first row of the group that the cursor was on
		if line := s.cursorLine(); !strings.Contains(line, "desk-1") || !strings.Contains(line, "-132.30") {
			t.Errorf("in other groups, the cursor is on %q", line)
		}
	})
}

// foldAll folds or unfolds all groups.
func (s *screen) foldAll() {
	s.palette("fold all")
	s.press("enter")
}

func TestFolding(t *testing.T) {
	groupedScreen(t, func(s *screen) {
		s.foldAll()
		s.wantLines("▸desk-1", "▸network", "▸desk-3", "▸a3f9…81c2", "▸desk-2")
		s.press("down", "space")
		s.wantLines("▸desk-1", "▾network", "BTC/USDT", "▸desk-3", "▸a3f9…81c2", "▸desk-2")
		s.press("down", "space") // on the row
		s.wantLines("▸desk-1", "▸network", "▸desk-3", "▸a3f9…81c2", "▸desk-2")
		s.foldAll()
		s.wantLines("▾desk-1", "ETH/USDT", "SOL/USDT", "▾network", "BTC/USDT", "▾desk-3", "LINK/USDT", "▾a3f9…81c2", "DOGE/USDT", "▾desk-2", "BTC/USDT")
		s.press("space", "r")
		s.publish(whole(all, deskRows()...)) // a new snapshot keeps it
		s.wantLines("▾desk-1", "ETH/USDT", "SOL/USDT", "▸network", "▾desk-3", "LINK/USDT", "▾a3f9…81c2", "DOGE/USDT", "▾desk-2", "BTC/USDT")
	})
}

// TestFoldingWhileAViewIsPrepared: the new view has the groups folded that are folded when it comes.
func TestFoldingWhileAViewIsPrepared(t *testing.T) {
	groupedScreen(t, func(s *screen) {
		s.press("s")
		_, prepare := s.m.Update(keyNamed("u"))
		s.foldAll()
		s.start(prepare)
		s.drain()
		s.wantLines("▸desk-2", "▸a3f9…81c2", "▸desk-3", "▸network", "▸desk-1")
	})
}

func TestFoldingWhileFrozen(t *testing.T) {
	groupedScreen(t, func(s *screen) {
		s.press("f", "space")
		s.wantLines("▸desk-1", "▾network", "BTC/USDT", "▾desk-3", "LINK/USDT", "▾a3f9…81c2", "DOGE/USDT", "▾desk-2", "BTC/USDT")
		s.sees("FROZEN")
	})
}

// TestHeadings: their subtotals are exact, and of the rows that match the filter.
func TestHeadings(t *testing.T) {
	groupedScreen(t, func(s *screen) {
		s.seesLine("▌▾desk-1 2 pos -581.50 -13.5% 1 DISTRESSED")
		s.sees("6 of 10 positions in 5 groups, 4 closed hidden",
			" 2 positions ─", " USDT  uPnL -581.50  uPnL/MM -13.5%  maintenance 4,306.00  ≈ net +27,570  …")
		s.press("/")
		s.write("eth|btc")
		s.press("enter")
		s.wantLines("▾desk-1", "ETH/USDT", "▾network", "BTC/USDT", "▾desk-2", "BTC/USDT")
		s.seesLine("▌▾desk-1 1 pos -449.20 -37.4% 1 DISTRESSED")
		s.sees("3 of 10 positions in 3 groups, 2 closed hidden")
	})
}

// TestAGroupOfAMarketHasSizes: net and gross, also on the clipboard and in the detail. Groups of a party have no sizes.
func TestAGroupOfAMarketHasSizes(t *testing.T) {
	onScreen(t, 120, 40, nil, func(s *screen) {
		s.publish(deskDelta(s))
		s.pass(4 * time.Second)
		s.press("b", "b")
		s.seesLine("▾BTC/USDT +1.219 gross 1.281 +334.23 +12.00 2 pos, 1 of 2 without uP…")
		s.seesLine("▌▾ETH/USDT -10.000 gross 10.000 MM 1,200.00 -449.20 -37.4% ███▋┈┈┈┈┈┈ +1,054.20 1 pos, 1 DISTRESSED")
		s.press("y")
		if got := s.copied(); got["size"] != "-10.000" || got["≈ notional"] != "-34550.2" {
			t.Errorf("copied are the size %q and the notional %q", got["size"], got["≈ notional"])
		}
		s.press("/")
		s.write("size>0")
		s.press("enter")
		s.seesLine("▾BTC/USDT +1.250 gross 1.250 MM 4,024.87 +346.88 +8.6% +12.00 1 pos")
		s.press("enter")
		s.sees("net size           +420.00", "gross size         420.00")
		s.press("esc", "b", "b", "b", "enter")
		s.seesNot("net size")
	})
}

// TestTheMaintenanceOfAGroupIsAnEstimate if that of one of its rows is.
func TestTheMaintenanceOfAGroupIsAnEstimate(t *testing.T) {
	onScreen(t, 120, 40, nil, func(s *screen) {
		s.publish(deskDelta(s))
		s.pass(4 * time.Second)
		s.press("b")
		s.sees("MM 4,306.00")
		row := deskRows()[0]
		row.SetNumber(model.OpenVolume, model.AmountOf(-20_000)) // twice as much
		row.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().UnixNano()))
		delta := updatesOf(s.m.store.Subscriptions()[0], row)
		delta.Updates[0].NotAfter = time.Now().Add(model.AheadFor).UnixNano()
		s.publish(delta)
		s.sees("MM ≈5,506.00", "maintenance ≈5,506.00")
	})
}

// withOwnGroups gives a desk two own groups that have a position in common.
func withOwnGroups(o *Options) {
	o.Instruments = o.Instruments.WithGroups([]model.Group{
		{Name: "majors", Scope: model.Scope{Markets: []model.ID{btcMarket, ethMarket}}},
		{Name: "desk-1 ETH", Scope: model.Scope{Parties: []model.ID{desk1}, Markets: []model.ID{ethMarket}}},
	})
}

// TestAFilterOfAnOwnGroup matches its rows, and its name is completed.
func TestAFilterOfAnOwnGroup(t *testing.T) {
	onScreen(t, 80, 24, withOwnGroups, func(s *screen) {
		s.publish(deskDelta(s))
		s.filter("group:majors")
		s.wantMarkets("ETH", "BTC", "BTC")
		s.filter(`group:="desk-1 eth"`)
		s.wantMarkets("ETH")
		s.filter("!group:majors")
		s.wantMarkets("SOL", "LINK", "DOGE")
		s.press("/", "ctrl+u")
		s.write("gr")
		s.press("tab")
		s.write("m")
		s.press("tab")
		s.sees("group:majors")
	})
}

// TestOwnGroups: a row can be in several of them. It counts in each, and once in the totals; what is in none is last.
func TestOwnGroups(t *testing.T) {
	onScreen(t, 80, 24, withOwnGroups, func(s *screen) {
		s.publish(deskDelta(s))
		s.pass(4 * time.Second)
		s.press("b", "b", "b", "b")
		s.sees("Grouped by own groups.", "GROUP / MARKET", " +201.08 ", "6 of 10 positions in 3 groups")
		s.wantLines("▾desk-1", "ETH/USDT", "▾majors", "ETH/USDT", "BTC/USDT", "BTC/USDT", "▾in", "SOL/USDT", "LINK/USDT", "DOGE/USDT")
		s.seesLine("▌▾desk-1 ETH 1 pos -449.20 -37.4% 1 DISTRESSED")
		s.seesLine("▾majors 3 pos -114.97 1 DISTRESSED, 1 o…")
		if n := s.m.store.View().Len(); n != 6 {
			t.Errorf("%d rows are counted", n)
		}
		s.press("down", "down", "down") // the same row in the other group
		if line := s.cursorLine(); !strings.HasPrefix(line, "▌  ETH/USDT") {
			t.Errorf("the cursor is on %q", line)
		}
		row := deskRows()[0]
		row.SetNumber(model.UnrealisedPnl, model.AmountOf(5_000_00))
		s.publish(updatesOf(s.m.store.Subscriptions()[0], row))
		s.wantLines("▾in", "SOL/USDT", "LINK/USDT", "DOGE/USDT", "▾desk-1", "ETH/USDT", "▾majors", "BTC/USDT", "BTC/USDT", "ETH/USDT")
		if line := s.cursorLine(); !strings.HasPrefix(line, "▌  ETH/USDT") {
			t.Errorf("after an update, the cursor is on %q", line)
		}
		s.press("space")
		s.wantLines("▾in", "SOL/USDT", "LINK/USDT", "DOGE/USDT", "▾desk-1", "ETH/USDT", "▸majors")
		s.press("n")
		s.sees("Own groups get their names where they are made.")
		s.press("b")
		s.sees("Not grouped.")
	})
}

// TestPickersOfferOwnGroups: enter watches the members of one, and tab marks all of them or none.
func TestPickersOfferOwnGroups(t *testing.T) {
	for name, c := range map[string]struct {
		keys             func(s *screen)
		parties, markets []model.ID
	}{
		"markets":           {func(s *screen) { s.press("m"); s.write("majors"); s.press("enter") }, nil, []model.ID{btcMarket, ethMarket}},
		"parties":           {func(s *screen) { s.press("p"); s.write("desk-1 e"); s.press("enter") }, []model.ID{desk1}, nil},
		"a group and one":   {func(s *screen) { s.press("m", "down", "tab"); s.write("sol"); s.press("tab", "enter") }, nil, []model.ID{btcMarket, ethMarket, solMarket}},
		"a group and back":  {func(s *screen) { s.press("m", "down", "tab", "tab", "enter") }, nil, nil},
		"a group, less one": {func(s *screen) { s.press("m", "down", "tab"); s.write("btc"); s.press("tab", "enter") }, nil, []model.ID{ethMarket}},
	} {
		onScreen(t, 80, 24, func(o *Options) { withOwnGroups(o); o.Scope = model.Scope{} }, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.press("m")
			s.seesLine("[ ] majors group of 2 markets")
			s.seesLine("[ ] desk-1 ETH group of 1 market")
			s.press("esc")
			c.keys(s)
			if s.m.overlays.top() != nil {
				t.Errorf("%s: the picker stays open", name)
			}
			s.wantScope(c.parties, c.markets)
		})
	}
}

// TestGoldenOwnGroups at the sizes of screens.
func TestGoldenOwnGroups(t *testing.T) {
	for _, size := range []struct{ width, height int }{{40, 10}, {80, 24}, {120, 40}, {200, 60}} {
		onScreen(t, size.width, size.height, func(o *Options) { withOwnGroups(o); o.Group = view.GroupByOwn }, func(s *screen) {
			s.publish(deskDelta(s))
			s.pass(4 * time.Second)
			s.golden(fmt.Sprintf("own-groups-%dx%d", size.width, size.height))
		})
	}
}

// TestAGroupShowsWhatItLeavesOut: other assets, numbers that cannot be added, and positions without margin levels.
func TestAGroupShowsWhatItLeavesOut(t *testing.T) {
	dai := model.MakeID("dd" + strings.Repeat("01", 31))
	onScreen(t, 175, 40, func(o *Options) {
		o.Scope = model.Scope{}
		o.Instruments = model.NewInstruments(nil, []model.Market{
			{ID: ethMarket, Name: "ETH", Asset: usdt}, {ID: solMarket, Name: "SOL", Asset: usdt}, {ID: linkMarket, Name: "LINK", Asset: usdt},
			{ID: btcMarket, Name: "BTC", Asset: dai}, {ID: dogeMarket, Name: "DOGE"},
		}, []model.Asset{{ID: usdt, Symbol: "USDT", Decimals: 2}, {ID: dai, Symbol: "DAI", Decimals: model.Unscaled}})
	}, func(s *screen) {
		rows := deskRows()[:6]
		for i := range rows {
			rows[i].Party = desk1
		}
		rows[2].Market, rows[5].Market = btcMarket, model.MakeID("unknown")
		rows[3].SetNumber(model.RealisedPnl, model.ParseAmount("nonsense"))
		s.publish(whole(all, rows...))
		s.pass(4 * time.Second)
		s.press("b")
		s.seesLine("▌▾1ad1…d1d1 6 pos +3,168,100,000 USDT -364.00 +1,090.51 1 DISTRESSED, +2 assets beside USDT, 1 number left out, 1 of …")
		s.press("b", "b")
		s.sees("▾USDT", "▾DAI", "-1,265", "▾unknown asset", "no subtotal")
		s.press("space")
		s.sees("▸USDT")
	})
}

// TestTheAssetOfASubtotalIsNotCutOff on a screen if the status is.
func TestTheAssetOfASubtotalIsNotCutOff(t *testing.T) {
	dai := model.MakeID("dd" + strings.Repeat("01", 31))
	onScreen(t, 80, 24, func(o *Options) {
		o.Scope = model.Scope{}
		o.Instruments = model.NewInstruments(nil, []model.Market{
			{ID: ethMarket, Name: "ETH", Asset: usdt}, {ID: solMarket, Name: "SOL", Asset: usdt}, {ID: btcMarket, Name: "BTC", Asset: dai},
		}, []model.Asset{{ID: usdt, Symbol: "USDT", Decimals: 2}, {ID: dai, Symbol: "DAI", Decimals: 2}})
	}, func(s *screen) {
		rows := deskRows()[:3] // ETH, SOL, BTC
		for i := range rows {
			rows[i].Party = desk1
		}
		s.publish(whole(all, rows...))
		s.pass(4 * time.Second)
		s.press("b")
		s.seesLine("▌▾1ad1…d1d1 3 pos in USDT -581.50 -13.5% 1 DISTRESSED, +1 asset besid…")
		rows[2].Market = linkMarket
		s.publish(updatesOf(all, rows[2]))
		s.seesLine("▌▾1ad1…d1d1 4 pos in USDT -594.15 1 DISTRESSED, +1 asset besi…")
		s.sees("USDT  uPnL -594.15  1 of 3 without uPnL/MM") // LINK has no margin levels here
	})
}

// TestTheTotalsOfEachAssetAreSomewhere at every size: what a heading and the pane below leave out is marked, and the
// detail of the group has it.
func TestTheTotalsOfEachAssetAreSomewhere(t *testing.T) {
	dai := model.MakeID("dd" + strings.Repeat("01", 31))
	for _, size := range []struct {
		width, height int
		sees          []string
	}{
		{40, 10, []string{"+1 asset …"}},
		{60, 20, []string{"1 DISTRESSED, +1 a…", " USDT  uPnL -581.50  uPnL/MM -13.5%  maintenance 4,306.00  …", " DAI  uPnL -12.65  ≈ net -19,836,910  rPnL 0.00  …"}},
		{80, 24, []string{"+1 asset besid…", "maintenance 4,306.00  …", " DAI  uPnL -12.65"}},
	} {
		onScreen(t, size.width, size.height, func(o *Options) {
			o.Scope = model.Scope{}
			o.Instruments = model.NewInstruments(nil, []model.Market{
				{ID: ethMarket, Name: "ETH", Asset: usdt}, {ID: solMarket, Name: "SOL", Asset: usdt}, {ID: btcMarket, Name: "BTC", Asset: dai},
			}, []model.Asset{{ID: usdt, Symbol: "USDT", Decimals: 2}, {ID: dai, Symbol: "DAI", Decimals: 2}})
		}, func(s *screen) {
			rows := deskRows()[:3] // ETH, SOL, BTC
			for i := range rows {
				rows[i].Party = desk1
			}
			s.publish(whole(all, rows...))
			s.pass(4 * time.Second)
			s.press("b")
			s.sees(size.sees...)
			wide := rows[0]
			wide.SetNumber(model.RealisedPnl, model.ParseAmount("100211"))
			wide.SetNumber(model.OpenVolume, model.ParseAmount("-1000000000000000000"))
			wide.SetNumber(model.UnrealisedPnl, model.ParseAmount("-100000000000000000"))
			s.publish(updatesOf(all, wide)) // its columns take the place of others
			s.sees("1 DISTRESS")
			s.publish(updatesOf(all, rows[0]))
			s.press("enter")
			s.sees("positions          3 positions")
			s.press("G")
			s.sees("─ DAI ─", " uPnL               -12.65")
			s.press("esc", "space")
			s.sees("▸")
		})
	}
}

func TestKeysOnAHeading(t *testing.T) {
	groupedScreen(t, func(s *screen) {
		s.press("M")
		s.sees("This line is a group.")
		s.press("y")
		got := s.copied()
		for field, want := range map[string]string{
			"market": "", "party": "desk-1", "party id": desk1.String(), "size": "", "uPnL": "-581.50", "uPnL/MM": "-13.5%",
			"rPnL": "1090.51", "asset": "USDT", "status": "2 positions, 1 DISTRESSED", "updated": "",
		} {
			if got[field] != want {
				t.Errorf("copied is the %s %q, want %q", field, got[field], want)
			}
		}
		s.press("space", "Y")
		s.sees("Sent to the terminal's clipboard: 9 lines below a heading.")
		if got := s.clipboard(); strings.Count(got, "\n") != 10 || strings.Contains(got, "ETH/USDT") || !strings.Contains(got, "LINK/USDT") {
			t.Errorf("copied %q", got)
		}
		s.press("P")
		if !s.m.store.Settings().Scope.Equal(model.Scope{Parties: []model.ID{desk1}}) {
			t.Errorf("P watches %v", s.m.store.Settings().Scope)
		}
	})
	groupedScreen(t, func(s *screen) {
		s.press("b", "P")
		s.sees("This line is a group.")
		s.press("M")
		if len(s.m.store.Settings().Scope.Markets) != 1 {
			t.Errorf("M watches %v", s.m.store.Settings().Scope)
		}
	})
}

func TestFoldingNeedsGroups(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("space")
		s.sees("No groups; b makes them.")
	})
}

// TestThePositionOfARecordIsUnfolded if its group is folded.
func TestThePositionOfARecordIsUnfolded(t *testing.T) {
	groupedScreen(t, func(s *screen) {
		s.foldAll()
		s.press("tab", "down", "enter")
		s.wantLines("▸desk-1", "▸network", "▸desk-3", "▸a3f9…81c2", "▾desk-2", "BTC/USDT")
		if line := s.cursorLine(); !strings.Contains(line, "BTC/USDT") {
			t.Errorf("the cursor is on %q", line)
		}
	})
}

// TestGroupsAreRemembered by the state and by views.
func TestGroupsAreRemembered(t *testing.T) {
	groupedScreen(t, func(s *screen) {
		state := s.m.State()
		var o Options
		o.Use(&state, func(string) bool { return false })
		if state.Group != "party" || o.Group != view.GroupByParty {
			t.Errorf("remembered as %q, begins as %q", state.Group, o.Group)
		}
		o.Use(&state, func(key string) bool { return key == "screen.group" })
		o.Group = view.GroupByAsset
		if o.Use(&state, func(key string) bool { return key == "screen.group" }); o.Group != view.GroupByAsset {
			t.Error("the configuration does not win")
		}
		s.press("0")
		s.wantMarkets("ETH", "SOL", "BTC", "LINK", "DOGE", "BTC")
	})
}

// TestAStaleStreamMarksItsGroup and no other.
func TestAStaleStreamMarksItsGroup(t *testing.T) {
	onScreen(t, 80, 24, nil, func(s *screen) {
		delta := deskDelta(s)
		for i := range delta.Links {
			if delta.Links[i].Party == desk1 {
				delta.Links[i].StaleSince = time.Now().Add(-time.Minute)
			}
		}
		s.publish(delta)
		s.press("b", "G")
		s.sees("?▾desk-1", " ▾network")
	})
}

// TestARatioOfAGroupWithAnOldRecordIsMarked, in the heading as in a row, and in the totals of the group.
func TestARatioOfAGroupWithAnOldRecordIsMarked(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {200, 60}} {
		onScreen(t, size[0], size[1], watchAll, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.press("b")
			s.recordedAgo(columns.OldRecord - 2*model.MarginRefresh)
			s.press("up")
			s.seesNot(" old -", "old records")
			s.recordedAgo(columns.OldRecord)
			if line := s.cursorLine(); !strings.HasPrefix(line, "▌▾desk-1") || !strings.Contains(line, " old -") {
				t.Errorf("the heading is %q\n%s", line, s.text())
			}
			s.sees("-13.5%  old records")
			another := deskRows()[0]
			another.Market = linkMarket // without a margin record: the group has no ratio
			s.publish(updatesOf(all, another))
			if line := s.cursorLine(); strings.Contains(line, "%") {
				t.Errorf("the heading is %q\n%s", line, s.text())
			}
			s.sees("without uPnL/MM")
		})
	}
}
