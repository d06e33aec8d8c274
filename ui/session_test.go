package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/ui/history"
	"blotter/ui/store"
)

// aMorning is a desk whose profits move for some minutes, with a stale time between them.
func aMorning(s *screen) {
	s.publish(whole(all, deskRows()...))
	profits := []int64{-44920, -30000, 10000, 60000, 80000, 40000, -10000}
	for minute, profit := range profits {
		rows := []model.Position{changed(0, "-10000", model.AmountOf(profit).String(), "100210")}
		if minute == 3 {
			rows = append(rows, changed(1, "0", "0", "-4389"), position(desk3, solMarket, "100", "148000", "-7", "0", 0, 0))
		}
		for range 30 {
			delta := updatesOf(all, rows...)
			delta.Links = []model.Link{liveLink(all)}
			s.publish(delta)
			s.pass(2 * time.Second)
		}
		if minute == 4 {
			stale := book.Delta{Links: []model.Link{liveLink(all)}}
			stale.Links[0].Phase, stale.Links[0].StaleSince = model.Waiting, time.Now()
			s.publish(stale)
			s.pass(time.Minute)
		}
	}
}

func TestGoldenSession(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		aMorning(s)
		for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}, {60, 20}, {50, 16}, {40, 10}} {
			s.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			s.press("h")
			s.golden(fmt.Sprintf("session-%dx%d", size[0], size[1]))
			s.fits(size[0], size[1])
			s.press("esc")
		}
	})
}

// TestGoldenSessionWithoutConfiguration: raw totals are marked, and nothing is estimated.
func TestGoldenSessionWithoutConfiguration(t *testing.T) {
	bare := func(o *Options) {
		watchAll(o)
		o.Instruments = model.NewInstruments(nil, []model.Market{{ID: ethMarket, Asset: usdt, PriceDecimals: model.Unscaled, SizeDecimals: model.Unscaled}}, nil)
	}
	onScreen(t, 80, 24, bare, func(s *screen) {
		aMorning(s)
		s.press("h")
		s.golden("session-without-configuration")
	})
}

// TestTheTotalOfANarrowSession is there also if it is long: then the name of the total is shorter.
func TestTheTotalOfANarrowSession(t *testing.T) {
	onScreen(t, 40, 10, watchAll, func(s *screen) {
		s.publish(whole(all, changed(0, "-10000", "-123456789012345678", "100210")))
		s.pass(2 * time.Second)
		s.press("h")
		s.sees("USDT uPnL  -1,234,567,890,123,456.78")
	})
}

// TestSessionShowsWhatHappened: the totals, the moves since the baseline, and the exposures, per asset.
func TestSessionShowsWhatHappened(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.press("h")
		s.sees("No totals yet")
		s.press("esc")
		aMorning(s)
		s.press("h")
		s.sees("─ session · since 14:02:07, 8m", "USDT unrealised PnL  +682.51  lowest +201.08 at 14:02:08", "highest +1,582.51 at 14:06:08",
			"largest moves of PnL since 14:02:07")
		s.rowHas("ETH/USDT desk-1", "+349.20")
		s.rowHas("SOL/USDT desk-3", "new -0.07")
		s.seesNot("SOL/USDT desk-1") // its profit was realised: 88.41 - 132.30 = -43.89
		s.press("right")
		s.sees("USDT realised PnL")
		s.press("right")
		s.sees("USDT unrealised + realised PnL")
		s.press("left", "left", "left")
		s.sees("USDT unrealised + realised PnL")
		s.press("a")
		s.sees("There is no other asset.")
		s.press("B")
		s.pass(4 * time.Second)
		s.sees(" · baseline 14:10:07", "largest moves of PnL since 14:10:07", "Nothing has moved.")
		s.press("esc")
		s.seesNot("─ session")
	})
}

// TestExposureOfTheDesk: long positions less short ones.
func TestExposureOfTheDesk(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.press("h")
		s.rowHas("BTC/USDT", "▇▇▇▇▇▇▇▇▇▇", "+78,501.2")
		s.rowHas("ETH/USDT", "▇▇▇▇", "-34,550.2")
		s.rowHas("desk-2", "▇▇▇▇▇▇▇▇▇▇", "+80,497.5")
	})
}

// TestTheHistoryHasGapsWhereTotalsAreNotTrue: while frozen, and for each scope its own line.
func TestTheHistoryHasGapsWhereTotalsAreNotTrue(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		period := func() time.Duration {
			of := s.shownAsset()
			return of.Totals[history.Unrealised].Period()
		}
		s.publish(whole(all, deskRows()...))
		s.pass(5 * time.Second)
		before := period()
		s.press("f")
		s.pass(10 * time.Second)
		if period() != before {
			t.Errorf("the history went on while the rows were frozen: from %s to %s", before, period())
		}
		s.press("f")
		s.pass(time.Second)
		if after := period(); after < before+11*time.Second {
			t.Errorf("the history did not go on: from %s to %s", before, after)
		}
		s.press("P", "h")
		s.sees("No totals yet")
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()[:2]...))
		s.pass(2 * time.Second)
		s.sees("USDT unrealised PnL  -581.50")
		s.press("esc", "esc")
		s.publish(whole(s.m.store.Subscriptions()[0], deskRows()...))
		s.pass(2 * time.Second)
		if of := s.shownAsset(); of == nil || period() < before+13*time.Second {
			t.Error("the scope before has lost its history")
		}
	})
}

// TestNothingChangesDuringASurvey: what comes meanwhile waits, and a key that needs another view is not lost.
func TestNothingChangesDuringASurvey(t *testing.T) {
	for _, key := range []string{"", "c"} {
		onScreen(t, 120, 40, watchAll, func(s *screen) {
			profit := func() model.Amount {
				p, _ := s.m.store.View().Book().Find(changed(0, "", "", "").Key)
				return p.Number(model.UnrealisedPnl)
			}
			s.publish(whole(all, deskRows()...))
			s.m.Update(keyNamed("h"))
			survey := analysis.SurveyOf(s.m.store.View(), nil, time.Now())
			s.publish(updatesOf(all, changed(0, "-10000", "-1", "100210")))
			if profit() != model.AmountOf(-44920) {
				t.Error("a row changed during the survey")
			}
			s.m.Update(keyNamed("esc"))
			if key != "" {
				s.m.Update(keyNamed(key))
			}
			s.sees("4 closed hidden")
			s.send(store.Surveyed{Survey: survey, Of: s.m.store.View()})
			if profit() != model.AmountOf(-1) || s.m.store.MakesView() {
				t.Error("the update is lost, or the survey has not ended")
			}
			if shown := !strings.Contains(s.text(), "4 closed hidden"); shown != (key == "c") {
				t.Errorf("after %q closed positions are shown: %v", key, shown)
			}
		})
	}
}

// TestSeveralAssets: a shows the next one, with its own moves.
func TestSeveralAssets(t *testing.T) {
	dai := model.MakeID("da" + strings.Repeat("01", 31))
	two := func(o *Options) {
		watchAll(o)
		o.Instruments = model.NewInstruments(nil, []model.Market{
			{ID: ethMarket, Name: "ETH/USDT", Asset: usdt, PriceDecimals: 2, SizeDecimals: 3},
			{ID: solMarket, Name: "SOL/DAI", Asset: dai, PriceDecimals: 3, SizeDecimals: 2},
		}, []model.Asset{{ID: usdt, Symbol: "USDT", Decimals: 2}, {ID: dai, Symbol: "DAI", Decimals: 2}})
	}
	onScreen(t, 120, 40, two, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.publish(updatesOf(all, changed(1, "42000", "-13000", "8841")))
		s.press("h")
		var assets []string
		for range 3 {
			of := s.shownAsset()
			assets = append(assets, s.m.store.Format().Asset(of.ID))
			s.sees(assets[len(assets)-1] + " unrealised PnL")
			if moved := strings.Contains(s.text(), "+2.30"); moved != (assets[len(assets)-1] == "DAI") {
				t.Errorf("the moves of %s are\n%s", assets[len(assets)-1], s.text())
			}
			s.press("a")
		}
		if slices.Sort(assets); !slices.Contains(assets, "DAI") || !slices.Contains(assets, "USDT") {
			t.Errorf("the assets are %q", assets)
		}
	})
}

// TestAnAssetWithoutPositions: a service that starts again may have other assets. The page shows that, and does not
// wait.
func TestAnAssetWithoutPositions(t *testing.T) {
	dai := model.MakeID("da" + strings.Repeat("01", 31))
	two := func(o *Options) {
		watchAll(o)
		o.Instruments = model.NewInstruments(nil, []model.Market{{ID: ethMarket, Name: "ETH/USDT", Asset: usdt}, {ID: solMarket, Name: "SOL/DAI", Asset: dai}},
			[]model.Asset{{ID: usdt, Symbol: "USDT"}, {ID: dai, Symbol: "DAI"}})
	}
	onScreen(t, 120, 40, two, func(s *screen) {
		rows := deskRows()
		s.publish(whole(all, rows[:2]...))
		s.pass(time.Second)
		s.press("h")
		if !strings.Contains(s.text(), "USDT unrealised PnL") {
			s.press("a")
		}
		s.sees("USDT unrealised PnL", "largest moves")
		s.publish(whole(all, rows[1]))
		s.pass(10 * time.Second)
		s.sees("USDT unrealised PnL", "No position is in USDT now.")
		s.seesNot("largest moves", "Reading")
	})
}

// TestTheSessionIsOfAllPositions, and says so if a filter hides some of them.
func TestTheSessionIsOfAllPositions(t *testing.T) {
	for width, words := range map[int]string{120: " · all 10 positions · esc back ─", 40: " · all 10 "} {
		onScreen(t, width, 40, watchAll, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.pass(time.Second)
			s.press("x", "tab")
			s.pass(4 * time.Second)
			s.seesNot("all 10")
			s.press("esc", "/", "e", "t", "h", "enter", "x", "down")
			s.pass(4 * time.Second)
			s.sees("by market", words)
			s.press("tab")
			s.sees("matrix", " · all 10")
		})
	}
}

// TestNoCellIsUnderTheCursorWithoutAMatrix: enter filters by none of the matrix that was there before.
func TestNoCellIsUnderTheCursorWithoutAMatrix(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, changed(0, "-10000", "-44920", "0")))
		s.pass(time.Second)
		s.press("x", "tab", "tab")
		s.pass(4 * time.Second)
		s.rowHas("desk-1", "-449.20")
		s.publish(updatesOf(all, changed(0, "0", "0", "100210")))
		s.pass(10 * time.Second)
		s.sees("No open position.")
		s.press("enter")
		s.sees("Only in the matrix.", "No open position.")
		s.publish(updatesOf(all, changed(0, "-10000", "-44920", "0")))
		s.pass(10 * time.Second)
		s.press("enter")
		s.sees("[party:=desk-…t:=ETH/USDT]")
	})
}

// TestACellThatIsGoneIsNotUnderTheCursor: the cursor is on the total then, and so are the title and enter.
func TestACellThatIsGoneIsNotUnderTheCursor(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		rows := deskRows()
		s.publish(whole(all, rows...))
		s.pass(time.Second)
		s.press("x", "tab", "tab")
		s.pass(4 * time.Second)
		s.click("-449.20")
		s.sees(" · ETH/USDT desk-1")
		s.publish(updatesOf(all, changed(0, "0", "0", "100210")))
		s.pass(10 * time.Second)
		s.sees("[matrix]", " uPnL · USDT · total of desk-1")
		s.press("enter")
		s.sees("[party:=desk-1]")
	})
}

// shownAsset returns the asset that the session page shows, nil if there is none.
func (s *screen) shownAsset() *history.Asset {
	return s.m.analysis.Session.Asset(s.m.context())
}

// TestTheSessionSaysItsPnLFirst: how much realised and unrealised PnL of each asset have changed since it began.
func TestTheSessionSaysItsPnLFirst(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		s.press("h")
		s.sees("USDT since 14:02:08  0.00 (realised 0.00, unrealised 0.00)")
		s.publish(updatesOf(all, changed(0, "-10000", "-40000", "100410")))
		s.pass(2 * time.Second)
		s.sees("USDT since 14:02:08  +51.20 (realised +2.00, unrealised +49.20)\n")
		s.publish(updatesOf(all, changed(0, "-10000", "-40000", "1k3")))
		s.pass(2 * time.Second)
		s.sees("USDT since 14:02:08  -952.90, 1 left out (realised -1,002.10, unrealised +49.20)\n")
	})
}

// TestWhatTheSessionLeavesOutOnANarrowScreen is on a line below if there is no room beside.
func TestWhatTheSessionLeavesOutOnANarrowScreen(t *testing.T) {
	onScreen(t, 40, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(2 * time.Second)
		s.press("B", "h")
		s.publish(updatesOf(all, changed(0, "-10000", "-40000", "1k3")))
		s.pass(10 * time.Second)
		s.sees("\n USDT since 14:02:08  -952.90\n   1 left out\n", "\n ΔPnL since 14:02:09  0.00\n   without 1 position\n")
		s.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		s.sees("-952.90, 1 left out (realised", "without 1 position whose change is not known\n")
	})
}

// TestGoldenExposureAndMatrix: tab on the page of the analysis shows the exposure, and then the matrix.
func TestGoldenExposureAndMatrix(t *testing.T) {
	for name, size := range map[string][2]int{"40x10": {40, 10}, "60x20": {60, 20}, "80x24": {80, 24}, "120x40": {120, 40}, "200x60": {200, 60}} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, size[0], size[1], watchAll, func(s *screen) {
				aMorning(s)
				s.press("x", "tab")
				s.pass(4 * time.Second)
				s.golden("exposure-" + name)
				s.fits(size[0], size[1])
				s.press("tab")
				s.golden("matrix-" + name)
				s.fits(size[0], size[1])
			})
		})
	}
}

// TestExposureAndMatrix: by market and by party, and each number of the matrix with its totals.
func TestExposureAndMatrix(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.press("x", "tab")
		s.pass(4 * time.Second)
		s.sees("─ what if · [exposure] · matrix · days ─", " by market · ≈ notional · USDT")
		s.rowHas("BTC/USDT", "+1.219", "1.281", "+80,497.5", "-1,996.34", "+78,501.2", "+334.23")
		s.rowHas("ETH/USDT", "-10.000", "10.000", "0.00", "-34,550.2", "-449.20")
		s.press("right")
		s.sees(" by party · ≈ notional · USDT")
		s.rowHas("desk-1", "+62,120.1", "-34,550.2", "+27,570", "-581.50")
		s.rowHas("total", "+201.08")
		s.press("tab")
		s.sees("─ what if · exposure · [matrix] · days ─", " uPnL · USDT")
		s.rowHas("desk-1", "-132.30", "-449.20", "-581.50")
		s.rowHas("total", "+334.23", "-132.30", "+217.50", "-449.20", "+230.85", "+201.08")
		s.press("u")
		s.sees(" size · USDT")
		s.rowHas("desk-1", "+420.00", "-10.000", "–")
		s.rowHas("total", "+1.219", "+420.00", "+2,500.0", "-10.000", "-81,000", "–") // sizes of several markets have no total
		s.press("u")
		s.sees(" ≈ notional · USDT")
		s.rowHas("desk-1", "+62,120.1", "-34,550.2", "+27,570")
		s.press("u")
		s.sees(" uPnL · USDT")
		s.press("tab")
		s.sees("─ what if · exposure · matrix · [days] ─", " PnL by day · USDT")
		s.press("left")
		s.sees("Not on this tab.")
		s.press("tab")
		s.sees("─ [what if] · exposure · matrix · days ─", " uPnL · USDT", "\n what if:  ")
		s.rowHas("desk-1", "-581.50", "+2,175.5")
		s.press("shift+tab")
		s.sees("[days]")
		s.press("esc")
		s.seesNot("[days]")
	})
}

// TestTheAnalysisOpensAtTheTabOfLastTime, with the cursor in the line of changes: what is typed is a change on each
// tab. Arrows then act on the page, and esc closes both.
func TestTheAnalysisOpensAtTheTabOfLastTime(t *testing.T) {
	var memory fakeMemory
	onScreen(t, 120, 40, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.press("x")
		s.sees("[what if]", " what if:  eth -5%")
		s.press("tab", "tab")
		s.sees("[matrix]")
		s.seesNot(" what if:  ")
		s.press("esc")
		s.seesNot("[matrix]")
		s.press("x")
		s.pass(4 * time.Second)
		s.sees("[matrix]", " what if:  eth -5%")
		s.press("down", "right")
		s.seesNot(" what if:  ")
		s.sees(" · SOL/USDT desk-1")
		s.press("x", "esc")
		s.seesNot("[matrix]")
		s.press("x")
		s.write("-5%")
		s.press("enter")
		s.sees("WHAT IF all 5 markets -5%")
		s.seesNot("[matrix]")
		s.press("x")
		s.sees("[matrix]", " what if: -5%")
	})
}

// TestTheAnalysisWithoutAMemory has all tabs; only the line of changes says why it does nothing.
func TestTheAnalysisWithoutAMemory(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.press("x")
		s.pass(4 * time.Second)
		s.sees("[what if]", " what if:  no past: rewind is off")
		s.rowHas("desk-1", "-581.50")
		s.write("-5%")
		s.press("enter")
		s.sees("No past: rewind is off.", " what if: -5%")
	})
}

// TestTheExposureHasOneTotal: a party that the service does not name is none.
func TestTheExposureHasOneTotal(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		nameless := position(model.ID{}, btcMarket, "5000", "641205", "100", "0", model.StatusUnspecified, 1)
		s.publish(whole(all, append(deskRows(), nameless)...))
		s.pass(time.Second)
		s.press("x", "tab", "right")
		s.pass(4 * time.Second)
		s.sees(" by party · ≈ notional · USDT")
		if text := s.text(); strings.Count(text, "total") != 1 {
			t.Errorf("there are several totals:\n%s", text)
		}
	})
}

// TestExposureWithoutAPositionWhoseNumberCannotBeRead: the decimals of its market are known, and its PnL is no number.
func TestExposureWithoutAPositionWhoseNumberCannotBeRead(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, append(deskRows()[2:], changed(0, "-10000", "1k3", "100210"), changed(1, "42000", "-0013230", "8841"))...))
		s.pass(time.Second)
		s.press("x", "tab")
		s.pass(4 * time.Second)
		s.sees("without 1 position of unknown decimals or numbers")
		s.rowHas("SOL/USDT", "+420.00", "+62,120.1", "-132.30")
	})
}

// TestTheMatrixOfUPnLNeedsNoDecimalsOfMarkets: only the notional is unknown without them.
func TestTheMatrixOfUPnLNeedsNoDecimalsOfMarkets(t *testing.T) {
	withoutDecimals := func(o *Options) {
		watchAll(o)
		markets := []model.Market{
			{ID: ethMarket, Name: "ETH/USDT", Asset: usdt, PriceDecimals: model.Unscaled, SizeDecimals: model.Unscaled},
			{ID: btcMarket, Name: "BTC/USDT", Asset: usdt, PriceDecimals: 1, SizeDecimals: 3},
		}
		o.Instruments = model.NewInstruments([]model.Party{{ID: desk1, Name: "desk-1"}, {ID: desk2, Name: "desk-2"}}, markets, []model.Asset{{ID: usdt, Symbol: "USDT", Decimals: 2}})
	}
	onScreen(t, 120, 40, withoutDecimals, func(s *screen) {
		s.publish(whole(all,
			position(desk1, ethMarket, "-10000", "341010", "-44920", "0", 0, 0), position(desk2, ethMarket, "2000", "341010", "100", "0", 0, 0),
			position(desk2, btcMarket, "1250", "641205", "34688", "0", 0, 0)))
		s.pass(time.Second)
		s.press("x", "tab")
		s.pass(4 * time.Second)
		s.rowHas("ETH/USDT", "-8,000r", "12,000r", "? ", "-448.20")
		s.rowHas("BTC/USDT", "+1.250", "+80,497.5", "+346.88")
		s.rowHas("total", "+80,497.5", "-101.32")
		s.sees(" ≈ notional without 2 positions of unknown decimals")
		s.press("tab")
		s.rowHas("desk-1", "-449.20", "-449.20")
		s.rowHas("desk-2", "+346.88", "+1.00", "+347.88")
		s.rowHas("total", "+346.88", "-448.20", "-101.32")
		s.seesNot("without 2 positions")
		s.press("u", "u")
		s.rowHas("desk-1", "?", "?")
		s.sees("≈ notional without 2 positions")
	})
}

// TestACellOfTwoPartiesWithOneNameFiltersOne: by the identifier.
func TestACellOfTwoPartiesWithOneNameFiltersOne(t *testing.T) {
	twins := func(o *Options) {
		watchAll(o)
		parties := []model.Party{{ID: desk1, Name: "desk"}, {ID: desk2, Name: "Desk"}, {ID: desk3, Name: "desk-3"}}
		markets := []model.Market{{ID: ethMarket, Name: "ETH/USDT", Asset: usdt, PriceDecimals: 2, SizeDecimals: 3}}
		o.Instruments = model.NewInstruments(parties, markets, []model.Asset{{ID: usdt, Symbol: "USDT", Decimals: 2}})
	}
	onScreen(t, 120, 40, twins, func(s *screen) {
		s.publish(whole(all, position(desk1, ethMarket, "1", "1", "-100", "0", 0, 0), position(desk2, ethMarket, "2", "1", "200", "0", 0, 0)))
		s.pass(time.Second)
		s.press("x")
		s.pass(4 * time.Second)
		s.press("tab", "tab", "enter")
		if s.m.store.View().Len() != 1 {
			t.Errorf("%d positions are shown for the cell of one", s.m.store.View().Len())
		}
	})
}

// TestTheCellsOfTheMatrix: arrows and clicks choose a cell, and enter filters the positions by it.
func TestTheCellsOfTheMatrix(t *testing.T) {
	onScreen(t, 60, 14, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.press("x", "tab")
		s.pass(4 * time.Second)
		s.press("u")
		s.sees("Only in the matrix.")
		s.press("tab")
		s.sees("─ matrix · uPnL · USDT · BTC/USDT desk-1")
		for _, to := range [][]string{
			{"right", " · SOL/USDT desk-1"}, {"down", " · SOL/USDT desk-2"}, {"left", " · BTC/USDT desk-2"},
			{"up", " · BTC/USDT desk-1"}, {"up", " · BTC/USDT desk-1"}, {"end", " · total of BTC/USDT"}, {"home", " · BTC/USDT desk-1"},
		} {
			s.press(to[0])
			s.sees("─ matrix · uPnL · USDT" + to[1])
		}
		s.sees("PARTY      BTC/USDT", "markets 1–4 of 5")
		for range 4 {
			s.press("right")
		}
		s.sees(" · DOGE/USDT desk-1", "markets 2–5 of 5", "PARTY")
		s.press("right")
		s.sees(" · total of desk-1")
		s.press("enter")
		s.sees("party:=desk-1")
		if got := s.markets(); !slices.Equal(got, []string{"ETH", "SOL"}) {
			t.Errorf("the rows are of %q", got)
		}
		s.press("esc", "x", "down")
		s.pass(4 * time.Second)
		s.click("-449.20")
		s.sees(" · ETH/USDT desk-1")
		s.click("markets 1–4 of 5") // the words below it are no row of it
		s.sees(" · ETH/USDT desk-1")
		s.press("enter")
		s.sees("[party:=desk-…t:=ETH/USDT]")
		if got := s.markets(); !slices.Equal(got, []string{"ETH"}) {
			t.Errorf("the rows are of %q", got)
		}
		s.press("esc")
		s.seesNot("party:=")
		s.press("x", "down")
		s.press("end", "right", "right", "right", "right", "right", "enter")
		s.sees("This cell is the total of all positions.")
	})
}

// TestWhyThePnLOfTheSessionChanged: the parts of all positions are added. The mark price of SOL falls by 0.002 while
// 420 are held.
func TestWhyThePnLOfTheSessionChanged(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("B")
		s.publish(updatesOf(all, changed(0, "-10000", "-40000", "100210")))
		s.press("h")
		s.pass(4 * time.Second)
		s.sees("ΔPnL since 14:02:07  +49.20 = ≈ price +49.20\n")
		s.publish(updatesOf(all, changed(1, "41000", "-13000", "8941")))
		s.pass(10 * time.Second)
		s.sees("ΔPnL since 14:02:07  +52.50 = ≈ price +48.33, ≈ trading +4.17\n")
		s.publish(updatesOf(all, changed(1, "0", "0", "-3000")))
		s.pass(10 * time.Second)
		s.sees("ΔPnL since 14:02:07  +63.09 = ≈ price +48.33, ≈ trading +4.17, unexplained +10.59 of 1 position\n")
		s.publish(updatesOf(all, changed(1, "0", "0", "1k3")))
		s.pass(10 * time.Second)
		s.sees("ΔPnL since 14:02:07  +49.20 = ≈ price +49.20, without 1 position whose change is not known\n")
		s.publish(updatesOf(all, changed(0, "-10000", "-44920", "100210")))
		s.pass(10 * time.Second)
		s.sees("ΔPnL since 14:02:07  0.00 = ≈ price 0.00, without 1 position whose change is not known\n")
	})
}

// TestTheMatrixSaysHowOldItsTotalsAre, if reading all positions takes long.
func TestTheMatrixSaysHowOldItsTotalsAre(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.press("x", "tab", "tab")
		s.seesNot("the totals are of")
		s.send(store.Surveyed{Survey: analysis.SurveyOf(s.m.store.View(), nil, time.Now().Add(-20*time.Second)), Of: s.m.store.View()})
		s.publish(updatesOf(all, changed(0, "-10000", "-10000", "100210")))
		s.pass(time.Second)
		s.rowHas("desk-1", "-100.00", "-581.50")
		s.sees("the totals are of 21s ago, the cells of now")
	})
}

// TestTheMatrixStandsStill: its rows and columns keep their order while it is read, and new ones come after them.
func TestTheMatrixStandsStill(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.press("x", "tab", "tab")
		s.pass(4 * time.Second)
		before := slices.Collect(strings.FieldsSeq(s.lines()[3]))
		s.publish(updatesOf(all, changed(0, "-900000", "-44920", "100210")))
		s.pass(10 * time.Second)
		s.rowHas("desk-1", "-132.30", "-449.20", "-581.50")
		if after := slices.Collect(strings.FieldsSeq(s.lines()[3])); !slices.Equal(after, before) {
			t.Errorf("the columns are %q, and were %q", after, before)
		}
		s.press("esc", "x", "down")
		s.pass(4 * time.Second)
		if after := slices.Collect(strings.FieldsSeq(s.lines()[3])); after[1] != "ETH/USDT" {
			t.Errorf("the columns are %q", after)
		}
	})
}
