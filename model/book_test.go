package model

import (
	"maps"
	"slices"
	"testing"
)

// truth is what a Book says, in plain maps.
type truth map[Subscription]map[Key]Position

// find is Book.Find: the newest, and of those as new as each other that of the lowest subscription.
func (tr truth) find(key Key) (Position, bool) {
	var best Position
	found := false
	for _, s := range slices.SortedFunc(maps.Keys(tr), Subscription.Compare) {
		p, ok := tr[s][key]
		if !ok {
			continue
		}
		when, bestWhen := bigOf(p.Number(UpdatedAt).String()), bigOf(best.Number(UpdatedAt).String())
		switch {
		case !found:
		case when == nil:
			continue
		case bestWhen != nil && when.Cmp(bestWhen) <= 0:
			continue
		}
		best, found = p, true
	}
	return best, found
}

// all are the positions of the book, each once.
func (tr truth) all() map[Key]Position {
	all := make(map[Key]Position)
	for _, rows := range tr {
		for key := range rows {
			all[key], _ = tr.find(key)
		}
	}
	return all
}

// world makes a few subscriptions of every kind and what a service tells them, asked for or not.
type world struct {
	*sample
	subscriptions []Subscription
}

func newWorld(seed uint64, parties, markets int) *world {
	w := &world{sample: newSample(seed, parties, markets)}
	w.parties[0], w.markets[0] = ID{}, ID{} // a service may name nobody
	for _, key := range []Key{
		{}, {Party: w.parties[1]}, {Party: w.parties[2]}, {Market: w.markets[1]},
		{w.parties[1], w.markets[1]}, {w.parties[2], w.markets[1]},
	} {
		w.subscriptions = append(w.subscriptions, Subscription{key, 1}, Subscription{key, 2})
	}
	return w
}

func (w *world) subscription() Subscription { return w.subscriptions[w.IntN(len(w.subscriptions))] }

// position is one of few keys, states and times, some of them odd.
func (w *world) position() Position {
	p := w.state(Key{w.parties[w.IntN(len(w.parties))], w.markets[w.IntN(len(w.markets))]}, 1+w.IntN(4))
	p.SetNumber(UpdatedAt, AmountOf(w.Int64N(4)))
	switch w.IntN(10) {
	case 0:
		p.SetNumber(Field(w.IntN(int(fields))), ParseAmount(w.text()))
	case 1: // of one rank, or nearly
		p.SetNumber(Field(w.IntN(int(fields))), ParseAmount("1234567890123456"+w.digits(2).String()))
	case 2:
		p.SetStatus([]byte([]string{"NEW", "07", "POSITION_STATUS_CLOSED_OUT", "9"}[w.IntN(4)]))
	}
	return p
}

// rows are a snapshot of n positions or less, also as a map.
func (w *world) rows(n int) (*Rows, map[Key]Position) {
	rows, plain := NewRows(), make(map[Key]Position)
	for range w.IntN(n + 1) {
		p := w.position()
		rows.Put(&p)
		plain[p.Key] = p
	}
	return rows, plain
}

// TestBookIsTheTruth tells a book and plain maps the same, in any order.
func TestBookIsTheTruth(t *testing.T) {
	for seed := range uint64(12) {
		w := newWorld(seed, 4, 3)
		book, tr := NewBook(), make(truth)
		for range 200 {
			s := w.subscription()
			switch w.IntN(12) {
			case 0:
				rows, plain := w.rows(8)
				book, tr[s] = book.Replaced(s, rows), plain
			case 1:
				to := w.subscriptions[:w.IntN(len(w.subscriptions)+1)]
				book = book.Narrowed(slices.Concat(to, to))
				maps.DeleteFunc(tr, func(s Subscription, _ map[Key]Position) bool { return !slices.Contains(to, s) })
			default:
				p := w.position()
				if tr[s] == nil {
					tr[s] = make(map[Key]Position)
				}
				book.Merge(s, &p)
				tr[s][p.Key] = p
			}
			w.checkBook(t, book, tr)
		}
	}
}

func (w *world) checkBook(t *testing.T, book *Book, tr truth) {
	t.Helper()
	for _, s := range w.subscriptions {
		if _, ok := tr[s]; book.Has(s) != ok {
			t.Fatalf("the book has %v: %v", s, book.Has(s))
		}
	}
	for _, party := range w.parties {
		for _, market := range w.markets {
			key := Key{party, market}
			want, ok := tr.find(key)
			if found := book.Find(key); (found != nil) != ok || ok && !found.Equal(&want) {
				t.Fatalf("%v is %+v, want %+v", key, found, want)
			}
			var vouchers []Subscription
			for s, rows := range tr {
				if _, ok := rows[key]; ok {
					vouchers = append(vouchers, s)
				}
			}
			if _, _, alone := book.find(key); alone != (len(vouchers) < 2) {
				t.Fatalf("%v stands in one table alone: %v", key, alone)
			}
			slices.SortFunc(vouchers, Subscription.Compare)
			if got := book.Vouchers(key); !slices.Equal(got, vouchers) {
				t.Fatalf("the vouchers of %v are %v, want %v", key, got, vouchers)
			}
		}
	}
	all, n := tr.all(), 0
	for row := range book.All {
		if want, ok := all[row.Key]; !ok || !row.Equal(&want) {
			t.Fatalf("%+v is in the book, want %+v", row, want)
		}
		n++
	}
	if n != len(all) || book.Len() != n {
		t.Fatalf("the book yields %d positions and says %d, want %d", n, book.Len(), len(all))
	}
}

func TestReplacedByNoRowsTakesUpdates(t *testing.T) {
	s := Subscription{Key{Party: MakeID("p")}, 1}
	book := NewBook().Replaced(s, nil)
	if !book.Has(s) || book.Len() != 0 {
		t.Errorf("there are %d positions", book.Len())
	}
	book.Merge(s, &Position{Key: s.Key})
	if book.Find(s.Key) == nil {
		t.Error("the update is not there")
	}
}
