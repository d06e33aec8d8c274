package book

import (
	"math/rand/v2"
	"slices"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestTheNewestStateStands: a service opens, changes and closes positions. Its updates, and the snapshots of reconnects
// and audits, each some changes older, come in any order, and some services list no flat rows. A plain calculation says
// which state must stand: of those that have come, the newest by its time. Only flat rows may be left out.
func TestTheNewestStateStands(t *testing.T) {
	for seed := range uint64(modeltest.Times(3000)) {
		w := &standingTrial{Rand: rand.New(rand.NewPCG(seed, 57)), book: New(0), stands: make(map[model.Key]model.Position)}
		w.listsFlat = seed%2 == 0
		w.snapshot()
		for range 80 {
			w.step()
			for key, want := range w.stands {
				got, isThere := w.book.Find(key)
				if isThere && !got.Equal(&want) || !isThere && want.IsOpen() {
					t.Fatalf("seed %d: %v stands, want %v", seed, got, want)
				}
			}
		}
	}
}

// standingTrial is a service of a few positions, the book that receives them, and which states must stand.
type standingTrial struct {
	*rand.Rand
	subscription model.Subscription
	book         *Book
	history      []model.Position // every change, in order, with the times 1, 2, …
	sent         int              // of the history, by the open stream
	listsFlat    bool
	stands       map[model.Key]model.Position
	audit        []model.Position // what the audit under way still sends
	isAudited    bool             // one is under way
}

// come notes states that have come.
func (w *standingTrial) come(states ...model.Position) {
	for _, p := range states {
		if before, isThere := w.stands[p.Key]; !isThere || p.Number(model.UpdatedAt).Compare(before.Number(model.UpdatedAt)) > 0 {
			w.stands[p.Key] = p
		}
	}
}

func (w *standingTrial) step() {
	switch w.IntN(10) {
	case 0:
		w.snapshot()
	case 1, 2:
		if !w.isAudited {
			w.audit, w.isAudited = w.rows(), true
			w.page(0, true)
		}
	case 3, 4:
		if w.isAudited {
			w.page(min(1+w.IntN(3), len(w.audit)), false)
		}
	case 5, 6:
		n := min(w.sent+1+w.IntN(3), len(w.history))
		updates := slices.Clone(w.history[w.sent:n])
		w.come(updates...)
		w.sent = n
		w.book.Merge(&Updates{Subscription: w.subscription, Positions: updates, NotAfter: modeltest.NotAfter})
	default:
		w.change()
	}
}

// change opens, changes or closes a position of the service.
func (w *standingTrial) change() {
	market := string(rune('a' + w.IntN(5)))
	p := model.Position{Key: model.Key{Party: model.MakeID("p"), Market: model.MakeID(market)}}
	number := int64(len(w.history) + 1)
	if w.IntN(3) > 0 {
		p.SetNumber(model.OpenVolume, model.AmountOf(number))
	}
	p.SetNumber(model.RealisedPnl, model.AmountOf(number))
	p.SetNumber(model.UpdatedAt, model.AmountOf(number))
	w.history = append(w.history, p)
}

// rows returns the rows that a snapshot has, which may be some changes older than what was sent.
func (w *standingTrial) rows() (rows []model.Position) {
	last := make(map[model.Key]model.Position)
	for _, p := range w.history[:max(0, len(w.history)-w.IntN(6))] {
		last[p.Key] = p
	}
	for _, p := range last {
		if w.listsFlat || p.IsOpen() {
			rows = append(rows, p)
		}
	}
	slices.SortFunc(rows, func(p, q model.Position) int { return p.Key.Compare(q.Key) })
	return rows
}

// snapshot opens a stream. Some of the updates before it may not have been taken.
func (w *standingTrial) snapshot() {
	s := Snapshot{Subscription: w.subscription, Rows: NewRows(), NotAfter: modeltest.NotAfter}
	n := min(w.sent+w.IntN(3), len(w.history))
	s.Superseded = slices.Clone(w.history[w.sent:n])
	w.come(s.Superseded...)
	rows := w.rows()
	for i := range rows {
		s.Rows.Put(&rows[i])
	}
	w.come(rows...)
	w.book = w.book.Replaced(s)
	w.sent, w.audit, w.isAudited = min(n+w.IntN(3), len(w.history)), nil, false // what changes in the gap is not sent
}

// page sends some rows of the audit.
func (w *standingTrial) page(n int, first bool) {
	rows := slices.Clone(w.audit[:n])
	w.audit = w.audit[n:]
	w.isAudited = first || len(w.audit) > 0
	w.come(rows...)
	w.book.Compare(&AuditPage{Subscription: w.subscription, Positions: rows, First: first, Last: !w.isAudited, NotAfter: modeltest.NotAfter})
}
