package feed

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/modeltest"
)

// eventBook is a book, and the events of each of its rows in words, in order.
type eventBook struct {
	*book.Book
	withTimes bool
	events    map[model.Key][]string
}

func newEventBook(withTimes bool) *eventBook {
	return &eventBook{Book: book.New(0), withTimes: withTimes, events: make(map[model.Key][]string)}
}

func (b *eventBook) note(c *book.Change) {
	if c.Source == book.NoEvent {
		return
	}
	e, ok := event.New(c.Before, c.After, c.Source, time.Time{})
	if !ok {
		return
	}
	words := fmt.Sprintf("%v %s > %s by %d", e.Kinds.Names(), stateText(e.Before()), stateText(e.After()), c.Source)
	if at, exact := e.At(); exact && b.withTimes {
		words += fmt.Sprint(" at ", at.UnixNano())
	}
	b.events[e.Key] = append(b.events[e.Key], words)
}

// stateText is what an event keeps of a position, without its time.
func stateText(p *model.Position) string {
	return fmt.Sprint(p.Number(model.OpenVolume), p.Number(model.LossSocialisationAmount), p.Status(), p.StatusName())
}

// apply applies all of a delta, and returns how many rows its audits have corrected.
func (b *eventBook) apply(delta *book.Delta) (corrected int) {
	for i := range delta.Snapshots {
		for change := range b.SnapshotChanges(&delta.Snapshots[i]) {
			b.note(change)
		}
		b.Book = b.Replaced(delta.Snapshots[i])
	}
	for changes, ok := delta.ApplyTo(b.Book); ok; changes, ok = delta.ApplyTo(b.Book) {
		for i := range changes.Rows {
			b.note(&changes.Rows[i])
		}
		if changes.IsAudit {
			corrected += len(changes.Rows)
		}
	}
	return corrected
}

// update applies updates.
func (b *eventBook) update(u book.Updates) { b.apply(&book.Delta{Updates: []book.Updates{u}}) }

// differsFrom returns the first row with different events, and both lists of events.
func (b *eventBook) differsFrom(other *eventBook) string {
	for key := range maps.Keys(b.events) {
		if events, others := b.events[key], other.events[key]; !slices.Equal(events, others) {
			at := 0
			for at < len(events) && at < len(others) && events[at] == others[at] {
				at++
			}
			from := max(at-1, 0)
			return fmt.Sprintf("%s %s: %d and %d events, from the %d. on %v and %v", key.Party, key.Market, len(events), len(others), at+1,
				events[min(from, len(events)):min(at+2, len(events))], others[min(from, len(others)):min(at+2, len(others))])
		}
	}
	if len(b.events) != len(other.events) {
		return fmt.Sprintf("%d and %d rows have events", len(b.events), len(other.events))
	}
	return ""
}

// trades makes random updates of a few positions. Most change only the unrealised PnL.
type trades struct {
	*rand.Rand
	times string // of updates: "right", "coarse" or "none"
	now   map[model.Key]model.Position
	clock int64
}

func (t *trades) update(s model.Subscription) model.Position {
	key := model.Key{Party: s.Party, Market: model.MakeID(string(rune('a' + t.IntN(6))))}
	p := t.now[key]
	p.Key = key
	t.clock++
	p.SetNumber(model.UnrealisedPnl, model.AmountOf(t.clock))
	switch t.times {
	case "right":
		p.SetNumber(model.UpdatedAt, model.AmountOf(t.clock))
	case "coarse":
		p.SetNumber(model.UpdatedAt, model.AmountOf(1+t.clock/500))
	}
	switch t.IntN(20) {
	case 0, 1:
		p.SetNumber(model.OpenVolume, model.AmountOf(t.Int64N(7)-3))
	case 2:
		p.SetStatus([]byte([]string{"0", "4", "NEW"}[t.IntN(3)]))
	case 3:
		p.SetNumber(model.LossSocialisationAmount, model.AmountOf(t.Int64N(3)))
	}
	t.now[key] = p
	return p
}

const lastNanosecond = 1 << 40 // of the service's clock in these tests

// TestEveryEventIsFoundOnce: updates and snapshots go through a mailbox that is emptied now and then, and directly to
// another book. The events of both books are the same, in order and with their times.
func TestEveryEventIsFoundOnce(t *testing.T) {
	for seed := range uint64(modeltest.Times(60)) {
		m, subs := subscribed(2)
		random := &trades{Rand: rand.New(rand.NewPCG(seed, 1)), times: []string{"right", "coarse", "none"}[seed%3], now: make(map[model.Key]model.Position)}
		conflated, direct := newEventBook(true), newEventBook(true)
		take := func(most int) {
			delta, _, _ := m.take(most)
			if delta.Missed > 0 {
				t.Fatalf("seed %d: %d changes are missed", seed, delta.Missed)
			}
			conflated.apply(&delta)
		}
		snapshot := func(s model.Subscription) book.Snapshot {
			rows := book.NewRows()
			for key, p := range random.now {
				if s.Covers(key) && random.IntN(10) > 0 {
					rows.Put(&p)
				}
			}
			return book.Snapshot{Subscription: s, Rows: rows}
		}
		for _, s := range subs {
			for range 20 {
				random.update(s)
			}
			first := snapshot(s)
			m.Commit(first)
			direct.apply(&book.Delta{Snapshots: []book.Snapshot{{Subscription: s, Rows: copied(first.Rows)}}})
		}
		for range 20_000 {
			s := subs[random.IntN(len(subs))]
			switch random.IntN(4000) {
			case 0: // the stream is opened again
				take(random.IntN(3)) // the snapshot before, if it waits
				for range random.IntN(3) {
					random.update(s) // while it was not connected
				}
				next := snapshot(s)
				m.Commit(next)
				direct.apply(&book.Delta{Snapshots: []book.Snapshot{{Subscription: s, Rows: copied(next.Rows)}}})
			case 1, 2, 3, 4, 5:
				take(random.IntN(3000))
			}
			updates := book.Updates{Subscription: s, Positions: []model.Position{random.update(s)}, NotAfter: lastNanosecond}
			_ = m.Update(updates)
			direct.apply(&book.Delta{Updates: []book.Updates{updates}})
		}
		take(1 << 20)
		if difference := conflated.differsFrom(direct); difference != "" {
			t.Fatalf("seed %d: with the mailbox and without: %s", seed, difference)
		}
	}
}

func copied(rows *book.Rows) *book.Rows {
	c := book.NewRows()
	for p := range rows.All {
		c.Put(&p)
	}
	return c
}

// TestNoEventOfUpdatesOlderThanAnAudit: an audit has set rows, and the active stream sends older updates of them first.
// The book skips those, whether they were conflated or not.
func TestNoEventOfUpdatesOlderThanAnAudit(t *testing.T) {
	for seed := range uint64(60) {
		m, subs := subscribed(1)
		random := &trades{Rand: rand.New(rand.NewPCG(seed, 2)), times: "right", now: make(map[model.Key]model.Position)}
		var updates []model.Position
		audited := make(map[model.Key]model.Position)
		ahead := 1000 + random.IntN(3000)
		for i := range 5000 {
			updates = append(updates, random.update(subs[0]))
			if i == ahead {
				maps.Copy(audited, random.now)
			}
		}
		page := book.AuditPage{Subscription: subs[0], NotAfter: lastNanosecond, First: true, Last: true, Positions: slices.Collect(maps.Values(audited))}
		conflated, direct := newEventBook(false), newEventBook(false)
		for _, b := range []*eventBook{conflated, direct} {
			b.Book = b.Replaced(book.Snapshot{Subscription: subs[0]})
			b.Compare(&page)
		}
		for i := range updates {
			one := book.Updates{Subscription: subs[0], Positions: updates[i : i+1], NotAfter: lastNanosecond}
			_ = m.Update(one)
			direct.update(one)
		}
		delta, _, _ := m.take(1 << 20)
		if len(delta.Updates[0].Positions) == len(updates) {
			t.Fatal("nothing was conflated")
		}
		conflated.apply(&delta)
		if difference := conflated.differsFrom(direct); difference != "" {
			t.Fatalf("seed %d: with the mailbox and without: %s", seed, difference)
		}
	}
}

// TestAnAuditFindsNothingInWhatWaits: many updates wait, before and during an audit whose pages have what they changed.
// The audit corrects nothing, and the events are those of the updates.
func TestAnAuditFindsNothingInWhatWaits(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			m, subs := subscribed(1)
			random := &trades{Rand: rand.New(rand.NewPCG(seed, 3)), times: []string{"right", "none"}[seed%2], now: make(map[model.Key]model.Position)}
			conflated, direct := newEventBook(true), newEventBook(true)
			for _, b := range []*eventBook{conflated, direct} {
				b.apply(&book.Delta{Snapshots: []book.Snapshot{{Subscription: subs[0], Rows: book.NewRows()}}})
			}
			update := func(n int) {
				for range n {
					one := book.Updates{Subscription: subs[0], Positions: []model.Position{random.update(subs[0])}, NotAfter: lastNanosecond}
					_ = m.Update(one)
					direct.update(one)
				}
			}
			update(random.IntN(10_000))
			go func() {
				_ = m.Audit(t.Context(), book.AuditPage{Subscription: subs[0], First: true})
				update(random.IntN(5_000))
				for range 3 {
					page := book.AuditPage{Subscription: subs[0], NotAfter: lastNanosecond, Positions: slices.Collect(maps.Values(random.now))}
					_ = m.Audit(t.Context(), page)
					update(random.IntN(5_000))
				}
			}()
			synctest.Wait()
			for m.hasData() {
				delta, _, _ := m.take(50)
				if corrected := conflated.apply(&delta); corrected > 0 {
					t.Fatalf("seed %d: the audit corrects %d rows", seed, corrected)
				}
				synctest.Wait()
			}
			if difference := conflated.differsFrom(direct); difference != "" {
				t.Errorf("seed %d: with the mailbox and without: %s", seed, difference)
			}
		})
	}
}

// TestDroppedChangesAreCounted: more changes wait than there is room for. The oldest are dropped and counted, and the
// newest are all found.
func TestDroppedChangesAreCounted(t *testing.T) {
	m, subs := subscribed(1)
	m.historyLimit = 2000
	const all = 50_000
	for i := range int64(all) {
		m.update(subs[0], numbered("a", i+1, true))
	}
	b := newEventBook(false)
	b.Book = b.Replaced(book.Snapshot{Subscription: subs[0]})
	delta, _, _ := m.take(all)
	b.apply(&delta)
	found := len(b.events[row("a", 1).Key])
	if found < m.historyLimit || found+delta.Missed != all {
		t.Errorf("%d of %d changes were found and %d counted as dropped", found, all, delta.Missed)
	}
	if delta, _, _ = m.take(1); delta.Missed != 0 {
		t.Errorf("%d changes are counted a second time", delta.Missed)
	}
}
