package endpoint

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
	"blotter/feed/wire"
	"blotter/model"
)

// openStream acquires a lease and opens a stream with it. An error fails the test.
func openStream(s *scene) *Stream {
	s.Helper()
	lease, err := s.pool.Acquire(s.Context(), nil, nil, nil)
	if err != nil {
		s.Fatal(err)
	}
	stream, err := lease.Open(s.Context(), model.Key{})
	if err != nil {
		s.Fatal(err)
	}
	return stream
}

func TestStream(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.node.Put(sim.Position{Party: "aa", Market: "bb", OpenVolume: 5}, sim.Position{Party: "zz", Market: "bb", OpenVolume: 7})
		lease, err := s.pool.Acquire(s.Context(), nil, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		stream, err := lease.Open(s.Context(), model.Key{Party: model.MakeID("aa")})
		if err != nil {
			t.Fatal(err)
		}
		var m wire.Message
		if err := stream.Next(&m); err != nil || !m.LastPage || len(m.Page) != 1 {
			t.Errorf("%v, %+v", err, m)
		}
		s.node.End()
		if err := stream.Next(&m); !errors.Is(err, io.EOF) || err.Error() != "the service ended the stream" || OutcomeOf(err) != NoResponse || AddressOf(err) != oneTest {
			t.Error(err)
		}
		lease.Release(io.EOF)
	})
}

// TestALongErrorOfAStreamHasItsWords: it has no rows, and is no message without content.
func TestALongErrorOfAStreamHasItsWords(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		details := strings.Repeat("x", contentlessAtOnce/bytesAround)
		s.node.SetStreamResponse(1, sim.Response{Status: 200, Body: `{"error":{"message":"bad day","details":[{"@type":"` + details + `"}]}}`})
		stream := openStream(s)
		defer stream.Close()
		var m wire.Message
		if err := stream.Next(&m); err != nil || m.Error != "bad day" {
			t.Errorf("%q, %v", m.Error, err)
		}
	})
}

// TestStreamsEnd with their context, by Close and with the pool, and no failure is counted.
func TestStreamsEnd(t *testing.T) {
	for name, end := range map[string]func(*scene, *Stream, context.CancelFunc){
		"context": func(_ *scene, _ *Stream, cancel context.CancelFunc) { cancel() },
		"close":   func(_ *scene, stream *Stream, _ context.CancelFunc) { stream.Close() },
		"pool":    func(s *scene, _ *Stream, _ context.CancelFunc) { s.pool.Close() },
	} {
		play(t, Config{}, func(s *scene) {
			ctx, cancel := context.WithCancel(s.Context())
			defer cancel()
			lease, _ := s.pool.Acquire(ctx, nil, nil, nil)
			stream, err := lease.Open(ctx, model.Key{})
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan error)
			go func() {
				var m wire.Message
				for {
					if err := stream.Next(&m); err != nil {
						ended <- err
						return
					}
				}
			}()
			synctest.Wait()
			end(s, stream, cancel)
			err = <-ended
			lease.Release(err)
			if OutcomeOf(err) != Cancelled || activeOf(s.pool).failures != 0 {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// TestOpeningEndsOnce: HTTP/2 may report that the request was written when the response has come already.
func TestOpeningEndsOnce(t *testing.T) {
	for _, early := range []bool{true, false} {
		p := newPool(t, Config{Service: Service{BaseURLs: []string{oneTest}}})
		late := make(chan func(), 1)
		p.client.streams.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
			wrote := func() { httptrace.ContextClientTrace(r.Context()).WroteRequest(httptrace.WroteRequestInfo{}) }
			if early {
				wrote()
			}
			late <- wrote
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(emptySnapshot)), Request: r}, nil
		})
		lease, _ := p.Acquire(t.Context(), nil, nil, nil)
		stream, err := lease.Open(t.Context(), model.Key{})
		if err != nil {
			t.Fatal(err)
		}
		(<-late)()
		if opening := p.addresses[0].opening; opening != 0 {
			t.Errorf("reported early %v: %d streams are being opened", early, opening)
		}
		stream.Close()
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestPartialSince(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.node.SetStreamResponse(1, openResponse(emptySnapshot))
		stream := openStream(s)
		defer stream.Close()
		messages := 0
		go func() {
			var m wire.Message
			for stream.Next(&m) == nil {
				messages++
			}
		}()
		s.after(time.Second)
		var since time.Time
		for _, c := range []struct {
			text     string
			begins   bool // a message
			half     bool
			messages int
		}{
			{"", false, false, 1},
			{"  \n\r\t ", false, false, 1},
			{`{"result":`, true, true, 1},
			{` `, false, true, 1},
			{`{"updates":{}`, false, true, 1},
			{"}}\n\n ", false, false, 2},
			{`{}{"res`, true, true, 3},
			{`ult":{}}   `, false, false, 4},
			{`{"result":{}}{"result":{}}`, false, false, 6},
		} {
			if c.text != "" {
				s.node.Raw([]byte(c.text))
			}
			s.after(time.Second)
			if c.begins {
				since = time.Now().Add(-time.Second)
			}
			want := since
			if !c.half {
				want = time.Time{}
			}
			if got := stream.PartialSince(); !got.Equal(want) || messages != c.messages {
				t.Errorf("after %q: half a message since %s, want %s; %d messages, want %d", c.text, got, want, messages, c.messages)
			}
		}
	})
}

// TestStreamsThatGetNoResponseDelayNoOthers: a service may send nothing before the first update. The connection and the
// request are all that is waited for.
func TestStreamsThatGetNoResponseDelayNoOthers(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.stream()
		s.after(time.Second)
		s.node.SetStreamResponse(sim.Always, sim.Response{})
		s.streams(3 * DialsAtOnce)
		s.after(time.Second)
		if got := s.requestsTo(wire.StreamPath); got != 1+3*DialsAtOnce {
			t.Errorf("%d streams were requested", got)
		}
		s.node.SetStreamResponse(0, sim.Response{})
		s.node.End()
	})
}

// TestIsClosed: what the service has sent is no end of the connection, although nothing follows it.
func TestIsClosed(t *testing.T) {
	for text, want := range map[string]bool{"": true, " ": true, `{"result":`: false, "{}}": false, "<html>": false} {
		play(t, Config{}, func(s *scene) {
			s.node.SetStreamResponse(1, sim.Response{Status: 200, Body: emptySnapshot + text})
			stream := openStream(s)
			defer stream.Close()
			var err error
			for m := new(wire.Message); err == nil; {
				err = stream.Next(m)
			}
			if got := stream.IsClosed(err); got != want {
				t.Errorf("%q, %v: closed %t", text, err, got)
			}
		})
	}
}
