package view

import (
	"math/rand/v2"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// TestChangesOfTotals merges updates that change which rows of a group a filter matches. The changes of each total are
// those of its rows.
func TestChangesOfTotals(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	position := func() model.Position {
		p := model.Position{Key: model.Key{Party: model.MakeID(string(rune('a' + random.IntN(3)))), Market: model.MakeID(string(rune('m' + random.IntN(4))))}}
		for _, field := range []model.Field{model.OpenVolume, model.UnrealisedPnl, model.RealisedPnl} {
			p.SetNumber(field, model.AmountOf(random.Int64N(7)-3))
		}
		return p
	}
	for _, order := range []Column{MarketColumn, UnrealisedColumn} {
		rows := book.NewRows()
		for range 8 {
			p := position()
			rows.Put(&p)
		}
		b := book.New(0).Replaced(book.Snapshot{AsIs: true, Rows: rows})
		b.Baselines().Take(time.Time{})
		filter := Filter{Text: "upnl>0r"}
		v := NewGrouped(b, model.Scope{}, filter, Order{Column: order}, Groups{By: GroupByParty}, model.NewInstruments(nil, nil, nil))
		for range 300 {
			merge(v, updateOf(model.Subscription{}, position()))
			checkTotal(t, v.Totals()[0], v, func(*model.Position) bool { return true })
			for g := range v.GroupsShown {
				checkTotal(t, &g.Totals[0].Total, v, func(p *model.Position) bool {
					return p.Party == g.ID && p.Number(model.UnrealisedPnl).Sign() > 0
				})
			}
		}
	}
}

// checkTotal compares the changes of a total with those of the rows that it has.
func checkTotal(t *testing.T, of *Total, v *View, has func(*model.Position) bool) {
	t.Helper()
	var unrealised, realised model.Sum
	for p := range v.InScope {
		before, _ := v.BaselineOf(p.Key)
		if has(&p) {
			change, _ := before.Change(&p, model.UnrealisedPnl, model.Unscaled)
			unrealised.Add(change)
			change, _ = before.Change(&p, model.RealisedPnl, model.Unscaled)
			realised.Add(change)
		}
	}
	gotUnrealised, gotRealised, ok := of.Changes(model.Unscaled)
	if !ok || gotUnrealised != unrealised.Amount(model.Unscaled) || gotRealised != realised.Amount(model.Unscaled) {
		t.Fatalf("%d rows: the changes are %v and %v, %v; want %v and %v", of.Rows, gotUnrealised, gotRealised, ok, unrealised.Amount(model.Unscaled), realised.Amount(model.Unscaled))
	}
}
