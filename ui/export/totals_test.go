package export

import (
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/view"
)

// TestOrderOfTotals: that of the rows, or that of the parties and markets if the rows are in no order.
func TestOrderOfTotals(t *testing.T) {
	var rows []*model.Position
	for _, key := range []string{"a3 b1", "a1 b2", "a2 b1", "a1 b1"} {
		party, market, _ := strings.Cut(key, " ")
		rows = append(rows, &model.Position{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID(market)}})
	}
	var markets []model.Market
	for market, asset := range map[string]string{"b1": "c2", "b2": "c1"} {
		markets = append(markets, model.Market{ID: model.MakeID(market), Asset: model.MakeID(asset)})
	}
	options := Options{Instruments: model.NewInstruments(nil, markets, nil)}
	for inOrder, want := range map[bool]string{true: "a3,c2 a1,c1 a2,c2 a1,c2", false: "a1,c2 a1,c1 a2,c2 a3,c2"} {
		var text strings.Builder
		if _, err := WritePositionTotals(&text, CSV, stored(rows), inOrder, view.GroupByParty, options); err != nil {
			t.Fatal(err)
		}
		var got []string
		for line := range strings.Lines(text.String()) {
			if cells := strings.Split(line, ","); cells[0] != "partyId" {
				got = append(got, cells[0]+","+cells[1])
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("with rows in order %t, the totals are %v, want %s", inOrder, got, want)
		}
	}
}

// TestTotalsCountWhatTheyLeaveOut: numbers that are no integers.
func TestTotalsCountWhatTheyLeaveOut(t *testing.T) {
	rows := stored([]*model.Position{
		position("p1", "m1", map[model.Field]string{model.OpenVolume: "1", model.UnrealisedPnl: "much", model.RealisedPnl: "1k3"}, ""),
		position("p2", "m1", map[model.Field]string{model.UnrealisedPnl: "5", model.RealisedPnl: "7"}, ""),
	})
	var text strings.Builder
	if _, err := WritePositionTotals(&text, CSV, rows, true, view.GroupByMarket, options); err != nil {
		t.Fatal(err)
	}
	heading, values, _ := strings.Cut(strings.TrimSpace(text.String()), "\n")
	got := make(map[string]string)
	for i, value := range strings.Split(values, ",") {
		got[strings.Split(heading, ",")[i]] = value
	}
	for field, want := range map[string]string{
		"marketId": "m1", "assetId": "a1", "positions": "2", "openPositions": "1", "unrealisedPnl": "5", "realisedPnl": "7", "leftOut": "2",
	} {
		if got[field] != want {
			t.Errorf("%s is %q, want %q", field, got[field], want)
		}
	}
}
