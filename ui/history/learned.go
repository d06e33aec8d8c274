package history

import (
	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
)

// Learned is by how much the totals of assets differ only because markets settle in other assets than was known before,
// or because positions have come or have left the list. No profit was made by that. The zero value is that nothing was
// learned.
type Learned struct {
	before, now *model.Instruments
	of          map[model.ID]*sums // by asset
}

type sums [seriesCount]model.Sum

// NewLearned returns that nothing was learned, between these instruments.
func NewLearned(before, now *model.Instruments) Learned {
	return Learned{before, now, make(map[model.ID]*sums)}
}

// IsZero reports whether it is the zero value.
func (l Learned) IsZero() bool { return l.of == nil }

// Relist adds that a position has come, or has left the list.
func (l Learned) Relist(r book.Relisted) {
	in := l.now
	if r.Sign < 0 {
		in = l.before
	}
	if r.Sign != 0 {
		l.count(in.Market(r.Of.Market).Asset, &r.Of, r.Sign)
	}
}

// Add adds what else was learned between the same instruments.
func (l Learned) Add(other Learned) {
	for asset, more := range other.of {
		if l.of[asset] == nil {
			l.of[asset] = new(sums)
		}
		for series := range more {
			l.of[asset][series].AddSum(more[series])
		}
	}
}

// LearnedIn returns what was learned since the rows of a view had other instruments. It reads every row in scope if
// markets settle in other assets than with those.
func LearnedIn(v *view.View, before *model.Instruments) Learned {
	in := v.Instruments()
	learned := NewLearned(before, in)
	if in.SettlesAs(before) {
		return learned
	}
	markets := make(map[model.ID][2]model.ID)
	for p := range v.InScope {
		assets, ok := markets[p.Market]
		if !ok {
			assets = [...]model.ID{before.Market(p.Market).Asset, in.Market(p.Market).Asset}
			markets[p.Market] = assets
		}
		if was, is := assets[0], assets[1]; was != is {
			learned.count(was, &p, -1)
			learned.count(is, &p, +1)
		}
	}
	return learned
}

// count adds the profits of a position to the totals of an asset if sign is +1, and subtracts them if it is -1.
func (l Learned) count(asset model.ID, p *model.Position, sign int) {
	if l.of[asset] == nil {
		l.of[asset] = new(sums)
	}
	for series, field := range map[Series]model.Field{Unrealised: model.UnrealisedPnl, Realised: model.RealisedPnl} {
		l.of[asset][series].AddSigned(p.Number(field), sign)
		l.of[asset][Both].AddSigned(p.Number(field), sign)
	}
}

// Learn corrects the totals of the scope that is watched now by what was learned of them.
func (h *History) Learn(scope model.Scope, learned Learned) {
	of := h.Of(scope)
	if learned.now == nil || of == nil || !of.isOf(learned.before) {
		return // Add drops its totals
	}
	of.instruments = learned.now
	for _, asset := range of.Assets {
		if sums := learned.of[asset.ID]; sums != nil {
			asset.learn(sums, of.instruments.Asset(asset.ID).Decimals)
		}
	}
}

// learn adds what was learned to all totals, also to the earlier ones, as if it had been known when they were added.
// The asset has these decimals.
func (a *Asset) learn(sums *sums, decimals int) {
	for series, sum := range sums {
		a.first[series], a.Now[series] = sum.Plus(a.first[series], decimals), sum.Plus(a.Now[series], decimals)
		a.Totals[series].Decimals = decimals
		a.Totals[series].Shift(sum)
	}
}
