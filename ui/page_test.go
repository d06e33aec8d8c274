package ui

import (
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/store"
)

// TestALongPageIsNotMadeForEachUpdate: the page of the connection has some hundreds of corrections, which would be
// formatted some hundred times a second.
func TestALongPageIsNotMadeForEachUpdate(t *testing.T) {
	for _, key := range []string{"i", "?"} {
		deskScreen(t, func(s *screen) {
			for i := range 500 {
				before, after := deskRows()[0], deskRows()[0]
				after.SetNumber(model.UnrealisedPnl, model.AmountOf(int64(i)))
				s.m.store.Corrections().Add(book.Correction{Subscription: all, Before: &before, After: &after}, time.Now(), true)
			}
			s.press(key)
			update := func() { s.m.Update(store.Received{Delta: updatesOf(all, deskRows()[1])}) }
			onPage := testing.AllocsPerRun(10, update)
			s.press("esc")
			if onPanes := testing.AllocsPerRun(10, update); onPage > onPanes+100 {
				t.Errorf("an update allocates %g times with the page of key %s, %g times without", onPage, key, onPanes)
			}
		})
	}
}

func TestALongPageChangesOnceASecond(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("i")
		s.seesNot("corrected by checks")
		s.publish(book.Delta{Audits: []book.AuditPage{{Subscription: all, Positions: deskRows()[1:], First: true, Last: true, IsBelieved: true}}})
		s.pass(time.Second)
		s.sees("corrected by checks")
	})
}
