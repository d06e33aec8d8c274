package columns

import (
	"cmp"
	"strings"

	"blotter/model"
	"blotter/ui/format"
)

// marginNumbers are the words of the numbers of a margin record. One without an entry is called by its key.
var marginNumbers = [model.MarginNumberCount]struct {
	name  string // in facts; empty for the levels and the time, which are there by themselves
	title string // of the column of a table
	keep  int    // if there is no room there, the column with the lowest is left out first
	about string // what it is, in the schema of what is printed
}{
	model.MaintenanceMargin: {"", "MAINTENANCE", 9, "the maintenance margin"},
	model.SearchLevel:       {"", "SEARCH", 6, "the search level"},
	model.InitialMargin:     {"", "INITIAL", 5, "the initial margin"},
	model.ReleaseLevel:      {"", "RELEASE", 4, "the release level"},
	model.MarginTimestamp:   {"", "RECORDED", 2, "when the levels were worked out; 0 or empty if it is not known"},
}

// MarginNumberName returns the name of a number of a margin record in facts; empty if it is not shown there as others
// are.
func MarginNumberName(n model.MarginNumber) string { return marginNumbers[n].name }

// MarginNumberHeading returns the heading of a number of a margin record in what is printed as a table, and its keep:
// if there is no room, the column with the lowest is left out first.
func MarginNumberHeading(n model.MarginNumber) (heading string, keep int) {
	return cmp.Or(marginNumbers[n].title, strings.ToUpper(n.Key())), marginNumbers[n].keep
}

// MarginNumberAbout returns what a number of a margin record is.
func MarginNumberAbout(n model.MarginNumber) string { return cmp.Or(marginNumbers[n].about, n.Key()) }

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
func MarginTextTitle(t model.MarginText) string {
	return cmp.Or(marginTexts[t].title, strings.ToUpper(t.Key()))
}

// MarginTextAbout returns what a text of a margin record is.
func MarginTextAbout(t model.MarginText) string { return cmp.Or(marginTexts[t].about, t.Key()) }

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
