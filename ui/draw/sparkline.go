package draw

import (
	"slices"
	"strings"
)

// SparklineLevels is how many levels a sparkline has.
const SparklineLevels = 8

var sparklineBars = [SparklineLevels]rune{'▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}

// flatBar is a cell of a sparkline whose levels do not differ.
const flatBar = '─'

// SparklineBar returns the bar of a level from 0 to SparklineLevels-1.
func SparklineBar(level int) string { return string(sparklineBars[level]) }

// Sparkline draws levels from 0 to SparklineLevels-1 as bars, one cell for each, and as a line if they do not differ. A
// level outside this range is an empty cell.
func Sparkline(levels []int) string {
	var b strings.Builder
	first := slices.IndexFunc(levels, func(level int) bool { return level >= 0 })
	isFlat := first >= 0 && !slices.ContainsFunc(levels, func(level int) bool { return level >= 0 && level != levels[first] })
	for _, level := range levels {
		if level < 0 || level >= SparklineLevels {
			b.WriteByte(' ')
			continue
		}
		if isFlat {
			b.WriteRune(flatBar)
		} else {
			b.WriteRune(sparklineBars[level])
		}
	}
	return b.String()
}
