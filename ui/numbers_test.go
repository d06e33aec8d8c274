package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// ofManyDecimals has an asset of 18 decimals and a market with prices of 18 decimals.
func ofManyDecimals(o *Options) {
	watchAll(o)
	dai := model.MakeID("da1")
	o.Instruments = model.NewInstruments([]model.Party{{ID: desk1, Name: "desk-1"}},
		[]model.Market{
			{ID: ethMarket, Name: "ETH/DAI", Asset: dai, PriceDecimals: 18, SizeDecimals: 18},
			{ID: solMarket, Name: "PEPE/DAI", Asset: dai, PriceDecimals: 18, SizeDecimals: 0},
		},
		[]model.Asset{{ID: dai, Symbol: "DAI", Decimals: 18}})
}

const ether = "000000000000000000" // 18 decimals

// manyDecimals shows positions with amounts of 18 decimals.
func manyDecimals(s *screen) {
	s.source.respond = func(context.Context, model.PageRequest) (*model.Page, error) {
		r := record(desk1, ethMarket, 4, 0, 0, 0, 0)
		r.Asset = model.MakeID("da1")
		r.Maintenance, r.Search = model.ParseAmount("1200000000000000000001"), model.ParseAmount("1320"+ether)
		r.Initial, r.Release = model.ParseAmount("1440"+ether), model.ParseAmount("1680"+ether)
		return &model.Page{Rows: []model.MarginLevels{r}, ReadAt: time.Now()}, nil
	}
	s.publish(whole(all,
		position(desk1, ethMarket, "-10"+ether, "3410100000000000000000", "-449204999999999999999", "1002100000000000000000", 0, 2),
		position(desk1, solMarket, "42000", "7123400000000", "-1", "0", 0, 1)))
	s.press("r") // reads the margin levels of these, which are not those of the desk
	s.pass(6 * time.Second)
}

// TestGoldenTablesShowAFewDecimals: the heading has a mark if there are more, and the detail has them. What is rounded
// to zero keeps its sign.
func TestGoldenTablesShowAFewDecimals(t *testing.T) {
	onScreen(t, 80, 24, ofManyDecimals, func(s *screen) {
		manyDecimals(s)
		s.golden("many-decimals")
		s.sees("uPnL ▲", " -449.20 ", " -10.00 ", " 3,410.10 ", " -0.00 ", " 0.0000071234 ", "maintenance 1,200.00 ", " DAI ", "  -449.21  ")
		s.press("enter")
		s.sees("-449.204999999999999999", "-10.000000000000000000")
		s.press("pgdown")
		s.sees("maintenance        1,200.000000000000000001")
	})
}

func TestDisplayDecimalsOfAnAsset(t *testing.T) {
	options := func(o *Options) {
		ofManyDecimals(o)
		o.DisplayDecimals = func(model.ID) int { return 4 }
	}
	onScreen(t, 80, 24, options, func(s *screen) {
		manyDecimals(s)
		s.sees("uPnL ▲", " -449.2050 ", " -0.0000", "  -449.2050 ")
	})
}

// TestTheDetailOfRawNumbers has them as the service sent them at its end.
func TestTheDetailOfRawNumbers(t *testing.T) {
	onScreen(t, 80, 24, withoutConfiguration, func(s *screen) {
		rows := deskRows()
		rows[0].SetNumber(model.AverageEntryPrice, model.ParseAmount("0341010"))
		s.publish(whole(all, rows...))
		s.press("enter")
		s.sees("size               -10,000 raw", "341,010 raw")
		s.seesNot("0341010")
		s.press("end")
		s.sees("─ as it was sent", "openVolume         -10000", "averageEntryPrice  0341010")
	})
}

// TestSortingOfRawNumbersIsExplained if numbers of several units are not compared.
func TestSortingOfRawNumbersIsExplained(t *testing.T) {
	withoutAssets := func(o *Options) {
		watchAll(o)
		o.Instruments = model.NewInstruments([]model.Party{{ID: desk1, Name: "desk-1"}}, nil, nil)
	}
	onScreen(t, 80, 24, withoutAssets, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.sees("uPnL is sorted per asset.") // at the start
		s.pass(5 * time.Second)
		s.publish(whole(all, deskRows()...))
		s.seesNot("is sorted per") // once
	})
	for _, c := range []struct {
		change  func(*Options)
		key     string
		words   string
		isThere bool
	}{
		{withoutConfiguration, "z", "Size in unknown markets is sorted per market.", true},
		{withoutConfiguration, "r", "rPnL is sorted per asset.", true},
		{withoutConfiguration, "a", "is sorted per", false},
		{watchAll, "r", "is sorted per", false},
	} {
		onScreen(t, 80, 24, c.change, func(s *screen) {
			s.publish(whole(all, deskRows()...))
			s.press("s", c.key)
			if strings.Contains(s.text(), c.words) != c.isThere {
				t.Errorf("after %s the screen is\n%s", c.key, s.text())
			}
		})
	}
}

// TestNumbersWithoutAHeadingAreMarked: those on the second line of a row.
func TestNumbersWithoutAHeadingAreMarked(t *testing.T) {
	onScreen(t, 45, 20, withoutConfiguration, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.sees("uPnL raw", "-10,000r @ 341,010r")
	})
	onScreen(t, 45, 20, ofManyDecimals, func(s *screen) {
		s.publish(whole(all, position(desk1, ethMarket, "123456789123456789", "3410"+ether, "1", "1", 0, 0)))
		s.sees("+0.12345679 @ 3,410.00")
	})
}

// alike returns an identifier that differs from others of these ends only inside.
func alike(inner string) model.ID {
	return model.MakeID("a3f9" + inner + strings.Repeat("0", 56-2*len(inner)) + inner + "81c2")
}

// withoutConfiguration shows a screen without names and decimals.
func withoutConfiguration(o *Options) {
	watchAll(o)
	o.Instruments = nil
}

func TestGoldenWithoutAConfiguration(t *testing.T) {
	for name, size := range map[string][2]int{"unconfigured-80x24": {80, 24}, "unconfigured-120x40": {120, 40}} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, size[0], size[1], withoutConfiguration, func(s *screen) {
				rows := deskRows()
				rows[0].SetNumber(model.UnrealisedPnl, model.ParseAmount("-123456789012"))
				rows[1].Party = alike("b1")
				rows[4].Party = alike("c2")
				s.publish(whole(all, rows...))
				s.golden(name)
			})
		})
	}
}

// TestRawIsMarkedInEachCellWhereOthersAreScaled: only a column that is raw as a whole is marked in its heading.
func TestRawIsMarkedInEachCellWhereOthersAreScaled(t *testing.T) {
	some := func(o *Options) {
		watchAll(o)
		o.Instruments = model.NewInstruments(nil, []model.Market{
			{ID: ethMarket, Name: "ETH/USDT", SizeDecimals: 3, PriceDecimals: model.Unscaled},
			{ID: solMarket, Name: "SOL/USDT", SizeDecimals: model.Unscaled, PriceDecimals: model.Unscaled},
		}, nil)
	}
	onScreen(t, 120, 24, some, func(s *screen) {
		s.publish(whole(all, deskRows()[:2]...))
		s.sees("-10.000 ", "+42,000r", "ENTRY raw", " 341,010 ", "uPnL raw ▲", " -44,920 ")
		s.seesNot("SIZE raw", "341,010r", "-44,920r")
	})
}

// TestATimeThatCannotBeRightIsNamed: the clock of the service decides, if it sends its time.
func TestATimeThatCannotBeRightIsNamed(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		row := deskRows()[0]
		row.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().Add(3*time.Hour).UnixNano()))
		s.publish(whole(all, row))
		if line := s.table()[1]; !strings.HasSuffix(strings.TrimRight(line, " "), " –") {
			t.Errorf("the row is %q", line)
		}
		s.press("enter")
		s.sees("3h ahead of the service's clock")
		s.press("esc")
		link := liveLink(all)
		link.ClockOffset = 3*time.Hour + 9*time.Second // this machine's clock is wrong
		s.publish(book.Delta{Links: []model.Link{link}})
		if line := s.table()[1]; !strings.HasSuffix(strings.TrimRight(line, " "), " 9s") {
			t.Errorf("the row is %q", line)
		}
	})
}
