package columns

import (
	"strconv"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/table"
	"blotter/ui/theme"
)

// TestEveryColumnIsShown: a column that is described in package model must not be forgotten here.
func TestEveryColumnIsShown(t *testing.T) {
	kept := make(map[int]view.Column)
	for _, c := range view.Columns() {
		layout := layouts[c]
		if layout.cell == nil || layout.min == 0 || !layout.number && layout.max < layout.min {
			t.Errorf("the column %s has no layout, or half of one: %+v", c.Key(), layout)
		}
		if other, taken := kept[layout.keep]; taken && layout.keep != table.Always {
			t.Errorf("%s and %s are left out at the same time: which goes first?", other.Key(), c.Key())
		}
		kept[layout.keep] = c
	}
}

// TestOnlyLinesOnTheScreenAreFollowed, however many there are.
func TestOnlyLinesOnTheScreenAreFollowed(t *testing.T) {
	rows := book.NewRows()
	for i := range 1000 {
		rows.Put(&model.Position{Key: model.Key{Party: model.MakeID("p"), Market: model.MakeID("m" + strconv.Itoa(i))}})
	}
	instruments := model.NewInstruments(nil, nil, nil)
	b := book.New(0).Replaced(book.Snapshot{AsIs: true, Rows: rows})
	v := view.New(b, model.Scope{}, view.Filter{ShowClosed: true}, view.Order{}, instruments)
	f := format.New(instruments, time.UTC, func(model.ID) int { return 2 }, false)
	var marks Marks
	for top := range 500 {
		marks.Follow(v, top, 20, f, time.Time{})
	}
	if n := len(marks.rows); n != 20 {
		t.Errorf("%d rows are followed of %d", n, v.Len())
	}
}

// TestLeverageCell has two decimals, and a mark if there are more.
func TestLeverageCell(t *testing.T) {
	row := &Row{Position: new(model.Position), Styles: &theme.Styles{Quiet: "quiet"},
		Format: format.New(model.NewInstruments(nil, nil, nil), time.UTC, nil, false)}
	for factor, want := range map[string]draw.Cell{
		"0.25": {Text: "4", Style: "quiet"},
		"0.3":  {Text: "3.33", Style: "quiet", Rounded: true},
		"0":    {},
	} {
		row.Margin.HasLevels = true
		row.Margin.Levels.MarginTexts = model.MarginTexts{model.MarginMode: "MARGIN_MODE_ISOLATED_MARGIN", model.MarginFactor: factor}
		var got draw.Cell
		if figureCell(model.Leverage)(&got, row); got != want {
			t.Errorf("factor %s: %+v, want %+v", factor, got, want)
		}
		row.Margin.HasLevels = false
		got = draw.Cell{}
		if figureCell(model.Leverage)(&got, row); got != (draw.Cell{}) {
			t.Errorf("a closed position has the leverage %+v", got)
		}
	}
}

// TestMarginRatioCell: a ratio that has ended is dim and has its age; an estimate is marked; before there was
// one, the cell waits.
func TestMarginRatioCell(t *testing.T) {
	styles := &theme.Styles{Dim: "dim", Quiet: "quiet"}
	now := time.Unix(100, 0)
	ratio := model.MarginRatio{Profit: model.AmountOf(-10), Maintenance: model.AmountOf(100)}
	ended := ratio
	ended.EndedAt = now.Add(-3 * time.Second).UnixNano()
	estimate := ended
	estimate.IsEstimate = true
	for want, margin := range map[draw.Cell]Margin{
		{Text: "-10.0%"}:                                  {Ratio: ratio, HasRatio: true},
		{Text: "3s -10.0%", Style: "dim"}:                 {Ratio: ended, HasRatio: true},
		{Text: "≈-10.0%", Style: "quiet"}:                 {Ratio: estimate, HasRatio: true},
		{Text: "…", Style: "dim"}:                         {Ratio: model.MarginRatio{EndedAt: ended.EndedAt}},
		{Text: ""}:                                        {},
		{Text: "none", Style: "dim"}:                      {IsNone: true},
		{Text: "not read", Short: "unread", Style: "dim"}: {IsUnread: true},
	} {
		var got draw.Cell
		marginRatioCell(&got, &Row{Styles: styles, Now: now, Margin: margin})
		if got != want {
			t.Errorf("%+v is %+v, want %+v", margin, got, want)
		}
	}
}

// TestDayCell: what a position has changed since the day began, realised and unrealised together; one that is new
// counts from 0. It is empty if that is not known.
func TestDayCell(t *testing.T) {
	position := func(party string, unrealised, realised int64) *model.Position {
		p := &model.Position{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID("btc")}}
		p.SetNumber(model.UnrealisedPnl, model.AmountOf(unrealised))
		p.SetNumber(model.RealisedPnl, model.AmountOf(realised))
		return p
	}
	usdt := model.MakeID("usdt")
	in := model.NewInstruments(nil, []model.Market{{ID: model.MakeID("btc"), Asset: usdt}}, []model.Asset{{ID: usdt, Decimals: 2}})
	day := book.NewBaseline([]book.BaselinePart{{At: time.Now(), Positions: []model.Position{*position("p", 1000, 50)}}})
	row := Row{Format: format.New(in, time.UTC, func(model.ID) int { return 2 }, false), Styles: new(theme.Styles)}
	for _, c := range []struct {
		position *model.Position
		day      *book.Baseline
		want     string
	}{
		{position("p", 400, 75), day, "-5.75"}, {position("p", 1050, 0), day, ""}, {position("q", 300, -100), day, "+2.00"},
		{position("p", 400, 75), nil, ""},
	} {
		var cell draw.Cell
		row.Position, row.Day = c.position, c.day
		if dayCell(&cell, &row); cell.Text != c.want {
			t.Errorf("the cell of %s is %q, want %q", c.position.Party, cell.Text, c.want)
		}
	}
}
