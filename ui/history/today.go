package history

import (
	"slices"
	"time"

	"blotter/model"
)

// Today has how the PnL of the day has moved, for the rows that were shown last: those of a scope, a filter and an
// asset.
type Today struct{ lines []*todayLine } // the latest is the last one

type todayLine struct {
	TodayRows
	pnl model.Trend
}

// TodayRows are the rows whose PnL since the day began is added.
type TodayRows struct {
	Scope  model.Scope
	Filter string
	Asset  model.ID
	Began  time.Time
}

func (r *TodayRows) equal(other *TodayRows) bool {
	return r.Asset == other.Asset && r.Filter == other.Filter && r.Began.Equal(other.Began) && r.Scope.Equal(other.Scope)
}

// maxTodayLines is for how many rows the PnL is kept.
const maxTodayLines = 8

// Of returns how the PnL of some rows has moved; nil if it is not known.
func (t *Today) Of(rows *TodayRows) *model.Trend {
	if i := slices.IndexFunc(t.lines, func(l *todayLine) bool { return l.equal(rows) }); i >= 0 {
		return &t.lines[i].pnl
	}
	return nil
}

// Add adds the PnL of some rows at a time, in an asset with these decimals.
func (t *Today) Add(rows *TodayRows, at time.Time, pnl model.Amount, decimals int) {
	i := slices.IndexFunc(t.lines, func(l *todayLine) bool { return l.equal(rows) })
	line := &todayLine{TodayRows: *rows}
	if i >= 0 {
		line = t.lines[i]
		t.lines = slices.Delete(t.lines, i, i+1)
	}
	t.lines = append(t.lines[max(0, len(t.lines)+1-maxTodayLines):], line)
	line.pnl.Decimals = decimals
	line.pnl.Add(at, pnl)
}
