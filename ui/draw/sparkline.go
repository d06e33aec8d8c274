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

// TallSparkline draws levels from 0 to lines*SparklineLevels-1 as bars on several lines, the highest line first. A
// level below 0 is an empty column.
func TallSparkline(levels []int, lines int) []string {
	drawn := make([]string, 0, lines)
	for line := lines - 1; line >= 0; line-- {
		var b strings.Builder
		for _, level := range levels {
			switch above := level - line*SparklineLevels; {
			case level < 0 || above < 0:
				b.WriteByte(' ')
			default:
				b.WriteRune(sparklineBars[min(above, SparklineLevels-1)])
			}
		}
		drawn = append(drawn, b.String())
	}
	return drawn
}

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
