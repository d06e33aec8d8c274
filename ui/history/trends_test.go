package history

import (
	"strconv"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
)

// TestTrendsAreBounded adds more rows than are kept.
func TestTrendsAreBounded(t *testing.T) {
	var updates book.Updates
	for i := range 3 * maxTrends {
		p := model.Position{Key: model.Key{Market: model.MakeID(strconv.Itoa(i))}}
		p.SetNumber(model.OpenVolume, model.AmountOf(1))
		p.SetNumber(model.UnrealisedPnl, model.AmountOf(int64(i)))
		updates.Positions = append(updates.Positions, p)
	}
	b := book.New(0)
	b.Merge(&updates)
	order := view.Order{Column: view.UnrealisedColumn}
	v := view.New(b, model.Scope{}, view.Filter{}, order, model.NewInstruments(nil, nil, nil))
	never := func(model.Key) bool { return false }

	var trends Trends
	began := second(0)
	now := began
	trends.Add(v, nil, never, now)
	if n := len(trends.rows); n != topRows {
		t.Errorf("trends of %d rows are kept, want those of the %d at the top", n, topRows)
	}
	for i := range v.Len() {
		selected, _ := v.At(i)
		now = now.Add(time.Second)
		trends.Add(v, &selected, never, now)
		if trends.Of(selected.Key) == nil {
			t.Fatalf("the selected row %d has no trend", i)
		}
		if top, _ := v.At(0); trends.Of(top.Key).Profit.Period() != now.Sub(began) {
			t.Fatalf("the trend of the first row goes over %s, want %s", trends.Of(top.Key).Profit.Period(), now.Sub(began))
		}
	}
	if n := len(trends.rows); n != maxTrends {
		t.Errorf("trends of %d rows are kept, want at most %d", n, maxTrends)
	}
}

// oneRow is a view of one position, and what changes it: the size and the profit at a second, and the margin record.
type oneRow struct {
	*view.View
	trends Trends
	p      model.Position
}

func newOneRow() *oneRow {
	r := &oneRow{p: model.Position{Key: model.Key{Party: model.MakeID("p"), Market: model.MakeID("m")}}}
	r.View = view.New(book.New(0), model.Scope{}, view.Filter{}, view.Order{}, model.NewInstruments(nil, nil, nil))
	return r
}

func second(n int64) time.Time { return time.Unix(1_700_000_000+n, 0) }

func (r *oneRow) change(at, size, profit int64) {
	r.p.SetNumber(model.OpenVolume, model.AmountOf(size))
	r.p.SetNumber(model.UnrealisedPnl, model.AmountOf(profit))
	r.p.SetNumber(model.UpdatedAt, model.AmountOf(second(at).UnixNano()))
	r.Apply(r.Book().ApplyUpdates(&book.Updates{Positions: []model.Position{r.p}, NotAfter: second(9999).UnixNano()}))
}

func (r *oneRow) record(at, maintenance int64) {
	levels := model.MarginLevels{MarginKey: model.MarginKey{Key: r.p.Key}, Maintenance: model.AmountOf(maintenance), Timestamp: model.AmountOf(second(at).UnixNano())}
	r.MergeMargins(&model.Page{Rows: []model.MarginLevels{levels}, ReadAt: second(at)})
}

// add adds the numbers of a second to the trends.
func (r *oneRow) add(at int64) {
	r.trends.Add(r.View, &r.p, func(model.Key) bool { return false }, second(at))
}

// TestATrendOfARatioHasNoPointOfAnEarlierSize: the profit of that time is in the other trend.
func TestATrendOfARatioHasNoPointOfAnEarlierSize(t *testing.T) {
	r := newOneRow()
	r.change(0, 10, -100)
	r.record(0, 1000)
	r.add(1)
	r.change(20, 90, -5000)
	r.add(21)
	if row := r.trends.Of(r.p.Key); row.Ratio.Period() != 0 || row.Profit.Period() == 0 {
		t.Errorf("the trend of the ratio goes over %s, that of the profit over %s", row.Ratio.Period(), row.Profit.Period())
	}
	r.record(20, 9000)
	r.add(40)
	if row := r.trends.Of(r.p.Key); row.Ratio.Period() == 0 {
		t.Error("with a newer record the trend has no point")
	}
}

// TestDropAfterDropsRatiosToo, when a replay goes back.
func TestDropAfterDropsRatiosToo(t *testing.T) {
	r := newOneRow()
	r.change(0, 10, -100)
	r.record(0, 1000)
	for at := int64(0); at <= 40; at += 10 {
		r.add(at)
	}
	before := *r.trends.Of(r.p.Key)
	r.trends.DropAfter(second(15))
	if row := r.trends.Of(r.p.Key); row.Ratio.Period() >= before.Ratio.Period() || row.Ratio.Period() != row.Profit.Period() {
		t.Errorf("the trend of the ratio goes over %s, that of the profit over %s", row.Ratio.Period(), row.Profit.Period())
	}
}

// TestARowThatIsGoneHasNoPoint: no 0 is added to its trend.
func TestARowThatIsGoneHasNoPoint(t *testing.T) {
	r := newOneRow()
	r.change(0, 10, -100)
	r.add(0)
	r.Apply(r.Book().ApplyAudit(&book.AuditPage{Corrected: true, Removed: []model.Key{r.p.Key}}))
	r.add(40)
	if row := r.trends.Of(r.p.Key); row.Profit.Period() != 0 {
		t.Errorf("the trend goes over %s", row.Profit.Period())
	}
}

func TestARowWithoutMarginLevelsHasNoTrendOfARatio(t *testing.T) {
	r := newOneRow()
	r.change(0, 10, -100)
	r.add(0)
	r.add(40)
	if row := r.trends.Of(r.p.Key); row.Ratio.Period() != 0 {
		t.Errorf("the trend of the ratio goes over %s", row.Ratio.Period())
	}
}
