package analysis

import (
	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/theme"
)

// heat has the backgrounds of amounts that stand together in a table: the larger a loss is among them, the hotter.
// Sizes of several markets do not compare, so they have none.
type heat struct {
	decimals int
	isKnown  bool // the largest of them
	largest  model.Amount
}

// heated returns the cells that make makes, with their heat. It makes them twice: first to find the largest amount.
func heated(p *content, make func() [][]draw.Cell) [][]draw.Cell {
	p.heat = &heat{decimals: p.decimals()}
	make()
	p.heat.isKnown = true
	cells := make()
	p.heat = nil
	return cells
}

// style returns the style of an amount. Without heat, which is nil, it is that of its sign.
func (h *heat) style(a model.Amount, styles *theme.Styles) draw.Style {
	if h == nil {
		return styles.Profit(a.Sign())
	}
	if !h.isKnown {
		if model.Share(h.largest, a, theme.HeatSteps, h.decimals) < theme.HeatSteps {
			h.largest = a
		}
		return draw.Plain
	}
	return styles.Heat(a.Sign(), model.Share(a, h.largest, 2*theme.HeatSteps, h.decimals)/2) // small ones have none
}
