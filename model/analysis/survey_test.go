package analysis

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
	"blotter/model/view"
)

// plainExposure sums up the notional of rows without the code under test, in units of 10^-decimals of the asset: net
// and gross.
func plainExposure(in *model.Instruments, rows []model.Position) (net, gross *big.Int) {
	netSum, grossSum := new(big.Rat), new(big.Rat)
	asset := 0
	for _, p := range rows {
		market := in.Market(p.Market)
		asset = in.Asset(market.Asset).Decimals
		size, _ := p.Number(model.OpenVolume).Int()
		entry, _ := p.Number(model.AverageEntryPrice).Int()
		profit, _ := p.Number(model.UnrealisedPnl).Int()
		value := modeltest.Value(size.Mul(size, entry), market.SizeDecimals+market.PriceDecimals)
		value.Add(value, modeltest.Value(profit, asset))
		netSum.Add(netSum, value)
		if p.Number(model.OpenVolume).Sign() > 0 {
			grossSum.Add(grossSum, value)
		} else {
			grossSum.Sub(grossSum, value)
		}
	}
	inUnits := func(sum *big.Rat) *big.Int {
		sum.Mul(sum, new(big.Rat).Inv(modeltest.Value(big.NewInt(1), asset)))
		return model.QuoRounded(new(big.Int).Set(sum.Num()), new(big.Int).Set(sum.Denom()))
	}
	return inUnits(netSum), inUnits(grossSum)
}

// TestSurvey compares the survey of random positions with plain sums and a plain sort.
func TestSurvey(t *testing.T) {
	for _, digits := range []int{3, 12, 18, 25, 38} {
		s := modeltest.NewSample(uint64(digits), 30, 12)
		rows := book.NewRows()
		for i, key := range s.Pairs(300) {
			p := s.State(key, digits)
			if p.IsOpen() { // one of the numbers is short
				p.SetNumber([...]model.Field{model.OpenVolume, model.AverageEntryPrice, model.UnrealisedPnl}[i%3], s.Digits(3))
			}
			rows.Put(&p)
		}
		b := book.New(0).Replaced(book.Snapshot{Rows: rows})
		b.Baselines().Take(surveyedFrom)
		before := make(map[model.Key]model.Position)
		for p := range b.All {
			before[p.Key] = p
		}
		for i := range 200 {
			p := s.State(model.Key{Party: s.Parties[s.IntN(30)], Market: s.Markets[s.IntN(12)]}, digits)
			if is, ok := b.Find(p.Key); ok && i%2 == 0 { // only its price changes
				is.SetNumber(model.UnrealisedPnl, p.Number(model.UnrealisedPnl))
				is.SetNumber(model.UpdatedAt, p.Number(model.UpdatedAt))
				p = is
			}
			b.Merge(&book.Updates{Positions: []model.Position{p}, NotAfter: math.MaxInt64})
		}
		v := view.NewGrouped(b, model.Scope{}, view.Filter{Text: "nothing"}, view.Order{}, view.Groups{By: view.GroupByParty}, s.Instruments)
		survey := SurveyOf(v, nil, surveyedFrom)
		if len(survey.Assets) != 3 {
			t.Fatalf("there are %d assets", len(survey.Assets))
		}
		for _, a := range survey.Assets {
			checkMoves(t, b, s.Instruments, &a, before)
			byMarket, byParty := make(map[model.ID][]model.Position), make(map[model.ID][]model.Position)
			for p := range b.All {
				if p.IsOpen() && s.Instruments.Market(p.Market).Asset == a.Asset {
					byMarket[p.Market], byParty[p.Party] = append(byMarket[p.Market], p), append(byParty[p.Party], p)
				}
			}
			checkExposures(t, s.Instruments, a.Markets, byMarket)
			checkExposures(t, s.Instruments, a.Parties, byParty)
			checkOwnGroups(t, s.Instruments, &a, byParty)
			profit := new(big.Int)
			for _, each := range a.Parties {
				of, _ := each.Profit.Int()
				profit.Add(profit, of)
			}
			if a.Total.Profit.String() != profit.String() {
				t.Errorf("the total is %s, and that of the parties %s", a.Total.Profit, profit)
			}
			if a.LeftOut != 0 {
				t.Errorf("%d positions are left out", a.LeftOut)
			}
			if a.Groups != nil {
				t.Error("a view with a filter has changes of groups")
			}
		}
		grouped := view.NewGrouped(b, model.Scope{}, view.Filter{}, view.Order{}, view.Groups{By: view.GroupByParty}, s.Instruments)
		for _, a := range SurveyOf(grouped, nil, surveyedFrom).Assets {
			checkGroups(t, b, s.Instruments, &a, before)
		}
	}
}

// checkOwnGroups compares the exposures of own groups, and of the positions in none, with those of their positions.
func checkOwnGroups(t *testing.T, in *model.Instruments, a *Asset, byParty map[model.ID][]model.Position) {
	t.Helper()
	byGroup, byCell, shared := make(map[model.ID][]model.Position), make(map[model.Key][]model.Position), 0
	for _, positions := range byParty {
		for _, p := range positions {
			groups := 0
			for _, g := range in.Groups() {
				if g.Covers(p.Key) && (!g.IsOfRows() || slices.Contains(g.Positions, p.Key)) {
					cell := model.Key{Party: g.ID(), Market: p.Market}
					byGroup[g.ID()], byCell[cell] = append(byGroup[g.ID()], p), append(byCell[cell], p)
					groups++
				}
			}
			if groups == 0 {
				byGroup[model.ID{}] = append(byGroup[model.ID{}], p)
			}
			if groups > 1 {
				shared++
			}
		}
	}
	if checkExposures(t, in, a.OwnGroups, byGroup); a.Shared != shared || shared == 0 {
		t.Errorf("%d positions are in several groups, want %d", a.Shared, shared)
	}
	for cell, positions := range byCell {
		e, ok := a.OwnCell(cell.Party, cell.Market)
		net, _ := plainExposure(in, positions)
		size := new(big.Int)
		for _, p := range positions {
			held, _ := p.Number(model.OpenVolume).Int()
			size.Add(size, held)
		}
		if !ok || e.Net.String() != net.String() || e.NetSize.String() != size.String() {
			t.Fatalf("%v has net %s and size %s, want %s and %s", cell, e.Net, e.NetSize, net, size)
		}
	}
	if _, ok := a.OwnCell(model.MakeID("none"), model.ID{}); ok {
		t.Error("a group that is none has a cell")
	}
}

func checkMoves(t *testing.T, all *book.Book, in *model.Instruments, a *Asset, before map[model.Key]model.Position) {
	t.Helper()
	type move struct {
		key    model.Key
		change *big.Int
	}
	var moves []move
	for p := range all.All {
		was := before[p.Key]
		change := new(big.Int)
		for _, f := range []model.Field{model.UnrealisedPnl, model.RealisedPnl} {
			x, _ := p.Number(f).Int()
			y, _ := was.Number(f).Int()
			change.Add(change, x).Sub(change, y)
		}
		if change.Sign() != 0 && in.Market(p.Market).Asset == a.Asset {
			moves = append(moves, move{p.Key, change})
		}
	}
	slices.SortFunc(moves, func(a, b move) int { return cmp.Or(b.change.CmpAbs(a.change), a.key.Compare(b.key)) })
	price, others, othersRows := new(big.Int), new(big.Int), 0
	for _, m := range moves {
		was, existed := before[m.key]
		is, _ := all.Find(m.key)
		if existed && was.Number(model.OpenVolume) == is.Number(model.OpenVolume) && was.Number(model.RealisedPnl) == is.Number(model.RealisedPnl) {
			price.Add(price, m.change)
		} else {
			others.Add(others, m.change)
			othersRows++
		}
	}
	got := a.Change
	if got.Price.Amount(model.Unscaled).String() != price.String() || got.Unsplit.Amount(model.Unscaled).String() != others.String() || a.UnsplitRows != othersRows {
		t.Fatalf("the change is %+v of %d unsplit rows, want %s of the price and %s of %d others", got, a.UnsplitRows, price, others, othersRows)
	}
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

// checkGroups compares the changes of parties with plain sums.
func checkGroups(t *testing.T, all *book.Book, in *model.Instruments, a *Asset, before map[model.Key]model.Position) {
	t.Helper()
	changes := make(map[model.ID]*big.Int)
	for p := range all.All {
		if in.Market(p.Market).Asset != a.Asset {
			continue
		}
		if changes[p.Party] == nil {
			changes[p.Party] = new(big.Int)
		}
		was := before[p.Key]
		for _, f := range []model.Field{model.UnrealisedPnl, model.RealisedPnl} {
			x, _ := p.Number(f).Int()
			y, _ := was.Number(f).Int()
			changes[p.Party].Add(changes[p.Party], x).Sub(changes[p.Party], y)
		}
	}
	if len(a.Groups) != len(changes) || len(changes) == 0 {
		t.Fatalf("%d groups have changes, want %d", len(a.Groups), len(changes))
	}
	for party, want := range changes {
		if total := a.Groups[party].Total(); total.Amount(model.Unscaled).String() != want.String() {
			t.Fatalf("%s has changed by %s, want %s", party, total.Amount(model.Unscaled), want)
		}
	}
}

func checkExposures(t *testing.T, in *model.Instruments, got []Exposure, rows map[model.ID][]model.Position) {
	t.Helper()
	if len(got) != min(len(rows), surveyedExposures) {
		t.Fatalf("%d exposures, want %d", len(got), len(rows))
	}
	for i, e := range got {
		net, gross := plainExposure(in, rows[e.ID])
		if e.Net.String() != net.String() || e.Gross.String() != gross.String() {
			t.Fatalf("the exposure of %s is net %s and gross %s, want %s and %s", e.ID, e.Net, e.Gross, net, gross)
		}
		isShort := func(p model.Position) bool { return p.Number(model.OpenVolume).Sign() < 0 }
		isLong := func(p model.Position) bool { return !isShort(p) }
		long, _ := plainExposure(in, slices.DeleteFunc(slices.Clone(rows[e.ID]), isShort))
		short, _ := plainExposure(in, slices.DeleteFunc(slices.Clone(rows[e.ID]), isLong))
		profit, size, sizes := new(big.Int), new(big.Int), new(big.Int)
		for _, p := range rows[e.ID] {
			of, _ := p.Number(model.UnrealisedPnl).Int()
			profit.Add(profit, of)
			held, _ := p.Number(model.OpenVolume).Int()
			size.Add(size, held)
			sizes.Add(sizes, held.Abs(held))
		}
		if e.Long.String() != long.String() || e.Short.String() != short.String() || e.Profit.String() != profit.String() {
			t.Fatalf("%s has long %s, short %s, uPnL %s, want %s, %s, %s", e.ID, e.Long, e.Short, e.Profit, long, short, profit)
		}
		isMarket := e.ID == rows[e.ID][0].Market
		if isMarket && (e.NetSize.String() != size.String() || e.GrossSize.String() != sizes.String()) {
			t.Fatalf("%s has the sizes %s and %s, want %s and %s", e.ID, e.NetSize, e.GrossSize, size, sizes)
		}
		if i > 0 && got[i-1].Gross.Compare(e.Gross.Amount) < 0 {
			t.Fatalf("the exposure %s is before %s", got[i-1].Gross, e.Gross)
		}
	}
}

// TestSurveyBefore has the unrealised PnL of the baseline, and counts no changes, also not of a position that is new.
func TestSurveyBefore(t *testing.T) {
	asset := model.MakeID("asset")
	in := model.NewInstruments(nil, []model.Market{{ID: model.MakeID("m"), Asset: asset}}, []model.Asset{{ID: asset}})
	row := func(party, profit string) model.Position {
		return sent(model.Key{Party: model.MakeID(party), Market: model.MakeID("m")}, "10", "100", profit)
	}
	rows := book.NewRows()
	rows.Put(new(row("a", "5")))
	b := book.New(0).Replaced(book.Snapshot{Rows: rows})
	b.Baselines().Take(surveyedFrom)
	b.Merge(&book.Updates{Positions: []model.Position{row("a", "7"), row("b", "3")}, NotAfter: math.MaxInt64})
	v := view.New(b, model.Scope{}, view.Filter{}, view.Order{}, in)
	now, before := SurveyOf(v, nil, surveyedFrom).Asset(asset), SurveyBefore(v, surveyedFrom).Asset(asset)
	if now.Moved != 2 || before.Moved != 0 || len(before.Moves) != 0 {
		t.Errorf("%d positions have moved, and before %d", now.Moved, before.Moved)
	}
	if now.Total.Profit != model.AmountOf(10) || before.Total.Profit != model.AmountOf(8) {
		t.Errorf("the unrealised PnL is %s, and before %s", now.Total.Profit, before.Total.Profit)
	}
}

// TestSurveyLeavesOut positions without decimals, but not their PnL, and amounts that are no numbers.
func TestSurveyLeavesOut(t *testing.T) {
	const unknown = model.Unscaled
	asset, whole, odd := model.MakeID("asset"), model.MakeID("whole"), model.MakeID("odd")
	market := func(name string, asset model.ID, price, size int) model.Market {
		return model.Market{ID: model.MakeID(name), Name: name, Asset: asset, PriceDecimals: price, SizeDecimals: size}
	}
	in := model.NewInstruments(nil, []model.Market{
		market("m", asset, 1, 1), market("noPrice", asset, unknown, 1), market("noSize", asset, 1, unknown), market("w", whole, 0, 0), market("noAsset", odd, 1, 1),
	}, []model.Asset{{ID: asset, Symbol: "A", Decimals: 2}, {ID: whole, Symbol: "W"}, {ID: odd, Symbol: "O", Decimals: unknown}})
	row := func(party, market, size, entry, profit string) model.Position {
		return sent(model.Key{Party: model.MakeID(party), Market: model.MakeID(market)}, size, entry, profit)
	}
	rows := book.NewRows()
	for _, p := range []model.Position{
		row("a", "m", "10", "100", "0"), row("b", "m", "1k3", "100", "5"), row("c", "m", "10", "1k3", "5"), row("d", "m", "0", "100", "5"),
		row("a", "noPrice", "10", "100", "5"), row("a", "noSize", "10", "100", "-4"), row("a", "unknown", "10", "100", "5"),
		row("a", "w", "10", "100", "5"), row("a", "noAsset", "10", "100", "5"),
	} {
		rows.Put(&p)
	}
	b := book.New(0).Replaced(book.Snapshot{Rows: rows})
	b.Baselines().Extend(func(model.Subscription) bool { return true }, surveyedFrom)
	b.Merge(&book.Updates{Positions: []model.Position{row("a", "m", "10", "100", "1k3"), row("b", "m", "1k3", "100", "7"), row("a", "unknown", "10", "100", "9")}, NotAfter: math.MaxInt64})
	survey := SurveyOf(view.New(b, model.Scope{}, view.Filter{}, view.Order{}, in), nil, surveyedFrom)
	var got []string
	for _, a := range survey.Assets {
		got = append(got, fmt.Sprintf("%s: gross %s, profit %s in %d markets, %d left out, %d unreadable, moves %v", in.Asset(a.Asset).Symbol, a.Total.Gross, a.Total.Profit, len(a.Markets), a.LeftOut, a.Unreadable, a.Moved))
	}
	slices.Sort(got)
	want := []string{
		"A: gross 0, profit 1 in 2 markets, 5 left out, 3 unreadable, moves 1",
		"O: gross 0, profit 5 in 1 markets, 1 left out, 0 unreadable, moves 0",
		"W: gross 1005, profit 5 in 1 markets, 0 left out, 0 unreadable, moves 0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the survey is\n%s", strings.Join(got, "\n"))
	}
	for i, want := range []string{"noPrice", "noSize"} {
		if of := survey.Asset(asset).Markets[i]; of.ID != model.MakeID(want) || of.IsEstimated {
			t.Errorf("market %d is %s, want %s without an estimate", i, of.ID, want)
		}
	}
	if moves := survey.Asset(asset).Moves; moves[0].Change != model.AmountOf(2) {
		t.Errorf("the move is %s", moves[0].Change)
	}
}

// surveyedFrom is when the baselines of these tests were taken.
var surveyedFrom = time.Date(2026, 3, 4, 13, 0, 0, 0, time.UTC)

// BenchmarkSurvey surveys a million positions, of which half have changed since the baseline.
func BenchmarkSurvey(b *testing.B) {
	for _, digits := range []int{9, 38} {
		const million = 1_000_000
		s := modeltest.NewSample(1, 2000, 500)
		rows := book.NewRows()
		for _, key := range s.Pairs(million) {
			p := s.State(key, digits)
			rows.Put(&p)
		}
		all := book.New(0).Replaced(book.Snapshot{Rows: rows})
		all.Baselines().Take(surveyedFrom)
		for _, key := range s.Pairs(million / 2) {
			all.Merge(&book.Updates{Positions: []model.Position{s.State(key, digits)}, NotAfter: math.MaxInt64})
		}
		v := view.New(all, model.Scope{}, view.Filter{}, view.Order{}, s.Instruments)
		b.Run(fmt.Sprintf("digits=%d", digits), func(b *testing.B) {
			for b.Loop() {
				SurveyOf(v, nil, surveyedFrom)
			}
		})
	}
}

// sent returns a position with these numbers, as they are sent.
func sent(of model.Key, size, entry, profit string) model.Position {
	p := model.Position{Key: of}
	p.SetNumber(model.OpenVolume, model.ParseAmount(size))
	p.SetNumber(model.AverageEntryPrice, model.ParseAmount(entry))
	p.SetNumber(model.UnrealisedPnl, model.ParseAmount(profit))
	return p
}

// TestExposureOfDecimals is worked out by hand: in rows of both forms, the decimals shift only integers.
func TestExposureOfDecimals(t *testing.T) {
	m, asset := model.MakeID("m"), model.MakeID("usdt")
	row := func(party, size, entry, profit string) model.Position {
		return sent(model.Key{Party: model.MakeID(party), Market: m}, size, entry, profit)
	}
	rows := book.NewRows()
	for _, p := range []model.Position{
		row("a", "2.5", "100.25", "0.5"),    // 250.625 + 0.5 = 251.125
		row("b", "-1.0", "100", "-50"),      // -1 × 1.00 - 0.50 = -1.5
		row("c", "1e1", "2.5", "-1.75"),     // 25 - 1.75 = 23.25
		row("d", "-0.000", "7.5", "123.25"), // closed
	} {
		rows.Put(&p)
	}
	b := book.New(0).Replaced(book.Snapshot{Rows: rows})
	b.Baselines().Take(surveyedFrom)
	b.Merge(&book.Updates{Positions: []model.Position{row("a", "2.5", "100.25", "-0.25")}, NotAfter: math.MaxInt64})
	for decimals, want := range map[int]string{
		2:              "net 272.125 gross 275.125 long 273.625 short -1.50 profit -2.50 size 11.50 of 13.50, without 0, moved -0.75",
		model.Unscaled: "net 273.625 gross 273.625 long 273.625 short 0.0 profit -2.0 size 11.5 of 13.5, without 1, moved -0.75",
	} {
		in := model.NewInstruments(nil, []model.Market{{ID: m, Asset: asset, PriceDecimals: decimals, SizeDecimals: decimals}}, []model.Asset{{ID: asset, Decimals: decimals}})
		survey := SurveyOf(view.New(b, model.Scope{}, view.Filter{}, view.Order{}, in), nil, surveyedFrom)
		of, market := survey.Assets[0].Total, survey.Assets[0].Markets[0]
		got := fmt.Sprintf("net %s gross %s long %s short %s profit %s size %s of %s, without %d, moved %s", of.Net, of.Gross, of.Long, of.Short, of.Profit,
			market.NetSize, market.GrossSize, survey.Assets[0].LeftOut, survey.Assets[0].Moves[0].Change)
		if got != want {
			t.Errorf("in %d decimals it is\n%s, want\n%s", decimals, got, want)
		}
	}
}

// TestTheWorstPositionOfDecimals: -100.25 is worse than -50.00, which a service sends as an integer beside decimals.
func TestTheWorstPositionOfDecimals(t *testing.T) {
	rows := book.NewRows()
	for id, profit := range map[string]string{"a1": "-5000", "a2": "-100.25", "a3": "7.00"} {
		p := tradedPosition("1", "100", "0", "0")
		p.Party = model.MakeID(id)
		rows.Put(marked(p, profit))
	}
	b := book.New(0).Replaced(book.Snapshot{Rows: rows})
	of := SurveyOf(view.New(b, model.Scope{}, view.Filter{}, view.Order{}, cents()), nil, surveyedFrom).Asset(asset)
	if worst := of.Shown.Worst; worst == nil || worst.Party != model.MakeID("a2") {
		t.Errorf("the worst is %+v", of.Shown.Worst)
	}
}
