package endpoint

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
	"blotter/feed/wire"
)

const emptyPage = `{"marginLevels":{}}`

// pagesTogether requests pages at the same time and returns when all have come. An error fails the test.
func (s *scene) pagesTogether(n int) time.Duration {
	s.Helper()
	began := time.Now()
	var group sync.WaitGroup
	for range n {
		group.Go(func() {
			if _, err := s.pool.Page(s.Context(), UserPage, PageQuery{Size: 3}); err != nil {
				s.Error(err)
			}
		})
	}
	group.Wait()
	return time.Since(began)
}

// TestPagesAreRequestedTogether as soon as it is known that the address works: by a stream, by the beginning of a
// response, or by a page of before. One fault does not change that, because it may be of its cursor only.
func TestPagesAreRequestedTogether(t *testing.T) {
	slow := sim.Response{Status: 200, Body: emptyPage, Delay: 2 * time.Second}
	play(t, Config{}, func(s *scene) {
		s.streams(1)
		s.after(time.Second)
		s.node.SetMarginResponse(2, slow)
		if took := s.pagesTogether(2); took != slow.Delay {
			t.Errorf("beside a stream the pages took %s", took)
		}
	})
	play(t, Config{}, func(s *scene) {
		s.page()
		s.node.SetMarginResponse(1, sim.Response{Status: 500})
		s.pageError()
		s.node.SetMarginResponse(2, slow)
		if took := s.pagesTogether(2); took != slow.Delay {
			t.Errorf("after one fault the pages took %s", took)
		}
	})
	playBefore(t, []http.Handler{http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(" "))
		_ = http.NewResponseController(w).Flush()
		time.Sleep(slow.Delay)
		_, _ = w.Write([]byte(emptyPage))
	})}, Config{}, func(s *scene) {
		if took := s.pagesTogether(2); took != slow.Delay {
			t.Errorf("the end of the first page was waited for: the pages took %s", took)
		}
	})
	play(t, Config{}, func(s *scene) {
		s.node.Silence()
		for range 5 {
			go func() { _, _ = s.pool.Page(s.Context(), UserPage, PageQuery{Size: 3}) }()
		}
		s.after(time.Second)
		if got := len(s.Dials()); got != 1 {
			t.Errorf("%d dials to an address that has never responded", got)
		}
		s.node.EndSilence()
		s.after(time.Minute)
	})
}

// TestNoCheckIsSentWhileRequestsAreLimited: whether the service has named a time, or has said only that there were too
// many requests.
func TestNoCheckIsSentWhileRequestsAreLimited(t *testing.T) {
	for _, limited := range []sim.Response{{Status: 429}, {Status: 503, Header: http.Header{"Retry-After": {"600"}}}} {
		play(t, Config{}, func(s *scene) {
			s.node.SetMarginResponse(1, limited)
			s.pageError()
			_, err := s.pool.Verify(s.Context(), oneTest, time.Now())
			if postponed(t, err); !IsLimit(err) || s.probes() != 0 {
				t.Errorf("%d: %d checks were sent, %v", limited.Status, s.probes(), err)
			}
		})
	}
}

// TestWhichAddressPagesUseNext: without streams, the one that responded last. A bad request does not change that, until
// the second one in a row.
func TestWhichAddressPagesUseNext(t *testing.T) {
	from := func(s *scene, want string) {
		s.Helper()
		if page := s.page(); page.Address != "http://"+want {
			s.Errorf("the page is of %s, want %s", page.Address, want)
		}
	}
	playMany(t, 2, Config{}, func(s *scene) {
		s.node.SetMarginResponse(1, sim.Response{Status: 400})
		s.pageError()
		from(s, "one.test")
		s.node.SetMarginResponse(2, sim.Response{Status: 400})
		for range 2 {
			s.after(time.Millisecond)
			s.pageError()
		}
		from(s, "two.test")
	})
	playMany(t, 2, Config{}, func(s *scene) { // one refuses, and is not asked again
		s.node.SetMarginResponse(sim.Always, sim.Response{Status: 404})
		from(s, "two.test")
		s.after(time.Minute)
		from(s, "two.test")
		if got := s.requestsTo(wire.MarginPath); got != 1 {
			t.Errorf("%d requests to the address that refused", got)
		}
	})
	playMany(t, 2, Config{}, func(s *scene) { // one fails
		s.listener.Kill()
		s.pageError()
		s.after(time.Minute)
		from(s, "two.test")
	})
	playMany(t, 3, Config{}, func(s *scene) { // one refuses, and two has limited its requests
		s.streams(1)
		s.node.SetMarginResponse(sim.Always, sim.Response{Status: 404})
		s.nodes[1].SetMarginResponse(sim.Always, sim.Response{Status: 429, Header: http.Header{"Retry-After": {"600"}}})
		s.pageError()
		from(s, "three.test")
		if lease, _ := s.stream(); lease.Address() != oneTest {
			t.Errorf("a page has moved streams to %s", lease.Address())
		}
	})
}

// TestTheStatusOfAPageIsKept if its body does not come in time.
func TestTheStatusOfAPageIsKept(t *testing.T) {
	late := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(testTimes.Page - errorBodyTimeout/2)
		w.WriteHeader(503)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	playBefore(t, []http.Handler{late}, Config{}, func(s *scene) {
		if err := s.pageError(); err.Error() != "the service responded with 503: service unavailable" {
			t.Error(err)
		}
	})
}

// TestAPageThatDoesNotCome says how long it was waited for: with HTTP/2, and in the middle of a response.
func TestAPageThatDoesNotCome(t *testing.T) {
	secured(t, Config{}, "one.test", func(s *scene) {
		const want = "no response within 15s"
		s.page()
		s.node.SetMarginResponse(1, sim.Response{})
		if err := s.pageError(); err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		s.after(time.Minute)
		s.node.SetMarginResponse(1, openResponse("{"))
		if err := s.pageError(); err.Error() != want {
			t.Errorf("in the middle: %v, want %s", err, want)
		}
	})
}

// TestCloseLeavesNoConnection, and waits for what is under way.
func TestCloseLeavesNoConnection(t *testing.T) {
	play(t, Config{Service: Service{TLS: new(tls.Config)}}, func(s *scene) {
		s.page()
		elsewhere := http.Header{"Location": {"http://other.test" + wire.MarginPath}} // which gets no certificate
		s.node.SetMarginResponse(1, sim.Response{Status: 302, Header: elsewhere})
		s.page()
		synctest.Wait()
		if got := s.connections.SendUnsolicited(""); got != 2 {
			t.Errorf("%d connections are open before", got)
		}
		s.pool.Close()
		synctest.Wait()
		if got := s.connections.SendUnsolicited(""); got != 0 {
			t.Errorf("%d connections are open", got)
		}
	})
	var asked time.Time
	config := Config{Service: Service{Token: func(context.Context) (string, error) {
		time.Sleep(time.Second)
		asked = time.Now()
		return "", errors.New("no token")
	}, InsecureToken: true}}
	play(t, config, func(s *scene) {
		go func() { _, _ = s.pool.Page(s.Context(), UserPage, PageQuery{Size: 1}) }()
		synctest.Wait()
		s.pool.Close()
		if asked.IsZero() {
			t.Error("the token is still being read")
		}
		if _, err := s.pool.Verify(s.Context(), oneTest, time.Now()); err != ErrClosed {
			t.Errorf("a check of a closed pool: %v", err)
		}
	})
}

// TestATLSHandshakeHasALimit of its own: a trader waits ten seconds for it, not as long as for a page.
func TestATLSHandshakeHasALimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := func(context.Context, string, string) (net.Conn, error) {
			client, server := net.Pipe()
			go func() { _, _ = io.Copy(io.Discard, server) }()
			return client, nil
		}
		p := newPool(t, Config{Service: Service{BaseURLs: []string{"https://one.test"}, Dial: silent}})
		began := time.Now()
		if err := requestPage(p); time.Since(began) != testTimes.Connect || !strings.Contains(err.Error(), "no response in time") {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
}
