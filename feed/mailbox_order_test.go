package feed

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// TestALaterPageComesAfterAnEarlierOne: the screen has taken the updates between them, and a part of the first.
func TestALaterPageComesAfterAnEarlierOne(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	m := newMailbox(0)
	m.setSubscriptions([]model.Subscription{s})
	m.BeginPartial(s)
	page := func(rows string) {
		_ = m.Update(book.Updates{Subscription: s, Positions: modeltest.Positions(rows), NotAfter: modeltest.NotAfter, LatePage: true})
	}
	_ = m.Update(book.Updates{Subscription: s, Positions: modeltest.Positions("x 1"), NotAfter: modeltest.NotAfter})
	page("a 1")
	b := book.New(0)
	take := func(most int) bool {
		delta, _, ok := m.take(most)
		b = applied(b, delta)
		return ok
	}
	take(1)
	page("a 2")
	for take(1) {
	}
	p, _ := b.Find(modeltest.Positions("a 2")[0].Key)
	if got := p.Number(model.OpenVolume).String(); got != "2" {
		t.Errorf("a is %s, want 2", got)
	}
}

// TestACancelledAuditPutsNothing: another audit may have begun.
func TestACancelledAuditPutsNothing(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	m := newMailbox(0)
	m.setSubscriptions([]model.Subscription{s})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := m.Audit(ctx, book.AuditPage{Subscription: s, Last: true})
	if err == nil || m.hasData() {
		t.Errorf("the error is %v; data waits: %t", err, m.hasData())
	}
}

// TestWhatHasWaitedEndsInTheSameRows as what is taken at once, with times and without: snapshots, streams without a
// last page, their late pages, and updates.
//
// There is one exception. Without times, a late page must not replace an update of its stream, and that update may be
// in the book already. When a snapshot comes, the mailbox merges the pages that wait into it, and does not know what
// the book has. So if the snapshot lacks the row, the page may stand in place of the update. The book could decide,
// but not in fewer lines: the snapshot would need these pages beside its updates, those of the first stream apart from
// those of later ones, and feed/access, feed/hub and feed/record would have to filter, hand on and keep them too. So
// of rows in such pages only the names are compared.
func TestWhatHasWaitedEndsInTheSameRows(t *testing.T) {
	for seed := range uint64(modeltest.Times(2000)) {
		random := rand.New(rand.NewPCG(seed, 1))
		isTimed, clock, came := random.IntN(2) == 0, int64(0), ""
		ofPages := make(map[model.ID]bool) // markets that late pages without times have
		rows := func() (rows []model.Position) {
			for range 3 {
				text := fmt.Sprintf("%c %d", 'a'+rune(random.IntN(4)), 1+random.IntN(9))
				p := modeltest.Positions(text)[0]
				if clock++; isTimed {
					p.SetNumber(model.UpdatedAt, model.AmountOf(clock))
				}
				rows, came = append(rows, p), came+text+" "
			}
			return rows
		}
		s := model.Subscription{Epoch: 1}
		var boxes [2]*mailbox
		books := [2]*book.Book{book.New(0), book.New(0)}
		for i := range boxes {
			boxes[i] = newMailbox(0)
			boxes[i].setSubscriptions([]model.Subscription{s})
		}
		take := func(i int) {
			for {
				delta, _, ok := boxes[i].take(3)
				if !ok {
					return
				}
				books[i] = applied(books[i], delta)
			}
		}
		boxes[0].BeginPartial(s)
		boxes[1].BeginPartial(s)
		for range random.IntN(14) {
			kind := [...]string{"snapshot", "begin", "begin", "page", "page", "update", "update", "update"}[random.IntN(8)]
			var some []model.Position
			if came += kind + " "; kind != "begin" {
				some = rows()
			}
			for j := range some {
				if kind == "page" && !isTimed {
					ofPages[some[j].Market] = true
				}
			}
			for i, m := range boxes {
				switch kind {
				case "snapshot":
					whole := book.NewRows()
					whole.PutPage(some, modeltest.NotAfter)
					m.Commit(book.Snapshot{Subscription: s, Rows: whole, NotAfter: modeltest.NotAfter})
				case "begin":
					m.BeginPartial(s)
				default:
					_ = m.Update(book.Updates{Subscription: s, Positions: some, NotAfter: modeltest.NotAfter, LatePage: kind == "page"})
				}
				if i == 0 || random.IntN(6) == 0 {
					take(i)
				}
			}
		}
		take(1)
		var at [2][]string
		for i, b := range books {
			for p := range b.All {
				text := p.Market.String()
				if !ofPages[p.Market] {
					text += " " + p.Number(model.OpenVolume).String()
				}
				at[i] = append(at[i], text)
			}
			slices.Sort(at[i])
		}
		if !slices.Equal(at[0], at[1]) {
			t.Fatalf("seed %d: %s\nat once %q, later %q", seed, came, at[0], at[1])
		}
	}
}
