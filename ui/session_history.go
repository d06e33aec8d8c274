package ui

import (
	"slices"
	"time"

	"blotter/model"
)

// history has the totals since the program began, for each scope that was watched: totals of two scopes are never one
// line. Where a scope is watched again, its line continues after a gap.
type history struct{ scopes []*scopeHistory } // the latest is the last one

// scopeHistory has the totals of one scope.
type scopeHistory struct {
	scope  model.Scope
	assets []*assetHistory
}

// assetHistory has the totals of one asset.
type assetHistory struct {
	asset  model.ID
	totals [seriesCount]model.Trend
}

// series is one of the totals of an asset.
type series int

const (
	unrealisedSeries series = iota
	realisedSeries
	bothSeries
	seriesCount
)

var seriesNames = [seriesCount]string{"unrealised PnL", "realised PnL", "unrealised + realised PnL"}

// The limits of histories.
const (
	maxScopeHistories = 8
	maxAssetHistories = 8 // of a scope: those that come first
)

// of returns the history of a scope, and nil where there is none.
func (h *history) of(scope model.Scope) *scopeHistory {
	at := slices.IndexFunc(h.scopes, func(each *scopeHistory) bool { return each.scope.Equal(scope) })
	if at < 0 {
		return nil
	}
	return h.scopes[at]
}

// use returns the history of the scope that is watched now. Where there are too many, it drops the one that was not
// used for the longest time.
func (h *history) use(scope model.Scope) *scopeHistory {
	used := h.of(scope)
	if used == nil {
		used = &scopeHistory{scope: scope}
	}
	h.scopes = slices.DeleteFunc(h.scopes, func(each *scopeHistory) bool { return each == used })
	h.scopes = append(h.scopes, used)
	h.scopes = h.scopes[max(0, len(h.scopes)-maxScopeHistories):]
	return used
}

// add adds the totals of a time.
func (h *scopeHistory) add(totals []*model.Total, at time.Time) {
	for _, total := range totals {
		if total.Asset.IsZero() {
			continue
		}
		i := slices.IndexFunc(h.assets, func(each *assetHistory) bool { return each.asset == total.Asset })
		if i < 0 {
			if i = len(h.assets); i >= maxAssetHistories {
				continue
			}
			h.assets = append(h.assets, &assetHistory{asset: total.Asset})
		}
		both := total.Unrealised
		both.Add(total.Realised.Amount())
		of := &h.assets[i].totals
		of[unrealisedSeries].Add(at, total.Unrealised.Amount())
		of[realisedSeries].Add(at, total.Realised.Amount())
		of[bothSeries].Add(at, both.Amount())
	}
}

// sampleHistory adds what the totals are now, where they are complete and fresh. While they are not, the line has a
// gap.
func (m *Model) sampleHistory() {
	d := &m.data
	scope := d.view.Scope()
	incomplete := func(s model.Subscription) bool { return !d.book.Has(s) }
	if m.incoming.frozen || d.cleared || !scope.Equal(d.scope) || slices.ContainsFunc(d.subscriptions, incomplete) {
		return
	}
	if fresh := m.freshness(); fresh.allStale || len(fresh.stale) > 0 {
		return
	}
	m.session.history.use(scope).add(d.view.Totals(), m.now())
}
