// Package positions is the table of positions: its columns, rows and cursor, its order, its groups with their headings,
// and the marks of what has changed.
//
//	positions   the pane, its keys, and what is under the cursor
//	sort        the order of the rows
//	scroll      the columns that do not fit
//	groups      the groups: folding, and the heading under the cursor
//	rows, cells the rows on the screen, and the cells of positions and of the headings of groups
//	draw, empty how the table is drawn and clicked, and what is drawn if it is empty
//	notices     what the table says once
//	copy        what is copied to the clipboard
//	opened      the position whose detail is open
//	marked      the rows that the trader has marked, their export, and names
//	edge        the line below the rows that says what is not seen
package positions

import (
	"cmp"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/table"
)

// Pane is the table of positions.
type Pane struct {
	Rows    pane.Rows[view.LineKey] // the lines, and the cursor
	store   *store.Store
	empty   emptyTable
	cells   cells
	sorting sorting
	notices notices
	// groupsAfter are the groups that were after that of the cursor when it was shown last.
	groupsAfter   []model.ID
	ordered       view.Order // the order of the rows when they were drawn last
	widths        table.Widths
	columns       columns.Settings // those that the trader chose, from left to right
	scrolled      int              // how many of them are scrolled out at the left
	marked        marked
	width         int
	top           int // the first row on the screen when the widths of the columns were last forgotten
	room          int // how many rows there is room for; 0 while the table is covered
	edge          edge
	opened        opened
	copiesRows    bool // rows were copied when they were exported last, not saved
	revealsCursor bool // the trader has changed which lines there are: the next Sync brings the cursor into the window
}

// New returns the table of the view of a store. The function loading returns how far the first snapshots are, in
// the given number of cells; empty if they are there. Changed cells are marked withMarks.
func New(of *store.Store, settings columns.Settings, withMarks bool, loading func(c *pane.Context, width int) string) *Pane {
	return &Pane{
		Rows:  pane.NewFixedRows(func() pane.Source[view.LineKey] { return lines{of.View()} }),
		store: of, empty: emptyTable{of, loading}, cells: cells{store: of, withMarks: withMarks},
		ordered: of.View().Order, columns: settings,
	}
}

// lines are the lines of a view, for the list.
type lines struct{ of *view.View }

func (l lines) Len() int { return l.of.Lines() }

func (l lines) Key(place int) view.LineKey {
	key, _ := l.of.LineKey(place)
	return key
}

func (l lines) Find(key view.LineKey) (line int, ok bool) {
	if line, ok = l.of.Line(key); ok || line < 0 {
		return line, ok
	}
	return l.inPlaceOf(key, line), false
}

// inPlaceOf returns the line to select in place of one that would be at a line and is not shown. For a row it is that
// of the next row, not that of the heading before it, unless the group is folded. For a heading it is that of the next
// heading, or of the last one.
func (l lines) inPlaceOf(key view.LineKey, line int) int {
	switch {
	case key.IsHeading && line == l.Len() && line > 0:
		return l.headingOf(line - 1)
	case !key.IsHeading && l.isHeading(line) && line+1 < l.Len() && !l.isHeading(line+1):
		return line + 1
	}
	return line
}

func (l lines) isHeading(line int) bool {
	key, _ := l.of.LineKey(line)
	return key.IsHeading
}

// headingOf returns the line of the heading of the group that a line belongs to.
func (l lines) headingOf(line int) int {
	key, _ := l.of.LineKey(line)
	if !key.IsHeading {
		group, _ := key.GroupIn(l.of)
		line, _ = l.of.Line(view.LineKey{IsHeading: true, Group: group})
	}
	return line
}

// List returns the rows.
func (p *Pane) List() pane.List { return &p.Rows }

// Sync adapts the table to its size. A height of 0 means that it is covered.
func (p *Pane) Sync(_ *pane.Context, s pane.Size) {
	if s.Width != p.width {
		p.widths.Forget()
		p.scrolled = 0
	}
	p.width = s.Width
	p.fit(s)
	if p.revealsCursor {
		p.Rows.Reveal()
		p.revealsCursor = false
	}
	if order := p.store.View().Order; order != p.ordered { // show what is first in the new order
		p.ordered = order
		p.Rows.ShowTop()
	}
	p.fit(s)
	if top := p.Rows.Top(); top >= p.top+p.Rows.Height() || top <= p.top-p.Rows.Height() { // other rows are shown
		p.top = top
		p.widths.Forget()
	}
}

// Height returns how many lines all rows take in a table of a width, with its heading.
func (p *Pane) Height(width int) int { return 1 + p.store.View().Lines()*linesPerRow(width) }

// Columns returns the columns that the trader chose.
func (p *Pane) Columns() columns.Settings { return p.columns }

// SetColumns changes the columns.
func (p *Pane) SetColumns(settings columns.Settings) {
	p.columns, p.scrolled = settings, 0
	p.widths.Forget()
}

// Actions are the keys of the table besides those that move in it.
func Actions() []keys.Action[*Pane] {
	by := func(c view.Column) func(*Pane, *pane.Context) []pane.Effect {
		return func(p *Pane, _ *pane.Context) []pane.Effect { return p.SortBy(c) }
	}
	byTrouble := func(p *Pane, _ *pane.Context) []pane.Effect { return p.sorting.byTrouble(p.store.Settings().Order) }
	return append([]keys.Action[*Pane]{
		{Name: "previous_column", Keys: []string{"left"}, Help: "back by a column", Do: scrollBack, WhyNot: whyNoColumnsBefore},
		{Name: "next_column", Keys: []string{"right"}, Help: "columns without room", Do: scroll, WhyNot: whyNoMoreColumns},
		{Name: "sort", Keys: []string{"s"}, Help: "choose the order", Hint: "order", Priority: 9, Effect: pane.Open{Dialog: pane.OrderDialog{}}},
		{Name: "sort_by_trouble", Keys: []string{"T"}, Help: "worst first; again: back", Hint: "worst", Priority: 4, Do: byTrouble},
		{Name: "sort_by_size", Help: "sort by size", Do: by(view.SizeColumn)},
		{Name: "sort_by_entry", Help: "sort by entry", Do: by(view.EntryColumn)},
		{Name: "sort_by_unrealised", Help: "sort by uPnL", Do: by(view.UnrealisedColumn)},
		{Name: "sort_by_realised", Help: "sort by rPnL", Do: by(view.RealisedColumn)},
		{Name: "sort_by_age", Help: "sort by age", Do: by(view.AgeColumn)},
		{Name: "show_closed", Keys: []string{"c"}, Help: "show or hide closed", Hint: "closed",
			Priority: 11, Do: (*Pane).toggleClosed, WhyNot: (*Pane).whyNoClosed},
		{Name: "detail", Keys: []string{"enter"}, Help: "detail of this line", Hint: "detail",
			Priority: 6, Effect: pane.Show(pane.DetailKind), WhyNot: (*Pane).whyNoLine},
		{Name: "only_party", Keys: []string{"P"}, Help: "only this row's party", OnlyLive: true,
			Do: only(view.GroupByParty), WhyNot: whyNoID(view.GroupByParty)},
		{Name: "only_market", Keys: []string{"M"}, Help: "only this row's market", OnlyLive: true,
			Do: only(view.GroupByMarket), WhyNot: whyNoID(view.GroupByMarket)},
		{Name: "name", Keys: []string{"n"}, Help: "name it, set its decimals", OnlyLive: true,
			Do: (*Pane).Name, WhyNot: (*Pane).WhyNoNaming},
		{Name: "copy_row", Keys: []string{"y"}, Help: "copy row, or marked rows", Hint: "copy",
			Priority: 10, Do: copyRow, WhyNot: (*Pane).whyNoLine},
		{Name: "copy_rows", Keys: []string{"Y"}, Help: "copy all rows", Do: copyRows, WhyNot: (*Pane).whyNoLine},
		{Name: "group", Keys: []string{"b"}, Help: "group rows, or ungroup", Hint: "group", Priority: 8, Do: (*Pane).nextGrouping},
		{Name: "fold", Keys: []string{"space"}, Help: "fold or unfold this group", Hint: "fold",
			Priority: 5, Do: (*Pane).toggleFold, WhyNot: (*Pane).whyNoGroups,
			HintIf: func(p *Pane, _ *pane.Context) bool { return p.store.Settings().Group != view.Ungrouped }},
		{Name: "fold_all", Help: "fold or unfold all groups", Do: (*Pane).toggleFoldAll, WhyNot: (*Pane).whyNoGroups},
	}, markActions()...)
}

// Selected returns the position whose detail is open, or that under the cursor; nil if there is none.
func (p *Pane) Selected() *model.Position {
	if p.opened.is {
		position := p.opened.position
		return &position
	}
	if _, ok := p.Rows.Cursor(); !ok {
		return nil
	}
	if selected, ok := p.store.View().At(p.Rows.Place()); ok {
		return &selected
	}
	return nil
}

// Line returns the selected line.
func (p *Pane) Line(c *pane.Context) pane.Line {
	if p.opened.is {
		return p.opened.selected(p.store)
	}
	if g, ok := p.selectedGroup(); ok {
		return pane.Line{Heading: p.cells.heading(c, g), IsStale: p.cells.isStale(g, p.store.Stale())}
	}
	return pane.Line{Position: p.Selected()}
}

// selectedGroup returns the group whose heading is under the cursor, and false if a row or nothing is.
func (p *Pane) selectedGroup() (*view.Group, bool) {
	if _, ok := p.Rows.Cursor(); !ok {
		return nil, false
	}
	return headingAt(p.store.View(), p.Rows.Place())
}

// MoveBy moves the cursor by the given number of lines, or says that there is no other one.
func (p *Pane) MoveBy(lines int) []pane.Effect {
	before := p.Rows.Place()
	if p.Rows.MoveBy(lines); p.Rows.Place() == before {
		return pane.Saying("No more rows.")
	}
	if p.opened.is {
		p.opened.take(p)
	}
	return nil
}

// GoTo moves the cursor to a position, and unfolds its group. If the position is not shown, it returns false and why.
func (p *Pane) GoTo(to pane.GoTo) (isShown bool, words string) {
	key, v := to.Key, p.store.View()
	if id, ok := v.GroupOf(key); ok && v.IsFolded(key) {
		p.refold(p.store.Folding().Toggled(id))
	}
	place, isShown := p.store.View().Place(key)
	if isShown {
		p.Rows.MoveTo(place)
		p.opened = opened{}
		return true, ""
	}
	scope := p.store.Settings().Scope
	if _, isKnown := v.Book().Find(key); isKnown && scope.Covers(key) {
		return false, "Its position is hidden: it is closed, or the filter leaves it out."
	}
	return false, to.Missing
}

func (p *Pane) toggleClosed(*pane.Context) []pane.Effect {
	return []pane.Effect{pane.Set(func(s *view.Settings) { s.ShowClosed = !s.ShowClosed })}
}

// only watches only the party or the market of the line under the cursor.
func only(kind view.Grouping) func(*Pane, *pane.Context) []pane.Effect {
	return func(p *Pane, _ *pane.Context) []pane.Effect {
		id, _ := p.selectedID(kind)
		scope := p.store.Settings().Scope
		if kind == view.GroupByParty {
			scope.Parties = []model.ID{id}
		} else {
			scope.Markets = []model.ID{id}
		}
		return []pane.Effect{pane.Watch(scope)}
	}
}

// WhyNoNaming and the functions like it return in a few words why a key does nothing now; empty if it does something.
func (p *Pane) WhyNoNaming(c *pane.Context) string {
	g, ok := p.selectedGroup()
	switch {
	case len(p.marked) > 0:
		return c.WhyNoNames
	case ok && p.store.View().Groups.By == view.GroupByOwn:
		return cmp.Or(c.WhyNoNames, "own groups get their names where they are made")
	case ok && g.ID.IsZero():
		return cmp.Or(c.WhyNoNames, "the "+p.store.View().Groups.By.String()+" of this group is not known")
	}
	return cmp.Or(c.WhyNoNames, p.whyNoLine(c))
}

func (p *Pane) whyNoRow() string {
	switch _, isGroup := p.selectedGroup(); {
	case isGroup:
		return "this line is a group"
	case p.Selected() == nil:
		return "no row is selected"
	}
	return ""
}

func (p *Pane) whyNoLine(*pane.Context) string {
	if _, isGroup := p.selectedGroup(); isGroup {
		return ""
	}
	return p.whyNoRow()
}

func (p *Pane) whyNoClosed(*pane.Context) string {
	v := p.store.View()
	return keys.ReasonIf(v.Rows() > 0 && v.Rows() == v.Open() && !p.store.Settings().ShowClosed, "no closed positions")
}
