package ui

import (
	"context"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
)

// traded is SOL/USDT of desk-1 with other numbers, as they are sent: a size of 100 is 1.00, an entry price of 1000 is
// 1.000, and a PnL of 100 is 1.00.
func traded(size, entry, unrealised, realised string) model.Position {
	p := changed(1, size, unrealised, realised)
	p.SetNumber(model.AverageEntryPrice, model.ParseAmount(entry))
	return p
}

// solTrades has SOL/USDT of desk-1 change, each time some time after the last. It had +420.00 @ 148.220, an uPnL of
// -132.30 and an rPnL of +88.41.
func (s *screen) solTrades(every time.Duration, states ...model.Position) {
	for _, p := range states {
		s.passLive(every)
		p.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().UnixNano()))
		delta := updatesOf(all, p)
		delta.Updates[0].NotAfter = time.Now().UnixNano()
		s.publish(delta)
	}
}

// TestTradesOfTheSelectedPosition: what was traded in each update, the latest first, at a price that follows from the
// entry price or the realised PnL. A price that is not known is left out.
func TestTradesOfTheSelectedPosition(t *testing.T) {
	for name, c := range map[string]struct {
		states []model.Position
		want   []string
	}{
		"grown":         {[]model.Position{traded("52000", "148400", "-25740", "8841")}, []string{"net trades         14:02:27 +100.00 @ ≈ 149.16"}},
		"reduced":       {[]model.Position{traded("32000", "148220", "-10080", "5681")}, []string{"net trades         14:02:27 -100.00 @ ≈ 147.904"}},
		"closed":        {[]model.Position{traded("0", "0", "0", "-4389")}, []string{"net trades         14:02:27 -420.00 @ ≈ 147.905"}},
		"closed out":    {[]model.Position{closedOut(traded("0", "0", "0", "-4389"))}, []string{"14:02:27 -420.00\n"}},
		"both":          {[]model.Position{traded("32000", "148220", "-10080", "5681"), traded("52000", "148400", "-25740", "5681")}, []string{"14:02:47 +200.00 @ ≈ 148.688; 14:02:27 -100.00 @ ≈ 147.904"}},
		"a part of it":  {[]model.Position{traded("52000", "148400", "-25740", "9941")}, []string{"14:02:27 +100.00\n"}},
		"funding":       {[]model.Position{traded("42000", "148220", "-13230", "341")}, nil},
		"after funding": {[]model.Position{traded("42000", "148220", "-13230", "341"), traded("32000", "148220", "-10080", "-2819")}, []string{"14:02:47 -100.00\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			deskScreen(t, func(s *screen) {
				s.press("down", "enter")
				s.sees("SOL/USDT · desk-1")
				s.seesNot("net trades")
				s.solTrades(20*time.Second, c.states...)
				s.sees(c.want...)
				if c.want == nil {
					s.seesNot("net trades")
				}
				s.press("K")
				s.seesNot("net trades")
			})
		})
	}
}

func closedOut(p model.Position) model.Position {
	p.SetStatus([]byte("POSITION_STATUS_CLOSED_OUT"))
	return p
}

// TestManyTrades: the latest are written, of a position that many others have traded beside.
func TestManyTrades(t *testing.T) {
	deskScreen(t, func(s *screen) {
		var others []model.Position
		for i := range int64(6000) {
			p := deskRows()[0]
			p.SetNumber(model.OpenVolume, model.AmountOf(-1-i%2))
			others = append(others, p)
		}
		for i := range int64(9) {
			s.solTrades(time.Second, traded(model.AmountOf(42100+100*i).String(), "148220", "0", "8841"))
		}
		s.publish(updatesOf(all, others...))
		s.press("c", "T")
		for range 5 {
			s.press("down")
			if _, on := s.m.positions.Rows.Cursor(); on && s.m.positions.Selected().Market == solMarket {
				break
			}
		}
		s.press("enter")
		s.pass(time.Second)
		s.sees("net trades         14:02:16 +1.00; 14:02:15 +1.00;", "14:02:11 +1.00; and 3 earlier ones")
	})
}

// passLive waits for a time in which the stream sends something each second.
func (s *screen) passLive(d time.Duration) {
	for ; d > 0; d -= time.Second {
		s.pass(time.Second)
		s.publish(book.Delta{Links: []model.Link{liveLink(all)}})
	}
}

// whyThen has SOL/USDT of desk-1 trade for some minutes.
func (s *screen) whyThen(keys ...string) {
	s.source.respond = func(_ context.Context, request model.PageRequest) (*model.Page, error) {
		time.Sleep(7 * time.Millisecond) // so that no page comes at the same moment as a tick
		return deskPage(request), nil
	}
	s.publish(whole(all, deskRows()...))
	s.pass(time.Second)
	s.press(keys...)
	s.passLive(90 * time.Second)
	s.solTrades(30*time.Second,
		traded("42000", "148220", "-21000", "8841"), traded("52000", "148160", "-20800", "8841"), traded("52000", "148160", "-10400", "8841"),
		traded("46000", "148160", "-4600", "7641"), traded("46000", "148160", "2300", "7641"), traded("46000", "148160", "-9200", "7641"))
	s.passLive(2 * time.Minute)
	s.solTrades(15*time.Second, traded("36000", "148160", "-14400", "4441"))
	s.passLive(5 * time.Second)
}

func TestGoldenWhy(t *testing.T) {
	for name, size := range map[string]tea.WindowSizeMsg{
		"why-40x10": {Width: 40, Height: 10}, "why-80x24": {Width: 80, Height: 24}, "why-120x40": {Width: 120, Height: 40}, "why-200x60": {Width: 200, Height: 60},
	} {
		t.Run(name, func(t *testing.T) {
			onScreen(t, size.Width, size.Height, watchAll, func(s *screen) {
				s.whyThen("down")
				if size.Width < 200 {
					s.press("enter")
				}
				s.golden(name)
			})
		})
	}
}

// TestTheDetailBeginsWithWhatMatters: on a small screen, before the trader scrolls, it has the side, why the PnL has
// changed, the ratio with its gauge and the distances, and the trades.
func TestTheDetailBeginsWithWhatMatters(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("down", "enter")
		s.sees("lines 1–19", "size               +420.00   long", "uPnL ÷ maintenance -4.3%", "≈ price to limits ", "-100% ───", " +100%")
		s.passLive(100 * time.Second)
		s.solTrades(10*time.Second, traded("52000", "148400", "-25740", "8841"))
		s.sees("lines 1–19", "+520.00   long", "PnL in 1m ", "uPnL ÷ maintenance ≈", "≈ price to limits ", "net trades         14:0", "▲ bought ▼ sold ")
	})
}

// TestWhyInRetrospect: without a baseline, of a position that was not selected until then: by how much the PnL has
// changed, by price, trading and other things.
func TestWhyInRetrospect(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.passLive(100 * time.Second)
		s.solTrades(10*time.Second, traded("52000", "148400", "-25740", "8841"), traded("52000", "148400", "-20540", "341"))
		s.passLive(10 * time.Second)
		s.press("down", "enter")
		s.sees("SOL/USDT · desk-1", "PnL in 1m          -158.10 = ≈ price +52, ≈ trading -125, other -85.00\n", "PnL in 2m9s        -158.10 = ", "14:02:")
		s.seesNot("PnL in 5m", "PnL in 1h")
		s.passLive(4 * time.Minute)
		s.sees("PnL in 1m          0.00\n", "PnL in 5m          -158.10 = ≈ price +52, ≈ trading -125, other -85.00\n", "PnL line, 6m")
		s.press("x")
		s.write("sol -5%")
		s.press("enter")
		s.seesNot("PnL in ")
	})
}

// TestWhyOfAnotherTimeOfARecording: what was shown before a jump is not of the time after it.
func TestWhyOfAnotherTimeOfARecording(t *testing.T) {
	var memory fakeMemory
	onScreen(t, 80, 24, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.passLive(70 * time.Second)
		s.press("enter")
		s.sees("PnL in 1m")
		s.press("w")
		s.sees("REWIND")
		s.press("enter")
		s.seesNot("PnL in ")
	})
}

// TestAThousandInTroubleDropNoSelectedRow: its line goes on.
func TestAThousandInTroubleDropNoSelectedRow(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("down", "enter")
		s.passLive(70 * time.Second)
		s.sees("SOL/USDT · desk-1", "PnL in 1m")
		var troubled []model.Position
		for i := range int64(1000) {
			p := worse("-100")
			p.Party = model.MakeID("d" + model.AmountOf(i).String())
			troubled = append(troubled, p)
		}
		s.publish(updatesOf(all, troubled...))
		s.pass(time.Second)
		s.publish(updatesOf(all, troubled...))
		s.sees("SOL/USDT · desk-1", "PnL in 1m")
	})
}

// recorded are states of SOL/USDT of desk-1, each some time before now.
func recorded(ago map[time.Duration]model.Position) (all []model.Position) {
	for _, before := range slices.Backward(slices.Sorted(maps.Keys(ago))) {
		p := ago[before]
		p.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().Add(-before).UnixNano()))
		all = append(all, p)
	}
	return all
}

// TestWhyFromTheMemoryOfRewind: a key reads what the memory has of the position, and it is kept.
func TestWhyFromTheMemoryOfRewind(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.memory.until = time.Now()
		s.memory.followsFor = 3 * time.Second
		s.memory.followed = recorded(map[time.Duration]model.Position{
			50 * time.Minute: traded("42000", "148220", "-21000", "8841"), 40 * time.Minute: traded("52000", "148160", "-20800", "8841"),
			4 * time.Minute: traded("42000", "148160", "-16800", "5641"), 3 * time.Minute: traded("42000", "148160", "-12600", "5641"),
		})
		s.passLive(10 * time.Second)
		s.press("down", "enter")
		s.sees("SOL/USDT · desk-1", "PnL in 9s", "o older")
		s.seesNot("PnL in 1m")
		s.press("o")
		s.sees("PnL before         reading what is recorded")
		s.pass(3 * time.Second)
		s.sees("PnL in 1m          ", "PnL in 5m          ", "PnL in 50m13s      ", "unexplained", "PnL line, 50m", "▲ bought ▼ sold",
			"13:58:07 -100.00 @ ≈ 147.840; 13:22:07 +100.00 @ ≈ 147.91")
		s.seesNot("PnL before")
		s.press("K", "J")
		s.sees("SOL/USDT · desk-1", "PnL in 50m", "13:22:07 +100.00")
		s.solTrades(2*time.Second, traded("32000", "148220", "-10080", "5681"))
		s.sees("14:02:22 -100.00 @ ≈ 147.904; 13:58:07 -100.00 @ ≈ 147.840;", "13:22:07 +100.00 @ ≈ 147.91\n")
	})
}

// TestReadingOlderStops: with its key, with another position, or if it fails; and it says if there is nothing.
func TestReadingOlderStops(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.memory.until = time.Now()
		s.memory.followsFor = time.Minute
		s.memory.followed = recorded(map[time.Duration]model.Position{50 * time.Minute: traded("42000", "148220", "-21000", "8841")})
		s.passLive(2 * time.Second)
		s.press("down", "enter", "o")
		s.sees("reading what is recorded")
		s.press("o")
		s.sees("Stopped.")
		s.seesNot("reading what is recorded")
		s.press("o", "J", "o", "K")
		s.seesNot("reading what is recorded")
		s.passLive(2 * time.Minute)
		s.seesNot("PnL in 50m")
		s.memory.followsFor = 0
		s.press("J", "o")
		s.sees("Nothing older is recorded of BTC/USDT network.")
		s.memory.problem = errors.New("the file is gone")
		s.press("K", "o")
		s.sees("The past of SOL/USDT desk-1 cannot be read: the file is gone.")
		s.memory.problem = nil
		s.press("o")
		s.sees("PnL in 52m")
		s.passLive(9 * time.Minute)
		s.press("o")
		s.sees("The last hour is known.")
	})
}

// TestOlderInThePast: the past is read up to the time that is shown.
func TestOlderInThePast(t *testing.T) {
	var memory fakeMemory
	onScreen(t, 80, 24, keepingPast(&memory), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		p := deskRows()[0]
		for _, ago := range []time.Duration{32 * time.Minute, 20 * time.Minute, 4 * time.Minute, 2 * time.Minute} {
			p.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().Add(-ago).UnixNano()))
			p.SetNumber(model.UnrealisedPnl, model.AmountOf(-int64(ago/time.Second)))
			memory.followed = append(memory.followed, p)
		}
		s.press("w", "enter")
		s.sees("REWIND 14:00:00", "ETH/USDT · desk-1")
		s.seesNot("PnL in ")
		s.press("o")
		s.sees("PnL in 5m          -437.20 = ≈ price -437.20", "PnL in 29m53s      -430.00 = ≈ price -430.00, since 13:30:07")
	})
}

// TestNoOlderWithoutAMemory: the key says why.
func TestNoOlderWithoutAMemory(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		deskThen("enter", "o")(s)
		s.sees("No past: rewind is off.")
	})
}
