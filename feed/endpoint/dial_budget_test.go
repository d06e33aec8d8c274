package endpoint

import (
	"context"
	"net"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/wire"
)

// TestPagesTakeHalfOfTheDials of a minute at most while something fails, and not less: streams need the address too.
// The service closes each connection for pages.
func TestPagesTakeHalfOfTheDials(t *testing.T) {
	for name, c := range map[string]struct{ streams, pages int }{
		"streams cannot be opened": {503, 200}, "pages fail": {200, 0}, "both fail": {503, 0},
	} {
		var mu sync.Mutex
		var pages []time.Time
		service := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch {
			case r.URL.Path != wire.MarginPath && c.streams != 200:
				w.WriteHeader(c.streams)
			case r.URL.Path != wire.MarginPath:
				_, _ = w.Write([]byte(emptySnapshot))
				_ = http.NewResponseController(w).Flush()
				<-r.Context().Done()
			default:
				mu.Lock()
				pages = append(pages, time.Now())
				mu.Unlock()
				if c.pages != 200 {
					panic(http.ErrAbortHandler)
				}
				w.Header().Set("Connection", "close")
				_, _ = w.Write([]byte(`{"marginLevels":{}}`))
			}
		})
		playBefore(t, []http.Handler{service}, Config{}, func(s *scene) {
			s.streams(1)
			s.after(time.Second)
			began := time.Now()
			for time.Since(began) < 10*time.Minute {
				if c.pages != 200 { // else only the streams would use the dials
					s.pool.Retry()
				}
				_, _ = s.pool.Page(s.Context(), UserPage, PageQuery{Size: 1})
				s.after(time.Second)
			}
			s.CheckDialLimit(s, began)
			for i := dialsShared; i < len(pages); i++ {
				if took := pages[i].Sub(pages[i-dialsShared]); took < time.Minute {
					s.Fatalf("%s: pages took four dials within %s", name, took)
				}
			}
			if len(pages) < 20 {
				s.Errorf("%s: pages took %d dials in ten minutes", name, len(pages))
			}
		})
	}
}

// TestADialIsReservedForOnePage: streams can use the next one as soon as that page has been requested.
func TestADialIsReservedForOnePage(t *testing.T) {
	bubble(t, 1, func(t *testing.T, p *Pool) {
		first := time.Now()
		for range dialsPerMinute {
			onlyLease(t, p).Release(&StatusError{Status: 503})
			time.Sleep(time.Second)
			p.Retry()
		}
		page := &pageLease{pool: p, address: p.addresses[0], kind: UserPage}
		if at := postponed(t, page.countDial()).Until; !at.Equal(first.Add(time.Minute)) {
			t.Errorf("the page waits until %s, and the first dial was at %s", at, first)
		}
		time.Sleep(time.Until(first.Add(time.Minute)))
		if len(admitted(p)) > 0 {
			t.Error("a stream takes the dial of the page")
		}
		if err := page.countDial(); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Second)
		onlyLease(t, p)
	})
}

// TestDialsOfPagesThatGotAResponseDoNotCount: a service may close the connection after each page. The first failure
// must not make the trader wait for a minute.
func TestDialsOfPagesThatGotAResponseDoNotCount(t *testing.T) {
	status := make(chan int, 3)
	service := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Connection", "close")
		select {
		case code := <-status:
			w.WriteHeader(code)
		default:
		}
		_, _ = w.Write([]byte(`{"marginLevels":{}}`))
	})
	playBefore(t, []http.Handler{service}, Config{}, func(s *scene) {
		for range 3 * dialsPerMinute {
			s.page()
		}
		for range 3 {
			status <- 500
			s.pageError()
			s.after(3 * time.Second)
		}
		s.page()
	})
}

// TestPagesOfAServiceOfThisMachineAreTriedEachSecond while nothing listens there, because that costs nothing.
func TestPagesOfAServiceOfThisMachineAreTriedEachSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, Config{Service: Service{
			BaseURLs: []string{"http://127.0.0.1:8080"},
			Dial: func(context.Context, string, string) (net.Conn, error) {
				return nil, dialing("127.0.0.1:8080", syscall.ECONNREFUSED)
			},
		}})
		for try := range 120 {
			if err := requestPage(p); OutcomeOf(err) != NotListening {
				t.Fatalf("try %d: %v", try+1, err)
			}
			time.Sleep(time.Second)
		}
	})
}
