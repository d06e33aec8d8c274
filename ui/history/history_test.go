package history

import (
	"strconv"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/view"
)

// TestHistoriesAreBounded adds more scopes and assets than are kept.
func TestHistoriesAreBounded(t *testing.T) {
	var h History
	now, in := time.Now(), model.NewInstruments(nil, nil, nil)
	for i := range 3 * maxScopeHistories {
		var totals []*view.Total
		for j := range 3 * maxAssetHistories {
			totals = append(totals, &view.Total{Asset: model.MakeID(strconv.Itoa(j)), Rows: 1})
		}
		scope := model.Scope{Parties: []model.ID{model.MakeID(strconv.Itoa(i))}}
		h.Use(model.Scope{}).Add(totals, in, now) // this one is watched again and again
		h.Use(scope).Add(totals, in, now)
		if len(h.scopes) > maxScopeHistories || len(h.Of(scope).Assets) != maxAssetHistories || h.Of(model.Scope{}) == nil {
			t.Fatalf("%d scopes, the last of %d assets", len(h.scopes), len(h.Of(scope).Assets))
		}
	}
}

// TestTheLastScopesAreKept: to change often between two of them drops no other.
func TestTheLastScopesAreKept(t *testing.T) {
	var h History
	scopes := make([]model.Scope, maxScopeHistories)
	for i := range scopes {
		scopes[i].Parties = []model.ID{model.MakeID(strconv.Itoa(i))}
		h.Use(scopes[i])
	}
	for i := range 3 * maxScopeHistories {
		h.Use(scopes[i%2])
	}
	for i, scope := range scopes {
		if h.Of(scope) == nil {
			t.Errorf("scope %d has no history", i)
		}
	}
}

// TestTheSessionInBothForms: if the decimals of the asset are known, integers and numbers with a point are of one unit.
// If they are not, the session begins again with the first total of the other form: no difference is known.
func TestTheSessionInBothForms(t *testing.T) {
	asset := model.MakeID("usdt")
	for _, c := range []struct {
		decimals     int
		want, lowest string
		since        int64
	}{{2, "0.10", "150", 0}, {0, "-148.4", "1.6", 0}, {model.Unscaled, "0.00", "1.6", 1}} {
		var h History
		in := model.NewInstruments(nil, nil, []model.Asset{{ID: asset, Decimals: c.decimals}})
		for second, text := range []string{"150", "1.6"} {
			total := &view.Total{Asset: asset, Rows: 1}
			total.Sum(model.UnrealisedPnl).Add(model.ParseAmount(text))
			h.Use(model.Scope{}).Add([]*view.Total{total}, in, time.Unix(int64(second), 0))
		}
		of := h.Of(model.Scope{}).Assets[0]
		lowest, _, _ := of.Totals[Unrealised].Lowest()
		change := of.Change(Unrealised, c.decimals)
		if change.Compare(model.ParseAmount(c.want)) != 0 || lowest.String() != c.lowest || of.Since.Unix() != c.since {
			t.Errorf("in %d decimals, the change is %s since %d, and the lowest is %s", c.decimals, change, of.Since.Unix(), lowest)
		}
	}
}
