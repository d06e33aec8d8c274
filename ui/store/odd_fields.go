package store

import (
	"cmp"
	"slices"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/format"
)

// oddFields are the fields of which a notice has said that a time is not understood, or that a text is no number.
type oddFields struct {
	times map[string]bool   // by the name of the field
	told  map[oddField]bool // those that are no number now
}

// oddField is a number of a position, or of its margin record.
type oddField struct {
	model.Key
	name string
}

const (
	maxOddFields  = 10_000 // are known
	manyOddFields = 10     // are told together
)

func newOddFields() oddFields { return oddFields{make(map[string]bool), make(map[oddField]bool)} }

// note says of each field of the scope once that it is no number, until it is one again, and of each time once that it
// is not understood.
func (o *oddFields) note(d *data, write *format.Formatter, notices *notices) {
	texts := make(map[oddField]string)
	add := func(key model.Key, name, text string) bool {
		if d.scope.Covers(key) {
			texts[oddField{key, name}] = text
		}
		return len(texts) < maxOddFields
	}
	book.NoNumbers(d.book, func(key model.Key, f model.Field, text string) bool { return add(key, f.Name(), text) })
	d.book.Margins().NoNumbers(func(key model.Key, n model.MarginNumber, text string) bool { return add(key, n.Name(), text) })
	var untold []oddField
	for of := range texts {
		if !o.told[of] {
			untold = append(untold, of)
		}
	}
	clear(o.told)
	for of := range texts {
		o.told[of] = true
	}
	slices.SortFunc(untold, func(a, b oddField) int {
		return cmp.Or(write.Instruments().CompareMarkets(a.Market, b.Market), write.Instruments().CompareParties(a.Party, b.Party),
			cmp.Compare(a.name, b.name))
	})
	const effect = "shown as sent, in no total, and meets no comparison."
	words := func(of oddField) string {
		return write.Market(of.Market) + " " + write.Party(of.Party) + ": " + of.name + " is not a number: " +
			cmp.Or(format.Text(texts[of]), `""`)
	}
	if n := len(untold); n >= manyOddFields {
		notices.addNotice(format.Grouped(n) + " values are not numbers, such as that of " + words(untold[0]) + ". Each is " + effect)
		untold = nil
	}
	for _, of := range untold {
		notices.addNotice(words(of) + ". It is " + effect)
	}
	o.noteTime(model.UpdatedAt.Name(), d.book.OddTime, notices)
	o.noteTime("timestamp", d.book.Margins().OddTime, notices)
}

func (o *oddFields) noteTime(field string, odd func() (model.Amount, bool), notices *notices) {
	sent, isOdd := odd()
	if !isOdd || o.times[field] {
		return
	}
	o.times[field] = true
	notices.addNotice(field + " is not understood as a time: " + format.Text(sent.String()) + ". It is shown as sent, without an age.")
}
