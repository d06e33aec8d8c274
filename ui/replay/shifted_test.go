package replay

import (
	"context"
	"testing"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
)

// once is a past with one Delta.
type once struct {
	Past
	delta book.Delta
}

func (o *once) Next(context.Context) (book.Delta, error) { return o.delta, nil }

// TestAnEstimateMovesWithThePrice: the margin record is of an earlier size. The maintenance margin is kept.
func TestAnEstimateMovesWithThePrice(t *testing.T) {
	asset, of := model.MakeID("usdt"), model.Subscription{}
	in := model.NewInstruments(nil, []model.Market{{ID: model.MakeID("eth"), Asset: asset}}, []model.Asset{{ID: asset}})
	position := func(size, profit, at int64) model.Position {
		p := model.Position{Key: model.Key{Party: model.MakeID("p"), Market: model.MakeID("eth")}}
		for field, n := range map[model.Field]int64{model.OpenVolume: size, model.AverageEntryPrice: 100, model.UnrealisedPnl: profit, model.UpdatedAt: at} {
			p.SetNumber(field, model.AmountOf(n))
		}
		return p
	}
	live := book.New(0)
	rows, before := book.NewRows(), position(1, 10, 1000)
	rows.Put(&before)
	live = live.Replaced(book.Snapshot{AsIs: true, Subscription: of, Rows: rows, NotAfter: 9000})
	margins := func(b *book.Book) {
		levels := model.MarginLevels{MarginKey: model.MarginKey{Key: before.Key, Asset: asset}, Maintenance: model.AmountOf(100), Timestamp: model.AmountOf(1500)}
		b.MergeMargins(&model.Page{Rows: []model.MarginLevels{levels}})
	}
	margins(live)
	live.Merge(&book.Updates{Subscription: of, Positions: []model.Position{position(50, 500, 2000)}, NotAfter: 9000})

	shift, err := analysis.ParsePriceShift("eth +10%", []model.ID{before.Market}, in, in.HasDecimals)
	if err != nil {
		t.Fatal(err)
	}
	copied, _ := live.Copied(of)
	shifted := &shifted{&once{delta: book.Delta{Snapshots: []book.Snapshot{{AsIs: true, Subscription: of, Rows: copied, NotAfter: 9000}}}}, shift, in, nil}
	delta, _ := shifted.Next(t.Context())
	past := book.New(0).Replaced(delta.Snapshots[0])
	margins(past)
	p, _ := past.Find(before.Key)
	if profit := p.Number(model.UnrealisedPnl); profit != model.AmountOf(500+(50*100+500)/10) {
		t.Errorf("the profit is %s", profit)
	}
	if ratio, ok := past.RatioOf(&p, asset); !ok || !ratio.IsEstimate || ratio.Profit != p.Number(model.UnrealisedPnl) || ratio.Maintenance != model.AmountOf(50*100) {
		t.Errorf("the margin ratio is %s, %v, an estimate %v, of the maintenance margin %s", ratio, ok, ratio.IsEstimate, ratio.Maintenance)
	}
}
