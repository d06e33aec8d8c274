package columns

import (
	"blotter/model"
	"blotter/ui/format"
)

// marginTexts are the words of the texts of a margin record.
var marginTexts = [model.MarginTextCount]struct {
	name  string // in facts
	title string // of the column of a table
	about string // what it is, in the schema of what is printed
}{
	model.MarginMode: {"margin mode", "MODE", "the margin mode, a name such as MARGIN_MODE_ISOLATED_MARGIN"},
	model.MarginFactor: {"margin factor", "FACTOR",
		"the part of the notional that the margin of an isolated position is, a decimal number"},
	model.OrderMargin: {"order margin", "ORDER MARGIN", "the margin for the orders of an isolated position"},
}

// MarginTextTitle returns the title of the column of a text of a margin record, such as MODE.
func MarginTextTitle(t model.MarginText) string { return marginTexts[t].title }

// MarginTextAbout returns what a text of a margin record is.
func MarginTextAbout(t model.MarginText) string { return marginTexts[t].about }

// MarginTextName returns the name of a text of a margin record in facts, such as margin mode; empty if it is not shown.
func MarginTextName(t model.MarginText) string { return marginTexts[t].name }

// MarginText returns a text of a margin record as the screen shows it. The function write formats an amount of an
// asset.
func MarginText(
	levels *model.MarginLevels, t model.MarginText, write func(a model.Amount, asset model.ID, plus bool) string,
) string {
	switch {
	case t == model.MarginMode:
		return format.Text(levels.ModeWord())
	case t.IsAmount() && levels.MarginTexts[t] != "":
		return write(model.ParseAmount(levels.MarginTexts[t]), levels.Asset, false)
	}
	return format.Text(levels.MarginTexts[t])
}
