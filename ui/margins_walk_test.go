package ui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"blotter/model"
)

// marginList is a list of margin levels as a service keeps it: a record that changes moves to the newest end.
type marginList struct {
	mu   sync.Mutex
	rows []model.MarginLevels // the oldest first
	fail error
}

// failWith makes all requests fail; nil ends that.
func (l *marginList) failWith(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.fail = err
}

// put changes the record of a party in the ETH market now.
func (l *marginList) put(party model.ID, maintenance int64) {
	changed := record(party, ethMarket, 0, maintenance, 2, 3, 4)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rows = slices.DeleteFunc(l.rows, func(r model.MarginLevels) bool { return r.MarginKey == changed.MarginKey })
	l.rows = append(l.rows, changed)
}

// page returns the response to a request. A cursor is the key of the last record of a page.
func (l *marginList) page(_ context.Context, request model.PageRequest) (*model.Page, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.fail != nil {
		return nil, l.fail
	}
	rows := slices.Clone(l.rows)
	if request.NewestFirst {
		slices.Reverse(rows)
	}
	if request.From != nil {
		at := slices.IndexFunc(rows, func(r model.MarginLevels) bool { return r.Party.String() == request.From.Places[0].End })
		rows = rows[at+1:]
	}
	page := &model.Page{ReadAt: time.Now(), HasNext: len(rows) > request.Size}
	page.Rows = rows[:min(len(rows), request.Size)]
	if n := len(page.Rows); n > 0 {
		page.Places = []model.Place{{Start: page.Rows[0].Party.String(), End: page.Rows[n-1].Party.String()}}
	}
	return page, nil
}

func partyNumber(i int) model.ID { return model.MakeID(fmt.Sprintf("party-%04d", i)) }

// walkScreen is a screen of 2,500 positions, each with a margin record of another second.
func walkScreen(t *testing.T, test func(s *screen, list *marginList)) {
	t.Helper()
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		list := new(marginList)
		var rows []model.Position
		for i := range 2500 {
			rows = append(rows, position(partyNumber(i), ethMarket, "1", "1", "-100", "0", model.StatusUnspecified, 0))
			list.rows = append(list.rows, record(partyNumber(i), ethMarket, 3000-i, 1000+int64(i), 2, 3, 4))
		}
		s.source.respond = list.page
		s.publish(whole(all, rows...))
		s.press("r")
		s.pass(time.Second)
		test(s, list)
	})
}

func (s *screen) ratioOf(party model.ID) string {
	p, _ := s.m.store.View().Book().Find(model.Key{Party: party, Market: ethMarket})
	ratio, _ := s.m.store.View().Margins().Ratio(&p)
	return ratio.String()
}

func (s *screen) wantWalkWords(want string) {
	s.t.Helper()
	if got := s.m.store.Walk().Words(s.m.store.View(), s.m.store.Now()); got != want {
		s.t.Errorf("the walk is %q, want %q", got, want)
	}
}

func TestTheWalkReadsAllMarginLevels(t *testing.T) {
	walkScreen(t, func(s *screen, list *marginList) {
		if n := s.m.store.View().Margins().Covered(); n != 2500 {
			t.Errorf("%d positions have a record", n)
		}
		s.wantWalkWords("read 1s ago")
		s.pass(2 * time.Second)
		s.wantWalkWords("read 3s ago")
	})
}

// TestTheWalkGoesOnWhileFrozen, for the rules, and no ratio changes.
func TestTheWalkGoesOnWhileFrozen(t *testing.T) {
	walkScreen(t, func(s *screen, list *marginList) {
		s.press("f")
		before, was := s.source.walked(), s.ratioOf(partyNumber(3))
		list.put(partyNumber(3), 200)
		s.press("tab", "g") // the trader reads the page that has it
		s.pass(time.Minute)
		if s.source.walked() == before {
			t.Error("nothing was read")
		}
		if got := s.ratioOf(partyNumber(3)); got != was || was == "-50.0%" {
			t.Errorf("the ratio was %s, and is %s", was, got)
		}
		s.press("tab", "f")
		s.pass(time.Second)
		if got := s.ratioOf(partyNumber(3)); got != "-50.0%" {
			t.Errorf("the ratio is %s", got)
		}
	})
}

// TestAServiceWithoutMarginLevels: what depends on them says so.
func TestAServiceWithoutMarginLevels(t *testing.T) {
	onScreen(t, 120, 40, func(o *Options) { watchAll(o); o.Instruments = nil }, func(s *screen) {
		list := new(marginList)
		list.failWith(errors.New("the service responded with 404: not found"))
		s.source.respond = list.page
		s.publish(whole(all, position(desk1, model.MakeID("new"), "1", "1", "-100", "0", model.StatusUnspecified, 0)))
		s.press("r")
		s.pass(3 * time.Second)
		s.wantWalkWords("loading, 0% complete; the last request failed: the service responded with 404: not found")
		s.press("/")
		s.write("m%<0")
		s.sees("No position matches: no margin levels are known, and so no uPnL/MM; esc clears the filter.")
		s.press("esc", "h")
		s.sees("No totals: the assets of the positions are not known.")
	})
}

// TestTheWalkFollowsTheScope, at once.
func TestTheWalkFollowsTheScope(t *testing.T) {
	onScreen(t, 120, 40, nil, func(s *screen) {
		s.publish(deskDelta(s))
		s.press("P")
		s.pass(time.Second)
		if got := s.source.walk.scope; !got.Equal(model.Scope{Parties: []model.ID{desk1}}) {
			t.Errorf("the margin levels of %+v are read", got)
		}
	})
}

func TestTheWalkWaitsAfterAFailure(t *testing.T) {
	walkScreen(t, func(s *screen, list *marginList) {
		list.failWith(errors.New("the service responded with 500: boom"))
		s.pass(6 * time.Second)
		before := s.source.walked()
		s.wantWalkWords("read 7s ago, not read again: the service responded with 500: boom")
		s.pass(12 * time.Second)
		if n := s.source.walked() - before; n > 0 {
			t.Errorf("%d pages were requested", n)
		}
		list.failWith(nil)
		s.pass(3 * time.Second)
		if n := s.source.walked() - before; n != 1 {
			t.Errorf("%d pages were requested", n)
		}
	})
}

// TestTheWalkShowsHowMuchIsMissing: two of the six open positions of the desk have no record.
func TestTheWalkShowsHowMuchIsMissing(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.pass(time.Second)
		s.wantWalkWords("read 1s ago, 66% complete")
	})
}

// TestPagesThatTheTraderReadsHaveTheirRatios: also if the walk fails.
func TestPagesThatTheTraderReadsHaveTheirRatios(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.source.respond = func(_ context.Context, request model.PageRequest) (*model.Page, error) {
			if request.Background {
				return nil, errors.New("not now")
			}
			return deskPage(request), nil
		}
		s.press("r")
		s.publish(whole(all, deskRows()...))
		s.sees("-37.4%", "+8.6%")
	})
}
