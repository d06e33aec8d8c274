package columns

import (
	"strings"

	"blotter/model"
	"blotter/ui/draw"
)

func distanceLayout(to model.RatioLimit, keep int) layout {
	return layout{
		title: "≈ TO " + to.String(), min: 8, number: true, keep: keep, atFirst: hiddenAtFirst, hides: true, cell: distanceCell(to),
		about:   "the change of the mark price at which uPnL/MM is " + to.String() + ", maintenance as it is; " + NoLiquidationPrice,
		printed: Printed{Field: distanceFields[to], Keep: 1, IsComputed: true, Percent: distancePercent(to), About: distanceMeaning(to)},
	}
}

// distanceFields are the names of the distances in CSV and JSON.
var distanceFields = [model.RatioLimitCount]string{model.HalfLost: "estimatedChangeTo50", model.AllLost: "estimatedChangeTo100"}

// distanceMeaning describes a distance in the schema of what is printed.
func distanceMeaning(to model.RatioLimit) string {
	return "the estimated change of the mark price in percent at which marginRatio is " + strings.TrimSuffix(to.String(), "%") +
		", such as -2.1; passed, or never; empty if marginRatio is, or if it cannot be estimated; " + NoLiquidationPrice
}

func distancePercent(to model.RatioLimit) func(model.MarginRatio, *model.Position, *model.Instruments) string {
	return func(r model.MarginRatio, p *model.Position, in *model.Instruments) string {
		distance, ok := model.DistanceTo(to, r, p, in)
		if !ok {
			return ""
		}
		return distance.String()
	}
}

// NoLiquidationPrice says what a distance is not.
const NoLiquidationPrice = "balances are not known, so it is not a liquidation price"

// DistanceTo returns the distance of a position to a limit. It is marked if the margin ratio is an estimate. DistanceTo
// returns false if there is none.
func (m *Margin) DistanceTo(to model.RatioLimit, p *model.Position, in *model.Instruments) (text string, ok bool) {
	if !m.HasRatio {
		return "", false
	}
	distance, ok := model.DistanceTo(to, m.Ratio, p, in)
	if text = distance.String(); m.Ratio.IsEstimate {
		text = "≈" + text
	}
	return text, ok
}

// DistanceWords are the distances of a position to all limits of the margin ratio, empty if there are none.
func (m *Margin) DistanceWords(p *model.Position, in *model.Instruments) string {
	var words []string
	for to := range model.RatioLimitCount {
		text, ok := m.DistanceTo(to, p, in)
		switch distance := strings.TrimPrefix(text, "≈"); {
		case !ok:
		case distance == model.Passed, distance == model.Never:
			words = append(words, to.String()+" "+text)
		default:
			words = append(words, text+" → "+to.String())
		}
	}
	return strings.Join(words, ", ")
}

func distanceCell(to model.RatioLimit) setCell {
	return func(c *draw.Cell, r *Row) {
		text, ok := r.Margin.DistanceTo(to, r.Position, r.Format.Instruments())
		switch {
		case !ok:
		case r.Margin.IsOld:
			c.Text, c.Style = "old "+text, r.Styles.Dim
		default:
			c.Text, c.Style = text, r.Styles.Quiet
		}
	}
}
