package store

import (
	"blotter/model"
	"blotter/model/book"
	"blotter/ui/format"
)

// oddTimes are the fields of which a notice has said that a time is not understood.
type oddTimes map[string]bool

// note says it once for each field.
func (o oddTimes) note(b *book.Book, notices *notices) {
	say := func(field string, sent model.Amount, isOdd bool) {
		if isOdd && !o[field] {
			o[field] = true
			notices.add(field + " is not understood as a time: " + format.Text(sent.String()) + ". It is shown as sent, without an age.")
		}
	}
	updated, isOdd := b.OddTime()
	say(model.UpdatedAt.Name(), updated, isOdd)
	recorded, isOdd := b.Margins().OddTime()
	say("timestamp", recorded, isOdd)
}
