package ui

import (
	"strings"
	"testing"
	"time"

	"blotter/model"
)

// withPoints returns positions whose numbers are written with decimal points, instead of as integers in the decimals of
// the instruments. A whole number gets a zero after the point.
func withPoints(in *model.Instruments, rows []model.Position) []model.Position {
	for i := range rows {
		for f := range model.FieldCount {
			if f.IsTime() {
				continue
			}
			text := strings.ReplaceAll(rows[i].Number(f).Scaled(in.Decimals(f, rows[i].Market), false), ",", "")
			if !strings.Contains(text, ".") {
				text += ".0"
			}
			rows[i].SetNumber(f, model.ParseAmount(text))
		}
	}
	return rows
}

// TestNumbersWithPointsLookAsIntegersDo: the same values in either form have the same order, totals, ratios, filters,
// groups and estimates. A number with a point has its own places.
func TestNumbersWithPointsLookAsIntegersDo(t *testing.T) {
	shown := func(written func(*model.Instruments, []model.Position) []model.Position) (screens []string) {
		onScreen(t, 120, 40, watchAll, func(s *screen) {
			s.publish(whole(all, written(s.m.store.Instruments(), deskRows())...))
			s.pass(2 * time.Second)
			note := func() { screens = append(screens, strings.ReplaceAll(s.text(), ".0 ", " ")) }
			note()
			for _, typed := range []string{"upnl<0", "upnl>=-132.30 upnl<230.85", "size>1", "m%<0", "entry>148.2 size!=0"} {
				s.filter(typed)
				note()
			}
			s.filter("")
			s.press("T")
			note()
			s.press("s", "u")
			note()
			s.press("b")
			note()
		})
		return screens
	}
	integers := shown(func(_ *model.Instruments, rows []model.Position) []model.Position { return rows })
	decimals := shown(withPoints)
	clean := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	for i := range integers {
		if clean(integers[i]) != clean(decimals[i]) {
			t.Errorf("with integers, screen %d is\n%s\nand with points\n%s", i, integers[i], decimals[i])
		}
	}
}

// TestNumbersAsTheyWereSent, without known decimals: they need none.
func TestNumbersAsTheyWereSent(t *testing.T) {
	bare := func(o *Options) {
		watchAll(o)
		o.Instruments = model.NewInstruments(nil, []model.Market{
			{ID: ethMarket, Name: "ETH/USDT", PriceDecimals: model.Unscaled, SizeDecimals: model.Unscaled},
			{ID: linkMarket, Name: "LINK/USDT", PriceDecimals: model.Unscaled, SizeDecimals: model.Unscaled},
		}, nil)
	}
	onScreen(t, 160, 40, bare, func(s *screen) {
		rows := deskRows()[:4]
		for i, numbers := range [][3]string{{"-12.5", "5760209.9800000004", "-0.75"}, {"1e+21", "0.000012300", "-2.50"}, {"-0.000", "0", "0"}, {".5", "3.25", "NaN"}} {
			for j, f := range []model.Field{model.OpenVolume, model.AverageEntryPrice, model.UnrealisedPnl} {
				rows[i].SetNumber(f, model.ParseAmount(numbers[j]))
			}
		}
		s.publish(whole(all, rows...))
		s.pass(2 * time.Second)
		s.sees("-12.5 ", "5,760,209.9800000004", "-0.75", "+1,000,000,000,000,000,000,000", "0.0000123", "+0.5", "3.25", "NaN", "3 open")
		s.sees("LINK/USDT 3cd3…d3d3: unrealisedPnl is not a number: NaN. It is shown as sent, in no total, and meets no comparison.")
		s.pass(20 * time.Second)
		rows[3].SetNumber(model.UnrealisedPnl, model.ParseAmount("Infinity"))
		s.publish(updatesOf(all, rows[3]))
		s.pass(2 * time.Second)
		s.sees("Infinity")
		s.seesNot("is not a number")
		for typed, want := range map[string]string{"upnl<-1": "-2.50", "upnl>-1": "-0.75", "size<0": "-12.5 ", "size>1000000": "+1,000,000,000,000,000,000,000"} {
			s.filter(typed)
			s.sees(want, "1 of 4")
		}
		s.filter("upnl>=0|upnl<0 link")
		s.sees("No position matches")
	})
}

// TestEachFieldThatIsNoNumberIsSaid once, with its market and party, until it is a number again; ten together in one
// line.
func TestEachFieldThatIsNoNumberIsSaid(t *testing.T) {
	onScreen(t, 160, 40, watchAll, func(s *screen) {
		rows := deskRows()
		s.publish(whole(all, rows...))
		s.pass(2 * time.Second)
		odd := func(i int, f model.Field, text string) {
			rows[i].SetNumber(f, model.ParseAmount(text))
			s.publish(updatesOf(all, rows[i]))
			s.pass(2 * time.Second)
		}
		const first, second = "ETH/USDT desk-1: unrealisedPnl is not a number: NaN.", "SOL/USDT desk-1: unrealisedPnl is not a number: true."
		odd(0, model.UnrealisedPnl, "NaN")
		s.sees(first)
		s.pass(20 * time.Second)
		odd(1, model.UnrealisedPnl, "true") // the same field of another position
		s.sees(second)
		s.pass(20 * time.Second)
		odd(0, model.UnrealisedPnl, "Infinity")
		s.seesNot("is not a number")
		odd(0, model.UnrealisedPnl, "5")
		odd(0, model.UnrealisedPnl, "NaN")
		s.sees(first)
		s.pass(20 * time.Second)
		for i := range rows {
			rows[i].SetNumber(model.RealisedPnl, model.ParseAmount("{}"))
		}
		s.publish(updatesOf(all, rows...))
		s.pass(2 * time.Second)
		s.sees("10 values are not numbers, such as that of ", "realisedPnl is not a number: {}. Each is shown as sent")
	})
}
