package store

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// asReplay are the options of a Store that shows a recording.
func asReplay(o *Options) {
	o.Events = func() (bool, []event.Event) { return false, nil }
	o.IsJumping = func() bool { return false }
}

// TestABaselineOfAnotherTime of a recording is taken of its rows, when they come: unless the trader drops it before, or
// there are none then.
func TestABaselineOfAnotherTime(t *testing.T) {
	for name, c := range map[string]struct {
		isDropped, hasRows, isTaken bool
		notice                      string
	}{
		"taken":      {hasRows: true, isTaken: true},
		"dropped":    {isDropped: true, hasRows: true},
		"no rows":    {notice: "No baseline: there were no positions yet."},
		"no request": {isDropped: true},
	} {
		isJumping := false
		jumping := func(o *Options) {
			asReplay(o)
			o.IsJumping = func() bool { return isJumping }
		}
		onStore(t, jumping, func(s *shown) {
			all := s.Subscriptions()[0]
			jumped := func(rows ...model.Position) {
				delta := snapshot(all, rows...)
				if delta.Restart = true; rows == nil {
					delta.Snapshots = nil
				}
				s.publish(delta)
			}
			s.publish(snapshot(all, holding("p", "btc", 1)))
			isJumping = true
			s.Jump()
			s.do(s.Baseline().Take())
			jumped(holding("p", "btc", 2)) // on the way
			if !s.Baseline().IsRequested() || !s.Baseline().IsOfLaterRows() || s.Book().Baselines().HasTaken() {
				t.Errorf("%s: the baseline does not wait for the end of the jump", name)
			}
			if c.isDropped {
				s.do(s.Baseline().Drop())
			}
			isJumping = false
			if c.hasRows {
				jumped(holding("p", "btc", 3))
				s.want(t, name, "btc 3")
			} else {
				jumped()
				s.want(t, name)
			}
			row, isThere := s.Book().Baselines().Taken().Row(holding("p", "btc", 3).Key)
			if isThere != c.isTaken || isThere && row.Number(model.UnrealisedPnl) != model.AmountOf(3) || s.Baseline().IsRequested() {
				t.Errorf("%s: the baseline is %+v, %v", name, row, isThere)
			}
			if got := s.reported(); got != c.notice {
				t.Errorf("%s: the notice is %q", name, got)
			}
			s.publish(book.Delta{Updates: []book.Updates{{Subscription: all, Positions: []model.Position{holding("p", "eth", 4)}}}})
			s.do(s.Baseline().Take())
			if !s.Book().Baselines().HasTaken() {
				t.Errorf("%s: after the jump a baseline is not taken at once", name)
			}
		})
	}
}

// TestMarginLevelsOfARecording: their age is counted from when they were read, and they say in which asset a market
// settles. After a jump there are none of them, also of a page that was read before.
func TestMarginLevelsOfARecording(t *testing.T) {
	onStore(t, asReplay, func(s *shown) {
		s.publish(snapshot(s.Subscriptions()[0], holding("p", "m", -1)))
		page := levels(5)
		page.ReadAt = time.Now().Add(-time.Minute)
		s.publish(book.Delta{Margins: []book.MarginsRead{{Page: page, Ended: true, Whole: true}, {Err: errors.New("boom")}}})
		p, _ := s.View().At(0)
		if ratio, ok := s.View().Margins().Ratio(&p); !ok || ratio.String() != "-20.0%" {
			t.Errorf("the margin ratio is %s, %v", ratio, ok)
		}
		if got, want := s.Walk().Words(s.View(), time.Now()), "read 1m ago, not read again: boom"; got != want {
			t.Errorf("the margin levels are %q, want %q", got, want)
		}
		if asset := s.Instruments().Market(p.Market).Asset; asset != model.MakeID("a") {
			t.Errorf("the market settles in %s", asset)
		}
		settings := s.Settings()
		settings.Order.Descending = true
		prepare := s.Set(settings)
		s.source.page = *levels(7)
		s.do(s.Ask(NewRequest(s.flow.ctx, model.PageRequest{}), func(r Response) *model.Page { return r.Page }))
		jumped := snapshot(s.Subscriptions()[0], holding("p", "m", -2))
		jumped.Restart = true
		s.publish(jumped)
		s.do(prepare)
		s.want(t, "after a jump", "m -2")
		if n := s.Book().Margins().Len(); n > 0 || s.Walk().Words(s.View(), time.Now()) != "loading, 0% complete" {
			t.Errorf("after a jump there are %d margin levels of the time before: %s", n, s.Walk().Words(s.View(), time.Now()))
		}
	})
}

// TestManyMarginLevelsOfARecording: after a jump they come together with the rows, which are never shown without them.
// Those that come while it is played are taken in parts. Either way all of them are taken, and when they were read.
func TestManyMarginLevelsOfARecording(t *testing.T) {
	const pages, size = 4, 3000
	onStore(t, asReplay, func(s *shown) {
		var rows []model.Position
		reads := func(maintenance int64, readAt time.Time) (reads []book.MarginsRead) {
			for i := range pages {
				page := &model.Page{ReadAt: readAt}
				for n := range size {
					levels := levels(maintenance).Rows[0]
					levels.Party = model.MakeID(fmt.Sprint("p", i*size+n))
					page.Rows = append(page.Rows, levels)
				}
				reads = append(reads, book.MarginsRead{Page: page})
			}
			return append(reads, book.MarginsRead{Page: &model.Page{ReadAt: readAt}, Ended: true, Whole: true})
		}
		for i := range pages * size {
			rows = append(rows, holding(fmt.Sprint("p", i), "m", -1))
		}
		jumped, jumpedAt := snapshot(s.Subscriptions()[0], rows...), time.Now().Add(-2*time.Minute)
		jumped.Restart, jumped.Margins = true, reads(5, jumpedAt)
		jumped.Snapshots[0].NotAfter = time.Now().Add(time.Hour).UnixNano() // it is received after the margin levels
		s.flow.held = &jumped
		s.Handle(preparedBy(s.Advance()))
		if covered := s.View().Margins().Covered(); covered != pages*size {
			t.Errorf("the rows of a jump are shown with %d margin levels", covered)
		}
		s.do(nil)
		if at := s.Walk().CheckedAt(); !at.Equal(jumpedAt) || !s.Walk().IsComplete() {
			t.Errorf("after a jump, the margin levels are of %s, want %s", at, jumpedAt)
		}
		played := book.Delta{Margins: reads(10, time.Now())}
		s.flow.held = &played
		if s.Advance(); len(played.Margins) == 0 {
			t.Error("all margin levels are taken at once")
		}
		s.do(nil)
		for i := range rows {
			if ratio, _ := s.View().Margins().Ratio(&rows[i]); ratio.String() != "-10.0%" {
				t.Fatalf("row %d has the margin ratio %s", i, ratio)
			}
		}
		if at := s.Walk().CheckedAt(); !at.Equal(time.Now()) {
			t.Errorf("the margin levels are of %s, want %s", at, time.Now())
		}
	})
}

// TestGoingBackRemovesALaterBaseline, and no other. A jump that fails, and one that another jump replaces, remove none:
// what counts is the time that is shown in the end.
func TestGoingBackRemovesALaterBaseline(t *testing.T) {
	var now time.Time
	isJumping := false
	clocked := func(o *Options) {
		asReplay(o)
		now = time.Now()
		o.Now, o.IsJumping = func() time.Time { return now }, func() bool { return isJumping }
	}
	onStore(t, clocked, func(s *shown) {
		arrive := func(at time.Time) {
			now = at
			rows := snapshot(s.Subscriptions()[0], holding("p", "m", -1))
			rows.Restart = true
			s.publish(rows)
		}
		has := func(why string, want bool, notice string) {
			t.Helper()
			if got := s.reported(); s.Book().Baselines().HasTaken() != want || got != notice {
				t.Errorf("%s: there is a baseline: %v, and the notice is %q, want %q", why, s.Book().Baselines().HasTaken(), got, notice)
			}
		}
		arrive(now)
		now = now.Add(time.Minute)
		taken := now
		s.do(s.Baseline().Take())
		last := taken.Add(time.Minute)
		arrive(last)
		s.Jump()
		now = taken.Add(-time.Second)
		s.do(nil)
		arrive(last)
		has("a jump back that has failed", true, "")
		s.Jump()
		isJumping = true
		arrive(taken.Add(-time.Second))
		has("a jump back on the way to another time", true, "")
		isJumping = false
		arrive(taken)
		has("back to its time", true, "")
		arrive(taken.Add(-time.Second))
		has("back to before its time", false, "Baseline removed: it was taken at "+s.Format().ClockOn(taken, now)+", later than now.")
		arrive(taken.Add(-time.Hour))
		has("without a baseline that was taken", false, "")
	})
}

// TestARecordingThatCannotBeRead is not read again and again, and no baseline waits for its rows. The trader can
// request everything again, or go to another time.
func TestARecordingThatCannotBeRead(t *testing.T) {
	onStore(t, asReplay, func(s *shown) {
		s.Jump()
		s.do(s.Baseline().Take())
		s.source.ended = errors.New("boom")
		s.publish(snapshot(s.Subscriptions()[0], holding("p", "m", 1)))
		asked := s.source.asked
		s.tick(5)
		if s.source.asked != asked || s.Flow().Ended() != "boom" || s.Baseline().IsRequested() {
			t.Errorf("it is read again: %q", s.Flow().Ended())
		}
		s.source.ended = nil
		walks := len(s.source.walked)
		if s.Resync(); s.source.resyncs != 1 || len(s.source.walked) != walks+1 {
			t.Error("not everything is requested again")
		}
		s.publish(snapshot(s.Subscriptions()[0], holding("p", "m", 2)))
		if s.want(t, "after that", "m 2"); s.Flow().Ended() != "" {
			t.Errorf("it has ended: %q", s.Flow().Ended())
		}
		s.source.ended = errors.New("boom")
		s.publish(snapshot(s.Subscriptions()[0], holding("p", "m", 3)))
		s.source.ended = nil
		s.Jump()
		s.do(nil)
		if s.want(t, "after a jump back", "m 3"); s.Flow().Ended() != "" {
			t.Errorf("after a jump back it has ended: %q", s.Flow().Ended())
		}
	})
}

// TestNothingOfARecordingIsLostThatComesWhenRowsAreFrozen: its margin levels, and that it goes to a time without rows.
func TestNothingOfARecordingIsLostThatComesWhenRowsAreFrozen(t *testing.T) {
	onStore(t, asReplay, func(s *shown) {
		all := s.Subscriptions()[0]
		freezeWhenItComes := func(delta book.Delta) {
			s.source.publish(delta)
			synctest.Wait() // it is on the way to the Store
			s.Freeze(true)
			s.do(nil)
			s.want(t, "frozen", "m 1")
			s.Freeze(false)
			s.do(nil)
		}
		s.publish(snapshot(all, holding("p", "m", 1)))
		freezeWhenItComes(book.Delta{Margins: []book.MarginsRead{{Page: levels(5)}}, Missed: 2})
		if s.Book().Margins().Len() != 1 || s.Events().Missed() != 2 {
			t.Errorf("there are %d margin records, and %d events are missing", s.Book().Margins().Len(), s.Events().Missed())
		}
		freezeWhenItComes(book.Delta{Links: []model.Link{liveLink(all)}, Restart: true})
		s.want(t, "at a time without rows")
	})
}
