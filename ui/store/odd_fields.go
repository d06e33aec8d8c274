package store

import (
	"cmp"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/format"
)

// oddFields are the fields of which a notice has said that a time is not understood, or that a text is no number.
type oddFields map[string]bool

// note says it once for each field.
func (o oddFields) note(b *book.Book, notices *notices) {
	tell := func(field, words string) {
		if !o[field] {
			o[field] = true
			notices.addNotice(field + words)
		}
	}
	noTime := func(field string, sent model.Amount, isOdd bool) {
		if isOdd {
			tell(field, " is not understood as a time: "+format.Text(sent.String())+". It is shown as sent, without an age.")
		}
	}
	noNumber := func(field, sent string) {
		tell(field, " is not a number: "+cmp.Or(format.Text(sent), `""`)+". It is shown as sent, is in no total and meets no comparison.")
	}
	for field, sent := range book.NoNumbers(b) {
		noNumber(field.Name(), sent)
	}
	for number, sent := range b.Margins().NoNumbers {
		noNumber(number.Name(), sent)
	}
	updated, isOdd := b.OddTime()
	noTime(model.UpdatedAt.Name(), updated, isOdd)
	recorded, isOdd := b.Margins().OddTime()
	noTime("timestamp", recorded, isOdd)
}
