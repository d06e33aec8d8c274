package view

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// TestEachChangeOfARowIsReturned changes a book with the rows b and c in each possible way. A view of some rows
// follows.
func TestEachChangeOfARowIsReturned(t *testing.T) {
	s := model.Subscription{Epoch: 1}
	rows := book.NewRows()
	for _, p := range modeltest.Positions("b 1 @10", "c 2 @10") {
		rows.Put(&p)
	}
	b := book.New(4).Replaced(book.Snapshot{AsIs: true, Subscription: s, Rows: rows}).Narrowed([]model.Subscription{s})
	view := New(b, model.Scope{Markets: []model.ID{model.MakeID("b"), model.MakeID("d")}}, Filter{}, Order{}, model.NewInstruments(nil, nil, nil))
	var returned []string
	apply := func(changes book.Changes) (more bool) {
		for i := range changes.Rows {
			words := modeltest.ChangeWords(changes.Rows[i].Before, changes.Rows[i].After)
			if changes.Rows[i].Source == book.ChangedByAudit {
				words += " by audit"
			}
			returned = append(returned, words)
		}
		view.Apply(changes)
		return changes.More
	}
	merge := func(u book.Updates) {
		for u.Subscription, u.NotAfter = s, modeltest.NotAfter; apply(b.ApplyUpdates(&u)); {
		}
	}
	merge(book.Updates{Positions: modeltest.Positions("b 3 @11", "d 1 @11", "c 4 @12", "b 5 @12")})
	merge(book.Updates{Positions: modeltest.Positions("b 6 @11", "c 7 @13", "f 1 @13"), LatePage: true})
	merge(book.Updates{Positions: modeltest.Positions("e 1 @11")}) // the book is full
	page := book.AuditPage{Subscription: s, Positions: modeltest.Positions("b 5 @12", "c 8 @14"), NotAfter: modeltest.NotAfter, First: true, Last: true, IsBelieved: true}
	for apply(b.ApplyAudit(&page)) {
	}
	merge(book.Updates{Positions: modeltest.Positions("c 7 @13")}) // older than the audit

	want := "b 1 > 3, d - > 1, c 2 > 4, b 3 > 5, c 4 > 7, f - > 1, c 7 > 8 by audit, d 1 > - by audit, f 1 > - by audit"
	if got := strings.Join(returned, ", "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if view.Len() != 1 { // the row b; the audit has removed d
		t.Errorf("the view has %d rows", view.Len())
	}
}

// TestAListOfChangesKeepsTheOrder of rows whose numbers differ only in their last digits, or not at all: then rows of
// the same list are compared with each other, as they were and as they are.
func TestAListOfChangesKeepsTheOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	number := func() model.Amount {
		texts := []string{"0", "-1", "unknown", "1000000000000000000000000000000000000" + fmt.Sprint(r.IntN(4)), "-99999999999999999999999999999999999999" + fmt.Sprint(r.IntN(4))}
		return model.ParseAmount(texts[r.IntN(len(texts))])
	}
	const rows = 3 * book.MaxChanges / 2
	for range 4 {
		for column := range Column(len(columns)) {
			order, b := Order{Column: column, Descending: r.IntN(2) == 0}, book.New(0)
			change := func(i int) model.Position {
				p := model.Position{Key: model.Key{Party: model.MakeID(fmt.Sprint("p", i)), Market: model.MakeID(fmt.Sprint("m", i%3))}}
				for f := range model.FieldCount {
					p.SetNumber(f, number())
				}
				p.SetNumber(model.UpdatedAt, model.AmountOf(r.Int64N(3)))
				return p
			}
			for i := range rows / 3 {
				b.Merge(updateOf(model.Subscription{}, change(i)))
				key := change(i).Key
				putRecord(b.Margins(), model.MarginLevels{MarginKey: model.MarginKey{Key: key}, Maintenance: model.AmountOf(1 + r.Int64N(3)), Timestamp: model.AmountOf(1)})
			}
			groups := Groups{By: Grouping(r.IntN(int(groupings)))}
			shown := NewGrouped(b, model.Scope{}, Filter{Text: "upnl<5"}, order, groups, model.NewInstruments(nil, nil, nil))
			for range modeltest.Times(20) {
				u := updateOf(model.Subscription{})
				for _, i := range r.Perm(rows)[:r.IntN(rows)] {
					u.Positions = append(u.Positions, change(i))
				}
				merge(shown, u)
				fresh := NewGrouped(b, model.Scope{}, Filter{Text: "upnl<5"}, order, groups, model.NewInstruments(nil, nil, nil))
				got, want := slices.Collect(shown.InScope), slices.Collect(fresh.InScope)
				if groups.By != Ungrouped { // whose hidden rows are in the order of codes
					got, want = slices.Collect(shown.Shown), slices.Collect(fresh.Shown)
				}
				if !slices.Equal(got, want) || shown.Len() != fresh.Len() || shown.Margins().Covered() != fresh.Margins().Covered() {
					t.Fatalf("by %d, descending %t, in groups %q: the rows are not those of a new view", column, order.Descending, groups.By)
				}
			}
		}
	}
}
