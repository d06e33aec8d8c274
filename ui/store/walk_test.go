package store

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
)

// sized is a position of the party p in market m with a size and a profit, changed just now.
func sized(size, unrealised int64) model.Position {
	p := holding("p", "m", unrealised)
	p.SetNumber(model.OpenVolume, model.AmountOf(size))
	p.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().UnixNano()))
	return p
}

// levels is a page with the margin record of that position, written just now.
func levels(maintenance int64) *model.Page {
	return &model.Page{ReadAt: time.Now(), Rows: []model.MarginLevels{{
		MarginKey:   model.MarginKey{Key: model.Key{Party: model.MakeID("p"), Market: model.MakeID("m")}, Asset: model.MakeID("a")},
		Maintenance: model.AmountOf(maintenance), Timestamp: model.AmountOf(time.Now().UnixNano()),
	}}}
}

// TestRowsThatWaitForMarginLevels: their party's levels are read at once, an alert waits, and after 15 seconds the
// screen says so.
func TestRowsThatWaitForMarginLevels(t *testing.T) {
	onStore(t, withAlert(t, "m%<-30"), func(s *shown) {
		s.publish(s.snapshot(sized(10, -100)))
		s.source.margins <- book.MarginsRead{Page: levels(1000), Ended: true, Whole: true}
		s.pass(2 * time.Second)
		if len(s.source.hurried) > 0 || !s.Walk().IsComplete() {
			t.Errorf("nothing waits, and the levels of %v are read soon", s.source.hurried)
		}
		update := s.update(sized(90, -5000))
		update.Updates[0].NotAfter = time.Now().Add(model.AheadFor).UnixNano()
		s.publish(update)
		s.pass(time.Second)
		if !slices.Contains(s.source.hurried, model.MakeID("p")) {
			t.Error("the levels of the party are not read soon")
		}
		if words := WhyRatiosWait(s.Store); words != "" {
			t.Errorf("after a second the screen says %q", words)
		}
		for range 17 {
			update.Links[0].MessageAt = time.Now()
			s.source.publishLinks(update.Links...)
			s.pass(time.Second)
		}
		want := "Alerts on uPnL/MM wait for margin levels of 1 position: the size changed after the record."
		if words := WhyRatiosWait(s.Store); words != want {
			t.Errorf("after 18 seconds the screen says %q", words)
		}
		if others := (&Store{walk: s.walk, data: data{judged: judged{alerts: view.NewAlerts(nil)}}}); WhyRatiosWait(others) != "" {
			t.Error("the same is said without alerts on margin ratios")
		}
		if s.Alerts().IsActive(sized(1, 1).Key) {
			t.Error("an alert has begun with a record of another size")
		}
		s.source.margins <- book.MarginsRead{Page: levels(9000), Ended: true}
		s.pass(2 * time.Second)
		if words := WhyRatiosWait(s.Store); words != "" || s.Alerts().IsActive(sized(1, 1).Key) {
			t.Errorf("with a newer record than the row the screen says %q, or an alert begins", words)
		}
		update = s.update(sized(90, -5000))
		update.Updates[0].NotAfter = time.Now().Add(model.AheadFor).UnixNano()
		s.publish(update)
		s.pass(time.Second)
		if words := WhyRatiosWait(s.Store); words != "" || !s.Alerts().IsActive(sized(1, 1).Key) {
			t.Errorf("with a newer record the screen says %q", words)
		}
	})
}

// TestANewPositionWasNotRead until the margin levels were read after it was opened: only then the service has no record
// of it.
func TestANewPositionWasNotRead(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		hasRead := func(p *model.Position) bool {
			return s.Walk().HasRead(p, s.View().Margins(), s.Now(), s.ServiceNow())
		}
		s.publish(s.snapshot(sized(10, -100)))
		s.source.margins <- book.MarginsRead{Page: levels(1000), Ended: true, Whole: true}
		s.pass(2 * time.Second)
		if old := sized(10, -100); !hasRead(&old) {
			t.Error("the margin levels of the first position were not read")
		}
		opened := sized(3, 5)
		opened.Market = model.MakeID("opened")
		update := s.update(opened)
		update.Updates[0].NotAfter = time.Now().Add(model.AheadFor).UnixNano()
		s.publish(update)
		s.pass(time.Second)
		if hasRead(&opened) {
			t.Error("the margin levels of a position that has come since then were read")
		}
		s.source.margins <- book.MarginsRead{Ended: true}
		s.pass(time.Second)
		if !hasRead(&opened) {
			t.Error("the margin levels were read again, but not of the new position")
		}
	})
}

// TestMarginLevelsOfAnEarlierScopeAreIgnored: the command that waited for them was ended.
func TestMarginLevelsOfAnEarlierScopeAreIgnored(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		late := walkedMsg{s.walk.number, book.MarginsRead{Page: levels(1), Whole: true}, nil}
		s.walk.watch(model.Scope{Parties: []model.ID{model.MakeID("q")}})
		s.do(nil)
		if s.Handle(late); s.Walk().IsComplete() || s.data.book.Margins().Len() > 0 {
			t.Error("the levels of an earlier scope are taken")
		}
		s.source.margins <- book.MarginsRead{Err: errors.New("boom")}
		if s.do(nil); s.Walk().problem == "" {
			t.Error("the failure of the present scope is not taken")
		}
		s.source.margins <- book.MarginsRead{Ended: true, Whole: true}
		if s.do(nil); s.Walk().problem != "" {
			t.Errorf("after a success the problem is %q", s.Walk().problem)
		}
	})
}

// TestAPageThatCameWhenTheRowsWereFrozenIsKept until they are not: the source does not read it again soon.
func TestAPageThatCameWhenTheRowsWereFrozenIsKept(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		s.publish(s.snapshot(sized(10, -100)))
		s.source.margins <- book.MarginsRead{Page: levels(5), Ended: true, Whole: true}
		synctest.Wait() // it is on the way to the Store
		s.Freeze(true)
		if s.do(nil); s.Book().Margins().Len() > 0 {
			t.Error("frozen rows change")
		}
		s.Freeze(false)
		if s.do(nil); s.Book().Margins().Len() != 1 || !s.Walk().IsComplete() {
			t.Errorf("there are %d margin records: %s", s.Book().Margins().Len(), s.Walk().Words(s.View(), time.Now()))
		}
		s.source.margins <- book.MarginsRead{Err: errors.New("boom")}
		if s.do(nil); s.Walk().problem == "" {
			t.Error("nothing is read any more")
		}
	})
}

// TestAMarginRecordShowsThatAnUpdateWasMissed if it is clearly newer than its position: then that stream is audited.
func TestAMarginRecordShowsThatAnUpdateWasMissed(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		s.publish(s.snapshot(sized(10, -100)))
		for want, age := range []time.Duration{0, time.Minute} {
			time.Sleep(age)
			page := levels(1)
			time.Sleep(age)
			page.ReadAt = time.Now()
			s.source.margins <- book.MarginsRead{Page: page}
			if s.do(nil); len(s.source.audits) != want || want > 0 && s.source.audits[0] != s.everything() {
				t.Errorf("%s after the position: %d audits, want %d", age, len(s.source.audits), want)
			}
			s.source.audits = nil
		}
		page := levels(1)
		for want, later := range []time.Duration{0, 5 * time.Second} { // an update may still arrive
			time.Sleep(later)
			page.ReadAt = time.Now()
			s.source.margins <- book.MarginsRead{Page: page}
			if s.do(nil); len(s.source.audits) != want {
				t.Errorf("%s after the record: %d audits, want %d", later, len(s.source.audits), want)
			}
			page = &model.Page{}
		}
	})
}
