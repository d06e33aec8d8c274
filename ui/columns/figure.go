package columns

import (
	"strings"

	"blotter/model"
	"blotter/ui/draw"
)

// figures are the words of the figures, and their names in CSV and JSON.
var figures = [model.FigureCount]struct{ about, field, printed string }{
	model.PartOfEntry: {"uPnL in percent of the size at the entry price", "unrealisedPartOfEntry",
		"the unrealised profit and loss in percent of the size at the average entry price, such as -1.3; empty if it is not known"},
	model.Leverage: {"1 ÷ the margin factor, if the margin is isolated", "leverage",
		"1 ÷ marginFactor, with at most 8 decimals, if the margin is isolated; else empty"},
}

func figureLayout(of model.Figure, title string, keep int) layout {
	words := &figures[of]
	return layout{
		title: title, about: words.about, min: 7, number: true, keep: keep, atFirst: hiddenAtFirst, hides: true, cell: figureCell(of),
		printed: Printed{Field: words.field, IsComputed: true, Figure: figureText(of), About: words.printed},
	}
}

// printedPlaces is how many decimal places a figure that is no percentage has in CSV and JSON at most, and shownPlaces
// how many on the screen.
const (
	printedPlaces = 8
	shownPlaces   = 2
)

// figureText returns a figure for programs, empty if there is none.
func figureText(of model.Figure) func(*model.Position, *model.MarginLevels, *model.Instruments) string {
	return func(p *model.Position, levels *model.MarginLevels, in *model.Instruments) string {
		ratio, ok := of.Of(p, levels, in)
		switch {
		case !ok:
			return ""
		case of.IsPercent():
			return strings.ReplaceAll(strings.Trim(ratio.String(), "+%"), ",", "")
		}
		text, _ := ratio.Written(printedPlaces)
		return text
	}
}

func figureCell(of model.Figure) setCell {
	return func(c *draw.Cell, r *Row) {
		ratio, ok := of.Of(r.Position, r.Margin.openLevels(), r.Format.Instruments())
		switch {
		case !ok:
			return
		case of.IsPercent():
			c.Text, c.Style = ratio.String(), r.Styles.Profit(ratio.Sign())
			return
		}
		c.Text, c.Rounded = ratio.Written(shownPlaces)
		c.Style = r.Styles.Quiet
	}
}

// openLevels returns the margin record of an open position; nil if there is none.
func (m *Margin) openLevels() *model.MarginLevels {
	if !m.HasLevels {
		return nil
	}
	return &m.Levels
}

func maintenanceOf(levels *model.MarginLevels) model.Amount { return levels.Maintenance }

func maintenanceCell(c *draw.Cell, r *Row) {
	if asset := assetOf(r.Position, r.Format.Instruments()); r.Margin.HasLevels && !asset.IsZero() {
		*c = r.Format.Amount(r.Margin.Levels.Maintenance, asset, false).Styled(r.Styles.Quiet)
	}
}
