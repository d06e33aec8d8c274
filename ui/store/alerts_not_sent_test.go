package store

import (
	"fmt"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// listing returns data of a service that lists flat positions.
func (s *shown) listing(delta book.Delta) book.Delta {
	delta.Links[0].ListsFlat = true
	return delta
}

// TestAlertsOfManyThatGoTogetherWait: three positions or more that are at least a tenth of their stream, of a service
// that lists flat ones, have perhaps not been sent. Their alerts end when they come back as others, or after a day,
// whatever has brought the rows, and also in another run.
func TestAlertsOfManyThatGoTogetherWait(t *testing.T) {
	for _, isAudit := range []bool{false, true} {
		for _, isRestart := range []bool{false, true} {
			paged(t, func(s *shown, events func() []string) {
				var rows []model.Position
				for i := range 10 {
					rows = append(rows, profit(fmt.Sprint("m", i), -5))
				}
				s.publish(s.listing(s.snapshot(rows...)))
				s.pass(2 * time.Second)
				events()
				if isAudit {
					page := book.AuditPage{Subscription: s.everything(), First: true, Last: true, Positions: rows[3:]}
					for _, p := range rows[:3] {
						page.Removed = append(page.Removed, p.Key)
					}
					s.publish(book.Delta{Audits: []book.AuditPage{page}, Links: []model.Link{s.audited()}})
				} else {
					s.publish(s.snapshot(rows[3:]...))
				}
				pass := func(d time.Duration) {
					for ; d > 0; d -= 10 * time.Second {
						s.publish(book.Delta{Links: []model.Link{s.audited()}})
						s.pass(10 * time.Second)
					}
				}
				pass(20 * time.Second)
				wantEvents(t, "when they go", events())
				if isRestart {
					s = s.next(nil)
					s.publish(s.listing(s.snapshot(rows[3:]...)))
					pass(20 * time.Second)
				}
				if state := s.Alerts().State(0); state.NotSent != 3 || state.NotSentSince.Sub(s.Alerts().Since()) > 10*time.Second || state.Now != 10 {
					t.Errorf("the state is %+v", state)
				}
				s.publish(s.update(profit("m0", -5), profit("m1", 5)))
				pass(20 * time.Second)
				if got := events(); len(got) != 1 || got[0][:7] != "end 1: " && got[0][:16] != "end 1 whileAway:" {
					t.Errorf("when two come back, the program gets %q", got)
				}
				if n := s.Alerts().State(0).NotSent; n != 1 {
					t.Errorf("%d are not sent", n)
				}
				time.Sleep(24 * time.Hour)
				s.publish(book.Delta{Links: []model.Link{s.audited()}})
				s.pass(5 * time.Second)
				got := append([]string{""}, events()...)
				if last := got[len(got)-1]; last != "end 1 gone: loss ended: m2 (none), gone" && last != "end 1 whileAway: loss ended: m2 (none), while it was not watched" {
					t.Errorf("after a day the program gets %q", got)
				}
			})
		}
	}
}
