package endpoint

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
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

// TestPageWithItsOwnConnection uses none of another page, and leaves none to another page.
func TestPageWithItsOwnConnection(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		for i, c := range []struct {
			own   bool
			dials int
		}{{false, 1}, {false, 1}, {true, 2}, {true, 3}, {false, 3}} {
			if _, err := s.pool.Page(s.Context(), UserPage, PageQuery{Size: 1, OwnConnection: c.own}); err != nil {
				t.Fatal(err)
			}
			if dials := len(s.Dials()); dials != c.dials {
				t.Errorf("after page %d there were %d dials, want %d", i, dials, c.dials)
			}
		}
	})
}

// TestPageKeysAtASlowService: the page comes with the first response, however fast the keys are pressed.
func TestPageKeysAtASlowService(t *testing.T) {
	playBefore(t, []http.Handler{respondingAfter(time.Second)}, Config{}, func(s *scene) {
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

// respondingAfter returns a service without records that responds after a delay.
func respondingAfter(delay time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(delay)
		_, _ = w.Write([]byte(`{"marginLevels":{}}`))
	})
}

// TestOnePageTriesAnUnknownAddressForAll. If the address works, many requests follow at once.
func TestOnePageTriesAnUnknownAddressForAll(t *testing.T) {
	pages := func(s *scene) (errs [41]error) {
		var group sync.WaitGroup
		for i := range errs {
			group.Go(func() { _, errs[i] = s.pool.Page(s.Context(), UserPage, PageQuery{Size: 3}) })
		}
		group.Wait()
		return errs
	}
	play(t, Config{}, func(s *scene) {
		s.RefuseConnections(true)
		for _, err := range pages(s) {
			if err == nil || !strings.HasPrefix(err.Error(), "connection refused") {
				t.Errorf("the error is %v", err)
			}
		}
		if got := len(s.Dials()); got != 1 {
			t.Errorf("%d dials", got)
		}
	})
	playBefore(t, []http.Handler{respondingAfter(100 * time.Millisecond)}, Config{}, func(s *scene) {
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

// TestABanOfPages: no page and no probe is sent before the time that the service named, and streams continue. Retries
// by hand send one request a minute.
func TestABanOfPages(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.streams(2)
		s.node.SetMarginResponse(sim.Always, sim.Response{Status: 403, Body: `{"message":"slow down"}`, Header: http.Header{"Ratelimit-Retry-After": {"600"}}})
		if OutcomeOf(s.pageError()) != Limited {
			t.Error("the outcome is not that requests are limited")
		}
		postponement := postponed(t, s.pageError())
		if !postponement.ByService || postponement.Address != "http://one.test" || time.Until(postponement.Until) != 10*time.Minute || postponement.Known() != "the service responded with 403: slow down" {
			t.Errorf("%+v", postponement)
		}
		_, err := s.pool.Verify(s.Context(), "http://one.test", time.Now())
		postponed(t, err)
		s.node.Cut()
		s.after(5 * time.Second)
		if s.open() != 2 {
			t.Errorf("%d streams, want 2", s.open())
		}
		before := s.requestsTo(wire.MarginPath)
		for began := time.Now(); time.Since(began) < 5*time.Minute; s.after(time.Second) {
			s.pool.Retry()
			_, _ = s.pool.Page(s.Context(), UserPage, PageQuery{Size: 3})
		}
		if got := s.requestsTo(wire.MarginPath) - before; got < 5 || got > 6 {
			t.Errorf("%d tries by hand in five minutes, want one a minute", got)
		}
	})
}

// TestRefusedPageIsRequestedFromTheNextAddress. If all refuse, the error is that of the first.
func TestRefusedPageIsRequestedFromTheNextAddress(t *testing.T) {
	for _, status := range []int{401, 403, 404, 425, 302} {
		playMany(t, 2, Config{}, func(s *scene) {
			s.node.SetMarginResponse(sim.Always, sim.Response{Status: status, Body: `{"message":"not here"}`})
			if page := s.page(); page.Address != "http://two.test" {
				t.Errorf("%d: %s responded", status, page.Address)
			}
			s.nodes[1].SetMarginResponse(sim.Always, sim.Response{Status: 404, Body: `{"message":"nor there"}`})
			err := s.pageError()
			want := "http://one.test: not here"
			if AddressOf(err) == "http://two.test" {
				want = "http://two.test: nor there"
			}
			statusErr, ok := errors.AsType[*StatusError](err)
			if !ok || AddressOf(err)+": "+statusErr.Words != want {
				t.Errorf("%d: %s is the address of %v", status, AddressOf(err), err)
			}
		})
	}
	playMany(t, 2, Config{}, func(s *scene) {
		s.node.SetMarginResponse(sim.Always, sim.Response{Status: 400, Body: `{"message":"bad cursor"}`})
		if status, ok := errors.AsType[*StatusError](s.pageError()); !ok || status.Status != 400 || len(s.nodes[1].Requests()) > 0 {
			t.Error("a bad request is sent to another address too")
		}
	})
}

func TestPageUsesTheNextAddressAfterAFailure(t *testing.T) {
	playMany(t, 2, Config{}, func(s *scene) {
		s.listener.Kill()
		if err := s.pageError(); AddressOf(err) != "http://one.test" {
			t.Errorf("the error is of %s", AddressOf(err))
		}
		if page := s.page(); page.Address != "http://two.test" {
			t.Errorf("%s responded", page.Address)
		}
	})
}

// TestPagesUseTheAddressOfTheStreams, if there are any: all that the screen shows comes from one node.
func TestPagesUseTheAddressOfTheStreams(t *testing.T) {
	playMany(t, 2, Config{}, func(s *scene) {
		s.streams(1)
		s.node.SetMarginResponse(sim.Always, sim.Response{Status: 429, Header: http.Header{"Retry-After": {"60"}}})
		s.pageError()
		if postponement := postponed(t, s.pageError()); postponement.Address != oneTest || len(s.nodes[1].Requests()) > 0 {
			t.Errorf("%+v, and %d requests to the other address", postponement, len(s.nodes[1].Requests()))
		}
		s.listener.Kill()
		s.after(5 * time.Second)
		if page := s.page(); page.Address != "http://two.test" {
			t.Errorf("%s responded", page.Address)
		}
	})
}

// TestAResponseToAStreamEndsTheBackoffOfPages, because it shows that the service works.
func TestAResponseToAStreamEndsTheBackoffOfPages(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.streams(1)
		s.after(time.Minute)
		s.RefuseConnections(true)
		s.pool.client.close()
		for range 7 {
			s.pageError()
			s.after(30 * time.Second)
		}
		s.pageError()
		postponement := postponed(t, s.pageError())
		if left := time.Until(postponement.Until); left < 5*time.Second {
			t.Fatalf("the backoff of pages is %s", left)
		}
		s.RefuseConnections(false)
		s.stream()
		s.page()
	})
}

// TestPageFailsAtOnceWhereTheAddressIsKnownToFail, also while another request is trying it.
func TestPageFailsAtOnceWhereTheAddressIsKnownToFail(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.RefuseConnections(true)
		s.pageError()
		s.RefuseConnections(false)
		s.node.Silence()
		s.after(time.Second)
		go func() { _, _ = s.pool.Page(s.Context(), UserPage, PageQuery{Size: 3}) }()
		synctest.Wait()
		began := time.Now()
		postponement := postponed(t, s.pageError())
		if want := "connection refused: nothing listens there; the next try is under way"; postponement.Error() != want || !postponement.Until.IsZero() || time.Since(began) > 0 {
			t.Errorf("after %s: %v", time.Since(began), postponement)
		}
		s.node.EndSilence()
		s.after(time.Second)
	})
}

// TestBreakerOpensAfterTheSecondFault: a page may fail because of its cursor only. After the second failure in a row no
// page is requested for a while.
func TestBreakerOpensAfterTheSecondFault(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.node.SetMarginResponse(1, sim.Response{Status: 500})
		s.pageError()
		s.page()
		s.node.SetMarginResponse(1, sim.Response{Status: 200, Body: "{", Cut: true})
		s.pageError()
		s.page()
		s.node.SetMarginResponse(sim.Always, sim.Response{Status: 500})
		for range 2 {
			s.after(time.Millisecond)
			if OutcomeOf(s.pageError()) != Fault {
				t.Error("the outcome is not a fault")
			}
		}
		postponed(t, s.pageError())
		before := s.requestsTo(wire.MarginPath)
		s.pressing(10 * time.Minute)
		if got := s.requestsTo(wire.MarginPath) - before; got > 70 {
			t.Errorf("%d requests in ten minutes to a service that fails", got)
		}
	})
}

// TestPageThatIsCancelled costs no dial: the request continues until the response begins.
func TestPageThatIsCancelled(t *testing.T) {
	playBefore(t, []http.Handler{respondingAfter(3 * time.Second)}, Config{}, func(s *scene) {
		for range 3 {
			ctx, cancel := context.WithTimeout(s.Context(), 100*time.Millisecond)
			if _, err := s.pool.Page(ctx, UserPage, PageQuery{Size: 1}); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			cancel()
			s.after(5 * time.Second)
		}
		s.page()
		if got := len(s.Dials()); got != 1 {
			t.Errorf("%d dials for four pages", got)
		}
	})
}

// TestAResponseThatNobodyWaitsFor is read for a second from when it begins, or from when its caller leaves if that is
// later. One that does not end must not keep its connection.
func TestAResponseThatNobodyWaitsFor(t *testing.T) {
	for _, c := range []struct{ leaves, ends time.Duration }{{time.Second, 4 * time.Second}, {5 * time.Second, 6 * time.Second}} {
		var ended atomic.Pointer[time.Time]
		endless := func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(3 * time.Second)
			_, _ = w.Write([]byte("{"))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			ended.Store(new(time.Now()))
		}
		playBefore(t, []http.Handler{http.HandlerFunc(endless)}, Config{}, func(s *scene) {
			ctx, cancel := context.WithTimeout(s.Context(), c.leaves)
			defer cancel()
			began := time.Now()
			_, err := s.pool.Page(ctx, UserPage, PageQuery{Size: 1})
			if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took != c.leaves {
				t.Errorf("after %s: %v", took, err)
			}
			s.after(20 * time.Second)
			if at := ended.Load(); at == nil || at.Sub(began) != c.ends {
				t.Errorf("the caller left after %s, and the request ended at %v, want %s", c.leaves, at, began.Add(c.ends))
			}
		})
	}
}

func TestCloseEndsPages(t *testing.T) {
	playBefore(t, []http.Handler{respondingAfter(10 * time.Second)}, Config{}, func(s *scene) {
		ended := make(chan error)
		go func() {
			_, err := s.pool.Page(s.Context(), UserPage, PageQuery{Size: 1})
			ended <- err
		}()
		synctest.Wait()
		go s.pool.Close()
		if err := <-ended; OutcomeOf(err) != Cancelled {
			t.Error(err)
		}
		s.after(10 * time.Second)
		if _, err := s.pool.Page(s.Context(), UserPage, PageQuery{Size: 1}); err != ErrClosed {
			t.Error(err)
		}
	})
}
