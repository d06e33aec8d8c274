package book

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/modeltest"
)

// contents returns the positions of a book as text, in order.
func contents(book *Book) string {
	var rows []string
	for p := range book.All {
		rows = append(rows, p.Market.String()+" "+p.Number(model.OpenVolume).String())
	}
	slices.Sort(rows)
	return strings.Join(rows, ", ")
}

// TestWhichStateOfARowStays begins with a book of one row, "b 1 @10", and an audit of it. The two streams send states
// in some order.
func TestWhichStateOfARowStays(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps string // updates of the "active" stream, its "late" pages, and pages of the "audit", divided by commas
		want  string
	}{
		{"a newer state corrects", "audit b 5 @11", "b 5"},
		{"an older state does not", "audit b 5 @9", "b 1"},
		{"another state of the same time corrects", "audit b 5 @10", "b 5"},
		{"a state without a time corrects", "audit b 5", "b 5"},
		{"a time that is ahead decides nothing", "audit b 5 @2000", "b 5"},
		{"the active stream wins if times tie", "active b 4 @11, audit b 5 @11", "b 4"},
		{"the active stream wins without times", "active b 4, audit b 5", "b 4"},
		{"the active stream wins against a time that is ahead", "active b 4 @12, audit b 5 @2000", "b 4"},
		{"the active stream wins with a time that is ahead", "active b 4 @2000, audit b 5 @12", "b 4"},
		{"the active stream wins if a time is no integer", "active b 4 @soon, audit b 5 @12", "b 4"},
		{"a newer audit wins against the active stream", "active b 4 @11, audit b 5 @12", "b 5"},
		{"an active stream that is behind does not set a row back", "audit b 5 @13, active b 4 @12", "b 5"},
		{"until it has caught up", "audit b 5 @13, active b 4 @12, active b 6 @13, active b 7 @12", "b 7"},
		{"the active stream sends the same time later", "audit b 5 @11, active b 4 @11", "b 4"},
		{"a late page does not set a row back", "active b 4 @12, late b 3 @11, audit b 4 @12", "b 4"},
		{"nor if times tie", "active b 4 @12, late b 3 @12, audit b 4 @12", "b 4"},
		{"a late page that is newer counts", "active b 4 @12, late b 3 @13, audit b 3 @13", "b 3"},
		{"a late page brings a new row", "late d 3 @1, audit b 1 @10", "b 1, d 3"},
		{"a new row is added", "audit b 1 @10, audit d 7 @5", "b 1, d 7"},
		{"a row that the audit lacks stays", "audit d 7 @15", "b 1, d 7"},
		{"but not if that is believed", "audit d 7 @10, believed b", "d 7"},
		{"nor if it is flat", "active b 0 @11, begin, audit d 7 @10", "d 7"},
		{"then an older state does not bring it back", "active b 0 @11, begin, audit d 7 @12, end, begin, audit b 5 @10", "d 7"},
		{"nor an update of another stream", "active b 0 @11, begin, audit d 7 @12, end, active b 5 @10", "d 7"},
		{"a newer one does", "active b 0 @11, begin, audit d 7 @12, end, active b 5 @12", "b 5, d 7"},
		{"an older state that is believed counts", "audit b 5 @9, believed b 5 @9", "b 5"},
		{"but not if the active stream has sent it meanwhile", "active b 4 @10, audit b 5 @9, believed b 5 @9", "b 4"},
		{"nor is it removed then", "active b 4 @10, audit d 7 @15, believed b", "b 4, d 7"},
		{"a new row of the active stream stays", "active d 4 @12, audit b 1 @10", "b 1, d 4"},
		{"also without a time", "active d 4, audit b 1 @10", "b 1, d 4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := model.Subscription{Epoch: 1}
			rows, row := NewRows(), modeltest.Position("b 1 @10")
			rows.Put(&row)
			book := New(0).Replaced(Snapshot{Subscription: s, Rows: rows})
			book.Compare(&AuditPage{Subscription: s, First: true, NotAfter: modeltest.NotAfter})
			last := &AuditPage{Subscription: s, Last: true, NotAfter: modeltest.NotAfter}
			for _, step := range strings.Split(c.steps, ", ") {
				by, row, _ := strings.Cut(step, " ")
				switch by {
				case "begin", "end":
					book.Compare(&AuditPage{Subscription: s, First: by == "begin", Last: by == "end", NotAfter: modeltest.NotAfter})
				case "audit":
					book.Compare(&AuditPage{Subscription: s, Positions: modeltest.Positions(row), NotAfter: modeltest.NotAfter})
				case "believed":
					if last.Believed = []model.Key{modeltest.Position("b 0").Key}; row != "b" {
						last.Positions = modeltest.Positions(row)
					} else {
						last.Removed = last.Believed
					}
				default:
					book.Merge(&Updates{Subscription: s, Positions: modeltest.Positions(row), NotAfter: modeltest.NotAfter, LatePage: by == "late"})
				}
			}
			book.Compare(last)
			if got := contents(book); got != c.want || !book.IsAudited(s) {
				t.Errorf("the rows are %q, want %q; audited: %t", got, c.want, book.IsAudited(s))
			}
		})
	}
}

// TestCorrectionsHaveTheRowsBeforeAndAfter, those of an audit and those that a recording has of one.
func TestCorrectionsHaveTheRowsBeforeAndAfter(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	for _, page := range []AuditPage{
		{Positions: modeltest.Positions("same 1 @10", "other 5 @11", "new 4 @20", "newer 3 @19"), First: true, Removed: []model.Key{modeltest.Position("gone 0").Key}},
		{Positions: modeltest.Positions("other 5 @11", "new 4 @20"), Removed: []model.Key{modeltest.Position("gone 0").Key, modeltest.Position("unknown 0").Key}, Corrected: true},
	} {
		book := New(0)
		book.Merge(&Updates{Subscription: s, Positions: modeltest.Positions("same 1 @10", "other 2 @10", "gone 3 @10", "newer 4 @20"), NotAfter: modeltest.NotAfter})
		page.Subscription, page.Last, page.NotAfter = s, true, modeltest.NotAfter
		corrections := compared(book, &page)
		var got []string
		for _, c := range corrections {
			volume := func(p *model.Position) string {
				if p == nil {
					return "none"
				}
				return p.Number(model.OpenVolume).String()
			}
			key := c.Key()
			got = append(got, fmt.Sprintf("%s: %s to %s", key.Market, volume(c.Before), volume(c.After)))
			if c.Subscription != s {
				t.Errorf("the correction is of %v", c.Subscription)
			}
		}
		if want := []string{"other: 2 to 5", "new: none to 4", "gone: 3 to none"}; !slices.Equal(got, want) {
			t.Errorf("corrections are %q, want %q", got, want)
		}
		if rows := contents(book); rows != "new 4, newer 4, other 5, same 1" || !book.IsAudited(s) || book.IsPartial(s) {
			t.Errorf("the rows are %s; audited %t, partial %t", rows, book.IsAudited(s), book.IsPartial(s))
		}
	}
}

// TestANewRowIsNotACorrectedRow: it has the number of a corrected row that was removed, and takes all updates.
func TestANewRowIsNotACorrectedRow(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	book := New(0).Replaced(Snapshot{Subscription: s})
	for _, row := range []string{"gone 1 @10", "left 1 @10"} {
		book.Compare(&AuditPage{Subscription: s, Positions: modeltest.Positions(row), First: true, Last: true, IsBelieved: true, NotAfter: modeltest.NotAfter})
	}
	for _, row := range []string{"other 3 @9", "other 4 @8"} {
		book.Merge(&Updates{Subscription: s, Positions: modeltest.Positions(row), NotAfter: modeltest.NotAfter})
	}
	if got, want := contents(book), "left 1, other 4"; got != want {
		t.Errorf("the rows are %q, want %q", got, want)
	}
}

func TestARowThatHasNoRoomIsNotCorrected(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	for _, page := range []AuditPage{{Positions: modeltest.Positions("a 1", "b 1", "c 1"), First: true, Last: true}, {Positions: modeltest.Positions("c 1"), Corrected: true}} {
		book := New(2)
		book.Merge(&Updates{Subscription: s, Positions: modeltest.Positions("a 1", "b 1")})
		page.Subscription, page.NotAfter = s, modeltest.NotAfter
		if corrections := compared(book, &page); len(corrections) != 0 {
			t.Errorf("the audit has corrected %d rows, and the book has %s", len(corrections), contents(book))
		}
	}
}

// TestManyRowsAreCorrectedInParts: the screen can handle keys between two parts. The rest is left in the page.
func TestManyRowsAreCorrectedInParts(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	book := New(0)
	const all, changed = 150, 70 // the others are removed
	page := &AuditPage{Subscription: s, First: true, Last: true, IsBelieved: true, NotAfter: modeltest.NotAfter}
	for i := range all {
		book.Merge(&Updates{Subscription: s, Positions: modeltest.Positions(fmt.Sprint(i, " 1 @10")), NotAfter: modeltest.NotAfter})
		if i < changed {
			page.Positions = append(page.Positions, modeltest.Position(fmt.Sprint(i, " 2 @11")))
		}
	}
	corrected := make(map[model.Key]bool)
	for lists, more := 0, true; more; lists++ {
		changes := book.ApplyAudit(page)
		if more = changes.More; changes.Begins != (lists == 0) || changes.Ends == more || len(changes.Rows) > MaxChanges {
			t.Errorf("list %d has %d changes; begins %t, ends %t, more: %t", lists, len(changes.Rows), changes.Begins, changes.Ends, more)
		}
		for i := range changes.Rows {
			corrected[changes.Rows[i].Key()] = true
		}
		if book.IsAudited(s) == more {
			t.Errorf("after list %d the table is audited: %t", lists, book.IsAudited(s))
		}
	}
	if len(corrected) != all || book.Len() != changed {
		t.Errorf("%d rows were corrected, %d are left", len(corrected), book.Len())
	}
}

// TestAnAuditOfManyRowsThatAreRightCorrectsNothing: then the table has all rows.
func TestAnAuditOfManyRowsThatAreRightCorrectsNothing(t *testing.T) {
	b := New(0).Replaced(Snapshot{Rows: NewRows()})
	var all []model.Position
	for i := range 300 {
		all = append(all, modeltest.Position(fmt.Sprintf("m%d 1 @10", i)))
	}
	b.Merge(&Updates{Positions: all, NotAfter: modeltest.NotAfter, BeginsPartial: true})
	if b.HasAllOf(all[0].Key) || b.IsAudited(model.Subscription{}) {
		t.Error("a table without a last page has all rows")
	}
	first := compared(b, &AuditPage{Positions: all[:150], NotAfter: modeltest.NotAfter, First: true})
	last := compared(b, &AuditPage{Positions: all[150:], NotAfter: modeltest.NotAfter, Last: true})
	if len(first)+len(last) > 0 || b.Len() != len(all) || !b.HasAllOf(all[0].Key) || !b.IsAudited(model.Subscription{}) {
		t.Errorf("%d and %d corrections, %d rows", len(first), len(last), b.Len())
	}
	if other := (model.Subscription{Epoch: 2}); b.IsAudited(other) || b.IsPartial(other) || b.Has(other) {
		t.Error("a subscription without a table has been audited")
	}
}

// TestAPageOfAnAuditThatWasNotBegunChangesNothing: a snapshot has replaced the rows since, or there never were rows.
func TestAPageOfAnAuditThatWasNotBegunChangesNothing(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	page := &AuditPage{Subscription: s, Positions: modeltest.Positions("b 5 @11"), Last: true, NotAfter: modeltest.NotAfter}
	book := New(0)
	if got := compared(book, page); got != nil || book.Len() != 0 {
		t.Errorf("without a table there are the corrections %v", got)
	}
	book = book.Replaced(Snapshot{Subscription: s})
	book.Compare(&AuditPage{Subscription: s, First: true, NotAfter: modeltest.NotAfter})
	book = book.Replaced(Snapshot{Subscription: s})
	if got := compared(book, page); got != nil || book.Len() != 0 || book.IsAudited(s) {
		t.Errorf("a row was corrected after the snapshot: %v", got)
	}
}

func TestAMarginRecordThatIsNewerThanItsPositionIsAReasonForAnAudit(t *testing.T) {
	watched := model.Subscription{Epoch: 1}
	p := model.Position{Key: model.Key{Party: model.MakeID("a"), Market: model.MakeID("b")}}
	p.SetNumber(model.UpdatedAt, model.AmountOf(1_795_240_360_000_000_000))
	book := New(0)
	untimed := model.Position{Key: model.Key{Party: p.Party, Market: model.MakeID("untimed")}}
	book.Merge(updateOf(watched, p, untimed))
	for _, c := range []struct {
		market, timestamp string
		later             time.Duration // the record was read after that
		overtaken         bool
	}{
		{"b", "1795240360000000000", time.Hour, false}, {"b", "1795240361999999999", time.Hour, false}, {"b", "1795240362000000000", time.Hour, true},
		{"b", "1795240370000000000", 5 * time.Second, true}, {"b", "1795240370000000000", 4 * time.Second, false},
		{"b", "soon", time.Hour, false}, {"b", "0", time.Hour, false}, {"missing", "1795240370000000000", time.Hour, true},
		{"untimed", "1795240370000000000", time.Hour, false},
	} {
		record := &model.MarginLevels{MarginKey: model.MarginKey{Key: model.Key{Party: model.MakeID("a"), Market: model.MakeID(c.market)}}, Timestamp: model.ParseAmount(c.timestamp)}
		at, _ := record.Timestamp.Int64()
		by, from, got := book.MayHaveMissedUpdate(record)
		if got = got && !time.Unix(0, at).Add(c.later).Before(from); got != c.overtaken || got && by != watched {
			t.Errorf("a record of %s at %s, %s later: %t, want %t", c.market, c.timestamp, c.later, got, c.overtaken)
		}
	}
}
