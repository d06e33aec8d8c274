package ui

import (
	"testing"
	"time"

	"blotter/model"
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
		s.pass(every)
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
