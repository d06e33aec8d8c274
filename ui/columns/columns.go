// Package columns has the columns of the positions table: how each is laid out, what its cells show of a position and
// of the heading of a group, how the trader has set them, and which cells have just changed. The key of a column, and
// how rows are sorted by it, is in package view of model. The package does not depend on a pane: it gets a position
// with what its cells need, and returns cells of package table.
package columns

import (
	"cmp"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/table"
	"blotter/ui/theme"
)

// layout is what the screen shows of a column of the positions table.
type layout struct {
	title    string
	min, max int // cells, as in table.Column
	gap      int // the same
	number   bool
	name     bool
	keep     int // if there is no room, the column with the lowest is left out first
	from     int // the width of screen from which it is shown
	atFirst  visibility
	hides    bool // it is left out if no row has a text in it
	cell     setCell
	heading  headingCell   // of the heading of a group
	subtotal subtotalCell  // the same, if the group has a subtotal. If both are nil, the cell is empty
	changed  cellChanged   // its changes are marked; nil: they are not
	arrow    bool          // after its number is an arrow while the change is marked
	quiet    time.Duration // a change is marked only if the text was the same for this time before it
	perUnit  string        // says how numbers of several units, which do not compare, are sorted
	about    string        // what the title means, for help; empty if it is plain
	printed  Printed       // in a file and in the clipboard, but for its key and heading; empty if it is not there
}

// visibility is whether a column is shown before the trader chooses columns.
type visibility uint8

const (
	shownAtFirst visibility = iota
	hiddenAtFirst
)

// setCell sets an empty cell to what a column shows of a position.
type setCell func(c *draw.Cell, r *Row)

// RatioName is what the margin ratio is called in texts.
const RatioName = "uPnL/MM"

// EstimatesFrom is the width of screen from which the columns of estimates are shown.
const EstimatesFrom = 120

// NotionalFrom is the width of screen from which there is room for the notional beside the bar.
const NotionalFrom = 140

// realisedFrom is the width of screen from which the realised PnL is shown.
const realisedFrom = 90

// The words of perUnit.
const (
	inMarkets = " in unknown markets is sorted per market."
	ofAssets  = " is sorted per asset."
)

// columnCount is the number of columns: the order by trouble, which has no column, comes after all of them.
const columnCount = view.TroubleColumn

// layouts has every column of the positions table. The layout of the order without a column is empty.
var layouts = withNumbers([columnCount + 1]layout{
	view.MarketColumn: {title: "MARKET", min: 9, max: 24, keep: table.Always, name: true, cell: marketCell,
		printed: Printed{Field: "marketId", Words: "market", About: "the identifier of the market", ID: marketOf}},
	view.PartyColumn: {title: "PARTY", min: 9, max: 24, keep: table.Always, name: true, cell: partyCell,
		printed: Printed{Field: "partyId", Words: "party", About: "the identifier of the party", ID: partyOf}},
	view.SizeColumn: {title: "SIZE", min: 7, number: true, keep: 11, cell: numberCell(model.OpenVolume, noStyle), heading: sizeHeading,
		changed: numberChanged(model.OpenVolume), perUnit: "Size" + inMarkets},
	view.SizeChangeColumn: {title: "ΔSIZE", min: 7, number: true, keep: 6, cell: changeCell(model.OpenVolume, noStyle),
		perUnit: "ΔSIZE" + inMarkets},
	view.EntryColumn: {title: "ENTRY", min: 8, gap: 2, number: true, keep: 8,
		cell: numberCell(model.AverageEntryPrice, quietStyle), heading: grossHeading, perUnit: "Entry price" + inMarkets},
	view.MarkColumn: {title: "≈ MARK", min: 8, number: true, keep: 3, from: EstimatesFrom, hides: true,
		cell: estimateCell(markEstimate), subtotal: maintenanceHeading,
		printed: Printed{Field: "estimatedMarkPrice", Words: "≈ mark", Keep: 1, IsComputed: true, Number: markEstimate,
			About: "the mark price that the unrealised profit and loss implies; empty if it cannot be estimated"}},
	view.NotionalColumn: {title: "≈ NOTIONAL", about: "the size at the mark price, in the asset", min: 10, number: true, keep: 1,
		from: NotionalFrom, hides: true, cell: estimateCell(notionalEstimate), subtotal: notionalHeading,
		printed: Printed{Field: "estimatedNotional", Words: "≈ notional", Keep: 1, IsComputed: true, Number: notionalEstimate,
			About: "the size at that price; negative if the position is short"}},
	view.AssetColumn: {title: "ASSET", min: 5, max: 12, keep: 0, from: NotionalFrom, hides: true, cell: assetCell, subtotal: assetHeading,
		printed: Printed{Field: "assetId", Words: "asset", Keep: 6, IsComputed: true, ID: assetOf,
			About: "the identifier of the asset that the market settles in; empty if it is not known"}},
	view.UnrealisedColumn: {title: "uPNL", min: 8, number: true, keep: 15,
		cell: numberCell(model.UnrealisedPnl, profitStyle), subtotal: sumHeading(model.UnrealisedPnl, profitStyle),
		changed: numberChanged(model.UnrealisedPnl), quiet: QuietFor, arrow: true, perUnit: "uPnL" + ofAssets},
	view.UnrealisedChangeColumn: {title: "ΔuPNL", min: 8, number: true, keep: 9,
		cell: changeCell(model.UnrealisedPnl, profitStyle), subtotal: unrealisedChangeHeading,
		perUnit: "ΔuPNL" + ofAssets},
	view.MarginRatioColumn: {title: "uPNL/MM", min: 7, number: true, keep: 14, hides: true, cell: marginRatioCell, subtotal: ratioHeading,
		changed: ratioChanged, quiet: QuietFor,
		printed: Printed{Field: "marginRatio", Words: RatioName, Keep: 9, IsComputed: true, Percent: ratioPercent,
			About: "the unrealised profit and loss in percent of the maintenance margin, such as -37.4; empty if there is none, " +
				"or if the margin record is older than the size"}},
	view.BarColumn: {title: "BAR", about: RatioName + " as a bar: its last cell is -100%", min: barCells, max: barCells, gap: 2, keep: 2,
		from: EstimatesFrom, hides: true, cell: barCell, subtotal: barHeading},
	view.ToHalfColumn: distanceLayout(model.HalfLost, 13),
	view.ToAllColumn:  distanceLayout(model.AllLost, 12),
	view.MarginAgeColumn: {title: "MM AGE", about: "the age of the margin record", min: 6, number: true,
		keep: -1, from: NotionalFrom, hides: true, cell: marginAgeCell},
	view.RealisedColumn: {title: "rPNL", about: "as the service counts it", min: 8, number: true,
		keep: 5, from: realisedFrom, cell: numberCell(model.RealisedPnl, quietStyle), subtotal: sumHeading(model.RealisedPnl, dimStyle),
		perUnit: "rPnL" + ofAssets},
	view.RealisedChangeColumn: {title: "ΔrPNL", min: 8, number: true, keep: 4, from: realisedFrom,
		cell: changeCell(model.RealisedPnl, dimStyle), subtotal: realisedChangeHeading,
		perUnit: "ΔrPNL" + ofAssets},
	view.DayColumn: {title: "TODAY", about: "the change of uPnL and rPnL since the day began", min: 8, number: true,
		keep: -99, atFirst: hiddenAtFirst, hides: true, cell: dayCell},
	view.StatusColumn: {title: "STATUS", min: 10, max: 16, keep: 10, cell: statusCell, heading: statusHeading, changed: statusChanged,
		printed: Printed{Field: "positionStatus", Words: "status", Keep: 7, Text: statusText,
			About: "a name such as POSITION_STATUS_DISTRESSED, or the number of a status that has no name"}},
	view.AgeColumn: {title: "AGE", about: "the time since the position changed", min: 3, number: true,
		keep: 7, cell: ageCell(model.UpdatedAt)},
})

// withNumbers adds the columns of numbers that have no entry of their own.
func withNumbers(all [columnCount + 1]layout) [columnCount + 1]layout {
	for f := range model.FieldCount {
		if f.HasColumn() {
			all[view.NumberColumn(f)] = numberLayout(f)
		}
	}
	return all
}

// Title returns the title of a column; empty for an order without a column.
func Title(c view.Column) string { return layouts[c].title }

// About returns what the title of a column means; empty if it is plain.
func About(c view.Column) string { return layouts[c].about }

// PerUnit returns how rows are sorted by a column with numbers of several units, which do not compare; empty if it
// cannot have such numbers.
func PerUnit(c view.Column) string { return layouts[c].perUnit }

// Row is a position on the screen, and what its cells need.
type Row struct {
	*model.Position
	Format            *format.Formatter
	Styles            *theme.Styles
	Now               time.Time
	Margin            Margin
	Baseline          book.BaselineRow // what it was; only if HasBaseline is true
	HasBaseline       bool
	Day               *book.Baseline // what the day began with, or nil if that is not known
	Marks             *RowMarks      // of cells that have changed, or nil if there are none
	ScreenNow         time.Time      // the time by which the marks end
	IsStale           bool           // the position may be out of date
	Story, ShortStory string         // in the place of the status and the age, of a row that is kept; else empty
}

// RatioText returns a margin ratio in percent, marked if it is an estimate.
func RatioText(r model.MarginRatio) string {
	if r.IsEstimate {
		return "≈" + r.String()
	}
	return r.String()
}

// Margin is the margin ratio of a position on the screen.
type Margin struct {
	Ratio    model.MarginRatio
	HasRatio bool
	Recorded string // the age of the record
	IsOld    bool   // the record is too old for a ratio that is true now
	IsNone   bool   // the service has no margin levels for the position
}

// OldRecord is how old a margin record may be before a ratio with it is marked as old.
const OldRecord = 10 * time.Minute

// IsOld reports whether a margin record is old at a time by the service's clock.
func IsOld(levels *model.MarginLevels, now time.Time) bool {
	recorded, ok := levels.Timestamp.Time()
	return ok && now.Sub(recorded) >= OldRecord
}

func marketOf(p *model.Position, _ *model.Instruments) model.ID { return p.Market }

func partyOf(p *model.Position, _ *model.Instruments) model.ID { return p.Party }

// assetOf returns the asset that the market settles in; zero if it is not known.
func assetOf(p *model.Position, in *model.Instruments) model.ID { return in.Market(p.Market).Asset }

func marketCell(c *draw.Cell, r *Row) { c.Text = r.Format.Market(r.Market) }

func partyCell(c *draw.Cell, r *Row) { c.Text = r.Format.Party(r.Party) }

func assetCell(c *draw.Cell, r *Row) {
	if asset := assetOf(r.Position, r.Format.Instruments()); !asset.IsZero() {
		c.Text, c.Style = r.Format.Asset(asset), r.Styles.Quiet
	}
}

// numberStyle returns the style of a number with a sign.
type numberStyle func(s *theme.Styles, sign int) draw.Style

func noStyle(*theme.Styles, int) draw.Style            { return draw.Plain }
func profitStyle(s *theme.Styles, sign int) draw.Style { return s.Profit(sign) }
func quietStyle(s *theme.Styles, _ int) draw.Style     { return s.Quiet }
func dimStyle(s *theme.Styles, _ int) draw.Style       { return s.Dim }

func numberCell(field model.Field, style numberStyle) setCell {
	return func(c *draw.Cell, r *Row) {
		*c = r.Format.Number(r.Position, field).Styled(style(r.Styles, r.Number(field).Sign()))
	}
}

func estimateCell(n Number) setCell {
	return func(c *draw.Cell, r *Row) { *c = n.Cell(r.Position, r.Format).Styled(r.Styles.Quiet) }
}

// changeCell is the change of a number since the baseline. The cell of one that has not changed is empty, unless the
// position is new: 0.00 in each row would hide those that have.
func changeCell(field model.Field, style numberStyle) setCell {
	return func(c *draw.Cell, r *Row) {
		if !r.HasBaseline {
			return
		}
		change, ok := r.Baseline.Change(r.Position, field, r.Format.Instruments().Decimals(field, r.Market))
		if !ok || change.IsZero() && !r.Baseline.IsNew {
			return
		}
		*c = r.Format.NumberIn(change, field, r.Market, true).Styled(style(r.Styles, change.Sign()))
		if r.Baseline.IsNew && field == model.UnrealisedPnl {
			c.Text = "new " + c.Text
		}
	}
}

// dayCell is the change of the PnL since the day began. The cell of a position that has not changed is empty.
func dayCell(c *draw.Cell, r *Row) {
	before, ok := r.Day.Row(r.Key)
	decimals := r.Format.Instruments().Decimals(model.UnrealisedPnl, r.Market)
	if pnl, _, isKnown := analysis.ChangeSince(r.Position, &before, decimals); ok && isKnown && !pnl.IsZero() {
		change := pnl.Amount(decimals)
		*c = r.Format.NumberIn(change, model.UnrealisedPnl, r.Market, true).Styled(profitStyle(r.Styles, change.Sign()))
	}
}

func ratioPercent(r model.MarginRatio, _ *model.Position, _ *model.Instruments) string {
	return r.String()
}

func marginRatioCell(c *draw.Cell, r *Row) {
	switch {
	case r.Margin.IsNone:
		c.Text, c.Style = "none", r.Styles.Dim
	case !r.Margin.HasRatio && r.Margin.Ratio.HasEnded():
		c.Text, c.Style = "…", r.Styles.Dim
	case !r.Margin.HasRatio:
	case r.Margin.Ratio.IsEstimate:
		c.Text, c.Style = RatioText(r.Margin.Ratio), r.Styles.EstimatedRatio(r.Margin.Ratio)
	case r.Margin.Ratio.HasEnded():
		c.Text, c.Style = format.Age(r.Margin.Ratio.EndedFor(r.Now))+" "+r.Margin.Ratio.String(), r.Styles.Dim
	case r.Margin.IsOld:
		c.Text, c.Style = "old "+r.Margin.Ratio.String(), r.Styles.Dim
	default:
		c.Text, c.Style = r.Margin.Ratio.String(), r.Styles.Ratio(r.Margin.Ratio)
	}
}

func marginAgeCell(c *draw.Cell, r *Row) { c.Text, c.Style = r.Margin.Recorded, r.Styles.Quiet }

func statusText(p *model.Position) (name, words string) { return p.StatusName(), format.StatusWords(p) }

func statusCell(c *draw.Cell, r *Row) {
	c.Text, c.Style = format.Status(r.Position), r.Styles.Status(r.Status())
	if r.Story != "" {
		c.Text, c.Short, c.Spreads = r.Story, cmp.Or(r.ShortStory, c.Text), true
		return
	}
	if r.Status() == model.StatusOrdersClosed {
		c.Short = "ORD CLOSED" // as wide as the other statuses, so that it is whole on a narrow screen
	}
}

func ageCell(field model.Field) setCell {
	return func(c *draw.Cell, r *Row) {
		if c.Style = r.Styles.Quiet; r.Story == "" {
			c.Text = format.AgeOf(r.Number(field), r.Now)
		}
	}
}

// Cells formats the position, one cell for each column, marked if it has changed. Below the heading of a group its
// name is indented.
func (r *Row) Cells(shown []view.Column, by view.Grouping) []draw.Cell {
	cells := make([]draw.Cell, len(shown))
	for i, c := range shown {
		layouts[c].cell(&cells[i], r)
		r.mark(&cells[i], c)
	}
	if by != view.Ungrouped {
		c := &cells[headingColumn(shown)]
		c.Text = "  " + c.Text
	}
	return cells
}

// mark draws a cell that has just changed in a stronger style, and the direction of a number as an arrow.
func (r *Row) mark(cell *draw.Cell, c view.Column) {
	moved := r.Marks.of(c, r.ScreenNow)
	if moved == unmoved {
		return
	}
	cell.Style = r.Styles.Stronger(cell.Style)
	if arrow, hasDirection := arrows[moved]; hasDirection && layouts[c].arrow {
		cell.Rest, cell.RestStyle = arrow, cell.Style
	}
}

// arrows are the directions of changes.
var arrows = map[move]string{up: "↑", down: "↓"}

// arrowRest is how many cells a column of numbers with arrows has after each: a free one, and the arrow.
const arrowRest = 2

// Table returns how the columns are laid out that are shown of a view. The column that sorts its rows is never left
// out. For the order by trouble that is the margin ratio.
func (s Settings) Table(shown []view.Column, v *view.View) []table.Column {
	var columns []table.Column
	for _, c := range shown {
		l := layouts[c]
		column := table.Column{Title: l.title, Number: l.number, Name: l.name, Min: l.min, Max: l.max,
			Gap: l.gap, Keep: l.keep, HideEmpty: l.hides}
		if l.arrow {
			column.Rest = arrowRest
		}
		at := slices.IndexFunc(s, func(setting Setting) bool { return setting.Column == c })
		s[at].apply(&column)
		if sortsBy(v.Order, c) {
			column.Keep = table.Always
			column.Order = arrow(v.Order)
		}
		if v.Groups.By != view.Ungrouped {
			layOut(&column, c, shown, v)
		}
		columns = append(columns, column)
	}
	return columns
}

// arrow is after the title of the column that sorts the rows.
func arrow(order view.Order) string {
	if order.Descending {
		return "▼"
	}
	return "▲"
}
