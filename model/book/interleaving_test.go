package book

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

var interleavings = flag.Int("interleavings", 5_000, "how many seeds TestEveryInterleavingEndsWithTheRowsOfTheService has")

// TestEveryInterleavingEndsWithTheRowsOfTheService: a service changes its positions, and streams, audits and nodes that
// are behind send them in any order. Updates are lost in the gap of each stream. Times are right, equal, absent, not
// integers or ahead of the clock. Rows with times never go back and never go, also by a reconnect. After one audit of a
// node that is up to date, the book has the rows of the service.
func TestEveryInterleavingEndsWithTheRowsOfTheService(t *testing.T) {
	for seed := range uint64(*interleavings) {
		w := newInterleaving(seed)
		for range 60 {
			w.step()
			if w.fault != "" {
				t.Fatalf("seed %d: %s", seed, w.fault)
			}
		}
		w.end()
		if w.fault != "" {
			t.Fatalf("seed %d: %s", seed, w.fault)
		}
	}
}

// interleaving is a service of a few positions, whose states are counted from 1, and a book that receives them.
type interleaving struct {
	*rand.Rand
	subscription model.Subscription
	book         *Book
	history      []model.Position // every change, in order
	clock        int64
	odd          bool // times can be equal, absent, no integers or ahead

	active   []model.Position // what the active stream will send
	page     []model.Position // what the audit will send; nil if none is under way
	auditing bool
	shown    map[model.Key]int64 // the latest time that was shown of each row
	fault    string
}

func newInterleaving(seed uint64) *interleaving {
	w := &interleaving{
		Rand: rand.New(rand.NewPCG(seed, 7)), subscription: model.Subscription{Epoch: 1},
		book: New(0), clock: 10,
		odd: seed%2 == 1, shown: make(map[model.Key]int64),
	}
	w.connect(0)
	return w
}

// change changes a position of the service, and returns its state.
func (w *interleaving) change() model.Position {
	key := model.Key{Party: model.MakeID("a"), Market: model.MakeID(string(rune('a' + w.IntN(5))))}
	p := model.Position{Key: key}
	p.SetNumber(model.OpenVolume, model.AmountOf(int64(len(w.history)+1)))
	w.clock += int64(1 + w.IntN(3))
	p.SetNumber(model.UpdatedAt, model.AmountOf(w.clock))
	if w.odd {
		switch w.IntN(6) {
		case 0: // as before
			if last := len(w.history) - 1; last >= 0 {
				p.SetNumber(model.UpdatedAt, w.history[last].Number(model.UpdatedAt))
			}
		case 1:
			p.SetNumber(model.UpdatedAt, model.Amount{})
		case 2:
			p.SetNumber(model.UpdatedAt, model.ParseAmount("soon"))
		case 3:
			p.SetNumber(model.UpdatedAt, model.AmountOf(modeltest.NotAfter+1+w.Int64N(1000)))
		}
	}
	w.history = append(w.history, p)
	return p
}

// snapshot returns the rows of a node that is some changes behind, in any order.
func (w *interleaving) snapshot(behind int) []model.Position {
	last := make(map[model.Key]model.Position)
	for _, p := range w.history[:max(0, len(w.history)-behind)] {
		last[p.Key] = p
	}
	rows := slices.Collect(maps.Values(last))
	slices.SortFunc(rows, func(p, q model.Position) int { return p.Key.Compare(q.Key) })
	w.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return rows
}

// connect opens a new stream: a whole snapshot, perhaps of a node that is behind, then its gap.
func (w *interleaving) connect(behind int) {
	rows := NewRows()
	for _, p := range w.snapshot(behind) {
		rows.PutUnlessOlder(&p, modeltest.NotAfter)
	}
	w.book = w.book.Replaced(Snapshot{Subscription: w.subscription, Rows: rows, NotAfter: modeltest.NotAfter})
	w.active, w.page, w.auditing = nil, nil, false
	for range w.IntN(3) {
		w.change() // in the gap: it is not sent
	}
}

func (w *interleaving) step() {
	switch w.IntN(12) {
	case 0:
		if w.IntN(4) == 0 {
			w.connect(w.IntN(3))
		}
	case 1, 2: // an audit, perhaps by a node that is behind
		if !w.auditing {
			behind := 0
			if !w.odd { // without times, it cannot be found that a node is behind
				behind = w.IntN(3)
			}
			w.auditing, w.page = true, w.snapshot(behind)
			w.book.Compare(&AuditPage{Subscription: w.subscription, First: true, NotAfter: modeltest.NotAfter})
		}
	case 3, 4, 5:
		w.audit(1 + w.IntN(2))
	case 6, 7, 8:
		w.update(1 + w.IntN(2))
	default:
		w.active = append(w.active, w.change())
	}
	w.checkShown()
}

// update sends up to n updates of the active stream.
func (w *interleaving) update(n int) {
	n = min(n, len(w.active))
	w.book.Merge(&Updates{Subscription: w.subscription, Positions: w.active[:n], NotAfter: modeltest.NotAfter})
	w.active = w.active[n:]
}

// audit sends up to n rows of the audit.
func (w *interleaving) audit(n int) {
	if !w.auditing {
		return
	}
	n = min(n, len(w.page))
	last := n == len(w.page)
	w.book.Compare(&AuditPage{Subscription: w.subscription, Positions: w.page[:n], Last: last, NotAfter: modeltest.NotAfter})
	w.page, w.auditing = w.page[n:], !last
}

// checkShown asserts that no row with a usable time went back.
func (w *interleaving) checkShown() {
	for row := range w.book.All {
		at, usable := row.ChangedAt(modeltest.NotAfter)
		if !usable {
			delete(w.shown, row.Key)
			continue
		}
		if before := w.shown[row.Key]; at < before && !w.odd {
			w.fault = fmt.Sprintf("%s went back from %d to %d", row.Market, before, at)
		}
		w.shown[row.Key] = at
	}
	for key := range w.shown {
		if _, isThere := w.book.Find(key); !isThere && !w.odd {
			w.fault = fmt.Sprintf("%s has gone", key.Market)
		}
	}
}

// end ends the audit, sends all updates, and audits once more.
func (w *interleaving) end() {
	for w.auditing {
		w.audit(1)
	}
	w.update(len(w.active))
	w.auditing, w.page = true, w.snapshot(0)
	w.book.Compare(&AuditPage{Subscription: w.subscription, First: true, NotAfter: modeltest.NotAfter})
	for w.auditing {
		w.audit(1)
	}
	for _, want := range w.snapshot(0) {
		if got, ok := w.book.Find(want.Key); !ok || !got.Equal(&want) {
			w.fault = fmt.Sprintf("%s ends as %+v, want %+v", want.Market, got, want)
		}
	}
}
