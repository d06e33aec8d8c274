package draw

import "strings"

// Bar is a name, a bar and a number on one line.
type Bar struct {
	Name   string
	Length int // of BarLength
	Value  string
	Style  Style // of the bar and the number
}

// BarLength is the length of a bar that takes all its room.
const BarLength = 1000

// The widths of names and bars.
const (
	maxBarName = 28
	minBarName = 8
	minBar     = 5
)

// Bars draws bars below each other on lines of a width: the names at the left, the numbers at the right, and the bars
// between them. A bar that is not empty has one cell at least. If there is no room for bars, only names and numbers
// are drawn.
func Bars(width int, bars []Bar) []string {
	names, values, longest := 0, 0, 0
	for _, bar := range bars {
		names, values, longest = max(names, Width(bar.Name)), max(values, Width(bar.Value)), max(longest, bar.Length)
	}
	const gaps = 3 // at the left, and around the bar
	widest := names
	if longest == 0 {
		names = min(widest, width-values-gaps)
	} else if names = min(widest, maxBarName, width-values-gaps-minBar); names < min(minBarName, widest) {
		names = min(widest, width-values-gaps) // without bars
	}
	room := width - names - values - gaps
	lines := make([]string, 0, len(bars))
	for _, bar := range bars {
		l := NewLine(width).Space(1).Put(Plain, CutMiddle(bar.Name, names)).To(names + 2)
		if room >= minBar && bar.Length > 0 {
			cells := max(bar.Length*room/BarLength, 1)
			l.Put(bar.Style, strings.Repeat("▇", min(cells, room)))
		}
		lines = append(lines, l.To(width-Width(bar.Value)).PutNumber(bar.Style, bar.Value).String())
	}
	return lines
}
