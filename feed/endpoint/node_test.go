package endpoint

import (
	"blotter/feed/wire"
	"bytes"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"testing"
	"time"
)

// respondingWith returns a service that responds with these headers.
func respondingWith(header func() http.Header) http.Handler {
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

// TestNode: the block headers of every response count. It is reported once that the node is behind, and once that it is
// no longer.
func TestNode(t *testing.T) {
	var log bytes.Buffer
	var reported []string
	config := Config{Logger: slog.New(slog.NewTextHandler(&log, nil)), OnNode: func(address string) { reported = append(reported, address) }}
	play(t, config, func(s *scene) {
		for i, lag := range []time.Duration{0, time.Second, time.Minute, time.Minute, time.Second, 0} {
			s.node.Lag(lag)
			s.page()
			if block, at := s.pool.Node(oneTest); block.Height == 0 || !at.Equal(time.Now()) {
				t.Errorf("%+v at %s", block, at)
			}
			if got := s.pool.Lag(oneTest); (got > 0) != (lag == time.Minute) {
				t.Errorf("%d: the lag is %s, want %s", i, got, lag)
			}
		}
		want := regexp.MustCompile(`^\S+ level=WARN msg="the node is behind: its last block was 1m0s old" block=\d+ address=\S+\n` +
			`\S+ level=INFO msg="the node is no longer behind" block=\d+ address=\S+\n$`)
		if got := log.String(); !want.MatchString(got) || len(reported) != 2 || reported[0] != oneTest {
			t.Errorf("the log has %q, reported %q", got, reported)
		}
		s.node.Lag(time.Minute)
		if _, err := s.pool.Verify(s.Context(), oneTest, time.Now()); err != nil || s.pool.Lag(oneTest) == 0 {
			t.Error("the response to a probe does not change the lag")
		}
	})
}

// TestAWrongClockIsNoLag: the clock of this machine is an hour ahead, so all times of the service are an hour old.
func TestAWrongClockIsNoLag(t *testing.T) {
	now := func() time.Time { return time.Now().Add(-time.Hour).UTC() }
	header := func() http.Header {
		return http.Header{"Date": {now().Format(http.TimeFormat)}, "X-Block-Height": {"7"}, "X-Block-Timestamp": {strconv.FormatInt(now().UnixNano(), 10)}}
	}
	playBefore(t, []http.Handler{respondingWith(header)}, Config{}, func(s *scene) {
		stream := openStream(s)
		defer stream.Close()
		if block, _ := s.pool.Node(oneTest); block.Height != 7 || s.pool.Lag(oneTest) != 0 {
			t.Errorf("%+v, the lag is %s", block, s.pool.Lag(oneTest))
		}
	})
}
