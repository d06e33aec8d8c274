package book

import (
	"slices"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestARowThatComesAgainAsItWasLeftIsNoEvent: a position is opened and closed out just before an audit, or a snapshot,
// that is a little older. It is left out, and the next one has it again.
func TestARowThatComesAgainAsItWasLeftIsNoEvent(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	closedOut := func(size string) model.Position {
		p := modeltest.Position(size)
		p.SetStatus([]byte("POSITION_STATUS_CLOSED_OUT"))
		return p
	}
	snapshot := func(b *Book, rows ...model.Position) (words []string) {
		of := Snapshot{Subscription: s, Rows: NewRows(), NotAfter: modeltest.NotAfter}
		for i := range rows {
			of.Rows.Put(&rows[i])
		}
		for c := range b.SnapshotChanges(&of) {
			words = appendWords(words, []Change{*c})
		}
		*b = *b.Replaced(of)
		return words
	}
	audit := func(b *Book, rows ...model.Position) (words []string) {
		page := AuditPage{Subscription: s, First: true, Last: true, Positions: rows, NotAfter: modeltest.NotAfter}
		for more := true; more; {
			changes := b.ApplyAudit(&page)
			words, more = appendWords(words, changes.Rows), changes.More
		}
		return words
	}
	other := modeltest.Position("a 1 @5")
	for name, read := range map[string]func(*Book, ...model.Position) []string{"audit": audit, "snapshot": snapshot} {
		for _, c := range []struct {
			again model.Position
			want  []string
		}{
			{closedOut("b 0 @11"), nil},
			{modeltest.Position("b 0 @12"), []string{"b - > 0 by " + name}},
			{modeltest.Position("b 3 @12"), []string{"b - > 3 by " + name}},
		} {
			b := New(0)
			snapshot(b, other)
			b.Merge(updateOf(s, modeltest.Position("b 2 @10"), closedOut("b 0 @11")))
			read(b, other)
			if _, isThere := b.Find(c.again.Key); isThere {
				t.Fatalf("%s: a flat row that was left out stays", name)
			}
			if got := read(b, other, c.again); !slices.Equal(got, c.want) {
				t.Errorf("%s: %v comes again: %q, want %q", name, c.again, got, c.want)
			}
			if p, _ := b.Find(c.again.Key); !p.Equal(&c.again) {
				t.Errorf("%s: the row is %v, want %v", name, p, c.again)
			}
		}
	}
}
