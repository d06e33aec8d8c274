package detail

import (
	"strings"

	"blotter/ui/columns"
	"blotter/ui/draw"
)

// estimates draws the mark price and the notional, which are estimates, and the distances. What there is no room for is
// left out whole, first the notional, then the mark price.
func (p *Position) estimates(width int) string {
	facts := estimateFacts(p)
	if len(facts) == 0 {
		return ""
	}
	for ; len(facts) > 0; facts = facts[:len(facts)-1] {
		for _, distances := range distanceTexts(p) {
			if cellsOfEstimates(facts, distances) > width {
				continue
			}
			l := draw.NewLine(max(width, 0)).Space(1)
			for _, f := range facts {
				l.PutFact(p.Styles.Dim, f.Name, f.Value).Space(estimatesGap)
			}
			return l.Put(p.Styles.Quiet, distances).String()
		}
	}
	return draw.NewLine(max(width, 0)).Space(1).PutWhole(p.Styles.Quiet, distanceTexts(p)...).String()
}

// leastEstimates returns how many cells all estimates take with the distances in few words.
func leastEstimates(p *Position) int {
	distances := distanceTexts(p)
	return cellsOfEstimates(estimateFacts(p), distances[len(distances)-1])
}

const estimatesGap = 3

func cellsOfEstimates(facts []draw.Fact, distances string) int {
	cells := 1 + draw.Width(distances)
	for _, f := range facts {
		cells += draw.Width(f.Name+" "+f.Value) + estimatesGap
	}
	return cells
}

func estimateFacts(p *Position) (facts []draw.Fact) {
	for _, c := range columns.Estimates() {
		if text := c.Number.Cell(p.Position, p.Format).Text; text != "" {
			facts = append(facts, draw.Fact{Name: c.Words, Value: text})
		}
	}
	return facts
}

// distanceTexts are the distances to the limits of the margin ratio, shorter texts after longer ones; an empty one if
// there are none.
func distanceTexts(p *Position) []string {
	words := p.distances()
	if words == "" || p.oldRecord() != "" {
		return []string{""}
	}
	market := p.Format.Market(p.Market)
	return []string{"≈ " + market + " " + words + "; balances are not known", "≈ " + market + " " + words,
		"≈ " + strings.TrimPrefix(words, "≈")}
}

// distances are the distances of the position to the limits of its margin ratio, empty if there are none.
func (p *Position) distances() string {
	margin := columns.Margin{Ratio: p.Ratio, HasRatio: p.HasRatio}
	return p.Format.Change(margin.DistanceWords(p.Position, p.Format.Instruments()))
}

// distanceFact is at which changes of the mark price the margin ratio is at its limits. It has no value if they are not
// known.
func (p *Position) distanceFact(old string) draw.Fact {
	words := p.distances()
	if words == "" {
		return draw.Fact{}
	}
	return draw.Fact{Name: "≈ price to limits", Value: p.Format.Market(p.Market) + " " + words + old + "; " + columns.NoLiquidationPrice}
}
