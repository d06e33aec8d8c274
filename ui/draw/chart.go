package draw

import (
	"slices"
	"strings"
)

// Chart is an amount over time: bars from a line at zero, with an axis at its left and one below. (It is not in a
// border of Lip Gloss: that has no marks at the values.)
type Chart struct {
	Columns []ChartColumn
	Height  int    // lines, without the axis below
	Zero    int    // the line of zero, from 0 at the bottom
	Values  []Tick // of the axis at the left, at their lines from the bottom
	Times   []Tick // of the axis below, at their columns
}

// ChartColumn is a part of the time of a chart.
type ChartColumn struct {
	Halves int // how long its bar is, in halves of a line; negative below zero
	HasGap bool
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

// Lines draws the chart, the highest line first, with the axes, the bars above zero and those below it in their styles.
// It is as wide as LabelWidth and its columns. A time for which there is no room is left out.
func (c *Chart) Lines(axis, above, below Style) []string {
	labels := LabelWidth(c.Values) - axisCells
	width := labels + axisCells + len(c.Columns)
	lines := make([]string, 0, c.Height+1)
	for level := c.Height - 1; level >= 0; level-- {
		l := NewLine(width)
		tick := slices.IndexFunc(c.Values, func(tick Tick) bool { return tick.At == level })
		if tick < 0 {
			l.Space(labels).Put(axis, " │")
		} else {
			l.Space(labels-Width(c.Values[tick].Text)).Put(axis, c.Values[tick].Text+" ┤")
		}
		style := axis
		switch {
		case level > c.Zero:
			style = above
		case level < c.Zero:
			style = below
		}
		lines = append(lines, l.Put(style, c.line(level)).String())
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

// line returns what is on a line of the chart: the parts of the bars, or the line of zero, which has no cell in a gap.
func (c *Chart) line(level int) string {
	full, half, away := "█", "▄", level-c.Zero
	if away < 0 {
		half, away = "▀", -away
	}
	var b strings.Builder
	for _, column := range c.Columns {
		length := column.Halves
		if level < c.Zero {
			length = -length
		}
		switch {
		case column.HasGap:
			b.WriteByte(' ')
		case away == 0:
			b.WriteString("─")
		case length >= 2*away:
			b.WriteString(full)
		case length == 2*away-1:
			b.WriteString(half)
		default:
			b.WriteByte(' ')
		}
	}
	return strings.TrimRight(b.String(), " ")
}
