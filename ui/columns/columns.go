// Package columns has the columns of the positions table: how each is laid out, what its cells show of a position and
// of the heading of a group, how the trader has set them, and which cells have just changed. The key of a column, and
// how rows are sorted by it, is in package view of model. The package does not depend on a pane: it gets a position
// with what its cells need, and returns cells of package table.
package columns

import (
	"slices"
	"time"

	"blotter/model"
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
	view.UnrealisedColumn: {title: "uPnL", min: 8, number: true, keep: 15,
		cell: numberCell(model.UnrealisedPnl, profitStyle), subtotal: profitHeading,
		changed: numberChanged(model.UnrealisedPnl), quiet: QuietFor, arrow: true, perUnit: "uPnL" + ofAssets},
	view.UnrealisedChangeColumn: {title: "ΔuPnL", min: 8, number: true, keep: 9,
		cell: changeCell(model.UnrealisedPnl, profitStyle), subtotal: unrealisedChangeHeading,
		perUnit: "ΔuPnL" + ofAssets},
	view.MarginRatioColumn: {title: "uPnL/MM", min: 7, number: true, keep: 14, hides: true, cell: marginRatioCell, subtotal: ratioHeading,
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
	view.MaintenanceColumn: {title: "MM", about: "the maintenance margin", min: 8, number: true, keep: -98,
		atFirst: hiddenAtFirst, hides: true, cell: maintenanceCell, perUnit: "Maintenance" + ofAssets,
		printed: Printed{Field: model.MaintenanceMargin.Name(), IsComputed: true, Amount: maintenanceOf,
			About: "the maintenance margin; empty if the position is closed or has no margin record"}},
	view.PartOfEntryColumn: figureLayout(model.PartOfEntry, "% ENTRY", -97),
	view.LeverageColumn:    figureLayout(model.Leverage, "LEVERAGE", -96),
	view.RealisedColumn: {title: "rPnL", about: "as the service counts it", min: 8, number: true,
		keep: 5, from: realisedFrom, cell: numberCell(model.RealisedPnl, quietStyle), subtotal: sumHeading(model.RealisedPnl),
		perUnit: "rPnL" + ofAssets},
	view.RealisedChangeColumn: {title: "ΔrPnL", min: 8, number: true, keep: 4, from: realisedFrom,
		cell: changeCell(model.RealisedPnl, dimStyle), subtotal: realisedChangeHeading,
		perUnit: "ΔrPnL" + ofAssets},
	view.DayColumn: {title: "TODAY", about: "the change of uPnL and rPnL since the day began", min: 8, number: true,
		keep: -99, atFirst: hiddenAtFirst, hides: true, cell: dayCell, perUnit: "TODAY" + ofAssets},
	view.StatusColumn: {title: "STATUS", min: 10, max: 16, keep: 10, cell: statusCell, heading: statusHeading, changed: statusChanged,
		printed: Printed{Field: "positionStatus", Words: "status", Keep: 7, Text: statusText,
			About: "a name such as POSITION_STATUS_DISTRESSED, or the number of a status that has no name"}},
	view.AgeColumn: {title: "IDLE", about: "the time since the position changed, from 5 seconds on", min: 3, number: true,
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

// Margin is the margin ratio of a position on the screen, and its margin record.
type Margin struct {
	Ratio     model.MarginRatio
	HasRatio  bool
	Levels    model.MarginLevels
	HasLevels bool   // and the position is open
	Recorded  string // the age of the record
	IsOld     bool   // the record is too old for a ratio that is true now
	IsNone    bool   // the service has no margin levels for the position
	IsUnread  bool   // the margin levels of the position were not read yet
}

// OldRecord is how old a margin record may be before a ratio with it is marked as old.
const OldRecord = 10 * time.Minute

// IsOld reports whether a margin record is old at a time by the service's clock.
func IsOld(levels *model.MarginLevels, now time.Time) bool {
	recorded, ok := levels.Timestamp.Time()
	return ok && now.Sub(recorded) >= OldRecord
}

// AppendCells formats the position, one cell for each column, marked if it has changed. Below the heading of a group
// its name is indented.
func (r *Row) AppendCells(to []draw.Cell, shown []view.Column, by view.Grouping) []draw.Cell {
	to = slices.Grow(to, len(shown))
	cells := to[len(to) : len(to)+len(shown)]
	clear(cells)
	for i, c := range shown {
		layouts[c].cell(&cells[i], r)
		r.mark(&cells[i], c)
	}
	if by != view.Ungrouped {
		c := &cells[headingColumn(shown)]
		c.Text = "  " + c.Text
	}
	return to[:len(to)+len(shown)]
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
