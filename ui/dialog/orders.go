package dialog

import (
	"fmt"
	"slices"
	"strings"

	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// orderLetters are the letters that sort by columns in the list of orders.
var orderLetters = map[view.Column]string{
	view.MarketColumn: "m", view.PartyColumn: "p", view.SizeColumn: "z", view.SizeChangeColumn: "Z", view.EntryColumn: "e",
	view.AssetColumn: "c", view.UnrealisedColumn: "u", view.UnrealisedChangeColumn: "U", view.MarginRatioColumn: "%",
	view.ToHalfColumn: "h", view.ToAllColumn: "H", view.MaintenanceColumn: "n", view.PartOfEntryColumn: "E", view.LeverageColumn: "l",
	view.DayColumn: "d", view.RealisedColumn: "r", view.RealisedChangeColumn: "R",
	view.StatusColumn: "t", view.AgeColumn: "a",
}

// OrderList covers the panes and lists how the rows are sorted, with a letter for each column.
type OrderList struct {
	pane.Choices
	orders []Entry
}

// NewOrderList returns a list of the orders by the columns.
func NewOrderList(settings columns.Settings, now view.Order, showsChanges bool) *OrderList {
	l, here := &OrderList{orders: OrderEntries(settings, now, showsChanges)}, 0
	sortable := slices.DeleteFunc(slices.Clone(settings), func(s columns.Setting) bool { return !s.Column.IsSortable() })
	for i, s := range sortable {
		l.orders[i].Key = orderLetters[s.Column]
		if s.Column == now.Column {
			here = i
		}
	}
	l.Choices = pane.NewChoices(func() int { return len(l.orders) }, here)
	return l
}

// OrderActions are the keys of the list besides those that move in it.
func OrderActions() []keys.Action[*OrderList] {
	var letters []string
	for _, c := range view.Columns() {
		if letter := orderLetters[c]; letter != "" {
			letters = append(letters, letter)
		}
	}
	return []keys.Action[*OrderList]{
		{Name: "order", Keys: letters, Shown: "letter", Help: "sort by its column", Hint: "sort", Priority: 1, IsNumbered: true,
			Do: func(l *OrderList, c *pane.Context) []pane.Effect {
				return l.apply(slices.IndexFunc(l.orders, func(e Entry) bool { return e.Key == letters[c.Number] }))
			}},
		{Name: "reverse_order", Keys: []string{"s"}, Help: "reverse the order", Hint: "reverse", Priority: 2,
			Do: func(_ *OrderList, c *pane.Context) []pane.Effect {
				return pane.Closing(pane.FocusPositions{}, pane.SortBy(c.Store.Settings().Order.Column))
			}, WhyNot: func(_ *OrderList, c *pane.Context) string {
				return keys.ReasonIf(c.Store.Settings().Order.Column == view.TroubleColumn, "the worst are first")
			}},
		{Name: "apply", Keys: []string{"enter"}, Help: "sort by this column", Do: func(l *OrderList, _ *pane.Context) []pane.Effect {
			return l.apply(l.Rows.Place())
		}},
	}
}

// apply sorts by the column of an entry.
func (l *OrderList) apply(place int) []pane.Effect {
	if reason := l.orders[place].WhyNot; reason != "" {
		return pane.Refusing(reason)
	}
	return pane.Closing(l.orders[place].Effects...)
}

// Draw draws a title, and the columns with their letters.
func (l *OrderList) Draw(c *pane.Context, size pane.Size) []string {
	s, width := c.Styles, size.Width
	second := draw.Rule(width, s.Dim, s.Dim, c.Keys.Fill("a letter sorts, {reverse_order} reverses"))
	row := func(place int) string {
		e := &l.orders[place]
		text := fmt.Sprintf("%-3s", e.Key) + strings.TrimPrefix(e.Name, namedByColumn)
		if e.WhyNot != "" {
			text += "  not now: " + e.WhyNot
		} else if e.Words == reverseWords {
			text += "  the order of now"
		}
		return draw.ListRow(width, place == l.Rows.Place(), s.Cursor, text)
	}
	return l.DrawRows(size.Height, draw.Text(width, s.Accent, " order of the positions"), second, row, "")
}

// What entries of orders are called in the palette, and what the one of the present order does.
const (
	namedByColumn = "sort by column "
	reverseWords  = "reverse the order"
)

// OrderEntries returns how the rows are sorted by each column.
func OrderEntries(settings columns.Settings, order view.Order, showsChanges bool) []Entry {
	var sorting []Entry
	for _, s := range settings {
		if !s.Column.IsSortable() {
			continue
		}
		entry := Entry{
			Name: namedByColumn + columns.Title(s.Column), Words: "sort the positions by this column",
			Effects: []pane.Effect{pane.FocusPositions{}, pane.SortBy(s.Column)},
		}
		if s.Column == order.Column {
			entry.Words = reverseWords
		}
		if s.Column.NeedsBaseline() && !showsChanges {
			entry.WhyNot = "there is no baseline"
		}
		sorting = append(sorting, entry)
	}
	return sorting
}
