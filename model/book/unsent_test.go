package book

import (
	"slices"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestRowsOfAnEarlierStreamMayBeOutOfDate until the open one, whose snapshot has no last page, has sent a state of them
// that is not older, or an audit has.
func TestRowsOfAnEarlierStreamMayBeOutOfDate(t *testing.T) {
	s, rows := model.Subscription{Epoch: 1}, NewRows()
	rows.PutPage(modeltest.Positions("b 1 @10", "c 1 @10", "d 1 @10", "e 1 @10"), modeltest.NotAfter)
	b := New(0).Replaced(Snapshot{Subscription: s, Rows: rows})
	merge := func(isPage bool, text string) {
		b.Merge(&Updates{Subscription: s, Positions: modeltest.Positions(text), NotAfter: modeltest.NotAfter, LatePage: isPage})
	}
	audit := func(isFirst, isLast bool, texts ...string) {
		b.Compare(&AuditPage{Subscription: s, Positions: modeltest.Positions(texts...), NotAfter: modeltest.NotAfter, First: isFirst, Last: isLast, IsBelieved: isLast})
	}
	want := func(why, want string) {
		t.Helper()
		var unsent []string
		for p := range b.All {
			if b.IsUnsent(p.Key) {
				unsent = append(unsent, p.Market.String())
			}
		}
		slices.Sort(unsent)
		if got := strings.Join(unsent, " "); got != want || b.Unsent(s) != len(unsent) || b.AllUnsent() != len(unsent) || b.IsUnsent(modeltest.Position("unknown 1").Key) {
			t.Errorf("%s, %q may be out of date (%d), want %q", why, got, b.Unsent(s), want)
		}
	}
	want("after a whole snapshot", "")
	b.Merge(&Updates{Subscription: s, BeginsPartial: true})
	want("at first", "b c d e")
	merge(true, "b 1 @10")
	want("after a page with the same state", "c d e")
	merge(true, "c 0 @9")
	want("after a page with an older state", "c d e")
	merge(false, "c 2 @11")
	merge(false, "f 1 @11")
	want("after updates", "d e")
	audit(true, false, "d 2 @12")
	want("after the correction of an audit", "e")
	original := b
	b = b.Clone()
	want("in a copy", "e")
	audit(false, false, "e 2 @10")
	want("after a correction of the copy", "")
	b = original.Clone()
	audit(false, true, "b 1 @10", "c 2 @11", "f 1 @11")
	if b.Len() != 4 {
		t.Errorf("the audit of another copy, without e, leaves %d rows", b.Len())
	}
	b = original
	want("in the original", "e")
	b.Merge(&Updates{Subscription: s, BeginsPartial: true})
	want("after another outage", "b c d e f")
	audit(true, true, "b 1 @10", "c 2 @11", "d 2 @12", "f 1 @11")
	want("after an audit, which has removed one", "")
}

// TestAnOldUpdateKeepsNoRow that an audit does not have: the table has not taken it.
func TestAnOldUpdateKeepsNoRow(t *testing.T) {
	b := New(0).Replaced(Snapshot{Rows: NewRows()})
	audit := func(isFirst, isLast bool, texts ...string) {
		b.Compare(&AuditPage{Positions: modeltest.Positions(texts...), NotAfter: modeltest.NotAfter, First: isFirst, Last: isLast, IsBelieved: isLast})
	}
	audit(true, true, "b 5 @20", "c 5 @20")
	audit(true, false)
	b.Merge(&Updates{Positions: modeltest.Positions("b 2 @15", "c 2 @25"), NotAfter: modeltest.NotAfter})
	audit(false, true, "d 1 @30")
	var rows []string
	for p := range b.All {
		rows = append(rows, p.Market.String())
	}
	if slices.Sort(rows); !slices.Equal(rows, []string{"c", "d"}) {
		t.Errorf("the rows are %q", rows)
	}
}
