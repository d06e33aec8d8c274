package feed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// pressing has somebody press page keys all the time: each press asks for a page, and no longer for the one before. It
// returns what the presses were answered that were not overtaken.
func (s *trial) pressing(d time.Duration, scope model.Scope) (pages int, failures []error) {
	s.t.Helper()
	type answer struct {
		page *model.Page
		err  error
	}
	answers := make(chan answer, 1)
	for began, n := time.Now(), 0; time.Since(began) < d; n++ {
		ctx, overtake := context.WithCancel(s.t.Context())
		request := model.PageRequest{Scope: scope, Size: 3, Turn: []model.PageTurn{model.FirstPage, model.LastPage}[n%2]}
		go func() {
			page, err := s.feed.Margins(ctx, request)
			answers <- answer{page, err}
		}()
		s.after(100 * time.Millisecond)
		overtake()
		switch a := <-answers; {
		case a.err == nil:
			pages++
		case !errors.Is(a.err, context.Canceled):
			failures = append(failures, a.err)
		}
	}
	return pages, failures
}

// politely asserts that in no minute since a time there were more than six tries to connect.
func (s *trial) politely(since time.Time) {
	s.t.Helper()
	dials := slices.DeleteFunc(s.dials(), func(at time.Time) bool { return !at.After(since) })
	for i, at := range dials {
		if i >= 6 && at.Sub(dials[i-6]) < time.Minute {
			s.t.Fatalf("seven tries to connect within %s: %v", at.Sub(dials[i-6]), dials[:i+1])
		}
	}
}

// TestPageKeysAtAServiceThatFails: whatever way it fails, they dial no more often than streams may, what is wrong is
// told at once, and once the service is well all is as before.
func TestPageKeysAtAServiceThatFails(t *testing.T) {
	for _, c := range []struct {
		name       string
		fail, mend func(*trial)
		words      string
	}{
		{"its host is gone", func(s *trial) { s.listener.Kill() }, func(s *trial) { s.listener.Revive() }, "connection refused: nothing listens there; next try in "},
		{"it takes no connections", func(s *trial) { s.takeConnections(false); s.feed.client.close() }, func(s *trial) { s.takeConnections(true) },
			"connection refused: nothing listens there; next try in "},
		{"it is silent", func(s *trial) { s.node.Silence() }, func(s *trial) { s.node.Speak() }, "no answer in time; next try in "},
		{"it answers 503", func(s *trial) {
			s.node.AnswerStreams(sim.Always, unavailable)
			s.node.Cut()
		}, func(s *trial) { s.node.AnswerStreams(0, sim.Answer{}) }, ""},
	} {
		for _, parties := range []string{"", "aa bb cc dd ee ff"} {
			playWith(t, sim.Config{}, unaudited, func(s *trial) {
				s.node.Put(held("aa", "b", 1))
				s.watch(parties, "")
				scope := model.Scope{Parties: ids(parties)}
				s.levels(rand.New(rand.NewPCG(1, 1)), 5, false, "aa", "bb")
				s.after(time.Minute)
				if pages, failures := s.pressing(10*time.Second, scope); pages != 100 {
					t.Fatalf("%s, before: %d pages and %v", c.name, pages, failures)
				}
				c.fail(s)
				began := time.Now()
				s.settle()
				pages, failures := s.pressing(2*time.Minute, scope)
				s.politely(began)
				told := slices.ContainsFunc(failures, func(err error) bool { return strings.HasPrefix(err.Error(), c.words) })
				if c.words == "" && pages != 1200 || c.words != "" && (!told || pages > 1) {
					t.Errorf("%s: %d pages and %d failures, the last %v", c.name, pages, len(failures), failures[max(0, len(failures)-1):])
				}
				c.mend(s)
				s.after(40 * time.Second)
				s.well()
				if pages, failures := s.pressing(10*time.Second, scope); pages != 100 {
					t.Errorf("%s, afterwards: %d pages and %v", c.name, pages, failures)
				}
			})
		}
	}
}

// TestPageKeysDoNotHoldUpStreams: a service that is back is found as soon as if nobody had pressed a key.
func TestPageKeysDoNotHoldUpStreams(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.watch("", "")
		s.after(time.Minute)
		s.page(model.PageRequest{Size: 3})
		s.listener.Kill()
		s.pressing(12*time.Second, model.Scope{})
		s.listener.Revive()
		s.after(25 * time.Second)
		s.well()
	})
}

// TestPagesAndStreamsShareTheDials: pages may find out first that nobody listens any longer, and they leave half of the
// dials to the streams; from these they hear that the service is back.
func TestPagesAndStreamsShareTheDials(t *testing.T) {
	for back, pressed := range map[time.Duration]time.Duration{time.Hour: 59 * time.Second, 5 * time.Minute: 5 * time.Second, 0: 3 * time.Second} {
		playWith(t, sim.Config{}, unaudited, func(s *trial) {
			s.watch("", "")
			s.after(2 * time.Minute)
			s.takeConnections(false)
			s.feed.client.close()
			began, before := time.Now(), len(s.dials())
			s.pressing(pressed, model.Scope{})
			if got := len(s.dials()) - before; got < pagesPerMinute || got >= dialsPerMinute { // with those that ask whether it is there
				t.Errorf("%d dials for pages in %s", got, pressed)
			}
			s.node.Cut()
			s.settle()
			s.pressing(min(back, 5*time.Minute), model.Scope{})
			s.politely(began)
			s.takeConnections(true)
			for s.link().Phase != model.Live {
				s.after(100 * time.Millisecond)
			}
			if back > 0 { // there may be no dial left in this minute until the service has proved itself
				s.after(3 * time.Second)
			}
			s.page(model.PageRequest{Size: 3})
		})
	}
}

// TestPageKeysAtASlowService are answered as soon as it answers anything, however fast they come.
func TestPageKeysAtASlowService(t *testing.T) {
	playBefore(t, func(node http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == marginPath {
				time.Sleep(time.Second)
			}
			node.ServeHTTP(w, r)
		})
	}, func(s *trial) {
		s.levels(rand.New(rand.NewPCG(1, 1)), 5, false, "aa")
		if pages, failures := s.pressing(time.Minute, model.Scope{}); pages > 0 || len(failures) > 0 {
			t.Errorf("%d pages, and %v", pages, failures)
		}
		began := time.Now()
		s.page(model.PageRequest{Size: 3})
		if took := time.Since(began); took > 1100*time.Millisecond {
			t.Errorf("the page came after %s", took)
		}
	})
}

// TestManyListsAreAskedForByOneWhereNobodyKnowsWhetherTheServiceIsThere, and all at once where it is.
func TestManyListsAreAskedForByOneWhereNobodyKnowsWhetherTheServiceIsThere(t *testing.T) {
	scope := model.Scope{Parties: ids("aa")}
	for i := range 40 {
		scope.Parties = append(scope.Parties, model.MakeID(fmt.Sprintf("%04x", i)))
	}
	play(t, func(s *trial) {
		s.takeConnections(false)
		if _, err := s.feed.Margins(s.t.Context(), model.PageRequest{Scope: scope, Size: 3}); err == nil || !strings.HasPrefix(err.Error(), "connection refused") {
			t.Errorf("the error is %v", err)
		}
		if got := len(s.dials()); got != 1 {
			t.Errorf("%d dials", got)
		}
	})
	playBefore(t, func(node http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(100 * time.Millisecond)
			node.ServeHTTP(w, r)
		})
	}, func(s *trial) {
		s.levels(rand.New(rand.NewPCG(1, 1)), 5, false, "aa")
		began := time.Now()
		s.page(model.PageRequest{Scope: scope, Size: 3})
		if took := time.Since(began); took > 800*time.Millisecond {
			t.Errorf("41 lists took %s", took)
		}
	})
}

// TestAWalkWaitsForAServiceThatIsGone, and tries it no more often than a stream does.
func TestAWalkWaitsForAServiceThatIsGone(t *testing.T) {
	play(t, func(s *trial) {
		s.levels(rand.New(rand.NewPCG(1, 1)), 9, false, "aa")
		s.listener.Kill()
		began := time.Now()
		var rows []model.MarginLevels
		var err error
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			rows, _, err = s.feed.WalkMargins(s.t.Context(), model.PageRequest{Size: 4}, 0)
		}()
		s.after(10 * time.Minute)
		s.politely(began)
		if tries := len(s.dials()); tries < 25 {
			t.Errorf("%d tries in ten minutes", tries)
		}
		s.listener.Revive()
		s.after(20 * time.Second)
		<-ended
		if err != nil || len(rows) != 9 {
			t.Errorf("%d rows, %v", len(rows), err)
		}
		s.listener.Kill()
		ctx, cancel := context.WithTimeout(s.t.Context(), 15*time.Second)
		defer cancel()
		_, _, err = s.feed.WalkMargins(ctx, model.PageRequest{Size: 4}, 0)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.HasSuffix(err.Error(), "connection refused: nothing listens there") {
			t.Errorf("the error is %v", err)
		}
	})
}

// TestAPageThatDoesNotComeIsInTheLog, in one line.
func TestAPageThatDoesNotComeIsInTheLog(t *testing.T) {
	var log bytes.Buffer
	playWith(t, sim.Config{}, Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}, func(s *trial) {
		s.node.AnswerMargins(1, sim.Answer{Status: 429, Body: "slow down", Header: http.Header{"Retry-After": {"60"}}})
		for range 3 { // the service is asked once
			_, _ = s.feed.Margins(context.Background(), model.PageRequest{Size: 3})
			s.after(time.Second)
		}
		if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "margin levels: the service answered 429: slow down") {
			t.Errorf("the log says %q", got)
		}
	})
}

// TestANodeThatLagsIsInTheLog once when it falls behind, and once when it has caught up.
func TestANodeThatLagsIsInTheLog(t *testing.T) {
	var log bytes.Buffer
	playWith(t, sim.Config{}, Config{Logger: slog.New(slog.NewTextHandler(&log, nil))}, func(s *trial) {
		for _, lag := range []time.Duration{0, time.Second, time.Minute, time.Minute, time.Second, 0} {
			s.node.Lag(lag)
			s.page(model.PageRequest{Size: 3})
		}
		want := regexp.MustCompile(`^\S+ level=WARN msg="the node is behind: its last block was 1m0s old" block=\d+ address=\S+\n` +
			`\S+ level=INFO msg="the node is no longer behind" block=\d+ address=\S+\n$`)
		if got := log.String(); !want.MatchString(got) {
			t.Errorf("the log says %q", got)
		}
	})
}

// TestTheProbeSeesThatANodeLags where nobody turns pages.
func TestTheProbeSeesThatANodeLags(t *testing.T) {
	var log bytes.Buffer
	quiet := unaudited
	quiet.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	playWith(t, sim.Config{}, quiet, func(s *trial) {
		s.node.Lag(time.Minute)
		s.watch("network", "")
		s.after(30 * time.Second)
		if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "the node is behind") {
			t.Errorf("the log says %q", got)
		}
	})
}
