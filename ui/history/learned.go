package history

import (
	"time"

	"blotter/model"
	"blotter/model/view"
)

// Learned is by how much the totals of assets differ only because markets settle in other assets than was known before.
// No profit was made by that. The zero value is that nothing was learned.
type Learned struct {
	before, now *model.Instruments
	of          map[model.ID]*sums // by asset
}

type sums [seriesCount]model.Sum

func (s *sums) add(other *sums) {
	for series := range s {
		s[series].AddSum(other[series])
	}
}

// LearnedIn returns what was learned since other instruments that the rows of a view had before. It reads every row if
// markets settle otherwise.
func LearnedIn(v *view.View, before *model.Instruments) Learned {
	in := v.Instruments()
	all := Learned{before, in, make(map[model.ID]*sums)}
	if in.SettlesAs(before) {
		return all
	}
	markets := make(map[model.ID][2]model.ID)
	for p := range v.InScope {
		assets, ok := markets[p.Market]
		if !ok {
			assets = [...]model.ID{before.Market(p.Market).Asset, in.Market(p.Market).Asset}
			markets[p.Market] = assets
		}
		if was, is := assets[0], assets[1]; was != is {
			all.count(was, &p, -1)
			all.count(is, &p, +1)
		}
	}
	return all
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

// Learn takes what was learned of the scope that is watched now.
func (h *History) Learn(scope model.Scope, learned Learned) {
	of := h.Of(scope)
	if learned.now == nil || of == nil || !of.isOf(learned.before) {
		return // its totals begin anew
	}
	of.instruments = learned.now
	for _, asset := range of.Assets {
		if sums := learned.of[asset.ID]; sums != nil {
			asset.pending.add(sums)
		}
	}
}

// isOf reports whether markets settle with these instruments as in the totals that there are.
func (h *Scope) isOf(in *model.Instruments) bool {
	return h.instruments == nil || h.instruments.SettlesAs(in)
}

// learned is what a total has from a time on because it was learned.
type learned struct {
	at   time.Time
	sums sums
}

// maxLearned is for how many times an asset has that. The oldest ones are joined.
const maxLearned = 64

// takePending notes that the totals have what was learned from a time on.
func (a *Asset) takePending(at time.Time) {
	if a.pending == (sums{}) {
		return
	}
	a.learned, a.pending = append(a.learned, learned{at, a.pending}), sums{}
	if len(a.learned) > maxLearned {
		a.learned[1].sums.add(&a.learned[0].sums)
		a.learned = a.learned[1:]
	}
}

// unlearnAfter makes what was learned later than a time wait for the next totals.
func (a *Asset) unlearnAfter(at time.Time) {
	kept := a.learned
	a.learned = nil
	for i := range kept {
		if kept[i].at.After(at) {
			a.pending.add(&kept[i].sums)
		} else {
			a.learned = append(a.learned, kept[i])
		}
	}
}
