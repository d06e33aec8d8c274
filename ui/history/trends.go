package history

import (
	"maps"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/view"
)

// Trends are how the numbers of some positions have moved: those that were selected or in trouble, those at the top of
// the table while it is sorted by trouble, margin ratio or unrealised PnL, and all if there are few. The zero value has
// none.
type Trends struct{ rows map[model.Key]*Row }

// Row has the trends of one position.
type Row struct {
	Profit   model.Trend // the unrealised PnL
	Ratio    model.Trend // the margin ratio, in thousandths
	Recent   analysis.Recent
	Older    []event.Event // trades that were read in a recording, the latest first
	neededAt time.Time     // when the position was last selected, at the top or in trouble
}

// The bounds of trends: how many rows of the table count as its top, and for how many positions trends are kept.
const (
	topRows   = 50
	maxTrends = 150
)

// Of returns the trends of a position, or nil if there are none.
func (t *Trends) Of(key model.Key) *Row { return t.rows[key] }

// Note notes a change that is not of the price alone: see analysis.Recent.Note.
func (t *Trends) Note(before, after *model.Position, in *model.Instruments) {
	if row := t.rows[book.ChangedKey(before, after)]; row != nil {
		row.Recent.Note(before, after, in)
	}
}

// DropAfter drops the values of later times, and why they have changed.
func (t *Trends) DropAfter(at time.Time) {
	for _, row := range t.rows {
		row.Profit.DropAfter(at)
		row.Ratio.DropAfter(at)
		row.Recent, row.Older = analysis.Recent{}, nil
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
		row.Recent.Sample(&p, v.Instruments(), at)
		row.Profit.Decimals = v.Instruments().Decimals(model.UnrealisedPnl, p.Market)
		row.Profit.Add(at, p.Number(model.UnrealisedPnl))
		if ratio, ok := v.Margins().Ratio(&p); ok && !ratio.HasEnded() {
			row.Ratio.Add(at, ratio.Permille())
		}
	}
}

// follow keeps trends of the rows at the top of the table and of the selected position.
func (t *Trends) follow(v *view.View, selected *model.Position, now time.Time) {
	switch v.Order.Column {
	case view.TroubleColumn, view.MarginRatioColumn, view.UnrealisedColumn:
		t.followTop(v, now)
	default:
		if v.Rows() <= topRows {
			t.followTop(v, now)
		}
	}
	if selected != nil {
		t.Follow(selected.Key, now)
	}
}

func (t *Trends) followTop(v *view.View, now time.Time) {
	rows := 0
	for p := range v.Shown {
		if rows++; rows > topRows {
			break
		}
		t.Follow(p.Key, now)
	}
}

// Follow keeps the trends of a position, and drops those that were not needed for the longest time.
func (t *Trends) Follow(key model.Key, now time.Time) {
	if t.rows == nil {
		t.rows = make(map[model.Key]*Row)
	}
	if t.rows[key] == nil {
		if len(t.rows) >= maxTrends {
			delete(t.rows, t.oldest())
		}
		t.rows[key] = new(Row)
	}
	t.rows[key].neededAt = now
}

// FollowTrouble keeps the trends of a position in trouble, unless all that are kept were needed in the last minute: a
// thousand positions that are in trouble at once must not drop the selected one.
func (t *Trends) FollowTrouble(key model.Key, now time.Time) {
	if t.rows[key] == nil && len(t.rows) >= maxTrends && now.Sub(t.rows[t.oldest()].neededAt) < time.Minute {
		return
	}
	t.Follow(key, now)
}

// oldest returns the key of the position that was not needed for the longest time.
func (t *Trends) oldest() model.Key {
	byNeed := func(a, b model.Key) int { return t.rows[a].neededAt.Compare(t.rows[b].neededAt) }
	return slices.MinFunc(slices.Collect(maps.Keys(t.rows)), byNeed)
}
