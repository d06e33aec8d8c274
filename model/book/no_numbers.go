package book

import "blotter/model"

// noNumbers are texts that were sent in place of numbers: the first of each field. Times are among them, unless they
// are written as numbers.
type noNumbers struct {
	seen  fieldSet
	first [recordNumbers]string
}

func (n *noNumbers) noteText(f model.Field, text string) {
	if !n.seen.has(f) && !model.TextAmount(text).IsNumber() {
		n.seen |= 1 << f
		n.first[f] = text
	}
}

// texts yields the fields with the first text of each that is no number.
func (n *noNumbers) texts(yield func(model.Field, string) bool) {
	for f := range n.seen.all {
		if !yield(f, n.first[f]) {
			return
		}
	}
}

// NoNumbers yields a text that was sent in place of a number of a position, for each table and field that had one.
func NoNumbers(b *Book) func(yield func(model.Field, string) bool) {
	return func(yield func(model.Field, string) bool) {
		for t := range b.tables.all {
			for f, text := range t.rows.noNumbers.texts {
				if !f.IsTime() && !yield(f, text) {
					return
				}
			}
		}
	}
}

// NoNumbers yields the first text that was sent in place of a number of a margin record, for each field that had one.
func (m *Margins) NoNumbers(yield func(model.MarginNumber, string) bool) {
	for f, text := range m.noNumbers.texts {
		if n := model.MarginNumber(f); n < model.MarginNumberCount && !n.IsTime() && !yield(n, text) {
			return
		}
	}
}

// OddTime returns a time of a record that is not understood, and false if there was none.
func (r *records) OddTime() (model.Amount, bool) {
	if r == nil {
		return model.Amount{}, false
	}
	return r.odd, !r.odd.IsZero()
}
