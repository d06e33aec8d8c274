// Package history keeps how the totals of profits, and the numbers of some positions, have moved since the program
// began, within limits. It uses only the values and views of package model. It does not depend on a clock or on how
// they are drawn.
package history

import (
	"cmp"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/view"
)

// History has the totals since the program began, for each scope that was watched: totals of two scopes are never in
// one line. If a scope is watched again, its line continues after a gap.
type History struct{ scopes []*Scope } // the latest is the last one

// Scope has the totals of one scope.
type Scope struct {
	scope       model.Scope
	instruments *model.Instruments // of the totals; nil before the first
	Assets      []*Asset           // in the order in which they were first added
}

// Asset has the totals of one asset.
type Asset struct {
	ID      model.ID
	Totals  [seriesCount]model.Trend
	first   [seriesCount]model.Amount // the first totals, of any age
	Since   time.Time                 // their time
	Now     [seriesCount]model.Amount // the last totals
	LeftOut int                       // numbers that are not in the last totals, because they cannot be added
	recent  []moment                  // of a little more than the last minute, the oldest first
}

// moment is the unrealised PnL of a time.
type moment struct {
	at     time.Time
	profit model.Amount
}

// minuteWithin is how much earlier or later than a minute ago a total may be for MinuteBefore.
const minuteWithin = 15 * time.Second

// MinuteBefore returns the total unrealised PnL of a minute before a time, and false if it is not known.
func (a *Asset) MinuteBefore(now time.Time) (model.Amount, bool) {
	from := now.Add(-time.Minute)
	if len(a.recent) == 0 {
		return model.Amount{}, false
	}
	nearest := slices.MinFunc(a.recent, func(m, n moment) int { return cmp.Compare(m.at.Sub(from).Abs(), n.at.Sub(from).Abs()) })
	return nearest.profit, nearest.at.Sub(from).Abs() <= minuteWithin
}

// addRecent adds the last totals of a time to the recent ones.
func (a *Asset) addRecent(at time.Time) {
	a.recent = append(slices.DeleteFunc(a.recent, func(m moment) bool {
		return !m.at.Before(at) || at.Sub(m.at) > time.Minute+minuteWithin
	}), moment{at, a.Now[Unrealised]})
}

// Change returns how much a total has changed since the first one. The asset has these decimals.
func (a *Asset) Change(of Series, decimals int) model.Amount {
	change, _ := model.Difference(a.Now[of], a.first[of], decimals)
	return change
}

// hasChange reports whether the changes of all totals are known.
func (a *Asset) hasChange(decimals int) bool {
	for series, now := range a.Now {
		if _, ok := model.Difference(now, a.first[series], decimals); !ok {
			return false
		}
	}
	return true
}

// Series is one of the totals of an asset.
type Series int

// The totals of an asset, in the order in which the screen shows them.
const (
	Unrealised Series = iota
	Realised
	Both
	seriesCount
)

// String returns the name of the total.
func (s Series) String() string { return seriesNames[s] }

// Short returns the name of the total for narrow screens.
func (s Series) Short() string { return [seriesCount]string{"uPnL", "rPnL", "uPnL + rPnL"}[s] }

// Step returns the series that is the given number of places after this one; the first comes after the last.
func (s Series) Step(places int) Series { return (s + Series(places) + seriesCount) % seriesCount }

var seriesNames = [seriesCount]string{"unrealised PnL", "realised PnL", "unrealised + realised PnL"}

// The limits of histories.
const (
	maxScopeHistories = 8
	maxAssetHistories = 8 // of a scope: the first ones that are added
)

// Of returns the history of a scope, or nil if there is none.
func (h *History) Of(scope model.Scope) *Scope {
	at := slices.IndexFunc(h.scopes, func(each *Scope) bool { return each.scope.Equal(scope) })
	if at < 0 {
		return nil
	}
	return h.scopes[at]
}

// Until returns copies of the assets of a scope with their totals up to a time; assets without such totals are left
// out. As points of a trend can be minutes apart, the totals at that time are given where they are known.
func (h *History) Until(scope model.Scope, at time.Time, last []*view.Total) []*Asset {
	of := h.Of(scope)
	if of == nil {
		return nil
	}
	var assets []*Asset
	for _, each := range of.Assets {
		asset, decimals := *each, of.instruments.Asset(each.ID).Decimals
		if !asset.dropAfter(at) {
			continue
		}
		for _, total := range last {
			if total.Asset == asset.ID {
				asset.setNow(total, decimals)
			}
		}
		if asset.hasChange(decimals) {
			assets = append(assets, &asset)
		}
	}
	return assets
}

// Use returns the history of the scope that is watched now. If there are too many, it drops the one that was not
// used for the longest time.
func (h *History) Use(scope model.Scope) *Scope {
	used := h.Of(scope)
	if used == nil {
		used = &Scope{scope: scope}
	}
	h.scopes = slices.DeleteFunc(h.scopes, func(each *Scope) bool { return each == used })
	h.scopes = append(h.scopes, used)
	h.scopes = h.scopes[max(0, len(h.scopes)-maxScopeHistories):]
	return used
}

// DropAfter drops the totals of later times, and assets without earlier totals.
func (h *History) DropAfter(at time.Time) {
	for _, scope := range h.scopes {
		scope.Assets = slices.DeleteFunc(scope.Assets, func(each *Asset) bool { return !each.dropAfter(at) })
	}
}

// dropAfter drops the totals of later times, and reports whether there are earlier ones.
func (a *Asset) dropAfter(at time.Time) (has bool) {
	for i := range a.Totals {
		a.Totals[i].DropAfter(at)
		last, hasTotal := a.Totals[i].Last()
		a.Now[i], has = last, has || hasTotal
	}
	return has
}

// setNow sets the last totals. The asset has these decimals.
func (a *Asset) setNow(total *view.Total, decimals int) {
	unrealised, realised := total.Sum(model.UnrealisedPnl), total.Sum(model.RealisedPnl)
	a.Now[Unrealised], a.Now[Realised] = unrealised.Amount(decimals), realised.Amount(decimals)
	both := *unrealised
	both.Add(a.Now[Realised])
	a.Now[Both] = both.Amount(decimals)
	a.LeftOut = unrealised.LeftOut(decimals) + realised.LeftOut(decimals)
}

// Add adds the totals of a time, which were computed with these instruments. If markets settled in other assets in the
// earlier totals, and Learn has not corrected those, the earlier ones are dropped. So are those of an asset if its
// decimals are not known and only the later ones have decimal points: the difference is not known.
func (h *Scope) Add(totals []*view.Total, in *model.Instruments, at time.Time) {
	if !h.isOf(in) {
		h.Assets = nil
	}
	h.instruments = in
	for _, total := range totals {
		if total.Asset.IsZero() {
			continue
		}
		i := slices.IndexFunc(h.Assets, func(each *Asset) bool { return each.ID == total.Asset })
		if i < 0 {
			if i = len(h.Assets); i >= maxAssetHistories {
				continue
			}
			h.Assets = append(h.Assets, &Asset{ID: total.Asset, Since: at})
		}
		of, decimals := h.Assets[i], in.Asset(total.Asset).Decimals
		if of.setNow(total, decimals); !of.hasChange(decimals) {
			*of = Asset{ID: of.ID, Since: at, Now: of.Now, LeftOut: of.LeftOut}
		}
		if at.Equal(of.Since) {
			of.first = of.Now
		}
		of.addRecent(at)
		for series, now := range of.Now {
			of.Totals[series].Decimals = decimals
			of.Totals[series].Add(at, now)
		}
	}
}

// isOf reports whether markets settle with these instruments as in the totals that there are.
func (h *Scope) isOf(in *model.Instruments) bool {
	return h.instruments == nil || h.instruments.SettlesAs(in)
}
