package book

import (
	"testing"
	"time"

	"blotter/model"
)

// TestHintsStayUntilThePositionIsAsNew: an audit may reach a node that has missed the update too, so each page asks for
// another one. Records of positions that have not come yet count as well, also if they were read before the snapshot.
func TestHintsStayUntilThePositionIsAsNew(t *testing.T) {
	const second = int64(time.Second)
	began := int64(1_795_240_360) * second
	watched := model.Subscription{Epoch: 1}
	party, known, unknown := model.MakeID("a"), model.MakeID("b"), model.MakeID("c")
	position := func(market model.ID, at int64) model.Position {
		p := model.Position{Key: model.Key{Party: party, Market: market}}
		p.SetNumber(model.UpdatedAt, model.AmountOf(at))
		return p
	}
	record := func(market model.ID, at int64) model.MarginLevels {
		return model.MarginLevels{MarginKey: model.MarginKey{Key: model.Key{Party: party, Market: market}}, Timestamp: model.AmountOf(at)}
	}
	var hints Hints
	requests := func(b *Book, at int64, records ...model.MarginLevels) (n int) {
		hints.Take(b, &model.Page{Rows: records, ReadAt: time.Unix(0, at)}, func(s model.Subscription) {
			if s != watched {
				t.Errorf("an audit of %v", s)
			}
			n++
		})
		return n
	}
	book := New(0)
	if n := requests(book, began+60*second, record(known, began), record(unknown, began)); n != 0 {
		t.Errorf("%d audits before the snapshot", n)
	}
	book.Merge(updateOf(watched, position(known, began)))
	for range 2 {
		if n := requests(book, began+60*second); n != 1 {
			t.Errorf("%d audits because of a position that is missing, want 1", n)
		}
	}
	if n := requests(book, began+61*second, record(known, began+60*second)); n != 1 {
		t.Errorf("%d audits, want 1: the record of the position that is there is too new", n)
	}
	if n := requests(book, began+66*second, record(known, began)); n != 2 {
		t.Errorf("%d audits some seconds later, want 2", n)
	}
	book.Merge(updateOf(watched, position(known, began+60*second), position(unknown, began)))
	if n := requests(book, began+120*second); n != 0 || len(hints.records) != 0 {
		t.Errorf("%d audits although nothing is missing; %d records are kept", n, len(hints.records))
	}
}
