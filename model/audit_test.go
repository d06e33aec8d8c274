package model

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// notAfter is the latest time that counts in these tests: later ones are ahead of the service's clock.
const notAfter = 1000

// position has a market, a volume and a time of change, for one party: "b 5 @11".
func position(text string) Position {
	words := strings.Fields(text)
	p := Position{Key: Key{MakeID("a"), MakeID(words[0])}}
	p.SetNumber(OpenVolume, ParseAmount(words[1]))
	if len(words) > 2 {
		p.SetNumber(UpdatedAt, ParseAmount(words[2][1:]))
	}
	return p
}

func positions(texts ...string) []Position {
	var all []Position
	for _, text := range texts {
		all = append(all, position(text))
	}
	return all
}

// contents are the positions of a book in words, in order.
func contents(book *Book) string {
	var rows []string
	for p := range book.All {
		rows = append(rows, p.Market.String()+" "+p.Number(OpenVolume).String())
	}
	slices.Sort(rows)
	return strings.Join(rows, ", ")
}

// TestWhichStateOfARowStays has a book with one row, "b 1 @10", an audit of it, and what the two streams say in every order.
func TestWhichStateOfARowStays(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps string // what "active" says in updates or in a "late" page, and "audit" in its pages, divided by commas
		want  string
	}{
		{"a newer state corrects", "audit b 5 @11", "b 5"},
		{"an older state does not", "audit b 5 @9", "b 1"},
		{"another state of the same time corrects", "audit b 5 @10", "b 5"},
		{"a state without a time corrects", "audit b 5", "b 5"},
		{"a time that is ahead decides nothing", "audit b 5 @2000", "b 5"},
		{"the active stream wins where times tie", "active b 4 @11, audit b 5 @11", "b 4"},
		{"the active stream wins without times", "active b 4, audit b 5", "b 4"},
		{"the active stream wins against a time that is ahead", "active b 4 @12, audit b 5 @2000", "b 4"},
		{"the active stream wins with a time that is ahead", "active b 4 @2000, audit b 5 @12", "b 4"},
		{"the active stream wins where a time is no integer", "active b 4 @soon, audit b 5 @12", "b 4"},
		{"a newer audit wins against the active stream", "active b 4 @11, audit b 5 @12", "b 5"},
		{"an active stream that is behind does not set a row back", "audit b 5 @13, active b 4 @12", "b 5"},
		{"until it has caught up", "audit b 5 @13, active b 4 @12, active b 6 @13, active b 7 @12", "b 7"},
		{"the active stream says the same later", "audit b 5 @11, active b 4 @11", "b 4"},
		{"a late page does not set a row back", "active b 4 @12, late b 3 @11, audit b 4 @12", "b 4"},
		{"nor where times tie", "active b 4 @12, late b 3 @12, audit b 4 @12", "b 4"},
		{"a late page that is newer counts", "active b 4 @12, late b 3 @13, audit b 3 @13", "b 3"},
		{"a late page brings a new row", "late d 3 @1, audit b 1 @10", "b 1, d 3"},
		{"a new row is added", "audit b 1 @10, audit d 7 @5", "b 1, d 7"},
		{"a row that the audit lacks is removed", "audit d 7 @10", "d 7"},
		{"but not where the audit is behind", "audit d 7 @9", "b 1, d 7"},
		{"nor where the active stream spoke of it meanwhile", "active b 4 @10, audit d 7 @15", "b 4, d 7"},
		{"a new row of the active stream stays", "active d 4 @12, audit b 1 @10", "b 1, d 4"},
		{"also without a time", "active d 4, audit b 1 @10", "b 1, d 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := Subscription{Epoch: 1}
			rows, row := NewRows(), position("b 1 @10")
			rows.Put(&row)
			book := NewBook(0).Replaced(s, rows)
			view := NewView(book, Scope{}, Filter{ShowClosed: true}, Order{}, NewInstruments(nil, nil, nil))
			view.Compare(&AuditPage{Subscription: s, First: true, NotAfter: notAfter})
			for _, step := range strings.Split(c.steps, ", ") {
				by, row, _ := strings.Cut(step, " ")
				if by == "audit" {
					view.Compare(&AuditPage{Subscription: s, Positions: positions(row), NotAfter: notAfter})
				} else {
					view.Merge(&Updates{Subscription: s, Positions: positions(row), NotAfter: notAfter, LatePage: by == "late"})
				}
			}
			view.Compare(&AuditPage{Subscription: s, Last: true, NotAfter: notAfter})
			if got := contents(book); got != c.want || !book.IsAudited(s) {
				t.Errorf("the rows are %q, want %q; audited: %t", got, c.want, book.IsAudited(s))
			}
			if view.Len() != book.Len() {
				t.Errorf("the view has %d rows, the book %d", view.Len(), book.Len())
			}
		})
	}
}

// TestCorrectionsSayWhatTheyChanged names the rows before and after.
func TestCorrectionsSayWhatTheyChanged(t *testing.T) {
	s := Subscription{Epoch: 1}
	book := NewBook(0)
	book.Merge(&Updates{Subscription: s, Positions: positions("same 1 @10", "other 2 @10", "gone 3 @10", "newer 4 @20"), NotAfter: notAfter})
	corrections, _ := book.Compare(&AuditPage{
		Subscription: s, Positions: positions("same 1 @10", "other 5 @11", "new 4 @20", "newer 3 @19"), First: true, Last: true, NotAfter: notAfter,
	})
	var got []string
	for _, c := range corrections {
		volume := func(p *Position) string {
			if p == nil {
				return "none"
			}
			return p.Number(OpenVolume).String()
		}
		key := c.Key()
		got = append(got, fmt.Sprintf("%s: %s to %s", key.Market, volume(c.Before), volume(c.After)))
	}
	if want := []string{"other: 2 to 5", "new: none to 4", "gone: 3 to none"}; !slices.Equal(got, want) {
		t.Errorf("corrections are %q, want %q", got, want)
	}
}

// TestManyRowsAreRemovedBitByBit: the screen goes on in between.
func TestManyRowsAreRemovedBitByBit(t *testing.T) {
	s := Subscription{Epoch: 1}
	book := NewBook(0)
	for i := range removedAtOnce + 10 {
		book.Merge(&Updates{Subscription: s, Positions: positions(fmt.Sprint(i, " 1 @10")), NotAfter: notAfter})
	}
	page := &AuditPage{Subscription: s, Positions: positions("new 1 @11"), First: true, Last: true, NotAfter: notAfter}
	corrections, more := book.Compare(page)
	if len(corrections) != removedAtOnce+1 || !more || book.IsAudited(s) {
		t.Errorf("%d corrections at first, more: %t", len(corrections), more)
	}
	corrections, more = book.Compare(&AuditPage{Subscription: s, Last: true, NotAfter: notAfter})
	if len(corrections) != 10 || more || !book.IsAudited(s) || book.Len() != 1 {
		t.Errorf("%d corrections then, more: %t, %d rows left", len(corrections), more, book.Len())
	}
}

// TestAPageOfAnAuditThatWasNotBegunChangesNothing: a snapshot has replaced the rows since, or nothing was ever there.
func TestAPageOfAnAuditThatWasNotBegunChangesNothing(t *testing.T) {
	s := Subscription{Epoch: 1}
	page := &AuditPage{Subscription: s, Positions: positions("b 5 @11"), Last: true, NotAfter: notAfter}
	book := NewBook(0)
	if got, _ := book.Compare(page); got != nil || book.Len() != 0 {
		t.Errorf("of what was never there, %v is wrong", got)
	}
	book = book.Replaced(s, nil)
	book.Compare(&AuditPage{Subscription: s, First: true, NotAfter: notAfter})
	book = book.Replaced(s, nil)
	if got, _ := book.Compare(page); got != nil || book.Len() != 0 || book.IsAudited(s) {
		t.Errorf("a row was corrected after the snapshot: %v", got)
	}
}

func TestAMarginRecordThatIsNewerThanItsPositionIsAReasonForAnAudit(t *testing.T) {
	watched := Subscription{Epoch: 1}
	p := Position{Key: Key{MakeID("a"), MakeID("b")}}
	p.SetNumber(UpdatedAt, AmountOf(int64(time.Hour)))
	book := NewBook(0)
	book.Merge(updateOf(watched, p))
	for _, c := range []struct {
		market, timestamp string
		later             time.Duration // the record was read after that
		overtaken         bool
	}{
		{"b", "3600000000000", time.Hour, false}, {"b", "3609999999999", time.Hour, false}, {"b", "3610000000000", time.Hour, true},
		{"b", "3610000000000", 10 * time.Second, true}, {"b", "3610000000000", 9 * time.Second, false},
		{"b", "soon", time.Hour, false}, {"b", "0", time.Hour, false}, {"other", "3610000000000", time.Hour, false},
	} {
		record := &MarginLevels{MarginKey: MarginKey{Key: Key{MakeID("a"), MakeID(c.market)}}, Timestamp: ParseAmount(c.timestamp)}
		at, _ := record.Timestamp.Int64()
		if by, got := book.Overtaken(record, time.Unix(0, at).Add(c.later)); got != c.overtaken || got && by != watched {
			t.Errorf("a record of %s at %s, %s later: %t, want %t", c.market, c.timestamp, c.later, got, c.overtaken)
		}
	}
}

var interleavings = flag.Int("interleavings", 5_000, "how many seeds TestEveryInterleavingEndsInTheTruth has")

// TestEveryInterleavingEndsInTheTruth has a service change its positions while streams, audits and replicas that lag speak
// of them in any order, with updates lost in the gap of each stream. Times are right, equal, absent, no integers or ahead of
// the clock. Rows with times never go back, except by a reconnect; and after one audit by a node that is up to date the
// book is the truth.
func TestEveryInterleavingEndsInTheTruth(t *testing.T) {
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

// interleaving is a service of a few positions, whose states are counted from 1, and a book that hears of them.
type interleaving struct {
	*rand.Rand
	subscription Subscription
	book         *Book
	history      []Position // every change, in order
	clock        int64
	odd          bool // times can be equal, absent, no integers or ahead

	active  []Position // what the active stream has yet to say
	page    []Position // what the audit has yet to say; nil where none is under way
	auditor bool
	shown   map[Key]int64 // the latest time that was shown of each row
	fault   string
}

func newInterleaving(seed uint64) *interleaving {
	w := &interleaving{
		Rand: rand.New(rand.NewPCG(seed, 7)), subscription: Subscription{Epoch: 1},
		book: NewBook(0), clock: 10,
		odd: seed%2 == 1, shown: make(map[Key]int64),
	}
	w.connect(0)
	return w
}

// change has the service change a position, and returns its state.
func (w *interleaving) change() Position {
	key := Key{MakeID("a"), MakeID(string(rune('a' + w.IntN(5))))}
	p := Position{Key: key}
	p.SetNumber(OpenVolume, AmountOf(int64(len(w.history)+1)))
	w.clock += int64(1 + w.IntN(3))
	p.SetNumber(UpdatedAt, AmountOf(w.clock))
	if w.odd {
		switch w.IntN(6) {
		case 0: // as before
			if last := len(w.history) - 1; last >= 0 {
				p.SetNumber(UpdatedAt, w.history[last].Number(UpdatedAt))
			}
		case 1:
			p.SetNumber(UpdatedAt, Amount{})
		case 2:
			p.SetNumber(UpdatedAt, ParseAmount("soon"))
		case 3:
			p.SetNumber(UpdatedAt, AmountOf(notAfter+1+w.Int64N(1000)))
		}
	}
	w.history = append(w.history, p)
	return p
}

// snapshot is what a node says that is some changes behind, in any order.
func (w *interleaving) snapshot(behind int) []Position {
	last := make(map[Key]Position)
	for _, p := range w.history[:max(0, len(w.history)-behind)] {
		last[p.Key] = p
	}
	rows := slices.Collect(maps.Values(last))
	slices.SortFunc(rows, func(p, q Position) int { return p.Key.Compare(q.Key) })
	w.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
	return rows
}

// connect begins anew: a whole snapshot, perhaps of a node that is behind, then its gap.
func (w *interleaving) connect(behind int) {
	rows := NewRows()
	for _, p := range w.snapshot(behind) {
		rows.PutUnlessOlder(&p, notAfter)
	}
	w.book = w.book.Replaced(w.subscription, rows)
	w.active, w.page, w.auditor = nil, nil, false
	clear(w.shown)
	for range w.IntN(3) {
		w.change() // in the gap: nobody is told
	}
}

func (w *interleaving) step() {
	switch w.IntN(12) {
	case 0:
		if w.IntN(4) == 0 {
			w.connect(w.IntN(3))
		}
	case 1, 2: // an audit, perhaps by a node that is behind
		if !w.auditor {
			behind := 0
			if !w.odd { // without times, nobody can see that a node is behind
				behind = w.IntN(3)
			}
			w.auditor, w.page = true, w.snapshot(behind)
			w.book.Compare(&AuditPage{Subscription: w.subscription, First: true, NotAfter: notAfter})
		}
	case 3, 4, 5:
		w.look(1 + w.IntN(2))
	case 6, 7, 8:
		w.hear(1 + w.IntN(2))
	default:
		w.active = append(w.active, w.change())
	}
	w.noteShown()
}

// hear has the active stream say up to n things.
func (w *interleaving) hear(n int) {
	n = min(n, len(w.active))
	w.book.Merge(&Updates{Subscription: w.subscription, Positions: w.active[:n], NotAfter: notAfter})
	w.active = w.active[n:]
}

// look has the audit say up to n things.
func (w *interleaving) look(n int) {
	if !w.auditor {
		return
	}
	n = min(n, len(w.page))
	last := n == len(w.page)
	w.book.Compare(&AuditPage{Subscription: w.subscription, Positions: w.page[:n], Last: last, NotAfter: notAfter})
	w.page, w.auditor = w.page[n:], !last
}

// noteShown asserts that no row with a usable time went back.
func (w *interleaving) noteShown() {
	for row := range w.book.All {
		at, usable := row.ChangedAt(notAfter)
		if !usable {
			delete(w.shown, row.Key)
			continue
		}
		if before := w.shown[row.Key]; at < before && !w.odd {
			w.fault = fmt.Sprintf("%s went back from %d to %d", row.Market, before, at)
		}
		w.shown[row.Key] = at
	}
}

// end lets everybody finish, and looks once more.
func (w *interleaving) end() {
	for w.auditor {
		w.look(1)
	}
	w.hear(len(w.active))
	w.auditor, w.page = true, w.snapshot(0)
	w.book.Compare(&AuditPage{Subscription: w.subscription, First: true, NotAfter: notAfter})
	for w.auditor {
		w.look(1)
	}
	for _, want := range w.snapshot(0) {
		if got := w.book.Find(want.Key); got == nil || !got.Equal(&want) {
			w.fault = fmt.Sprintf("%s ends as %+v, want %+v", want.Market, got, want)
		}
	}
}
