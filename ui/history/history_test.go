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
	now := time.Now()
	for i := range 3 * maxScopeHistories {
		var totals []*view.Total
		for j := range 3 * maxAssetHistories {
			totals = append(totals, &view.Total{Asset: model.MakeID(strconv.Itoa(j)), Rows: 1})
		}
		scope := model.Scope{Parties: []model.ID{model.MakeID(strconv.Itoa(i))}}
		h.Use(model.Scope{}).Add(totals, nil, now) // this one is watched again and again
		h.Use(scope).Add(totals, nil, now)
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
