package book

import (
	"maps"

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

func (n *noNumbers) clone() noNumbers { return noNumbers{maps.Clone(n.fields)} }

// eachNoNumber yields each field of a record that has a text that is no number, in no order.
func (r *records) eachNoNumber(yield func(key model.Key, f model.Field, text string) bool) bool {
	for number, fields := range r.noNumbers.fields {
		for f := range fields.all {
			if !yield(r.key(number), f, r.texts[number].Numbers[f]) {
				return false
			}
		}
	}
	return true
}

// NoNumbers calls yield with each number of a position that is a text and no number, in no order, until it returns
// false.
func NoNumbers(b *Book, yield func(key model.Key, f model.Field, text string) bool) {
	for t := range b.tables.all {
		isOver := !t.rows.eachNoNumber(func(key model.Key, f model.Field, text string) bool {
			return f.IsTime() || yield(key, f, text)
		})
		if isOver {
			return
		}
	}
}

// NoNumbers calls yield with each number of a margin record that is a text and no number, in no order, until it returns
// false.
func (m *Margins) NoNumbers(yield func(key model.Key, n model.MarginNumber, text string) bool) {
	m.eachNoNumber(func(key model.Key, f model.Field, text string) bool {
		n := model.MarginNumber(f)
		return n >= model.MarginNumberCount || n.IsTime() || yield(key, n, text)
	})
}

// OddTime returns a time of a record that is not understood, and false if there was none.
func (r *records) OddTime() (model.Amount, bool) {
	if r == nil {
		return model.Amount{}, false
	}
	return r.odd, !r.odd.IsZero()
}
