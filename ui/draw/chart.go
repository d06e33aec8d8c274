package draw

import (
	"slices"
	"strings"
)

// Chart is a line over time, with an axis at its left and one below. (It is not in a border of Lip Gloss: that has no
// marks at the values.)
type Chart struct {
	Levels []int  // the level of the line in each column, from 0 at the bottom to Height-1; a negative one is a gap
	Height int    // lines, without the axis below
	Values []Tick // of the axis at the left, at their levels
	Times  []Tick // of the axis below, at their columns
}

// Tick is a text of an axis.
type Tick struct {
	At   int
	Text string
}

// axisCells is the width of the axis at the left, beside its texts.
const axisCells = 2

// LabelWidth returns how many cells the axis at the left takes, for these texts.
func LabelWidth(values []Tick) int {
	width := 0
	for _, tick := range values {
		width = max(width, Width(tick.Text))
	}
	return width + axisCells
}

// Lines draws the chart, the highest level first, with the axes and the line in their styles. It is as wide as
// LabelWidth and its columns. A time for which there is no room is left out.
func (c *Chart) Lines(axis, line Style) []string {
	cells := c.cells()
	labels := LabelWidth(c.Values) - axisCells
	width := labels + axisCells + len(c.Levels)
	lines := make([]string, 0, c.Height+1)
	for level := c.Height - 1; level >= 0; level-- {
		l := NewLine(width)
		tick := slices.IndexFunc(c.Values, func(tick Tick) bool { return tick.At == level })
		if tick < 0 {
			l.Space(labels).Put(axis, " │")
		} else {
			l.Space(labels-Width(c.Values[tick].Text)).Put(axis, c.Values[tick].Text+" ┤")
		}
		lines = append(lines, l.Put(line, strings.TrimRight(string(cells[level]), " ")).String())
	}
	times := NewLine(width).Space(labels + axisCells)
	for _, tick := range c.Times {
		at := labels + axisCells + tick.At
		if isFirst := times.Width() == labels+axisCells; (isFirst || at > times.Width()) && at+Width(tick.Text) <= width {
			times.To(at).Put(axis, tick.Text)
		}
	}
	return append(lines, times.String())
}

// cells returns what is in each level and column.
func (c *Chart) cells() [][]rune {
	cells := make([][]rune, c.Height)
	for level := range cells {
		cells[level] = []rune(strings.Repeat(" ", len(c.Levels)))
	}
	for column, level := range c.Levels {
		if level < 0 || level >= c.Height {
			continue
		}
		before := level
		if column > 0 && c.Levels[column-1] >= 0 && c.Levels[column-1] < c.Height {
			before = c.Levels[column-1]
		}
		switch {
		case before == level:
			cells[level][column] = '─'
		case before < level:
			cells[before][column], cells[level][column] = '╯', '╭'
		default:
			cells[before][column], cells[level][column] = '╮', '╰'
		}
		for between := min(before, level) + 1; between < max(before, level); between++ {
			cells[between][column] = '│'
		}
	}
	return cells
}
