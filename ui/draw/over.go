package draw

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Over puts a block of lines, which all have the given number of cells, over others, from a cell on. (The compositor of
// Lip Gloss takes 1.2 ms for 20 lines of 160 cells, this 0.1 ms.)
func Over(lines, block []string, width, left, top int) []string {
	over := slices.Clone(lines)
	for i, line := range block {
		if at := top + i; at < len(over) {
			over[at] = leftOf(over[at], left) + line + rightOf(over[at], left+width)
		}
	}
	return over
}

// leftOf returns the first cells of a line.
func leftOf(line string, cells int) string {
	cut := Fenced(ansi.Cut(line, 0, cells), cells)
	return cut + strings.Repeat(" ", max(cells-Width(cut), 0))
}

// rightOf returns the cells of a line from one on. If a wide character or a name from right to left begins before it,
// its first cell is replaced.
func rightOf(line string, from int) string {
	whole := Width(line)
	if whole <= from {
		return ""
	}
	cut := ansi.Cut(line, from, whole)
	first := ""
	switch {
	case Width(cut) != whole-from:
		first = " "
	case strings.Count(cut, Fence)%2 == 1:
		first = Fence
	default:
		return cut
	}
	cut = ansi.Cut(line, from+1, whole)
	return first + strings.Repeat(" ", max(whole-from-1-Width(cut), 0)) + cut
}
