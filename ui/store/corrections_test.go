package store

import (
	"fmt"
	"testing"

	"blotter/model"
	"blotter/model/book"
)

// TestAnAuditSaysWhatItCorrected: how many rows, and the names of the first ones. Another audit says what it has
// corrected itself.
func TestAnAuditSaysWhatItCorrected(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		all := s.Subscriptions()[0]
		rows := func(n int, profit int64) (rows []model.Position) {
			for i := range n {
				rows = append(rows, holding("p", fmt.Sprint("m", i), profit))
			}
			return rows
		}
		audited := func(want string, positions []model.Position, pages int) {
			t.Helper()
			for i := range pages {
				s.publish(book.Delta{Audits: []book.AuditPage{{
					Subscription: all, First: i == 0, Last: i == pages-1, Positions: positions[i*len(positions)/pages : (i+1)*len(positions)/pages],
				}}})
			}
			if got := s.reported(); got != want {
				t.Errorf("the notice is %q, want %q", got, want)
			}
		}
		s.publish(snapshot(all, rows(MaxCorrections+10, 1)...))
		audited("", rows(MaxCorrections+10, 1), 2)
		audited("A check corrected 3 rows: m0 p, m1 p, m2 p", append(rows(3, 2), rows(MaxCorrections+10, 1)[3:]...), 1)
		audited("A check corrected 510 rows: m0 p, m1 p, m2 p, …", rows(MaxCorrections+10, 3), 2)
		for i := range 2 { // the first of two more has no last page
			s.publish(book.Delta{Audits: []book.AuditPage{{
				Subscription: all, First: true, Last: i == 1, Positions: append(rows(i+1, 4), rows(MaxCorrections+10, 3)[i+1:]...),
			}}})
		}
		if got, want := s.reported(), "A check corrected 1 row: m1 p"; got != want {
			t.Errorf("the notice is %q, want %q", got, want)
		}
		of := s.Corrections()
		if of.Count(all) != 515 || of.Total() != 515 {
			t.Errorf("%d rows of the stream were corrected, %d in all", of.Count(all), of.Total())
		}
		if latest := of.Latest(); len(latest) != MaxCorrections || latest[MaxCorrections-1].After.Market != model.MakeID("m1") {
			t.Errorf("%d corrections are kept", len(latest))
		}
	})
}

// TestManyPositionsThatAreGoneAreSaid: at least a tenth of a stream, three or more. If the service lists no flat rows,
// they may have been closed.
func TestManyPositionsThatAreGoneAreSaid(t *testing.T) {
	for want, of := range map[string]struct {
		open, gone int
		listsFlat  bool
	}{
		"5 positions are no longer sent, since 00:00:00 UTC": {40, 5, true},
		"A check corrected 3 rows: m0 p, m1 p, m2 p":         {40, 3, true},
		"A check corrected 2 rows: m0 p, m1 p":               {4, 2, true},
		"A check corrected 4 rows: m0 p, m1 p, m2 p, …":      {40, 4, false},
	} {
		onStore(t, nil, func(s *shown) {
			var rows []model.Position
			for i := range of.open {
				rows = append(rows, holding("p", fmt.Sprint("m", i), 1))
			}
			page := book.AuditPage{Subscription: s.Subscriptions()[0], First: true, Last: true, Positions: rows[of.gone:]}
			for _, p := range rows[:of.gone] {
				page.Removed = append(page.Removed, p.Key)
			}
			first := snapshot(page.Subscription, rows...)
			first.Links[0].ListsFlat = of.listsFlat
			s.publish(first)
			s.publish(book.Delta{Audits: []book.AuditPage{page}})
			if got := s.reported(); got != want {
				t.Errorf("the notice is %q, want %q", got, want)
			}
		})
	}
}
