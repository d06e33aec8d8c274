package columns

import (
	"strings"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/theme"
)

// barCells is how many cells the bar of a margin ratio has. The last one is -100%.
const barCells = 10

// barTrack is in the cells of the bar that are free.
var barTrack = strings.Repeat("┈", barCells)

// barEighths are the parts of a cell of the bar, in eighths.
var barEighths = [...]string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// barCell is the margin ratio as a bar, if it is a loss of this moment. That of an estimate is dim.
func barCell(c *draw.Cell, r *Row) {
	ratio := &r.Margin.Ratio
	if r.Margin.HasRatio && (!ratio.HasEnded() || ratio.IsEstimate) && !r.Margin.IsOld && !r.IsStale {
		*c = bar(ratio, r.Styles)
	}
}

func barHeading(h *Heading, total *view.GroupTotal) draw.Cell {
	ratio, ok := h.Ratio(total)
	if !ok || h.HasOldRecord(total) {
		return draw.Cell{}
	}
	return bar(&ratio, h.Styles)
}

func bar(ratio *model.MarginRatio, s *theme.Styles) (c draw.Cell) {
	const longest = 1000
	permille, lost := ratio.Permille(), int64(longest)
	if n, ok := permille.Int64(); ok {
		lost = min(-n, longest)
	}
	if ratio.Sign() >= 0 || !permille.IsNumber() {
		return c
	}
	eighths := max(int(lost*barCells*int64(len(barEighths))/longest), 1)
	full, part := eighths/len(barEighths), barEighths[eighths%len(barEighths)]
	c.Text, c.Style = strings.Repeat("█", full)+part, s.Bar(lost)
	if ratio.IsEstimate {
		c.Style = s.Dim
	}
	c.Rest, c.RestStyle = barTrack[len("┈")*draw.Width(c.Text):], s.Dim
	return c
}
