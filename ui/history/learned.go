package history

import (
	"time"

	"blotter/model"
	"blotter/model/view"
)

// Learned is by how much the totals of assets differ only because markets settle in other assets than was known before.
// No profit was made by that.
type Learned map[model.ID]*sums

type sums [seriesCount]model.Sum

func (s *sums) add(other *sums) {
	for series := range s {
		s[series].AddSum(other[series])
	}
}

// LearnedIn returns what was learned since other instruments that the rows of a view had before. It reads every row if
// the instruments differ.
func LearnedIn(v *view.View, before *model.Instruments) Learned {
	in := v.Instruments()
	if in == before {
		return nil
	}
	markets, all := make(map[model.ID][2]model.ID), make(Learned)
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
	if l[asset] == nil {
		l[asset] = new(sums)
	}
	for series, field := range map[Series]model.Field{Unrealised: model.UnrealisedPnl, Realised: model.RealisedPnl} {
		l[asset][series].AddSigned(p.Number(field), sign)
		l[asset][Both].AddSigned(p.Number(field), sign)
	}
}

// Learn takes what was learned of the scope that is watched now. The other scopes begin anew when they are watched
// again: their totals will differ by what is not known.
func (h *History) Learn(scope model.Scope, learned Learned) {
	if len(learned) == 0 {
		return
	}
	of := h.Of(scope)
	if h.scopes = nil; of == nil {
		return
	}
	h.scopes = []*Scope{of}
	for _, asset := range of.Assets {
		if sums := learned[asset.ID]; sums != nil {
			asset.pending.add(sums)
		}
	}
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
