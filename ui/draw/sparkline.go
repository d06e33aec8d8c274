package draw

import "strings"

// SparklineLevels is how many levels a sparkline has.
const SparklineLevels = 8

var sparklineBars = [SparklineLevels]rune{'▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'}

// Sparkline draws levels from 0 to SparklineLevels-1 as bars, one cell for each. A level outside this range is an empty
// cell.
func Sparkline(levels []int) string {
	var b strings.Builder
	for _, level := range levels {
		if level < 0 || level >= SparklineLevels {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(sparklineBars[level])
	}
	return b.String()
}
