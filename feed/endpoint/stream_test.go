package endpoint

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptrace"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
	"blotter/feed/wire"
	"blotter/model"
)

// open opens a stream on a lease, and ends the test where that fails.
func openStream(s *scene) *Stream {
	s.Helper()
	lease, err := s.pool.Acquire(s.Context(), nil, nil)
	if err != nil {
		s.Fatal(err)
	}
	stream, err := lease.Open(s.Context(), model.Key{}, nil)
	if err != nil {
		s.Fatal(err)
	}
	return stream
}

func TestStream(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.node.Put(sim.Position{Party: "aa", Market: "bb", OpenVolume: 5}, sim.Position{Party: "zz", Market: "bb", OpenVolume: 7})
		lease, err := s.pool.Acquire(s.Context(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		connected := 0
		stream, err := lease.Open(s.Context(), model.Key{Party: model.MakeID("aa")}, func() { connected++ })
		if err != nil || connected != 1 {
			t.Fatalf("%v, connected %d times", err, connected)
		}
		var m wire.Message
		if err := stream.Next(&m); err != nil || !m.LastPage || len(m.Page) != 1 {
			t.Errorf("%v, %+v", err, m)
		}
		s.node.End()
		if err := stream.Next(&m); !errors.Is(err, io.EOF) || err.Error() != "the service ended the stream" || OutcomeOf(err) != NoAnswer || AddressOf(err) != oneTest {
			t.Error(err)
		}
		lease.Release(io.EOF)
	})
}

// TestStreamsEnd with their context, by Close and with the pool, and nobody is blamed.
func TestStreamsEnd(t *testing.T) {
	for name, end := range map[string]func(*scene, *Stream, context.CancelFunc){
		"context": func(_ *scene, _ *Stream, cancel context.CancelFunc) { cancel() },
		"close":   func(_ *scene, stream *Stream, _ context.CancelFunc) { stream.Close() },
		"pool":    func(s *scene, _ *Stream, _ context.CancelFunc) { s.pool.Close() },
	} {
		play(t, Config{}, func(s *scene) {
			ctx, cancel := context.WithCancel(s.Context())
			defer cancel()
			lease, _ := s.pool.Acquire(ctx, nil, nil)
			stream, err := lease.Open(ctx, model.Key{}, nil)
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
			if OutcomeOf(err) != Cancelled || s.pool.addresses[0].active.failures != 0 {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// TestConnectedIsNeverLate: HTTP/2 may report that the request was written when the answer is there already.
func TestConnectedIsNeverLate(t *testing.T) {
	for _, early := range []bool{true, false} {
		p := newPool(t, Config{BaseURLs: []string{oneTest}})
		late := make(chan func(), 1)
		p.client.streams.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
			wrote := func() { httptrace.ContextClientTrace(r.Context()).WroteRequest(httptrace.WroteRequestInfo{}) }
			if early {
				wrote()
			}
			late <- wrote
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(emptySnapshot)), Request: r}, nil
		})
		lease, _ := p.Acquire(t.Context(), nil, nil)
		connected := 0
		stream, err := lease.Open(t.Context(), model.Key{}, func() { connected++ })
		if err != nil {
			t.Fatal(err)
		}
		(<-late)()
		if want := map[bool]int{true: 1, false: 0}[early]; connected != want {
			t.Errorf("connected is reported %d times, want %d", connected, want)
		}
		stream.Close()
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestPartialSince(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.node.AnswerStreams(1, saying(emptySnapshot))
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

// telling is a service that answers with these headers.
func telling(header func() http.Header) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, values := range header() {
			w.Header()[name] = values
		}
		if r.URL.Path == wire.MarginPath {
			_, _ = w.Write([]byte(`{"marginLevels":{}}`))
			return
		}
		_, _ = w.Write([]byte(emptySnapshot))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
}

func TestClockOffset(t *testing.T) {
	for _, c := range []struct {
		date []string
		want time.Duration
		ok   bool
	}{{nil, 0, false}, {[]string{"soon"}, 0, false}, {[]string{"Sat, 01 Jan 2000 00:05:00 GMT"}, 5 * time.Minute, true}} {
		playBefore(t, []http.Handler{telling(func() http.Header { return http.Header{"Date": c.date} })}, Config{}, func(s *scene) {
			stream := openStream(s)
			defer stream.Close()
			if got, ok := stream.ClockOffset(); got != c.want || ok != c.ok {
				t.Errorf("%s: %s, %t", c.date, got, ok)
			}
		})
	}
}

// TestNode: what the headers of any answer say about the node is told, once where it falls behind and once where it has
// caught up.
func TestNode(t *testing.T) {
	var log bytes.Buffer
	var told []string
	config := Config{Logger: slog.New(slog.NewTextHandler(&log, nil)), OnNode: func(address string) { told = append(told, address) }}
	play(t, config, func(s *scene) {
		for i, lag := range []time.Duration{0, time.Second, time.Minute, time.Minute, time.Second, 0} {
			s.node.Lag(lag)
			s.page()
			if block, at := s.pool.Node(oneTest); block.Height == 0 || !at.Equal(time.Now()) {
				t.Errorf("%+v at %s", block, at)
			}
			if got := s.pool.Lag(oneTest); (got > 0) != (lag == time.Minute) {
				t.Errorf("%d: it lags %s, want %s", i, got, lag)
			}
		}
		want := regexp.MustCompile(`^\S+ level=WARN msg="the node is behind: its last block was 1m0s old" block=\d+ address=\S+\n` +
			`\S+ level=INFO msg="the node is no longer behind" block=\d+ address=\S+\n$`)
		if got := log.String(); !want.MatchString(got) || len(told) != 2 || told[0] != oneTest {
			t.Errorf("the log says %q, told %q", got, told)
		}
		s.node.Lag(time.Minute)
		if _, err := s.pool.Verify(s.Context(), oneTest, time.Now()); err != nil || s.pool.Lag(oneTest) == 0 {
			t.Error("a probe does not see that the node lags")
		}
	})
}

// TestAWrongClockIsNoLag: ours is an hour ahead, and so everything that the service says is an hour old.
func TestAWrongClockIsNoLag(t *testing.T) {
	now := func() time.Time { return time.Now().Add(-time.Hour).UTC() }
	header := func() http.Header {
		return http.Header{"Date": {now().Format(http.TimeFormat)}, "X-Block-Height": {"7"}, "X-Block-Timestamp": {strconv.FormatInt(now().UnixNano(), 10)}}
	}
	playBefore(t, []http.Handler{telling(header)}, Config{}, func(s *scene) {
		stream := openStream(s)
		defer stream.Close()
		if block, _ := s.pool.Node(oneTest); block.Height != 7 || s.pool.Lag(oneTest) != 0 {
			t.Errorf("%+v, it lags %s", block, s.pool.Lag(oneTest))
		}
	})
}

// member is a gzip member of its own.
func member(text string) string {
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	_, _ = zip.Write([]byte(text))
	_ = zip.Close()
	return b.String()
}

// flushed are texts in one gzip member, each flushed.
func flushed(texts ...string) []string {
	var b bytes.Buffer
	var pieces []string
	zip := gzip.NewWriter(&b)
	for _, text := range texts {
		_, _ = zip.Write([]byte(text))
		_ = zip.Flush()
		pieces = append(pieces, b.String())
		b.Reset()
	}
	return pieces
}

// TestGzipMessagesShowAtOnce: each message is handed on before any byte of the next one has come.
func TestGzipMessagesShowAtOnce(t *testing.T) {
	for name, pieces := range map[string][]string{
		"each a member":         {member(emptySnapshot), member("{}\n"), member("{}")},
		"flushed":               flushed(emptySnapshot, "{}\n", "{}\n"),
		"with an empty member":  {member(emptySnapshot), member("") + member("{}"), member("{}")},
		"flushed, then members": {flushed(emptySnapshot)[0], flushed(emptySnapshot, "{}")[1] + "\x01\x00\x00\xff\xff" + trailerOf(emptySnapshot+"{}"), member("{}")},
	} {
		said := make(chan string)
		handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Accept-Encoding") != "gzip" {
				t.Error("gzip is not asked for")
			}
			w.Header().Set("Content-Encoding", "gzip")
			for text := range said {
				_, _ = io.WriteString(w, text)
				_ = http.NewResponseController(w).Flush()
			}
		})
		playBefore(t, []http.Handler{handler}, Config{Compression: true}, func(s *scene) {
			said = make(chan string)
			go func() { said <- pieces[0] }()
			stream := openStream(s)
			defer stream.Close()
			messages := 0
			ended := make(chan error, 1)
			go func() {
				var m wire.Message
				for {
					if err := stream.Next(&m); err != nil {
						ended <- err
						return
					}
					messages++
				}
			}()
			for i := range pieces {
				if i > 0 {
					said <- pieces[i]
				}
				synctest.Wait()
				if messages != i+1 {
					t.Errorf("%s: %d messages are there after %d were sent", name, messages, i+1)
				}
			}
			close(said)
			if err := <-ended; name != "flushed" && !errors.Is(err, io.EOF) || name == "flushed" && err == nil {
				t.Errorf("%s: it ends with %v", name, err)
			}
		})
	}
}

// trailerOf is the end of the gzip member of a text.
func trailerOf(text string) string {
	whole := member(text)
	return whole[len(whole)-8:]
}

// TestGzip: it is asked for where it is configured, and pages and errors are read as well.
func TestGzip(t *testing.T) {
	for _, compression := range []bool{false, true} {
		play(t, Config{Compression: compression}, func(s *scene) {
			s.node.Put(sim.Position{Party: "aa", Market: "bb", OpenVolume: 5})
			_, stream := s.stream()
			defer stream.Close()
			s.page()
			if got := s.node.Requests()[0].Header.Get("Accept-Encoding") == "gzip"; got != compression {
				t.Errorf("gzip is asked for: %t, want %t", got, compression)
			}
		})
	}
	refusing := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, member(`{"message":"no such party"}`))
	})
	playBefore(t, []http.Handler{refusing}, Config{Compression: true}, func(s *scene) {
		if err := s.pageError(); err.Error() != "the service answered 400: no such party" {
			t.Error(err)
		}
	})
}

// TestEncodingThatWasNotAskedFor is refused, rather than read as nonsense.
func TestEncodingThatWasNotAskedFor(t *testing.T) {
	for encoding, compression := range map[string]bool{"gzip": false, "br": true} {
		handler := telling(func() http.Header { return http.Header{"Content-Encoding": {encoding}} })
		playBefore(t, []http.Handler{handler}, Config{Compression: compression}, func(s *scene) {
			if err := s.pageError(); !strings.Contains(err.Error(), `encoded as "`+encoding+`", which was not asked for`) {
				t.Error(err)
			}
		})
	}
}

// TestManyHealQuickly: what a trader waits for after an outage, with the dials of an address that fails.
func TestManyHealQuickly(t *testing.T) {
	for _, c := range []struct{ outage, within time.Duration }{
		{time.Second, 4 * time.Second}, {5 * time.Second, 20 * time.Second}, {10 * time.Minute, 24 * time.Second},
	} {
		play(t, Config{}, func(s *scene) {
			s.streams(50)
			s.after(time.Hour)
			s.listener.Kill()
			killed := time.Now()
			s.after(c.outage)
			s.politely(killed)
			if s.open() != 0 {
				t.Fatal("streams stand in an outage")
			}
			s.listener.Revive()
			s.after(c.within)
			if s.open() != 50 {
				t.Errorf("%d of 50 streams are back %s after an outage of %s", s.open(), c.within, c.outage)
			}
		})
	}
}

// TestConnectThenDrop has every connection break as soon as it stands, for long.
func TestConnectThenDrop(t *testing.T) {
	for name, how := range map[string]sim.Answer{
		"before a byte":             {Status: 200, Cut: true},
		"after a snapshot":          {Status: 200, Body: emptySnapshot, Cut: true},
		"after a snapshot, cleanly": {Status: 200, Body: emptySnapshot},
		"with an error":             {Status: 500, Body: `{"error":{"code":13}}`},
		"refused":                   {Status: 404},
		"bad credentials":           {Status: 401},
	} {
		for _, n := range []int{1, 50} {
			play(t, Config{}, func(s *scene) {
				began := time.Now()
				s.node.AnswerStreams(sim.Always, how)
				s.streams(n)
				s.after(20 * time.Minute)
				s.politely(began)
				dials := s.dials()
				for i := max(1, len(dials)-5); i < len(dials); i++ {
					if gap := dials[i].Sub(dials[i-1]); gap < DefaultTimes().MaxBackoff/2 {
						t.Errorf("%s: a retry came after %s: the backoff was reset", name, gap)
					}
				}
				s.node.AnswerStreams(0, sim.Answer{})
				s.pool.Retry()
				s.after(2 * time.Minute)
				if s.open() != int64(n) {
					t.Errorf("%s: %d of %d streams two minutes after the service is well", name, s.open(), n)
				}
			})
		}
	}
}

// TestDropsAfterAWhile has every stream of many break when it has stayed for some seconds. They must not all
// come back each time.
func TestDropsAfterAWhile(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		s.streams(50)
		for range 300 {
			s.after(3 * time.Second)
			s.node.Cut()
		}
		late := 0
		for _, at := range s.dials() {
			if time.Since(at) <= 10*time.Minute {
				late++
			}
		}
		if late > 60 {
			t.Errorf("%d tries to connect in the last ten minutes, want no more than six a minute", late)
		}
	})
}
