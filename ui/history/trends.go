package history

import (
	"maps"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/view"
)

// Trends are how the numbers of some positions have moved: those that were selected, and those at the top of the table
// while it is sorted by trouble, margin ratio or unrealised PnL. The zero value has none.
type Trends struct{ rows map[model.Key]*Row }

// Row has the trends of one position.
type Row struct {
	Profit   model.Trend // the unrealised PnL
	Ratio    model.Trend // the margin ratio, in thousandths
	neededAt time.Time   // when the position was last selected or at the top
}

// The bounds of trends: how many rows of the table count as its top, and for how many positions trends are kept.
const (
	topRows   = 50
	maxTrends = 150
)

// Of returns the trends of a position, or nil if there are none.
func (t *Trends) Of(key model.Key) *Row { return t.rows[key] }

// DropAfter drops the values of later times.
func (t *Trends) DropAfter(at time.Time) {
	for _, row := range t.rows {
		row.Profit.DropAfter(at)
		row.Ratio.DropAfter(at)
	}
}

// Add adds the numbers of a time. The numbers of a stale row are left out: its trend has a gap. So has
// that of a margin ratio that has ended. The selected position is nil if there is none.
func (t *Trends) Add(v *view.View, selected *model.Position, isStale func(model.Key) bool, at time.Time) {
	t.follow(v, selected, at)
	for key, row := range t.rows {
		p, ok := v.Book().Find(key)
		if !ok || isStale(key) {
			continue
		}
		row.Profit.Decimals = v.Instruments().Decimals(model.UnrealisedPnl, p.Market)
		row.Profit.Add(at, p.Number(model.UnrealisedPnl))
		if ratio, ok := v.MarginRatio(&p); ok && !ratio.HasEnded() {
			row.Ratio.Add(at, ratio.Permille())
		}
	}
}

// follow keeps trends of the rows at the top of the table and of the selected position.
func (t *Trends) follow(v *view.View, selected *model.Position, now time.Time) {
	switch v.Order.Column {
	case view.TroubleColumn, view.MarginRatioColumn, view.UnrealisedColumn:
		rows := 0
		for p := range v.Shown {
			if rows++; rows > topRows {
				break
			}
			t.use(p.Key, now)
		}
	}
	if selected != nil {
		t.use(selected.Key, now)
	}
}

// use keeps the trends of a position, and drops those that were not needed for the longest time.
func (t *Trends) use(key model.Key, now time.Time) {
	if t.rows == nil {
		t.rows = make(map[model.Key]*Row)
	}
	if t.rows[key] == nil {
		if len(t.rows) >= maxTrends {
			t.dropOldest()
		}
		t.rows[key] = new(Row)
	}
	t.rows[key].neededAt = now
}

func (t *Trends) dropOldest() {
	byNeed := func(a, b model.Key) int { return t.rows[a].neededAt.Compare(t.rows[b].neededAt) }
	delete(t.rows, slices.MinFunc(slices.Collect(maps.Keys(t.rows)), byNeed))
}
