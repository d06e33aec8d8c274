package feed

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"blotter/model"
)

// subscribed are subscriptions for so many parties, and a mailbox for them.
func subscribed(n int) (*mailbox, []model.Subscription) {
	var subscriptions []model.Subscription
	for i := range n {
		subscriptions = append(subscriptions, model.Subscription{Key: model.Key{Party: model.MakeID(fmt.Sprint("p", i))}})
	}
	m := newMailbox()
	m.arrange(subscriptions)
	m.take(true, 1)
	return m, subscriptions
}

func row(market string, volume int64) model.Position {
	p := model.Position{Key: model.Key{Market: model.MakeID(market)}}
	p.SetNumber(model.OpenVolume, model.AmountOf(volume))
	return p
}

func rowsOf(rows ...model.Position) *model.Rows {
	r := model.NewRows()
	put(r, rows)
	return r
}

// inWords says what a delta has: snapshots, then updates.
func inWords(delta model.Delta) (text string) {
	for _, s := range delta.Snapshots {
		text += fmt.Sprintf("snapshot of %s with %d rows, audit %t; ", s.Party, s.Rows.Len(), s.Audit)
	}
	for _, u := range delta.Updates {
		text += fmt.Sprintf("%s:", u.Party)
		for i := range u.Positions {
			text += fmt.Sprintf(" %s %s", u.Positions[i].Market, u.Positions[i].Number(model.OpenVolume))
		}
		text += "; "
	}
	return text
}

func (m *mailbox) gives(t *testing.T, most int, want string) {
	t.Helper()
	delta, _, _ := m.take(false, most)
	if got := inWords(delta); got != want {
		t.Errorf("the mailbox gives %q, want %q", got, want)
	}
}

// TestMailboxIsBoundedByTheRows: whatever comes, and however little of it is taken, the mailbox ends up with the newest of
// each row, and never has more than twice the rows, or a few.
func TestMailboxIsBoundedByTheRows(t *testing.T) {
	for _, rows := range []int{1, 10, 3000, 20_000} {
		t.Run(fmt.Sprint(rows), func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, uint64(rows)))
			m, subs := subscribed(1)
			last, taken := make(map[model.ID]int64), make(map[model.ID]int64)
			take := func(most int) {
				delta, _, _ := m.take(false, most)
				for _, u := range delta.Updates {
					for i := range u.Positions {
						volume, _ := u.Positions[i].Number(model.OpenVolume).Int64()
						if taken[u.Positions[i].Market] > volume {
							t.Fatal("a row goes back in time")
						}
						taken[u.Positions[i].Market] = volume
					}
				}
			}
			for i := range int64(100_000) {
				news := row(fmt.Sprint(random.IntN(rows)), i)
				last[news.Market] = i
				m.put(subs[0], []model.Position{news})
				if pending := &m.slots[subs[0]].after; len(pending.rows) > max(2*rows, fewest) || cap(pending.space) > 4*max(2*rows, fewest) {
					t.Fatalf("the mailbox holds %d updates of %d rows, and room for %d", len(pending.rows), rows, cap(pending.space))
				}
				if random.IntN(1000) == 0 {
					take(random.IntN(2000))
				}
			}
			for range 1 + 2*rows/mostBatch {
				take(mostBatch)
			}
			if !maps.Equal(last, taken) {
				t.Error("the newest of the rows are others than those that were taken")
			}
		})
	}
}

func TestMailboxGivesNoMoreThanAskedForAndTheOldestFirst(t *testing.T) {
	m, subs := subscribed(1)
	m.put(subs[0], []model.Position{row("a", 1), row("b", 1), row("c", 1), row("d", 1)})
	m.gives(t, 3, "p0: a 1 b 1 c 1; ")
	m.put(subs[0], []model.Position{row("a", 2), row("d", 2)})
	<-m.wake // there is more
	m.gives(t, 3, "p0: d 1 a 2 d 2; ")
	m.gives(t, 3, "")
}

func TestMailboxSaysWhetherThereIsMore(t *testing.T) {
	m, subs := subscribed(2)
	m.put(subs[0], []model.Position{row("a", 1), row("b", 1)})
	m.put(subs[1], []model.Position{row("c", 1), row("d", 1)})
	for i, want := range []bool{true, true, true, false} { // not because the last one was full
		if _, more, _ := m.take(false, 1); more != want {
			t.Errorf("after %d of 4 updates there are more: %v", i+1, more)
		}
	}
}

func TestMailboxServesAllInTurn(t *testing.T) {
	m, subs := subscribed(3)
	for i, s := range subs {
		for j := range 4 {
			m.put(s, []model.Position{row(fmt.Sprint(j), int64(i))})
		}
	}
	m.gives(t, 4, "p0: 0 0 1 0 2 0 3 0; ")
	m.put(subs[0], []model.Position{row("flood", 1)})
	m.gives(t, 4, "p1: 0 1 1 1 2 1 3 1; ")
	m.put(subs[0], []model.Position{row("flood", 2)})
	m.gives(t, 4, "p2: 0 2 1 2 2 2 3 2; ")
	m.gives(t, 4, "p0: flood 1 flood 2; ")
}

func TestMailboxSnapshots(t *testing.T) {
	audit := func(m *mailbox, s model.Subscription, rows ...model.Position) {
		m.commit(model.Snapshot{Subscription: s, Rows: rowsOf(rows...), Audit: true})
	}
	whole := func(m *mailbox, s model.Subscription, rows ...model.Position) {
		m.commit(model.Snapshot{Subscription: s, Rows: rowsOf(rows...)})
	}
	for _, c := range []struct {
		name string
		put  func(*mailbox, model.Subscription)
		want []string
	}{
		{"a snapshot makes void what was before", func(m *mailbox, s model.Subscription) {
			m.put(s, []model.Position{row("a", 1)})
			whole(m, s, row("b", 1))
			m.put(s, []model.Position{row("c", 1)})
		}, []string{"snapshot of p0 with 1 rows, audit false; p0: c 1; ", ""}},
		{"the newest snapshot counts", func(m *mailbox, s model.Subscription) {
			whole(m, s, row("a", 1))
			whole(m, s, row("a", 1), row("b", 1))
		}, []string{"snapshot of p0 with 2 rows, audit false; ", ""}},
		{"an audit is compared with what was before", func(m *mailbox, s model.Subscription) {
			m.put(s, []model.Position{row("a", 1)})
			audit(m, s, row("b", 1))
			m.put(s, []model.Position{row("c", 1)})
		}, []string{"p0: a 1; ", "snapshot of p0 with 1 rows, audit true; p0: c 1; ", ""}},
		{"an audit with nothing before", func(m *mailbox, s model.Subscription) { audit(m, s, row("b", 1)) },
			[]string{"snapshot of p0 with 1 rows, audit true; ", ""}},
		{"a second audit", func(m *mailbox, s model.Subscription) {
			m.put(s, []model.Position{row("a", 1)})
			audit(m, s)
			audit(m, s, row("b", 1))
		}, []string{"p0: a 1; ", "snapshot of p0 with 1 rows, audit true; ", ""}},
		{"an audit of a snapshot that nobody has seen is no audit", func(m *mailbox, s model.Subscription) {
			whole(m, s, row("a", 1))
			audit(m, s, row("b", 1))
		}, []string{"snapshot of p0 with 1 rows, audit false; ", ""}},
		{"a reconnect after an audit", func(m *mailbox, s model.Subscription) {
			m.put(s, []model.Position{row("a", 1)})
			audit(m, s, row("b", 1))
			whole(m, s)
		}, []string{"snapshot of p0 with 0 rows, audit false; ", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, subs := subscribed(1)
			c.put(m, subs[0])
			for _, want := range c.want {
				m.gives(t, 10, want)
			}
		})
	}
}

func TestMailboxLinksAlone(t *testing.T) {
	m, subs := subscribed(2)
	m.put(subs[0], []model.Position{row("a", 1)})
	m.commit(model.Snapshot{Subscription: subs[1], Rows: rowsOf(row("b", 1))})
	if _, _, ok := m.take(true, 10); ok {
		t.Error("there is news of the links, and nothing happened to them")
	}
	m.tell(&model.Link{Subscription: subs[1], Phase: model.Waiting})
	delta, _, ok := m.take(true, 10)
	if !ok || inWords(delta) != "" || len(delta.Links) != 2 || delta.Links[1].Phase != model.Waiting {
		t.Errorf("%+v", delta)
	}
	delta, _, _ = m.take(false, 10)
	if got := inWords(delta); got != "snapshot of p1 with 1 rows, audit false; p0: a 1; " || len(delta.Links) != 2 {
		t.Errorf("%q with %d links", got, len(delta.Links))
	}
}

func TestMailboxForgetsWhatIsNotWanted(t *testing.T) {
	m, subs := subscribed(2)
	m.put(subs[0], []model.Position{row("a", 1)})
	m.put(subs[1], []model.Position{row("b", 1)})
	m.arrange(subs[1:])
	m.put(subs[0], []model.Position{row("a", 2)})
	m.commit(model.Snapshot{Subscription: subs[0], Rows: rowsOf()})
	m.tell(&model.Link{Subscription: subs[0]})
	delta, _, _ := m.take(false, 10)
	if got := inWords(delta); got != "p1: b 1; " || len(delta.Links) != 1 {
		t.Errorf("%q with %d links", got, len(delta.Links))
	}
	m.arrange(nil)
	m.gives(t, 10, "")
}
