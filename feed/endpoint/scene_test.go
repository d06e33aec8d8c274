package endpoint

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/feedtest"
	"blotter/feed/sim"
	"blotter/feed/wire"
	"blotter/model"
)

// scene is a pool and simulated services at its addresses, in fake time. Host names choose the service:
// http://one.test is the first one.
type scene struct {
	*testing.T
	feedtest.Network
	pool     *Pool
	node     *sim.Node     // the first service
	listener *sim.Listener // of the first service
	nodes    []*sim.Node

	connections feedtest.Connections // of the services
}

var hosts = []string{"one.test", "two.test", "three.test"}

// play runs a scene with one service.
func play(t *testing.T, config Config, run func(*scene)) { playMany(t, 1, config, run) }

// playMany runs a scene with the given number of services.
func playMany(t *testing.T, services int, config Config, run func(*scene)) {
	t.Helper()
	var nodes []*sim.Node
	var handlers []http.Handler
	for range services {
		node := sim.New(sim.Config{})
		nodes, handlers = append(nodes, node), append(handlers, node)
	}
	playBefore(t, handlers, config, func(s *scene) {
		s.nodes, s.node = nodes, nodes[0]
		run(s)
	})
}

// playBefore runs a scene with a handler for each service.
func playBefore(t *testing.T, handlers []http.Handler, config Config, run func(*scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &scene{T: t}
		var served sync.WaitGroup
		defer served.Wait()
		for i, handler := range handlers {
			listener := s.Listen(hosts[i])
			if i == 0 {
				s.listener = listener
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			if node, ok := handler.(*sim.Node); ok {
				served.Go(func() { _ = node.Serve(ctx, s.connections.Listener(listener)) })
			} else {
				server := &http.Server{Handler: handler}
				defer server.Close()
				served.Go(func() { _ = server.Serve(listener) })
			}
			config.BaseURLs = append(config.BaseURLs, "http://"+hosts[i])
		}
		config.Dial = s.Dial
		s.pool = newPool(t, config)
		run(s)
		s.pool.Close()
	})
}

// testTimes are the times of pools in tests. Defaults that are changed change no test.
var testTimes = RequestTimes{
	Connect: 10 * time.Second, Page: 15 * time.Second, FirstBackoff: 500 * time.Millisecond, MaxBackoff: 20 * time.Second,
	HealthyAfter: time.Minute, RefusedRetry: time.Minute,
}

func newPool(t *testing.T, config Config) *Pool {
	t.Helper()
	config.Times = cmp.Or(config.Times, testTimes)
	p, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// after waits for a time.
func (s *scene) after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// page requests a page. An error fails the test.
func (s *scene) page() *Page {
	s.Helper()
	page, err := s.pool.Page(s.Context(), UserPage, PageQuery{Size: 3})
	if err != nil {
		s.Fatal(err)
	}
	return page
}

// pageError requests a page and returns the error. A page fails the test.
func (s *scene) pageError() error {
	s.Helper()
	_, err := s.pool.Page(s.Context(), UserPage, PageQuery{Size: 3})
	if err == nil {
		s.Fatal("the page came")
	}
	return err
}

// stream opens an active stream and reads its snapshot.
func (s *scene) stream() (*Lease, *Stream) {
	s.Helper()
	lease, err := s.pool.Acquire(s.Context(), nil, nil, nil)
	if err != nil {
		s.Fatal(err)
	}
	stream, err := lease.Open(s.Context(), model.Key{})
	if err != nil {
		s.Fatal(err)
	}
	var m wire.Message
	for !m.LastPage {
		if err := stream.Next(&m); err != nil {
			s.Fatal(err)
		}
	}
	lease.Healthy()
	return lease, stream
}

// streams keeps the given number of active streams open until the scene ends.
func (s *scene) streams(n int) {
	for range n {
		go func() {
			for s.Context().Err() == nil {
				lease, err := s.pool.Acquire(s.Context(), nil, nil, nil)
				if err != nil {
					return
				}
				lease.Release(s.follow(lease))
			}
		}()
	}
	synctest.Wait()
}

func (s *scene) follow(lease *Lease) error {
	stream, err := lease.Open(s.Context(), model.Key{})
	if err != nil {
		return err
	}
	defer stream.Close()
	var m wire.Message
	for {
		if err := stream.Next(&m); err != nil {
			return err
		}
		if m.HasContent() {
			lease.Healthy()
		}
	}
}

// open returns how many streams the first service has.
func (s *scene) open() int64 { return s.node.Counters().StreamsOpen }

// pressing presses page keys ten times a second. Each press requests a page, and cancels the request before. pressing
// returns how many pages came, and the errors of the requests that were not cancelled.
func (s *scene) pressing(d time.Duration) (pages int, failures []error) {
	s.Helper()
	type result struct {
		page *Page
		err  error
	}
	results := make(chan result, 1)
	for began := time.Now(); time.Since(began) < d; {
		ctx, cancel := context.WithCancel(s.Context())
		go func() {
			page, err := s.pool.Page(ctx, UserPage, PageQuery{Size: 3})
			results <- result{page, err}
		}()
		s.after(100 * time.Millisecond)
		cancel()
		switch r := <-results; {
		case r.err == nil:
			pages++
		case !errors.Is(r.err, context.Canceled):
			failures = append(failures, r.err)
		}
	}
	return pages, failures
}

// requestsTo returns how many requests the first service got whose path begins with path.
func (s *scene) requestsTo(path string) (n int) {
	for _, r := range s.node.Requests() {
		if strings.HasPrefix(r.URI, path) {
			n++
		}
	}
	return n
}

// postponed asserts that err is a *PostponedError.
func postponed(t *testing.T, err error) *PostponedError {
	t.Helper()
	postponement, ok := errors.AsType[*PostponedError](err)
	if !ok {
		t.Fatalf("the error is %v, want a *PostponedError", err)
	}
	return postponement
}

// openResponse returns a response whose body stays open.
func openResponse(text string) sim.Response {
	return sim.Response{Status: http.StatusOK, Body: text, Open: true}
}

const emptySnapshot = `{"result":{"snapshot":{"lastPage":true}}}` + "\n"

var errTrouble = errors.New("trouble")
