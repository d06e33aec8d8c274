package columns

import (
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/table"
	"blotter/ui/theme"
)

// Heading is the heading of a group of rows, and what its cells need.
type Heading struct {
	*view.Group
	By     view.Grouping
	Format *format.Formatter
	Styles *theme.Styles
	Now    time.Time // by the clock of the service
}

// grouped are the columns of the groupings.
var grouped = map[view.Grouping]view.Column{
	view.GroupByParty: view.PartyColumn, view.GroupByMarket: view.MarketColumn, view.GroupByAsset: view.AssetColumn,
}

// InNoGroup is the name of the positions that are in no own group.
const InNoGroup = "in no group"

// GroupedBy returns what rows are grouped by, in words.
func GroupedBy(by view.Grouping) string {
	if by == view.GroupByOwn {
		return "own groups"
	}
	return by.String()
}

// groupTitle is the title of the column with the names of groups.
func groupTitle(by view.Grouping) string {
	if by == view.GroupByOwn {
		return "GROUP"
	}
	return layouts[grouped[by]].title
}

// The widths of columns if rows are grouped: headings have longer texts than rows.
const (
	maxHeading       = 32
	maxHeadingStatus = 80
)

// headingColumn returns the place of the column with the names of groups.
func headingColumn(shown []view.Column) int { return slices.IndexFunc(shown, isIdentity) }

// layOut changes how a column is laid out if the rows of a view are grouped.
func layOut(column *table.Column, c view.Column, shown []view.Column, v *view.View) {
	switch {
	case c == shown[headingColumn(shown)]:
		column.Title = groupTitle(v.Groups.By) + " / " + column.Title
		column.Min = max(column.Min, draw.Width(column.Title))
		column.Max = max(column.Max, maxHeading)
		if by, ok := grouped[v.Groups.By]; ok && by == v.Order.Column {
			column.Order = arrow(v.Order)
		}
	case c == view.StatusColumn:
		column.Max = max(column.Max, maxHeadingStatus)
		if len(v.Totals()) > 1 {
			column.Keep = table.Always // it names the assets that a heading leaves out
		}
	}
}

// Name returns the name of the party, market, asset or own group.
func (h *Heading) Name() string {
	switch {
	case h.By == view.GroupByOwn && h.ID.IsZero():
		return InNoGroup
	case h.By == view.GroupByOwn:
		return format.Text(h.ID.String())
	case h.By == view.GroupByAsset && h.ID.IsZero():
		return "unknown asset"
	case h.By == view.GroupByAsset:
		return h.Format.Asset(h.ID)
	case h.ID.IsZero():
		return "no " + h.By.String()
	case h.By == view.GroupByMarket:
		return h.Format.Market(h.ID)
	}
	return h.Format.Party(h.ID)
}

// Cells formats the heading, one cell for each column.
func (h *Heading) Cells(shown []view.Column) []draw.Cell {
	cells := make([]draw.Cell, len(shown))
	total, hasTotal := h.Total()
	name, assetAt := headingColumn(shown), h.assetColumn(shown)
	for i, c := range shown {
		switch {
		case i == name:
			cells[i] = draw.Cell{Text: h.foldMark() + h.Name(), Style: h.Styles.Strong}
		case i == assetAt:
			cells[i] = draw.Cell{Text: "in " + h.Format.Asset(total.Asset), Words: true, Style: h.Styles.Dim}
		case layouts[c].heading != nil:
			cells[i] = layouts[c].heading(h)
		case layouts[c].subtotal != nil && hasTotal:
			cells[i] = layouts[c].subtotal(h, &total)
		}
	}
	return cells
}

// headingCell returns what a column shows of a group.
type headingCell func(h *Heading) draw.Cell

// subtotalCell returns what a column shows of the subtotal of a group.
type subtotalCell func(h *Heading, total *view.GroupTotal) draw.Cell

// rowsText is how many positions of the group are shown.
func (h *Heading) rowsText() string { return format.Grouped(h.Rows) + " pos" }

// sizeHeading is the net size of a market, or how many positions other groups have: sizes of several markets are never
// added.
func sizeHeading(h *Heading) draw.Cell {
	if h.By != view.GroupByMarket {
		return draw.Cell{Text: h.rowsText(), Words: true}
	}
	net, _, ok := h.sizes()
	if !ok {
		return draw.Cell{}
	}
	return h.Format.NumberIn(net, model.OpenVolume, h.ID, true)
}

func grossHeading(h *Heading) draw.Cell {
	_, gross, ok := h.sizes()
	if !ok {
		return draw.Cell{}
	}
	cell := h.Format.NumberIn(gross, model.OpenVolume, h.ID, false)
	return draw.Cell{Text: "gross " + cell.Marked(draw.RawMark), Words: true, Style: h.Styles.Quiet}
}

func (h *Heading) sizes() (net, gross model.Amount, ok bool) {
	return h.Sizes(h.Format.Instruments().Decimals(model.OpenVolume, h.ID))
}

// maintenanceHeading is the sum of the maintenance margins of which the margin ratio is made.
func maintenanceHeading(h *Heading, total *view.GroupTotal) draw.Cell {
	decimals := h.Format.Decimals(total.Asset)
	ratio, ok := total.MarginRatio(decimals)
	if !ok {
		return draw.Cell{}
	}
	amount := h.Format.RoundedAmount(total.Maintenance(decimals), total.Asset, false)
	return draw.Cell{Text: "MM " + MaintenanceText(amount, ratio), Words: true, Style: h.Styles.Quiet}
}

// MaintenanceText returns the amount of a maintenance margin, marked if it is estimated.
func MaintenanceText(amount string, of model.MarginRatio) string {
	if of.IsEstimate {
		return "≈" + amount
	}
	return amount
}

func notionalHeading(h *Heading, total *view.GroupTotal) draw.Cell {
	net, ok := total.NetNotional(h.Format.Decimals(total.Asset))
	if !ok {
		return draw.Cell{}
	}
	net = h.Format.Shift().NotionalOf(net, total.Rows, h.market(), h.Format.Decimals(total.Asset))
	cell := h.Format.EstimatedAmount(net, total.Asset, true).Styled(h.Styles.Quiet)
	cell.Rounded = false // the title says that it is an estimate
	return cell
}

func assetHeading(h *Heading, total *view.GroupTotal) draw.Cell {
	return draw.Cell{Text: h.Format.Asset(total.Asset), Style: h.Styles.Dim}
}

func profitHeading(h *Heading, total *view.GroupTotal) draw.Cell {
	return h.profitCell(total.Sum(model.UnrealisedPnl).Amount(h.Format.Decimals(total.Asset)), total)
}

// sumHeading returns the sum of a number in the positions of the group.
func sumHeading(field model.Field) subtotalCell {
	return func(h *Heading, total *view.GroupTotal) draw.Cell {
		sum := total.Sum(field).Amount(h.Format.Decimals(total.Asset))
		return h.Format.Amount(sum, total.Asset, field.HasSign()).Styled(h.Styles.Dim)
	}
}

// ratioHeading formats the margin ratio of a group. The word old before it says that it is less reliable.
func ratioHeading(h *Heading, total *view.GroupTotal) draw.Cell {
	ratio, ok := h.Ratio(total)
	switch {
	case !ok:
		return draw.Cell{}
	case h.HasOldRecord(total):
		return draw.Cell{Text: "old " + RatioText(ratio), Style: h.Styles.Dim}
	case ratio.IsEstimate:
		return draw.Cell{Text: RatioText(ratio), Style: h.Styles.EstimatedRatio(ratio)}
	}
	return draw.Cell{Text: ratio.String(), Style: h.Styles.Ratio(ratio)}
}

// HasOldRecord reports whether the margin ratio of a total is made of an old margin record.
func (h *Heading) HasOldRecord(total *view.GroupTotal) bool {
	return total.HasRecordUpTo(h.Now.Add(-OldRecord))
}

// assetColumn returns the place of the column in which a heading shows the asset of the subtotals; -1 if there is none.
// It is needed only if a group has several assets, and the column of assets is not shown. Unlike the status, it is not
// cut off.
func (h *Heading) assetColumn(shown []view.Column) int {
	if _, ok := h.Total(); !ok || len(h.Totals) < 2 || slices.Contains(shown, view.AssetColumn) {
		return -1
	}
	for _, c := range []view.Column{view.EntryColumn, view.MarkColumn, view.NotionalColumn} {
		if i := slices.Index(shown, c); i >= 0 {
			return i
		}
	}
	return -1
}

func (h *Heading) foldMark() string {
	if h.IsFolded {
		return "▸"
	}
	return "▾"
}

// Status returns how many positions of the group are in trouble, and what its numbers leave out.
func (h *Heading) Status() draw.Cell {
	style := h.Styles.Dim
	switch {
	case h.Distressed > 0:
		style = h.Styles.Status(model.StatusDistressed)
	case h.ClosedOut > 0:
		style = h.Styles.Status(model.StatusClosedOut)
	}
	return draw.Cell{Text: strings.Join(h.Statuses(), ", "), Style: style}
}

// statusHeading is the status, after the number of positions if the column of sizes has the net size.
func statusHeading(h *Heading) draw.Cell {
	cell := h.Status()
	if h.By == view.GroupByMarket {
		cell.Text = strings.TrimSuffix(h.rowsText()+", "+cell.Text, ", ")
	}
	return cell
}

// Statuses are the words of Status.
func (h *Heading) Statuses() (words []string) {
	if h.Distressed > 0 {
		words = append(words, format.Grouped(h.Distressed)+" DISTRESSED")
	}
	if h.ClosedOut > 0 {
		words = append(words, format.Grouped(h.ClosedOut)+" CLOSED OUT")
	}
	return append(words, h.leftOut()...)
}

// leftOut returns what the numbers on the heading of a group leave out: other assets, amounts that cannot be
// added, and positions without margin levels.
func (h *Heading) leftOut() (words []string) {
	total, ok := h.Total()
	if !ok {
		return []string{"no subtotal"}
	}
	if others := len(h.Totals) - 1; others > 0 {
		words = append(words, "+"+format.Counted(others, "asset")+" beside "+h.Format.Asset(total.Asset))
	}
	if left := total.LeftOut(h.Format.Decimals(total.Asset)); left > 0 {
		words = append(words, format.Counted(left, "number")+" left out")
	}
	return append(words, WithoutRatio(&total)...)
}

// WithoutRatio returns of how many open positions of a total the margin ratio is not known, because of which the total
// has none. It is empty if all of them have one, or none of them, as while margin levels are read for the first time.
func WithoutRatio(total *view.GroupTotal) (words []string) {
	if n := total.WithoutRatio(); 0 < n && n < total.Open {
		words = append(words, format.Grouped(n)+" of "+format.Grouped(total.Open)+" without "+RatioName)
	}
	return words
}

// Size returns how many positions the group has.
func (h *Heading) Size() string {
	if h.ClosedHidden == 0 {
		return format.Counted(h.Rows, "position")
	}
	return format.Counted(h.Rows, "open position") + " and " + format.Grouped(h.ClosedHidden) + " closed"
}

// SecondLine draws the second line of the heading, below its row, if each row takes two lines.
func (h *Heading) SecondLine(row *table.Row, width int) string {
	base, status := h.Styles.Table().Of(row), h.Status()
	if row.Stale {
		status.Style = draw.Plain
	}
	l := draw.NewLine(width).Put(base, row.Mark+"  "+format.Counted(h.Rows, "position")+"  ")
	if net, _, ok := h.sizes(); ok {
		l.Put(base, "net ").PutNumber(base, h.Format.NumberIn(net, model.OpenVolume, h.ID, true).Marked(draw.RawMark)).Put(base, "  ")
	}
	l.Put(base+status.Style, draw.Cut(status.Text, l.Left()))
	if row.Cursor {
		l.StyledSpace(base, l.Left())
	}
	return l.String()
}

func unrealisedChangeHeading(h *Heading, total *view.GroupTotal) draw.Cell {
	change, _, ok := total.Changes(h.Format.Decimals(total.Asset))
	if !ok || total.Compared() != total.Rows || change.IsZero() {
		return draw.Cell{}
	}
	return h.profitCell(change, total)
}

func realisedChangeHeading(h *Heading, total *view.GroupTotal) draw.Cell {
	_, change, ok := total.Changes(h.Format.Decimals(total.Asset))
	if !ok || total.Compared() != total.Rows || change.IsZero() {
		return draw.Cell{}
	}
	return h.Format.Amount(change, total.Asset, true).Styled(h.Styles.Dim)
}
