package book

import (
	"blotter/model"
)

// noNumbers are the fields of records that have a text that is no number, by the number of the record. Times are among
// them, unless they are written as numbers.
type noNumbers struct{ fields map[uint32]fieldSet }

// maxNoNumbers is of how many records a table knows this, at most.
const maxNoNumbers = 10_000

// noteTexts notes which of the texts of a record are no numbers.
func (n *noNumbers) noteTexts(number uint32, isText fieldSet, t *model.Texts) {
	var are fieldSet
	for f := range isText.all {
		if !model.TextAmount(t.Numbers[f]).IsNumber() {
			are |= 1 << f
		}
	}
	switch {
	case are == 0:
		delete(n.fields, number)
	case n.fields == nil:
		n.fields = map[uint32]fieldSet{number: are}
	case n.fields[number] != 0 || len(n.fields) < maxNoNumbers:
		n.fields[number] = are
	}
}
