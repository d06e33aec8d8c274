package feed

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// subscribed returns subscriptions for the given number of parties, and a mailbox for them that conflates soon.
func subscribed(n int) (*mailbox, []model.Subscription) {
	var subscriptions []model.Subscription
	for i := range n {
		subscriptions = append(subscriptions, model.Subscription{Key: model.Key{Party: model.MakeID(fmt.Sprint("p", i))}})
	}
	m := newMailbox(0)
	m.bufferLimit = leastRoom
	m.setSubscriptions(subscriptions)
	m.take(1)
	return m, subscriptions
}

func row(market string, volume int64) model.Position {
	p := model.Position{Key: model.Key{Market: model.MakeID(market)}}
	p.SetNumber(model.OpenVolume, model.AmountOf(volume))
	return p
}

func rowsOf(rows ...model.Position) *book.Rows {
	r := book.NewRows()
	for i := range rows {
		r.Put(&rows[i])
	}
	return r
}

// inWords describes a delta: snapshots, then updates.
func inWords(delta book.Delta) (text string) {
	for _, s := range delta.Snapshots {
		text += fmt.Sprintf("snapshot of %s with %d rows; ", s.Party, s.Rows.Len())
	}
	for _, u := range delta.Updates {
		text += u.Party.String()
		if u.LatePage {
			text += " late"
		}
		if u.BeginsPartial {
			text += " begins"
		}
		text += ":"
		for i := range u.Positions {
			text += fmt.Sprintf(" %s %s", u.Positions[i].Market, u.Positions[i].Number(model.OpenVolume))
		}
		text += "; "
	}
	for _, a := range delta.Audits {
		text += fmt.Sprintf("audit of %s:", a.Party)
		if a.First {
			text += " begins"
		}
		for i := range a.Positions {
			text += fmt.Sprintf(" %s %s", a.Positions[i].Market, a.Positions[i].Number(model.OpenVolume))
		}
		if a.Last {
			text += " ends"
		}
		text += "; "
	}
	return text
}

// update keeps updates for a subscription.
func (m *mailbox) update(s model.Subscription, rows ...model.Position) {
	_ = m.Update(book.Updates{Subscription: s, Positions: rows})
}

func (m *mailbox) gives(t *testing.T, most int, want string) {
	t.Helper()
	delta, _, _ := m.take(most)
	if got := inWords(delta); got != want {
		t.Errorf("the mailbox gives %q, want %q", got, want)
	}
}

// numbered returns an update with a number that counts up, and of the size 1 or of a new one.
func numbered(market string, number int64, resized bool) model.Position {
	p := row(market, 1)
	if resized {
		p = row(market, number)
	}
	p.SetNumber(model.UnrealisedPnl, model.AmountOf(number))
	return p
}

// TestMailboxIsBoundedByTheRows: however many updates come, and however few are taken, the mailbox keeps the newest of
// each row. Of the others it keeps some for the events, and those that came since it was conflated last.
func TestMailboxIsBoundedByTheRows(t *testing.T) {
	for _, rows := range []int{1, 10, 3000, 20_000} {
		for _, resized := range []bool{false, true} {
			t.Run(fmt.Sprint(rows, " resized ", resized), func(t *testing.T) {
				random := rand.New(rand.NewPCG(1, uint64(rows)))
				m, subs := subscribed(1)
				m.historyLimit = 5000
				kept := rows + min(rows, m.historyLimit) // the newest, and the oldest
				if resized {
					kept = rows + m.historyLimit
				}
				most := max(kept+max(kept/2, m.bufferLimit), conflatedFrom*m.bufferLimit) + 2*m.bufferLimit
				last, taken := make(map[model.ID]int64), make(map[model.ID]int64)
				take := func(most int) {
					delta, _, _ := m.take(most)
					for _, u := range delta.Updates {
						for i := range u.Positions {
							number, _ := u.Positions[i].Number(model.UnrealisedPnl).Int64()
							if taken[u.Positions[i].Market] > number {
								t.Fatal("a row goes back in time")
							}
							taken[u.Positions[i].Market] = number
						}
					}
				}
				for i := range int64(modeltest.Times(100_000)) {
					update := numbered(fmt.Sprint(random.IntN(rows)), i, resized)
					last[update.Market] = i
					m.update(subs[0], update)
					if pending := &m.boxes[subs[0]].updates; pending.len() > most || cap(pending.rows) > 2*m.bufferLimit {
						t.Fatalf("the mailbox holds %d updates of %d rows, and room for %d as they came", pending.len(), rows, cap(pending.rows))
					}
					if random.IntN(1000) == 0 {
						take(random.IntN(2000))
					}
				}
				for range 1 + most/batch {
					take(batch)
				}
				if !maps.Equal(last, taken) {
					t.Error("the newest updates of the rows were not taken")
				}
			})
		}
	}
}

func TestMailboxReturnsTheOldestUpToTheLimit(t *testing.T) {
	m, subs := subscribed(1)
	m.update(subs[0], row("a", 1), row("b", 1), row("c", 1), row("d", 1))
	m.gives(t, 3, "p0: a 1 b 1 c 1; ")
	m.update(subs[0], row("a", 2), row("d", 2))
	<-m.wake // there is more
	m.gives(t, 3, "p0: d 1 a 2 d 2; ")
	m.gives(t, 3, "")
}

func TestMailboxReportsWhetherThereIsMore(t *testing.T) {
	m, subs := subscribed(2)
	m.update(subs[0], row("a", 1), row("b", 1))
	m.update(subs[1], row("c", 1), row("d", 1))
	for i, want := range []bool{true, true, true, false} { // not because the last one was full
		if _, more, _ := m.take(1); more != want {
			t.Errorf("after %d of 4 updates there are more: %v", i+1, more)
		}
	}
}

func TestMailboxTakesFromAllInTurn(t *testing.T) {
	m, subs := subscribed(3)
	for i, s := range subs {
		for j := range 4 {
			m.update(s, row(fmt.Sprint(j), int64(i)))
		}
	}
	m.gives(t, 4, "p0: 0 0 1 0 2 0 3 0; ")
	m.update(subs[0], row("flood", 1))
	m.gives(t, 4, "p1: 0 1 1 1 2 1 3 1; ")
	m.update(subs[0], row("flood", 2))
	m.gives(t, 4, "p2: 0 2 1 2 2 2 3 2; ")
	m.gives(t, 4, "p0: flood 1 flood 2; ")
}

func TestMailboxSnapshots(t *testing.T) {
	m, subs := subscribed(1)
	m.update(subs[0], row("a", 1))
	m.Commit(book.Snapshot{Subscription: subs[0], Rows: rowsOf(row("b", 1))})
	m.update(subs[0], row("c", 1))
	m.gives(t, 10, "snapshot of p0 with 1 rows; p0: c 1; ") // the snapshot replaces the updates before it
	m.gives(t, 10, "")
	m.Commit(book.Snapshot{Subscription: subs[0], Rows: rowsOf(row("a", 1))})
	m.Commit(book.Snapshot{Subscription: subs[0], Rows: rowsOf(row("a", 1), row("b", 1))})
	m.gives(t, 10, "snapshot of p0 with 2 rows; ")
	m.gives(t, 10, "")
}

// TestMailboxKeepsTheOrderOfAStream: an update and a page that wait together are given in the order in which they came,
// however few of them are taken at once.
func TestMailboxKeepsTheOrderOfAStream(t *testing.T) {
	m, subs := subscribed(1)
	page := func(rows ...model.Position) {
		_ = m.Update(book.Updates{Subscription: subs[0], Positions: rows, LatePage: true})
	}
	m.update(subs[0], row("a", 1))
	page(row("a", 2))
	m.gives(t, 10, "p0: a 1; p0 late: a 2; ")
	page(row("a", 3))
	m.update(subs[0], row("a", 4), row("b", 1))
	page(row("b", 2))
	m.gives(t, 1, "p0 late: a 3; ")
	m.gives(t, 1, "p0: a 4; ")
	m.gives(t, 1, "p0: b 1; ")
	m.gives(t, 1, "p0 late: b 2; ")
	m.update(subs[0], row("x", 1))
	page(row("a", 5))
	m.update(subs[0], row("a", 6)) // replaces what waits of the page
	m.gives(t, 10, "p0: x 1 a 6; ")
	m.update(subs[0], row("a", 7))
	m.BeginPartial(subs[0])
	page(row("a", 8))
	m.gives(t, 1, "p0: a 7; p0 begins:; ")
	m.gives(t, 1, "p0 late: a 8; ")
	m.gives(t, 1, "")
}

// TestMailboxHasRoomForSomeOfAnAudit: the first page waits until the screen has taken it, other pages wait if there
// is no room.
func TestMailboxHasRoomForSomeOfAnAudit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, subs := subscribed(1)
		accepted := make(chan int, 10)
		page := func(n int, page book.AuditPage) {
			page.Subscription = subs[0]
			if err := m.Audit(t.Context(), page); err != nil {
				t.Error(err)
			}
			accepted <- n
		}
		isAccepted := func(want int) {
			t.Helper()
			synctest.Wait()
			if got := len(accepted); got != want {
				t.Errorf("%d pages are accepted, want %d", got, want)
			}
		}
		go func() {
			page(1, book.AuditPage{First: true})
			page(2, book.AuditPage{Positions: []model.Position{row("a", 1)}})
			page(3, book.AuditPage{Positions: make([]model.Position, auditAhead)})
			page(4, book.AuditPage{Positions: []model.Position{row("b", 1)}, Last: true})
		}()
		isAccepted(0)
		m.gives(t, 10, "audit of p0: begins; ")
		isAccepted(2)
		m.gives(t, 10, "audit of p0: a 1; ")
		isAccepted(3)
		for range 3 {
			m.take(2 * auditAhead)
			synctest.Wait()
		}
		isAccepted(4)
		m.update(subs[0], row("c", 1))
		m.gives(t, 10, "p0: c 1; ")
	})
}

// TestTheNextAuditWaitsForTheLastOne: what that has corrected is not lost.
func TestTheNextAuditWaitsForTheLastOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, subs := subscribed(1)
		go func() {
			_ = m.Audit(t.Context(), book.AuditPage{Subscription: subs[0], First: true})
			_ = m.Audit(t.Context(), book.AuditPage{Subscription: subs[0], Positions: []model.Position{row("a", 1)}, Last: true})
			_ = m.Audit(t.Context(), book.AuditPage{Subscription: subs[0], First: true})
		}()
		synctest.Wait()
		m.gives(t, 10, "audit of p0: begins; ")
		synctest.Wait()
		m.gives(t, 10, "audit of p0: a 1 ends; ")
		synctest.Wait()
		m.gives(t, 10, "audit of p0: begins; ")
	})
}

// TestASnapshotDropsTheAuditOfTheRowsBeforeIt: its pages would correct the rows of the snapshot, and remove some.
func TestASnapshotDropsTheAuditOfTheRowsBeforeIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, subs := subscribed(1)
		go func() {
			_ = m.Audit(t.Context(), book.AuditPage{Subscription: subs[0], First: true})
			_ = m.Audit(t.Context(), book.AuditPage{Subscription: subs[0], Positions: []model.Position{row("a", 1)}, Last: true})
		}()
		synctest.Wait()
		m.gives(t, 10, "audit of p0: begins; ")
		synctest.Wait()
		m.Commit(book.Snapshot{Subscription: subs[0], Rows: rowsOf(row("a", 2), row("b", 2))})
		m.gives(t, 10, "snapshot of p0 with 2 rows; ")
		m.gives(t, 10, "")
	})
}

// TestMailboxGivesAPageOfAnAuditAfterTheUpdatesBeforeIt, of which there are more than fit into one Delta.
func TestMailboxGivesAPageOfAnAuditAfterTheUpdatesBeforeIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, subs := subscribed(1)
		m.update(subs[0], row("a", 1), row("b", 1), row("c", 1))
		go func() {
			_ = m.Audit(t.Context(), book.AuditPage{Subscription: subs[0], First: true})
			m.update(subs[0], row("a", 2), row("b", 2))
			_ = m.Audit(t.Context(), book.AuditPage{Subscription: subs[0], Positions: []model.Position{row("a", 2)}, Last: true})
			m.update(subs[0], row("a", 3))
		}()
		synctest.Wait()
		m.gives(t, 2, "p0: a 1 b 1; ")
		m.gives(t, 2, "p0: c 1; audit of p0: begins; ")
		synctest.Wait()
		m.gives(t, 1, "p0: a 2; ")
		m.gives(t, 1, "p0: b 2; audit of p0: a 2 ends; ")
		m.gives(t, 1, "p0: a 3; ")
	})
}

func TestMailboxTakesAnAuditWhileUpdatesNeverEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m, subs := subscribed(1)
		go func() {
			_ = m.Audit(t.Context(), book.AuditPage{Subscription: subs[0], First: true})
			_ = m.Audit(t.Context(), book.AuditPage{Subscription: subs[0], Positions: []model.Position{row("b", 1)}, Last: true})
		}()
		for i := range 20 {
			for j := range 10 {
				m.update(subs[0], row(fmt.Sprint(i, j), 1))
			}
			m.take(4)
			synctest.Wait()
		}
		if b := m.boxes[subs[0]]; !b.audit.isEmpty() {
			t.Errorf("the audit waits: %+v", b.audit)
		}
	})
}

// TestMailboxIsFullWhereTooManyRowsWait: the screen takes nothing, and a service changes more rows than there is room
// for.
func TestMailboxIsFullWhereTooManyRowsWait(t *testing.T) {
	m, subs := subscribed(1)
	m.limit = 5000
	var err error
	for i := 0; i < 20_000 && err == nil; i++ {
		err = m.Update(book.Updates{Subscription: subs[0], Positions: []model.Position{row(fmt.Sprint(i), 1)}})
	}
	if err == nil || m.boxes[subs[0]].updates.len() > 4*m.limit {
		t.Errorf("%d rows wait, and the error is %v", m.boxes[subs[0]].updates.len(), err)
	}
}

func TestMailboxDropsWhatIsNotWatched(t *testing.T) {
	m, subs := subscribed(2)
	m.update(subs[0], row("a", 1))
	m.update(subs[1], row("b", 1))
	m.setSubscriptions(subs[1:])
	m.update(subs[0], row("a", 2))
	m.Commit(book.Snapshot{Subscription: subs[0], Rows: rowsOf()})
	m.Publish(model.Link{Subscription: subs[0]})
	delta, _, _ := m.take(10)
	if got := inWords(delta); got != "p1: b 1; " || len(delta.Links) != 1 {
		t.Errorf("%q with %d links", got, len(delta.Links))
	}
	m.setSubscriptions(nil)
	m.gives(t, 10, "")
}

// TestLinksCountTheChangesThatWait.
func TestLinksCountTheChangesThatWait(t *testing.T) {
	m, subs := subscribed(2)
	expect := func(want ...int) {
		t.Helper()
		var got []int
		for _, link := range m.states() {
			got = append(got, link.Changes)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v changes wait, want %v", got, want)
		}
	}
	expect(0, 0)
	m.update(subs[0], row("x", 1), row("y", 1))
	m.update(subs[0], row("x", 2))
	expect(3, 0)
	m.Commit(book.Snapshot{Subscription: subs[1], Rows: rowsOf(row("z", 1))})
	m.update(subs[1], row("z", 2))
	expect(3, 2)
	m.take(100)
	expect(0, 0)
	m.update(subs[0], row("x", 3))
	expect(1, 0)
}

// TestLatePagesDoNotFillTheMemory: the screen takes nothing, and a service sends pages without end.
func TestLatePagesDoNotFillTheMemory(t *testing.T) {
	m, subs := subscribed(1)
	m.limit = 100
	var err error
	put := func(market string) {
		err = m.Update(book.Updates{Subscription: subs[0], Positions: []model.Position{row(market, 1)}, LatePage: true})
	}
	for range 1000 {
		put("a")
	}
	if err != nil || m.boxes[subs[0]].pages.Len() != 1 {
		t.Errorf("the same row again and again: %d rows wait, and the error is %v", m.boxes[subs[0]].pages.Len(), err)
	}
	rows := 1
	for ; rows < 1000 && err == nil; rows++ {
		put(fmt.Sprint(rows))
	}
	if rows != 101 {
		t.Errorf("the mailbox is full with %d rows, want one more than the limit", rows)
	}
}

// TestUpdatesBeforeManySnapshotsDoNotFillTheMemory: the screen takes nothing, and a service sends one snapshot after
// the other on its stream, with updates of other rows between them.
func TestUpdatesBeforeManySnapshotsDoNotFillTheMemory(t *testing.T) {
	m, subs := subscribed(1)
	m.limit = 1000
	b, sent := m.boxes[subs[0]], 0
	for range 30 {
		for range 4 {
			var rows []model.Position
			for range 200 {
				rows = append(rows, row(fmt.Sprint(sent), 1))
				sent++
			}
			m.update(subs[0], rows...)
		}
		m.Commit(book.Snapshot{Subscription: subs[0], Rows: rowsOf(row("a", 1))})
		if waiting := b.superseded.len(); waiting > 4*m.limit {
			t.Fatalf("%d updates before the last snapshot wait for the screen", waiting)
		}
	}
	delta, _, _ := m.take(batch)
	if got := delta.Missed + len(delta.Snapshots[0].Superseded); got != sent {
		t.Errorf("%d of %d updates before the last snapshot are given or counted as missed", got, sent)
	}
}

// TestUpdatesOfManyStreamsDoNotFillTheMemory: the screen takes nothing, and the snapshots of the streams have no last
// page.
func TestUpdatesOfManyStreamsDoNotFillTheMemory(t *testing.T) {
	m, subs := subscribed(1)
	m.limit = 5000
	b, sent := m.boxes[subs[0]], 0
	for range 30 {
		m.BeginPartial(subs[0])
		for range 4000 {
			if m.Update(book.Updates{Subscription: subs[0], Positions: []model.Position{row(fmt.Sprint(sent), 1)}}) != nil {
				break
			}
			sent++
		}
	}
	if waiting := b.earlier.len() + b.updates.len(); waiting > 4*m.limit {
		t.Errorf("%d updates wait for the screen", waiting)
	}
}

// TestMailboxKeepsTheStateBeforeAnotherStatus, of a row of which it drops others: the loss of a position in trouble is
// counted from it.
func TestMailboxKeepsTheStateBeforeAnotherStatus(t *testing.T) {
	m, s := subscribed(1)
	for i := range int64(20 * leastRoom) {
		p := numbered("M", i, false)
		if i >= 15*leastRoom {
			p.SetStatus([]byte(fmt.Sprint(int32(model.StatusDistressed))))
		}
		m.update(s[0], p)
	}
	delta, _, _ := m.take(20 * leastRoom)
	var given []int64
	for _, u := range delta.Updates {
		for i := range u.Positions {
			n, _ := u.Positions[i].Number(model.UnrealisedPnl).Int64()
			given = append(given, n)
		}
	}
	if last := int64(15*leastRoom - 1); len(given) > 10*leastRoom || !slices.Contains(given, last) || !slices.Contains(given, last+1) {
		t.Errorf("%d of %d updates are given, without the last one before the status has changed, or the first one after it", len(given), 20*leastRoom)
	}
}
