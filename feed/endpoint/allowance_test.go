package endpoint

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
	"blotter/feed/wire"
	"blotter/model"
	"blotter/model/modeltest"
)

const contentlessText = "connection closed: the service sends much that has no content"

// frames are frames of HTTP/2 that carry nothing.
var frames = []struct {
	name      string
	frameType byte
	stream    uint32
	payload   string
}{
	{"PING", 6, 0, "12345678"},
	{"SETTINGS", 4, 0, ""},
	{"empty DATA", 0, 1, ""},
	{"WINDOW_UPDATE", 8, 0, "\x00\x00\x00\x01"},
	{"unknown", 0xee, 0, strings.Repeat("x", 1000)},
}

// TestFramesWithoutContentEndTheStream, as a failure of the address, when a service sends them without end.
func TestFramesWithoutContentEndTheStream(t *testing.T) {
	defer log.SetOutput(log.Writer())
	log.SetOutput(io.Discard) // Go writes a line for each unknown frame
	for _, frame := range frames {
		secured(t, Config{}, "one.test", func(s *scene) {
			lease, stream := s.stream()
			s.node.SetStreamResponse(sim.Always, sim.Response{Status: 503, Body: "down"})
			ended := make(chan error, 1)
			go func() { ended <- stream.Next(new(wire.Message)) }()
			const atOnce = 2000
			size, sent := 9+len(frame.payload), 0
			for s.connections.SendFrames(atOnce, frame.frameType, frame.stream, frame.payload) > 0 && sent < 20*contentlessAtOnce {
				sent += atOnce * size
				synctest.Wait()
			}
			if sent > 2*contentlessAtOnce {
				s.Fatalf("%s: after %d MB the stream goes on", frame.name, sent>>20)
			}
			err := <-ended
			if err == nil || err.Error() != contentlessText {
				s.Errorf("%s: the error is %v", frame.name, err)
			}
			lease.Release(err)
			if wait := s.waits(); wait.Cause == nil || wait.Cause.Error() != contentlessText {
				s.Errorf("%s: it is no failure of the address: %+v", frame.name, wait)
			}
		})
	}
}

// waits returns why the next stream has to wait.
func (s *scene) waits() (waited Wait) {
	ctx, cancel := context.WithTimeout(s.Context(), time.Millisecond)
	defer cancel()
	if lease, err := s.pool.Acquire(ctx, nil, nil, func(w Wait) { waited = w }); err == nil {
		lease.Release(nil)
	}
	return waited
}

// TestBodyWithoutContentEndsTheStream: gzip members, white space and messages without rows.
func TestBodyWithoutContentEndsTheStream(t *testing.T) {
	for name, test := range map[string]struct {
		text       string
		compressed bool
	}{
		"empty gzip members":            {strings.Repeat(member(""), 100), true},
		"white space":                   {strings.Repeat(" \n", 1000), false},
		"compressed white space":        {member(strings.Repeat(" ", 1<<20)), true},
		"updates without positions":     {strings.Repeat(`{"result":{"updates":{}}}`, 100), false},
		"empty snapshots":               {strings.Repeat(emptySnapshot, 100), false},
		"updates of nothing, with gzip": {member(strings.Repeat(`{"result":{"updates":{"positions":[]}}}`, 10_000)), true},
	} {
		t.Run(name, func(t *testing.T) {
			var sent atomic.Int64
			handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if test.compressed {
					w.Header().Set("Content-Encoding", "gzip")
				}
				for sent.Load() < 20*contentlessAtOnce {
					if _, err := io.WriteString(w, test.text); err != nil {
						return
					}
					sent.Add(int64(len(test.text)))
				}
			})
			playBefore(t, []http.Handler{handler}, Config{Service: Service{Compression: true}}, func(s *scene) {
				lease, err := s.pool.Acquire(s.Context(), nil, nil, nil)
				if err != nil {
					s.Fatal(err)
				}
				stream, err := lease.Open(s.Context(), model.Key{})
				if err != nil {
					s.Fatal(err)
				}
				var m wire.Message
				for err == nil {
					err = stream.Next(&m)
				}
				stream.Close()
				if err.Error() != contentlessText || sent.Load() > 2*contentlessAtOnce {
					s.Errorf("%s: after %d MB the error is %v", name, sent.Load()>>20, err)
				}
			})
		})
	}
}

// TestIdleConnectionForPagesHasALimit too, for all such connections of an address together: a new one begins with what
// the one before has left.
func TestIdleConnectionForPagesHasALimit(t *testing.T) {
	secured(t, Config{}, "one.test", func(s *scene) {
		seconds := modeltest.Times(120)
		const atOnce, size = 500, 9 + 8
		sent := 0
		for range seconds {
			_, _ = s.pool.Page(s.Context(), BackgroundPage, PageQuery{Size: 3})
			for range 100 {
				if s.connections.SendFrames(atOnce, 6, 0, "12345678") == 0 {
					break
				}
				sent += atOnce * size
				synctest.Wait()
			}
			s.after(time.Second)
		}
		if most := contentlessAtOnce + seconds*(contentlessMore/30+20<<10); sent > most {
			s.Errorf("in %d s it sent %d MB, more than %d", seconds, sent>>20, most>>20)
		}
	})
}

// TestPagesWaitAfterAnIdleConnectionWithoutContent was closed: that is a failure of the address, also if no request was
// under way.
func TestPagesWaitAfterAnIdleConnectionWithoutContent(t *testing.T) {
	defer log.SetOutput(log.Writer())
	log.SetOutput(io.Discard) // Go writes a line for each unknown frame
	secured(t, Config{}, "one.test", func(s *scene) {
		s.page()
		for s.connections.SendFrames(100, 0xee, 0, strings.Repeat("x", 10_000)) > 0 {
			synctest.Wait()
		}
		if postponement := postponed(t, s.pageError()); postponement.Known() != contentlessText || AddressOf(postponement.Cause) != "https://one.test" {
			s.Error(postponement)
		}
	})
}

// TestAPageWithoutContentLeavesNothingForTheNext: the limit is that of the address.
func TestAPageWithoutContentLeavesNothingForTheNext(t *testing.T) {
	var sent atomic.Int64
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for text := strings.Repeat(" ", 1000); ; {
			n, err := io.WriteString(w, text)
			if sent.Add(int64(n)); err != nil {
				return
			}
		}
	})
	playBefore(t, []http.Handler{handler}, Config{}, func(s *scene) {
		for range dialsPerMinute {
			s.pool.Retry()
			if err := s.pageError(); err.Error() != contentlessText {
				t.Error(err)
			}
			s.after(time.Millisecond)
		}
		if sent.Load() > contentlessAtOnce+1<<20 {
			t.Errorf("%d bytes of white space were sent", sent.Load())
		}
	})
}

// TestErrorsWithLongBodiesAreNoFailureOfTheConnection: only the beginning of each body is read.
func TestErrorsWithLongBodiesAreNoFailureOfTheConnection(t *testing.T) {
	secured(t, Config{}, "one.test", func(s *scene) {
		s.node.SetMarginResponse(sim.Always, sim.Response{Status: 400, Body: strings.Repeat("no ", streamWindow)})
		for n := range 40 {
			if err := s.pageError(); OutcomeOf(err) != BadRequest {
				s.Fatalf("request %d: %v", n, err)
			}
			s.pool.Retry()
		}
	})
}

// TestWhiteSpaceKeepsAStreamOpen: a proxy or a service may send some each minute.
func TestWhiteSpaceKeepsAStreamOpen(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.node.SetStreamResponse(1, openResponse(emptySnapshot))
		stream := openStream(s)
		defer stream.Close()
		ended := make(chan error, 1)
		go func() {
			var err error
			for m := new(wire.Message); err == nil; {
				err = stream.Next(m)
			}
			ended <- err
		}()
		for range contentlessAtOnce / (20 << 10) {
			s.node.Raw([]byte(strings.Repeat(" ", 20<<10)))
			s.after(time.Minute)
		}
		select {
		case err := <-ended:
			s.Error(err)
		default:
		}
	})
}

// TestSmallPiecesOfContentAreRead: each byte of the messages comes in a chunk of its own. A long silence and the pings
// of a quiet connection are no failure.
func TestSmallPiecesOfContentAreRead(t *testing.T) {
	const messages = 20_000
	update := `{"result":{"updates":{"positions":[{"marketId":"b1","partyId":"a1","openVolume":"1"}]}}}`
	handler := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		flush := http.NewResponseController(w).Flush
		for range messages {
			for i := range len(update) {
				_, _ = io.WriteString(w, update[i:i+1])
				_ = flush()
			}
		}
	})
	playBefore(t, []http.Handler{handler}, Config{}, func(s *scene) {
		lease, err := s.pool.Acquire(s.Context(), nil, nil, nil)
		if err != nil {
			s.Fatal(err)
		}
		stream, err := lease.Open(s.Context(), model.Key{})
		if err != nil {
			s.Fatal(err)
		}
		defer stream.Close()
		for i := range messages {
			if err := stream.Next(new(wire.Message)); err != nil {
				s.Fatal(fmt.Sprint("message ", i), err)
			}
		}
	})
	secured(t, Config{}, "one.test", func(s *scene) {
		_, stream := s.stream()
		defer stream.Close()
		ended := make(chan error, 1)
		go func() { ended <- stream.Next(new(wire.Message)) }()
		for range 24 * 60 {
			s.after(time.Minute)
			s.connections.SendFrames(60, 6, 0, "12345678") // one a second
		}
		select {
		case err := <-ended:
			s.Errorf("a quiet stream ended: %v", err)
		default:
		}
		s.node.Cut()
		<-ended
	})
}
