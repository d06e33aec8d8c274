package dialog

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/theme"
)

// ColumnList covers the panes while columns of the positions table are shown and hidden, moved, pinned and made wider.
// It changes a copy of the settings.
type ColumnList struct {
	pane.Choices
	settings columns.Settings
}

// NewColumnList returns a list that begins with some settings.
func NewColumnList(settings columns.Settings) *ColumnList {
	l := &ColumnList{settings: slices.Clone(settings)}
	l.Choices = pane.NewChoices(func() int { return len(l.settings) }, 0)
	return l
}

// ColumnListActions are the keys of the list besides those that move in it.
func ColumnListActions() []keys.Action[*ColumnList] {
	shift := func(step int) func(*ColumnList, *pane.Context) []pane.Effect {
		return func(l *ColumnList, _ *pane.Context) []pane.Effect { l.shift(step); return nil }
	}
	widen := func(cells int) func(*ColumnList, *pane.Context) []pane.Effect {
		return func(l *ColumnList, _ *pane.Context) []pane.Effect { l.here().ChangeWidth(cells); return nil }
	}
	return []keys.Action[*ColumnList]{
		{Name: "show_column", Keys: []string{"tab", "space"}, Shown: "tab", Help: "show or hide",
			Hint: "show", Priority: 1, Do: (*ColumnList).showOrHide, WhyNot: (*ColumnList).whyAlwaysShown},
		{Name: "move_column_left", Keys: []string{"shift+up", "K"}, Shown: "K", Help: "move to the left",
			Hint: "left", Priority: 4, Do: shift(-1), WhyNot: whyNoShift(-1)},
		{Name: "move_column_right", Keys: []string{"shift+down", "J"}, Shown: "J", Help: "move to the right",
			Hint: "right", Priority: 5, Do: shift(+1), WhyNot: whyNoShift(+1)},
		{Name: "pin_column", Keys: []string{"p"}, Help: "pin: leave out last", Hint: "pin", Priority: 6, Do: (*ColumnList).pin},
		{Name: "wider_column", Keys: []string{"right"}, Help: "wider", Hint: "wider", Priority: 7, Do: widen(+1), WhyNot: whyNoWidth(+1)},
		{Name: "narrower_column", Keys: []string{"left"}, Help: "narrower", Hint: "narrower", Priority: 8,
			Do: widen(-1), WhyNot: whyNoWidth(-1)},
		{Name: "default_columns", Keys: []string{"d"}, Help: "all as by default", Hint: "default",
			Priority: 9, Do: (*ColumnList).reset, WhyNot: (*ColumnList).whyDefault},
		{Name: "apply", Keys: []string{"enter"}, Help: "apply", Hint: "apply", Priority: 2, Do: (*ColumnList).apply},
	}
}

func (l *ColumnList) here() *columns.Setting { return &l.settings[l.Rows.Place()] }

// shift moves the column under the cursor by the given number of places to the right.
func (l *ColumnList) shift(step int) {
	from, to := l.Rows.Place(), l.Rows.Place()+step
	l.settings[from], l.settings[to] = l.settings[to], l.settings[from]
	l.Rows.MoveTo(to)
}

func (l *ColumnList) showOrHide(*pane.Context) []pane.Effect {
	l.here().Hidden = !l.here().Hidden
	return nil
}

func (l *ColumnList) whyAlwaysShown(*pane.Context) string {
	here := l.here()
	return keys.ReasonIf(here.IsAlwaysShown(), columns.Title(here.Column)+" is always shown: rows would look the same without it")
}

func whyNoShift(step int) func(*ColumnList, *pane.Context) string {
	return func(l *ColumnList, _ *pane.Context) string {
		to := l.Rows.Place() + step
		return keys.ReasonIf(to < 0 || to >= len(l.settings), "it is at the end already")
	}
}

func whyNoWidth(cells int) func(*ColumnList, *pane.Context) string {
	return func(l *ColumnList, _ *pane.Context) string {
		changed := *l.here()
		changed.ChangeWidth(cells)
		return keys.ReasonIf(changed == *l.here(), "its width cannot be changed further")
	}
}

func (l *ColumnList) whyDefault(*pane.Context) string {
	return keys.ReasonIf(slices.Equal(l.settings, columns.Default()), "all are as by default")
}

func (l *ColumnList) pin(*pane.Context) []pane.Effect {
	l.here().Pinned = !l.here().Pinned
	return nil
}

func (l *ColumnList) reset(*pane.Context) []pane.Effect {
	l.settings = columns.Default()
	return nil
}

func (l *ColumnList) apply(*pane.Context) []pane.Effect {
	return pane.Closing(pane.SetColumns(l.settings))
}

// Click puts the cursor on the column that was clicked. A click on its box also shows or hides it.
func (l *ColumnList) Click(c *pane.Context, _ pane.Size, at image.Point) []pane.Effect {
	if !l.ClickBox(at) {
		return nil
	}
	if reason := l.whyAlwaysShown(c); reason != "" {
		return pane.Saying(reason + ".")
	}
	return l.showOrHide(c)
}

// Draw draws the columns below each other, and below them what the column under the cursor is.
func (l *ColumnList) Draw(c *pane.Context, s pane.Size) []string {
	styles, width := c.Styles, s.Width
	first := draw.NewLine(width).PutWhole(styles.Accent, " columns of the positions table, the leftmost first",
		" columns, the leftmost first").String()
	second := draw.Rule(width, styles.Dim, styles.Dim, fmt.Sprintf("%d columns", len(l.settings)))
	row := func(place int) string { return l.drawSetting(styles, place, width) }
	return l.DrawRows(s.Height, first, second, row, draw.Text(width, styles.Strong, " "+l.here().Words()))
}

// notesFrom is the cell of a row from which the settings of columns are aligned below each other.
const notesFrom = 23

func (l *ColumnList) drawSetting(s *theme.Styles, place, width int) string {
	setting := &l.settings[place]
	text := "[x] " + columns.Title(setting.Column)
	if setting.Hidden {
		text = "[ ] " + columns.Title(setting.Column)
	}
	if notes := setting.Notes(); notes != "" {
		text += strings.Repeat(" ", max(notesFrom-draw.Width(text), 2)) + notes
	}
	return draw.ListRow(width, place == l.Rows.Place(), s.Cursor, text)
}
