package model

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"
)

// plainExposure sums up the notional of rows without the code under test, in units of 10^-decimals of the asset: net and
// gross.
func plainExposure(in *Instruments, rows []Position) (net, gross *big.Int) {
	netSum, grossSum := new(big.Rat), new(big.Rat)
	asset := 0
	for _, p := range rows {
		market := in.Market(p.Market)
		asset = in.Asset(market.Asset).Decimals
		size, _ := p.Number(OpenVolume).Int()
		entry, _ := p.Number(AverageEntryPrice).Int()
		profit, _ := p.Number(UnrealisedPnl).Int()
		value := new(big.Rat).SetFrac(size.Mul(size, entry), powerOfTen(market.SizeDecimals+market.PriceDecimals))
		value.Add(value, new(big.Rat).SetFrac(profit, powerOfTen(asset)))
		netSum.Add(netSum, value)
		if p.Number(OpenVolume).Sign() > 0 {
			grossSum.Add(grossSum, value)
		} else {
			grossSum.Sub(grossSum, value)
		}
	}
	inUnits := func(sum *big.Rat) *big.Int {
		sum.Mul(sum, new(big.Rat).SetInt(powerOfTen(asset)))
		return quoRounded(new(big.Int).Set(sum.Num()), new(big.Int).Set(sum.Denom()))
	}
	return inUnits(netSum), inUnits(grossSum)
}

// TestSurvey compares the survey of random positions with plain sums and a plain sort.
func TestSurvey(t *testing.T) {
	for _, digits := range []int{3, 12, 18, 25, 38} {
		s := newSample(uint64(digits), 30, 12)
		rows := NewRows()
		for _, key := range s.pairs(300) {
			p := s.state(key, digits)
			rows.Put(&p)
		}
		book := NewBook(0).Replaced(Snapshot{Rows: rows})
		book.TakeBaseline(surveyedFrom)
		before := make(map[Key]Position)
		for p := range book.All {
			before[p.Key] = p
		}
		for range 200 {
			book.Merge(&Updates{Positions: []Position{s.state(Key{s.parties[s.IntN(30)], s.markets[s.IntN(12)]}, digits)}, NotAfter: math.MaxInt64})
		}
		view := NewView(book, Scope{}, Filter{Text: "nothing"}, Order{}, s.instruments)
		survey := SurveyOf(view)
		if len(survey.Assets) != 3 {
			t.Fatalf("there are %d assets", len(survey.Assets))
		}
		for _, a := range survey.Assets {
			checkMoves(t, book, s.instruments, &a, before)
			byMarket, byParty := make(map[ID][]Position), make(map[ID][]Position)
			for p := range book.All {
				if p.IsOpen() && s.instruments.Market(p.Market).Asset == a.Asset {
					byMarket[p.Market], byParty[p.Party] = append(byMarket[p.Market], p), append(byParty[p.Party], p)
				}
			}
			checkExposures(t, s.instruments, a.Markets, byMarket)
			checkExposures(t, s.instruments, a.Parties, byParty)
			if a.LeftOut != 0 {
				t.Errorf("%d positions are left out", a.LeftOut)
			}
		}
	}
}

func checkMoves(t *testing.T, book *Book, in *Instruments, a *AssetSurvey, before map[Key]Position) {
	t.Helper()
	type move struct {
		key    Key
		change *big.Int
	}
	var moves []move
	for p := range book.All {
		was := before[p.Key]
		change := new(big.Int)
		for _, f := range []Field{UnrealisedPnl, RealisedPnl} {
			x, _ := p.Number(f).Int()
			y, _ := was.Number(f).Int()
			change.Add(change, x).Sub(change, y)
		}
		if change.Sign() != 0 && in.Market(p.Market).Asset == a.Asset {
			moves = append(moves, move{p.Key, change})
		}
	}
	slices.SortFunc(moves, func(a, b move) int { return cmp.Or(b.change.CmpAbs(a.change), a.key.Compare(b.key)) })
	if a.Moved != len(moves) || len(a.Moves) != min(len(moves), surveyedMoves) {
		t.Fatalf("%d moves of %d, want those of %d", len(a.Moves), a.Moved, len(moves))
	}
	for i, got := range a.Moves {
		_, existed := before[got.Key]
		if got.Change.String() != moves[i].change.String() || got.Key != moves[i].key || got.IsNew == existed {
			t.Fatalf("move %d is %+v, want %s of %v", i, got, moves[i].change, moves[i].key)
		}
	}
}

func checkExposures(t *testing.T, in *Instruments, got []Exposure, rows map[ID][]Position) {
	t.Helper()
	if len(got) != min(len(rows), surveyedLarge) {
		t.Fatalf("%d exposures, want %d", len(got), len(rows))
	}
	for i, e := range got {
		net, gross := plainExposure(in, rows[e.ID])
		if e.Net.String() != net.String() || e.Gross.String() != gross.String() {
			t.Fatalf("the exposure of %s is net %s and gross %s, want %s and %s", e.ID, e.Net, e.Gross, net, gross)
		}
		if i > 0 && got[i-1].Gross.Compare(e.Gross) < 0 {
			t.Fatalf("the exposure %s is before %s", got[i-1].Gross, e.Gross)
		}
	}
}

// TestSurveyLeavesOut what has no decimals, and what is no number.
func TestSurveyLeavesOut(t *testing.T) {
	asset, market, unknown, odd := MakeID("asset"), MakeID("market"), MakeID("unknown"), MakeID("odd")
	in := NewInstruments(nil, []Market{{market, "M", asset, 1, 1}, {odd, "O", asset, Unscaled, 1}}, []Asset{{asset, "A", 2}})
	row := func(party string, market ID, size, profit string) Position {
		p := Position{Key: Key{MakeID(party), market}}
		p.SetNumber(OpenVolume, ParseAmount(size))
		p.SetNumber(AverageEntryPrice, ParseAmount("100"))
		p.SetNumber(UnrealisedPnl, ParseAmount(profit))
		return p
	}
	rows := NewRows()
	for _, p := range []Position{
		row("a", market, "10", "0"), row("b", market, "1e3", "5"), row("c", odd, "10", "5"), row("d", unknown, "10", "5"), row("e", market, "0", "5"),
	} {
		rows.Put(&p)
	}
	book := NewBook(0).Replaced(Snapshot{Rows: rows})
	book.ExtendBaselines(surveyedFrom)
	book.Merge(&Updates{Positions: []Position{row("a", market, "10", "1e3"), row("b", market, "1e3", "7"), row("d", unknown, "10", "9")}, NotAfter: math.MaxInt64})
	survey := SurveyOf(NewView(book, Scope{}, Filter{}, Order{}, in))
	if len(survey.Assets) != 1 {
		t.Fatalf("there are %d assets", len(survey.Assets))
	}
	a := survey.Assets[0]
	if a.LeftOut != 3 || len(a.Markets) != 0 || a.Moved != 1 || a.Moves[0].Change != AmountOf(2) {
		t.Errorf("the survey is %+v", a)
	}
}

// surveyedFrom is when the baselines of these tests were taken.
var surveyedFrom = time.Date(2026, 3, 4, 13, 0, 0, 0, time.UTC)

// BenchmarkSurvey surveys a million positions, of which half have changed since the baseline.
func BenchmarkSurvey(b *testing.B) {
	for _, digits := range []int{9, 38} {
		const million = 1_000_000
		s := newSample(1, 2000, 500)
		rows := NewRows()
		for _, key := range s.pairs(million) {
			p := s.state(key, digits)
			rows.Put(&p)
		}
		book := NewBook(0).Replaced(Snapshot{Rows: rows})
		book.TakeBaseline(surveyedFrom)
		for _, key := range s.pairs(million / 2) {
			book.Merge(&Updates{Positions: []Position{s.state(key, digits)}, NotAfter: math.MaxInt64})
		}
		view := NewView(book, Scope{}, Filter{}, Order{}, s.instruments)
		b.Run(fmt.Sprintf("digits=%d", digits), func(b *testing.B) {
			for b.Loop() {
				SurveyOf(view)
			}
		})
	}
}
