package endpoint

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
	"blotter/feed/wire"
	"blotter/model"
)

func TestPageQuery(t *testing.T) {
	key := model.Key{Party: model.MakeID("aa"), Market: model.MakeID("bb")}
	for _, c := range []struct {
		query PageQuery
		want  string
	}{
		{PageQuery{Size: 7, NewestFirst: true}, "pagination.first=7&pagination.newestFirst=true"},
		{PageQuery{Key: key, Size: 7, Cursor: "a+/="}, "marketId=bb&pagination.after=a%2B%2F%3D&pagination.first=7&pagination.newestFirst=false&partyId=aa"},
		{PageQuery{Size: 7, Cursor: "c", Backward: true}, "pagination.before=c&pagination.last=7&pagination.newestFirst=false"},
	} {
		if got := c.query.query().Encode(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

func TestPage(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.node.PutMargins(sim.MarginLevels{Party: "aa", Market: "bb", Asset: "cc", Maintenance: "5", Search: "6", Initial: "7", Release: "8"})
		page := s.page()
		if len(page.Rows) != 1 || page.Rows[0].Maintenance.String() != "5" || page.Address != "http://one.test" || time.Since(page.Block.Time) > 2*time.Second {
			t.Errorf("%+v", page)
		}
	})
}

// TestPageKeysAtAServiceThatFails: whatever way it fails, they dial no more often than streams may, what is wrong is
// told at once, and once the service is well all is as before.
func TestPageKeysAtAServiceThatFails(t *testing.T) {
	refuse := func(s *scene) {
		s.takeConnections(false)
		s.pool.client.close()
	}
	for _, c := range []struct {
		name       string
		fail, mend func(*scene)
		words      string
	}{
		{"its host is gone", func(s *scene) { s.listener.Kill() }, func(s *scene) { s.listener.Revive() }, "connection refused: nothing listens there; next try in "},
		{"it takes no connections", refuse, func(s *scene) { s.takeConnections(true) }, "connection refused: nothing listens there; next try in "},
		{"it is silent", func(s *scene) { s.node.Silence() }, func(s *scene) { s.node.Speak() }, "no answer within 15s; next try in "},
		{"it answers 503", func(s *scene) {
			s.node.AnswerMargins(sim.Always, sim.Answer{Status: 503, Body: `{"message":"bad day"}`})
		},
			func(s *scene) { s.node.AnswerMargins(0, sim.Answer{}) }, "the service answered 503: bad day; next try in "},
		{"it breaks off", func(s *scene) { s.node.AnswerMargins(sim.Always, sim.Answer{Status: 200, Body: "{", Cut: true}) },
			func(s *scene) { s.node.AnswerMargins(0, sim.Answer{}) }, "connection lost (the answer was cut short); next try in "},
		{"its streams answer 503", func(s *scene) {
			s.node.AnswerStreams(sim.Always, sim.Answer{Status: 503})
			s.node.Cut()
		}, func(s *scene) { s.node.AnswerStreams(0, sim.Answer{}) }, ""},
	} {
		for _, streams := range []int{0, 1, 6} {
			if streams == 0 && c.words == "" {
				continue
			}
			play(t, Config{}, func(s *scene) {
				s.streams(streams)
				s.page()
				s.after(time.Minute)
				if pages, failures := s.pressing(10 * time.Second); pages != 100 {
					t.Fatalf("%s, before: %d pages and %v", c.name, pages, failures)
				}
				c.fail(s)
				began := time.Now()
				synctest.Wait()
				pages, failures := s.pressing(2 * time.Minute)
				s.politely(began)
				told := slices.ContainsFunc(failures, func(err error) bool { return strings.HasPrefix(err.Error(), c.words) })
				if c.words == "" && pages != 1200 || c.words != "" && (!told || pages > 1) {
					t.Errorf("%s, %d streams: %d pages and %d failures, the last %v", c.name, streams, pages, len(failures), failures[max(0, len(failures)-1):])
				}
				c.mend(s)
				s.after(40 * time.Second)
				if pages, failures := s.pressing(10 * time.Second); pages != 100 {
					t.Errorf("%s, afterwards: %d pages and %v", c.name, pages, failures)
				}
				if s.open() != int64(streams) {
					t.Errorf("%s: %d streams, want %d", c.name, s.open(), streams)
				}
			})
		}
	}
}

// TestPageKeysDoNotHoldUpStreams: a service that is back is found as soon as if nobody had pressed a key.
func TestPageKeysDoNotHoldUpStreams(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.streams(1)
		s.after(time.Minute)
		s.page()
		s.listener.Kill()
		s.pressing(12 * time.Second)
		s.listener.Revive()
		s.after(25 * time.Second)
		if s.open() != 1 {
			t.Error("the stream is not back")
		}
	})
}

// TestPageKeysAtASlowService are answered as soon as it answers anything, however fast they come.
func TestPageKeysAtASlowService(t *testing.T) {
	playBefore(t, []http.Handler{answersAfter(time.Second)}, Config{}, func(s *scene) {
		if pages, failures := s.pressing(time.Minute); pages > 0 || len(failures) > 0 {
			t.Errorf("%d pages, and %v", pages, failures)
		}
		began := time.Now()
		s.page()
		if took := time.Since(began); took > 1100*time.Millisecond {
			t.Errorf("the page came after %s", took)
		}
	})
}

// answersAfter is a service without records that takes its time.
func answersAfter(delay time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(delay)
		_, _ = w.Write([]byte(`{"marginLevels":{}}`))
	})
}

// TestManyPagesAreAskedForByOneWhereNobodyKnowsWhetherTheServiceIsThere, and by many at once where it is.
func TestManyPagesAreAskedForByOneWhereNobodyKnowsWhetherTheServiceIsThere(t *testing.T) {
	pages := func(s *scene) (errs [41]error) {
		var group sync.WaitGroup
		for i := range errs {
			group.Go(func() { _, errs[i] = s.pool.Page(s.Context(), Asked, PageQuery{Size: 3}) })
		}
		group.Wait()
		return errs
	}
	play(t, Config{}, func(s *scene) {
		s.takeConnections(false)
		for _, err := range pages(s) {
			if err == nil || !strings.HasPrefix(err.Error(), "connection refused") {
				t.Errorf("the error is %v", err)
			}
		}
		if got := len(s.dials()); got != 1 {
			t.Errorf("%d dials", got)
		}
	})
	playBefore(t, []http.Handler{answersAfter(100 * time.Millisecond)}, Config{}, func(s *scene) {
		began := time.Now()
		for _, err := range pages(s) {
			if err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(began); took > 800*time.Millisecond {
			t.Errorf("41 pages took %s", took)
		}
	})
}

// TestABanOfPages keeps pages and probes away until the time that the service named, and streams go on. By hand there is
// one try a minute.
func TestABanOfPages(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.streams(2)
		s.node.AnswerMargins(sim.Always, sim.Answer{Status: 403, Body: `{"message":"slow down"}`, Header: http.Header{"Ratelimit-Retry-After": {"600"}}})
		if OutcomeOf(s.pageError()) != Limited {
			t.Error("it is not told that requests are limited")
		}
		not := notAsked(t, s.pageError())
		if !not.ByService || not.Address != "http://one.test" || time.Until(not.Until) != 10*time.Minute || not.Known() != "the service answered 403: slow down" {
			t.Errorf("%+v", not)
		}
		_, err := s.pool.Verify(s.Context(), "http://one.test", time.Now())
		notAsked(t, err)
		s.node.Cut()
		s.after(5 * time.Second)
		if s.open() != 2 {
			t.Errorf("%d streams, want 2", s.open())
		}
		before := s.asked(wire.MarginPath)
		for began := time.Now(); time.Since(began) < 5*time.Minute; s.after(time.Second) {
			s.pool.Retry()
			_, _ = s.pool.Page(s.Context(), Asked, PageQuery{Size: 3})
		}
		if got := s.asked(wire.MarginPath) - before; got < 5 || got > 6 {
			t.Errorf("%d tries by hand in five minutes, want one a minute", got)
		}
	})
}

// TestARefusalAtOneAddressAsksTheNext, and the error of all is that of the first.
func TestARefusalAtOneAddressAsksTheNext(t *testing.T) {
	for _, status := range []int{401, 403, 404, 425, 302} {
		playMany(t, 2, Config{}, func(s *scene) {
			s.node.AnswerMargins(sim.Always, sim.Answer{Status: status, Body: `{"message":"not here"}`})
			if page := s.page(); page.Address != "http://two.test" {
				t.Errorf("%d: %s answered", status, page.Address)
			}
			s.nodes[1].AnswerMargins(sim.Always, sim.Answer{Status: 404, Body: `{"message":"nor there"}`})
			err := s.pageError()
			want := "http://one.test: not here"
			if AddressOf(err) == "http://two.test" {
				want = "http://two.test: nor there"
			}
			answer, ok := errors.AsType[*StatusError](err)
			if !ok || AddressOf(err)+": "+answer.Words != want {
				t.Errorf("%d: %s blamed for %v", status, AddressOf(err), err)
			}
		})
	}
	playMany(t, 2, Config{}, func(s *scene) {
		s.node.AnswerMargins(sim.Always, sim.Answer{Status: 400, Body: `{"message":"bad cursor"}`})
		if status, ok := errors.AsType[*StatusError](s.pageError()); !ok || status.Status != 400 || len(s.nodes[1].Requests()) > 0 {
			t.Error("a bad request is asked again elsewhere")
		}
	})
}

// TestAServiceThatIsGoneHasTheNextAddressAsked.
func TestAServiceThatIsGoneHasTheNextAddressAsked(t *testing.T) {
	playMany(t, 2, Config{}, func(s *scene) {
		s.listener.Kill()
		if err := s.pageError(); AddressOf(err) != "http://one.test" {
			t.Errorf("%s is blamed", AddressOf(err))
		}
		if page := s.page(); page.Address != "http://two.test" {
			t.Errorf("%s answered", page.Address)
		}
	})
}

// TestStreamsDecideWhichAddressIsAsked, where there are any: what the screen shows comes from one node.
func TestStreamsDecideWhichAddressIsAsked(t *testing.T) {
	playMany(t, 2, Config{}, func(s *scene) {
		s.streams(1)
		s.node.AnswerMargins(sim.Always, sim.Answer{Status: 429, Header: http.Header{"Retry-After": {"60"}}})
		s.pageError()
		if not := notAsked(t, s.pageError()); not.Address != oneTest || len(s.nodes[1].Requests()) > 0 {
			t.Errorf("%+v, and %d requests to the other address", not, len(s.nodes[1].Requests()))
		}
		s.listener.Kill()
		s.after(5 * time.Second)
		if page := s.page(); page.Address != "http://two.test" {
			t.Errorf("%s answered", page.Address)
		}
	})
}

// TestAStreamThatIsAnsweredEndsTheBackoffOfPages: somebody is there.
func TestAStreamThatIsAnsweredEndsTheBackoffOfPages(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.streams(1)
		s.after(time.Minute)
		s.takeConnections(false)
		s.pool.client.close()
		for range 7 {
			s.pageError()
			s.after(30 * time.Second)
		}
		s.pageError()
		not := notAsked(t, s.pageError())
		if left := time.Until(not.Until); left < 5*time.Second {
			t.Fatalf("the backoff of pages is %s", left)
		}
		s.takeConnections(true)
		s.stream()
		s.page()
	})
}

// TestOneFaultIsFree: a page fails for its cursor alone. After the second in a row the service is left alone for a while.
func TestOneFaultIsFree(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.node.AnswerMargins(1, sim.Answer{Status: 500})
		s.pageError()
		s.page()
		s.node.AnswerMargins(sim.Always, sim.Answer{Status: 500})
		for range 2 {
			s.after(time.Millisecond)
			if OutcomeOf(s.pageError()) != Fault {
				t.Error("a fault is not told as such")
			}
		}
		notAsked(t, s.pageError())
		before := s.asked(wire.MarginPath)
		s.pressing(10 * time.Minute)
		if got := s.asked(wire.MarginPath) - before; got > 70 {
			t.Errorf("%d requests in ten minutes to a service that fails", got)
		}
	})
}

// TestAPageThatIsGivenUp costs no dial: the request goes on until the service begins to answer.
func TestAPageThatIsGivenUp(t *testing.T) {
	playBefore(t, []http.Handler{answersAfter(3 * time.Second)}, Config{}, func(s *scene) {
		for range 3 {
			ctx, cancel := context.WithTimeout(s.Context(), 100*time.Millisecond)
			if _, err := s.pool.Page(ctx, Asked, PageQuery{Size: 1}); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			cancel()
			s.after(5 * time.Second)
		}
		s.page()
		if got := len(s.dials()); got != 1 {
			t.Errorf("%d dials for four pages", got)
		}
	})
}

func TestCloseEndsPages(t *testing.T) {
	playBefore(t, []http.Handler{answersAfter(10 * time.Second)}, Config{}, func(s *scene) {
		ended := make(chan error)
		go func() {
			_, err := s.pool.Page(s.Context(), Asked, PageQuery{Size: 1})
			ended <- err
		}()
		synctest.Wait()
		go s.pool.Close()
		if err := <-ended; OutcomeOf(err) != Cancelled {
			t.Error(err)
		}
		s.after(10 * time.Second)
		if _, err := s.pool.Page(s.Context(), Asked, PageQuery{Size: 1}); err != ErrClosed {
			t.Error(err)
		}
	})
}

// TestUnaskedPages: two a second for everything that nobody asked for, over all callers; what the trader asks for goes
// at once, and probes go before pages.
func TestUnaskedPages(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.page()
		began := time.Now()
		for i := range 60 {
			go func() {
				kind := PageQuery{Key: model.Key{Party: model.MakeID(fmt.Sprintf("%04x", i))}, Size: 3}
				_, _ = s.pool.Page(s.Context(), Unasked, kind)
			}()
		}
		before := s.asked(wire.MarginPath)
		s.after(5 * time.Second)
		if got := s.asked(wire.MarginPath) - before; got < 10 || got > 11 {
			t.Errorf("%d pages in five seconds that nobody asked for, want two a second", got)
		}
		began = time.Now()
		s.page()
		if took := time.Since(began); took > 0 {
			t.Errorf("what the trader asked for waited %s", took)
		}
		for range 8 {
			began = time.Now()
			if _, err := s.pool.Verify(s.Context(), oneTest, began); err != nil || time.Since(began) > time.Second/2 {
				t.Errorf("the probe waited %s, %v", time.Since(began), err)
			}
			s.after(time.Second / 10)
		}
		before = s.asked(wire.MarginPath)
		s.after(time.Minute)
		if got := s.asked(wire.MarginPath) - before; got < 40 || got > 50 {
			t.Errorf("%d of the other 49 pages came", got)
		}
	})
}

func TestAnUnaskedPageEndsWithItsContext(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		ctx, cancel := context.WithTimeout(s.Context(), 700*time.Millisecond)
		defer cancel()
		ended := make(chan error, 9)
		for range 9 {
			go func() {
				_, err := s.pool.Page(ctx, Unasked, PageQuery{Size: 3})
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

// TestUnaskedPagesLeaveTheRestOfTheBucketToOthers: a quarter of what the service allows has them slower, a tenth has
// them wait until it is full again.
func TestUnaskedPagesLeaveTheRestOfTheBucketToOthers(t *testing.T) {
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
		{"many", "9", "60", 40},
		{"100", "9", "99999999999999999999", 1},
		{"100", "9", fmt.Sprint(bubbleEpoch + 60), 1},
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
				if _, err := s.pool.Page(ctx, Unasked, PageQuery{Size: 3}); err != nil {
					break
				}
				got++
			}
			if got != c.want {
				t.Errorf("%+v: %d pages", c, got)
			}
			began := time.Now()
			if s.page(); time.Since(began) > 0 {
				t.Errorf("%+v: what the trader asked for waited", c)
			}
		})
	}
}

// bubbleEpoch is when time begins in a bubble.
const bubbleEpoch = 946684800
