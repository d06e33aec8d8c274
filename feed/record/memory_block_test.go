package record

import (
	"fmt"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// TestAMemoryKeepsAllNumbers: a state of a row in a block of a memory is as it came, also if it has numbers of more
// than 64 bits, numbers that are no integers, or a status without a name; and however many identifiers the blocks have.
func TestAMemoryKeepsAllNumbers(t *testing.T) {
	m := memoryToDrain(t, time.Hour, 64<<20)
	of := model.Subscription{Epoch: 1}
	m.Delta(&book.Delta{
		Links:     []model.Link{{Subscription: of, Phase: model.Live, Committed: true}},
		Snapshots: []book.Snapshot{{AsIs: true, Subscription: of, Rows: book.NewRows()}},
	})
	numbers := []string{
		"0", "1", "-1", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
		"18446744073709551615", "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999",
		"999999999999999999999999999999999999999", "1.5", "many",
	}
	statuses := []string{"", "POSITION_STATUS_DISTRESSED", "POSITION_STATUS_OF_TOMORROW", "7"}
	const parties, parts = dictionarySize/4*3 + 1, 3 // two parts are more than the dictionaries of blocks have
	var sent []model.Position
	for part := range parts {
		var positions []model.Position
		for i := range parties {
			p := model.Position{Key: model.Key{Party: model.MakeID(fmt.Sprint("party ", part, " ", i)), Market: model.MakeID("b1")}}
			for f := range model.FieldCount {
				p.ReadNumber(f, []byte(numbers[(i/len(numbers)*int(f)+i)%len(numbers)]))
			}
			p.SetNumber(model.UpdatedAt, model.AmountOf(int64(i)))
			p.SetStatus([]byte(statuses[i%len(statuses)]))
			positions = append(positions, p)
		}
		sent = append(sent, positions...)
		m.Delta(&book.Delta{Updates: []book.Updates{{Subscription: of, Positions: positions}}})
		m.drain()
	}
	c := lastOf(t, m)
	if first, last := m.blocks[0], m.blocks[len(m.blocks)-1]; len(last.parties) >= parts*parties || len(first.parties) == 0 {
		t.Errorf("the first of %d blocks has %d parties, the last one %d of %d", len(m.blocks), len(first.parties), len(last.parties), parts*parties)
	}
	for i := range sent {
		if p, is := c.state.Find(sent[i].Key); !is || !p.Equal(&sent[i]) {
			t.Fatalf("%s is %v %v, and was %v", sent[i].Party, is, p, sent[i])
		}
	}
}

// TestAMemoryKeepsWhichRowsWereNotSent, also of a table whose rows were removed.
func TestAMemoryKeepsWhichRowsWereNotSent(t *testing.T) {
	m := memoryToDrain(t, time.Hour, 64<<20)
	of, rows := model.Subscription{Epoch: 1}, book.NewRows()
	keyOf := func(market string) model.Key {
		return model.Key{Party: model.MakeID("p"), Market: model.MakeID(market)}
	}
	for _, market := range []string{"a", "b", "c"} {
		rows.Put(&model.Position{Key: keyOf(market)})
	}
	rows.Remove(keyOf("a"))
	snapshot := book.Snapshot{AsIs: true, Subscription: of, Rows: rows, IsPartial: true}
	for number := range rows.AllNumbers {
		if rows.Position(number).Key == keyOf("b") {
			snapshot.Sent.Add(number)
		}
	}
	m.Delta(&book.Delta{Links: []model.Link{{Subscription: of, Phase: model.Live, Partial: true}}, Snapshots: []book.Snapshot{snapshot}})
	m.drain()
	c := lastOf(t, m)
	for market, want := range map[string]bool{"b": false, "c": true} {
		if got := c.state.IsUnsent(keyOf(market)); got != want {
			t.Errorf("%s was not sent: %t, want %t", market, got, want)
		}
	}
}

// lastOf returns a cursor of a memory at its end.
func lastOf(t *testing.T, m *Memory) *cursor {
	t.Helper()
	m.seal()
	tape, err := m.tape()
	if err != nil {
		t.Fatal(err)
	}
	c, err := tape.cursor(t.Context(), tape.to)
	if err != nil {
		t.Fatal(err)
	}
	for _, ok := c.peek(); ok; _, ok = c.peek() {
		if err := c.nextEntries(func(*entry) {}); err != nil {
			t.Fatal(err)
		}
	}
	return c
}
