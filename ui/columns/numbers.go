package columns

import (
	"cmp"
	"strings"

	"blotter/model"
)

// number is what a number of a position is called, and its column on the screen.
type number struct {
	words   string // in facts and messages, such as entry price
	heading string // of its column in what is printed as a table
	keep    int    // if there is no room there, the column with the lowest is left out first
	about   string // what it is, in the schema of what is printed
	column  layout // on the screen, if model.Field.HasColumn is true of it: what is not as in numberLayout
}

// numbers describes the numbers of a position. One without an entry is called by its key.
var numbers = [model.FieldCount]number{
	model.OpenVolume: {words: "size", heading: "SIZE", keep: 8, about: "the size; negative if the position is short"},
	model.AverageEntryPrice: {words: "entry price", heading: "ENTRY", keep: 5,
		about: "the average entry price"},
	model.UnrealisedPnl: {words: "uPnL", heading: "UNREALISED", keep: 10, about: "the unrealised profit and loss"},
	model.RealisedPnl:   {words: "rPnL", heading: "REALISED", keep: 4, about: "the realised profit and loss"},
	model.LossSocialisationAmount: {words: "loss socialised", heading: "LOSS SOCIALISED",
		about: "the loss that was socialised"},
	model.UpdatedAt: {words: "updated", heading: "UPDATED", keep: 2,
		about: "when the position changed; 0 or empty if it is not known"},
}

// NumberWords returns the name of a number of a position in facts and messages, such as entry price.
func NumberWords(f model.Field) string { return cmp.Or(numbers[f].words, f.Key()) }

// NumberHeading returns the heading of a number in what is printed as a table, and its keep: if there is no room, the
// column with the lowest is left out first.
func NumberHeading(f model.Field) (heading string, keep int) {
	return cmp.Or(numbers[f].heading, strings.ToUpper(f.Key())), numbers[f].keep
}

// NumberAbout returns what a number of a position is.
func NumberAbout(f model.Field) string { return cmp.Or(numbers[f].about, NumberWords(f)) }

// numberLayout returns the layout of the column of a number that has no entry in layouts. Such columns are left out
// first.
func numberLayout(f model.Field) layout {
	l := numbers[f].column
	l.title = cmp.Or(l.title, strings.ToUpper(f.Key()))
	l.min, l.number, l.keep = cmp.Or(l.min, 8), true, -2-int(f)
	l.cell = numberCell(f, quietStyle)
	switch {
	case f.IsTime():
		l.cell = ageCell(f)
	case f.IsAmount():
		l.perUnit = l.title + ofAssets
	default:
		l.perUnit = l.title + inMarkets
	}
	if f.IsSummed() {
		l.subtotal = sumHeading(f)
	}
	return l
}
