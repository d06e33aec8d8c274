package analysis

import (
	"math/big"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
	"blotter/model/view"
)

// TestGrid compares the grid of random positions with one that is worked out for each position and change by itself.
func TestGrid(t *testing.T) {
	for _, digits := range []int{3, 9, 17, 30} {
		s := modeltest.NewSample(uint64(digits), 12, 12)
		rows, page := book.NewRows(), &model.Page{}
		for _, key := range s.Pairs(144) {
			p := s.State(key, digits)
			if value := p.Number(model.UnrealisedPnl); digits == 30 && s.IntN(2) == 0 {
				p.SetNumber(model.AverageEntryPrice, value)
			}
			rows.Put(&p)
			if s.IntN(4) > 0 {
				_, notional, _ := model.MarkAndNotional(&p, s.Instruments)
				maintenance, _ := notional.Int() // of the order of 5% of the notional, so that some limits are reached
				maintenance.Abs(maintenance).Quo(maintenance, big.NewInt(10+s.Int64N(20)))
				levels := model.MarginLevels{MarginKey: model.MarginKey{Key: key, Asset: s.Instruments.Market(key.Market).Asset}, Maintenance: model.AmountOfInt(maintenance)}
				page.Rows = append(page.Rows, levels)
				p.SetNumber(model.UnrealisedPnl, model.AmountOfInt(maintenance.Quo(maintenance, big.NewInt(s.Int64N(5)-7)))) // a loss
				rows.Put(&p)
			}
		}
		b := book.New(0).Replaced(book.Snapshot{Rows: rows})
		b.MergeMargins(page)
		v := view.New(b, model.Scope{}, view.Filter{}, view.Order{}, s.Instruments)
		var counted int
		for _, a := range SurveyOf(v, nil, surveyedFrom).Assets {
			want := plainGrid(v, a.Asset)
			if a.Grid != want {
				t.Errorf("%d digits: the grid is %+v, want %+v", digits, a.Grid, want)
			}
			counted += a.Grid.Beyond[model.HalfLost][0] + a.Grid.Beyond[model.AllLost][ShiftCount-1]
			for i := range a.Parties {
				checkShifted(t, &a.Parties[i])
			}
		}
		if counted == 0 {
			t.Errorf("%d digits: no position is beyond a limit", digits)
		}
	}
}

// plainGrid is the grid of an asset.
func plainGrid(v *view.View, asset model.ID) (g Grid) {
	for p := range v.InScope {
		ratio, hasRatio := v.Margins().Ratio(&p)
		_, notional, hasNotional := model.MarkAndNotional(&p, v.Instruments())
		if v.Instruments().Market(p.Market).Asset != asset || !hasRatio || !hasNotional {
			continue
		}
		g.Rated++
		value, profit, maintenance := ratOf(notional.Amount), ratOf(ratio.Profit), ratOf(ratio.Maintenance)
		for i, percent := range []int64{-10, -5, -2, 0, 2, 5, 10} {
			moved := new(big.Rat).Mul(value, big.NewRat(percent, 100))
			moved.Add(moved, profit).Quo(moved, maintenance)
			for limit, least := range []*big.Rat{big.NewRat(-1, 2), big.NewRat(-1, 1)} {
				if moved.Cmp(least) <= 0 {
					g.Beyond[limit][i]++
				}
			}
		}
	}
	return g
}

func ratOf(a model.Amount) *big.Rat { return new(big.Rat).SetInt(modeltest.BigOf(a.String())) }

// checkShifted checks that uPnL changes by the net notional × the change.
func checkShifted(t *testing.T, e *Exposure) {
	t.Helper()
	for _, percent := range Shifts() {
		want := new(big.Rat).Mul(ratOf(e.Net.Amount), big.NewRat(percent, 100))
		want.Add(want, ratOf(e.Profit))
		off := new(big.Rat).Sub(ratOf(e.At(percent, model.Unscaled).Amount), want)
		if off.Abs(off).Cmp(big.NewRat(1, 2)) > 0 {
			t.Errorf("at %d%%, the uPnL of %s is %s, not %s", percent, e.ID, e.At(percent, model.Unscaled), want.FloatString(2))
		}
	}
}

// TestGridOfDecimals: the same position counts alike, with integers and with decimals. Its notional is 80,497.51, so at
// -5% it has 346.88 - 4,024.8755 = -3,677.9955: that is beyond half of 7,355.99, but not of 7,356.
func TestGridOfDecimals(t *testing.T) {
	in := shiftedInstruments()
	key := model.Key{Party: model.MakeID("a1"), Market: model.MakeID("b1")}
	for maintenance, want := range map[[2]string]int{{"735599", "7355.99"}: 1, {"735600", "7356.0"}: 0} {
		for form, numbers := range [][3]string{{"1250", "641205", "34688"}, {"1.250", "64120.5", "346.88"}} {
			p, rows := model.Position{Key: key}, book.NewRows()
			for i, field := range []model.Field{model.OpenVolume, model.AverageEntryPrice, model.UnrealisedPnl} {
				p.ReadNumber(field, []byte(numbers[i]))
			}
			rows.Put(&p)
			b := book.New(0).Replaced(book.Snapshot{Rows: rows})
			levels := model.MarginLevels{MarginKey: model.MarginKey{Key: key, Asset: model.MakeID("c1")}, Maintenance: model.ParseAmount(maintenance[form])}
			b.MergeMargins(&model.Page{Rows: []model.MarginLevels{levels}})
			a := SurveyOf(view.New(b, model.Scope{}, view.Filter{}, view.Order{}, in), nil, surveyedFrom).Assets[0]
			if got := a.Grid.Beyond[model.HalfLost]; got[0] != 1 || got[1] != want || got[2] != 0 {
				t.Errorf("%v, %v: %v", numbers, maintenance[form], a.Grid)
			}
			if at, _ := a.Total.At(-5, 2).Rounded(2, 2, true); at != "-3,678.00" {
				t.Errorf("%v: at -5%%, uPnL is %s", numbers, at)
			}
		}
	}
}
