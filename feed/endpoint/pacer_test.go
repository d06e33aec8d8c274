package endpoint

import (
	"blotter/feed/wire"
	"blotter/model"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// TestBackgroundPagesAreSpaced: all callers together send two background requests a second. A page for the trader is
// requested at once, and probes are sent before pages.
func TestBackgroundPagesAreSpaced(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.page()
		for i := range 60 {
			go func() {
				query := PageQuery{Key: model.Key{Party: model.MakeID(fmt.Sprintf("%04x", i))}, Size: 3}
				_, _ = s.pool.Page(s.Context(), BackgroundPage, query)
			}()
		}
		before := s.requestsTo(wire.MarginPath)
		s.after(5 * time.Second)
		if got := s.requestsTo(wire.MarginPath) - before; got < 10 || got > 11 {
			t.Errorf("%d background pages in five seconds, want two a second", got)
		}
		began := time.Now()
		s.page()
		if took := time.Since(began); took > 0 {
			t.Errorf("the page for the trader waited %s", took)
		}
		for range 8 {
			began = time.Now()
			if _, err := s.pool.Verify(s.Context(), oneTest, began); err != nil || time.Since(began) > time.Second/2 {
				t.Errorf("the probe waited %s, %v", time.Since(began), err)
			}
			s.after(time.Second / 10)
		}
		before = s.requestsTo(wire.MarginPath)
		s.after(time.Minute)
		if got := s.requestsTo(wire.MarginPath) - before; got < 40 || got > 50 {
			t.Errorf("%d of the other 49 pages came", got)
		}
	})
}

func TestBackgroundPageEndsWithItsContext(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		ctx, cancel := context.WithTimeout(s.Context(), 700*time.Millisecond)
		defer cancel()
		ended := make(chan error, 9)
		for range 9 {
			go func() {
				_, err := s.pool.Page(ctx, BackgroundPage, PageQuery{Size: 3})
				ended <- err
			}()
		}
		s.after(time.Second)
		late := 0
		for range 9 {
			if errors.Is(<-ended, context.DeadlineExceeded) {
				late++
			}
		}
		if late != 7 {
			t.Errorf("%d of 9 pages were too late, want 7", late)
		}
	})
}

// TestBackgroundPagesWaitWhereFewRequestsAreLeft: below a quarter of what the service allows they are slower, below a
// tenth they wait for the next reset.
func TestBackgroundPagesWaitWhereFewRequestsAreLeft(t *testing.T) {
	for _, c := range []struct {
		limit, remaining, reset string
		want                    int // in 20 seconds
	}{
		{"100", "30", "60", 40},
		{"100", "24", "60", 21},
		{"100", "9", "60", 1},
		{"100", "9", "10", 2}, // and again at the end of each reset
		{"100", "9", "", 4},
		{"100, 100;w=60", "24", "60", 21},
		{"100;w=60", "24;w=60", "60;w=60", 21},
		{"many", "9", "60", 40},
		{"100", "many", "60", 40},
		{"100", "9", "99999999999999999999", 1},
		{"5", "0", "60", 1}, // a tenth of it is less than one request
		{"1", "0", "10", 2},
	} {
		playBefore(t, []http.Handler{http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Ratelimit-Limit", c.limit)
			w.Header().Set("Ratelimit-Remaining", c.remaining)
			w.Header().Set("Ratelimit-Reset", c.reset)
			_, _ = w.Write([]byte(`{"marginLevels":{}}`))
		})}, Config{}, func(s *scene) {
			ctx, cancel := context.WithTimeout(s.Context(), 19990*time.Millisecond)
			defer cancel()
			got := 0
			for {
				if _, err := s.pool.Page(ctx, BackgroundPage, PageQuery{Size: 3}); err != nil {
					break
				}
				got++
			}
			if got != c.want {
				t.Errorf("%+v: %d pages", c, got)
			}
			began := time.Now()
			if s.page(); time.Since(began) > 0 {
				t.Errorf("%+v: the page for the trader waited", c)
			}
		})
	}
}

// TestResetAsUnixTime: some services send the time of the next reset, by their own clock.
func TestResetAsUnixTime(t *testing.T) {
	now := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		clock, reset, want time.Duration // clock is how far the clock of the service is ahead
	}{
		{0, 20 * time.Second, 20 * time.Second},
		{0, -time.Minute, time.Second},
		{0, time.Hour, 15 * time.Minute},
		{time.Hour, 20 * time.Second, 20 * time.Second},
		{-time.Hour, 20 * time.Second, 20 * time.Second},
	} {
		service := now.Add(c.clock)
		header := http.Header{
			"Date": {service.Format(http.TimeFormat)}, "Ratelimit-Reset": {fmt.Sprint(service.Add(c.reset).Unix())},
			"Ratelimit-Limit": {"100"}, "Ratelimit-Remaining": {"9"},
		}
		var p pacer
		p.observe(header, now)
		page := &turn{kind: BackgroundPage}
		p.waiting = []*turn{page}
		if isFree, at := p.takeTurn(page, now); isFree || at.Sub(now) != c.want {
			t.Errorf("%+v: the next request is sent in %s", c, at.Sub(now))
		}
		header.Del("Date")
		if p.observe(header, service); p.reset.Sub(service) != c.want {
			t.Errorf("%+v, without a Date: the next request is sent in %s", c, p.reset.Sub(service))
		}
	}
}

// TestTurnsOfAudits: an urgent audit comes before the others, which wait in the order in which they came, and neither
// they nor pages wait for ever.
func TestTurnsOfAudits(t *testing.T) {
	urgent, routine, second := newTurn(Standby, InDoubt), newTurn(Standby, Routine), newTurn(Standby, Routine)
	hinted, forMany := newTurn(Standby, Hinted), newTurn(Standby, ForMany)
	page, probe := newTurn(BackgroundPage, Routine), newTurn(Probe, Routine)
	names := map[*turn]string{urgent: "u", routine: "r", second: "s", hinted: "h", forMany: "m", page: "p", probe: "!"}
	for _, c := range []struct {
		waiting []*turn
		want    string
	}{
		{[]*turn{page, routine, second}, "rrrrrrrprrrrrrrp"},
		{[]*turn{page, routine, urgent}, "uuuruuupruuuruup"},
		{[]*turn{page, routine, hinted, urgent}, "uuuruuupruuuruup"},
		{[]*turn{page, urgent, forMany}, "mmmummmpummmummp"},
		{[]*turn{page, routine, hinted}, "hhhrhhhprhhhrhhp"},
		{[]*turn{page, urgent}, "uuuuuuupuuuuuuup"},
		{[]*turn{second, routine}, "ssss"},
		{[]*turn{page}, "pp"},
		{[]*turn{page, urgent, probe}, "!!!"},
	} {
		now, got := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC), ""
		var p pacer
		p.waiting = c.waiting
		for range c.want {
			for _, waits := range c.waiting {
				if isFree, _ := p.takeTurn(waits, now); isFree {
					got += names[waits]
					break
				}
			}
			now = now.Add(BackgroundEvery)
		}
		if got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestOnlyTheNextRequestIsWoken: hundreds may wait, and each that leaves would wake all others.
func TestOnlyTheNextRequestIsWoken(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		p := &s.pool.pacer
		first, next, last := newTurn(Standby, Routine), newTurn(Standby, InDoubt), newTurn(Standby, Routine)
		s.pool.update(func() { p.waiting = []*turn{first, next, last} })
		for range 3 {
			s.pool.update(func() {})
		}
		if len(first.woken) != 0 || len(next.woken) != 1 || len(last.woken) != 0 {
			t.Errorf("woken: %d, %d, %d", len(first.woken), len(next.woken), len(last.woken))
		}
		s.pool.update(func() { p.remove(next) })
		if len(first.woken) != 1 || len(last.woken) != 0 {
			t.Errorf("after it, woken: %d, %d", len(first.woken), len(last.woken))
		}
		s.pool.update(func() { p.waiting = nil })
	})
}

// TestAuditsAreSpaced: all audits and pages together are two in a second, also if many are due at once. The limit of
// the service for pages is not theirs.
func TestAuditsAreSpaced(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		var begun atomic.Int64
		for range 60 {
			go func() {
				if s.pool.AwaitAudit(s.Context(), Routine) == nil {
					begun.Add(1)
				}
			}()
		}
		s.after(10 * time.Second)
		if got := begun.Load(); got < 20 || got > 21 {
			t.Errorf("%d audits have begun in ten seconds, want two a second", got)
		}
		s.pool.update(func() { s.pool.pacer.limit, s.pool.pacer.reset = 100, time.Now().Add(time.Hour) })
		go func() { _, _ = s.pool.Page(s.Context(), BackgroundPage, PageQuery{Size: 3}) }()
		s.after(20 * time.Second)
		if got := begun.Load(); got != 60 || s.requestsTo(wire.MarginPath) != 0 {
			t.Errorf("%d audits and %d pages in half a minute", got, s.requestsTo(wire.MarginPath))
		}
	})
}
