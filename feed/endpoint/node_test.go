package endpoint

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"blotter/feed/wire"
	"blotter/model"
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

// TestEachResponseSpeaksOfItsOwnNode: what a page says about its node is not what a stream says about its own.
func TestEachResponseSpeaksOfItsOwnNode(t *testing.T) {
	play(t, Config{}, func(s *scene) {
		page := func() Node {
			page, err := s.pool.Page(s.Context(), UserPage, PageQuery{Size: 1})
			if err != nil {
				s.Fatal(err)
			}
			return page.Node
		}
		s.node.NameBlocksOnStreams(true)
		for _, lag := range []time.Duration{0, time.Second, time.Minute} {
			s.node.Lag(lag)
			want := time.Duration(0)
			if lag == time.Minute {
				want = lag
			}
			stream := openStream(s)
			if node := stream.Node(); node.Lag != want || time.Since(node.Block.Time) != lag || !node.At.Equal(time.Now()) {
				t.Errorf("a stream with a lag of %s: %+v", lag, node)
			}
			if node := page(); node.Lag != want {
				t.Errorf("a page with a lag of %s: %+v", lag, node)
			}
			s.node.Lag(0)
			page()
			if node := stream.Node(); node.Lag != want {
				t.Errorf("after the page of a current node the stream has %+v", node)
			}
			stream.Close()
			stream.lease.Release(nil)
			time.Sleep(10 * time.Second)
		}
		if block, at := s.pool.NewestBlock(oneTest); time.Since(block.Time) != 10*time.Second || !at.Equal(block.Time) {
			t.Errorf("the newest block is %+v of %s", block, at)
		}
	})
}

// TestANewerBlockOfTheAddressShowsALag, whatever the clocks are: the responses have no Date.
func TestANewerBlockOfTheAddressShowsALag(t *testing.T) {
	lag := time.Duration(0)
	header := func() http.Header {
		block := time.Now().Add(time.Hour - lag)
		return http.Header{"Date": nil, "X-Block-Height": {strconv.FormatInt(block.Unix(), 10)}, "X-Block-Timestamp": {strconv.FormatInt(block.UnixNano(), 10)}}
	}
	playBefore(t, []http.Handler{respondingWith(header)}, Config{}, func(s *scene) {
		for _, lag = range []time.Duration{0, time.Minute, 20 * time.Second} {
			want := lag
			if lag < 30*time.Second {
				want = 0
			}
			stream := openStream(s)
			if node := stream.Node(); node.Lag != want {
				t.Errorf("with a lag of %s: %+v", lag, node)
			}
			stream.Close()
			stream.lease.Release(nil)
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
		if node := stream.Node(); node.Block.Height != 7 || node.Lag != 0 {
			t.Errorf("%+v", node)
		}
	})
}

// TestABlockHasAHeightAndATime: one of them alone is no block.
func TestABlockHasAHeightAndATime(t *testing.T) {
	for _, header := range []http.Header{{"X-Block-Height": {"7"}}, {"X-Block-Timestamp": {"1000000000"}}, {"X-Block-Height": {"7"}, "X-Block-Timestamp": {"soon"}}} {
		if block := blockOf(header); block != (model.Block{}) {
			t.Errorf("%v: %+v", header, block)
		}
	}
}

// TestAllBlocksAreOld only if five responses in two minutes have named one that is older than a minute, and none a
// newer one.
func TestAllBlocksAreOld(t *testing.T) {
	began := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	type response struct{ second, age int }
	many := make([]response, 500)
	for i := range many {
		many[i] = response{i / 5, 90}
	}
	for name, c := range map[string]struct {
		responses []response
		at        int // second
		want      int // the age of the newest block at the last response that had it; 0 if not all are old
	}{
		"none":                    {nil, 0, 0},
		"four":                    {[]response{{0, 90}, {10, 90}, {20, 90}, {30, 90}}, 30, 0},
		"five":                    {[]response{{0, 90}, {10, 90}, {20, 90}, {30, 90}, {40, 90}}, 40, 90},
		"they age":                {[]response{{0, 90}, {10, 100}, {20, 110}, {30, 120}, {40, 130}}, 40, 130},
		"not in two minutes":      {[]response{{0, 90}, {40, 90}, {80, 90}, {120, 90}, {160, 90}}, 160, 0},
		"a current one, at last":  {[]response{{0, 90}, {10, 90}, {20, 90}, {30, 90}, {40, 90}, {50, 5}}, 50, 0},
		"a current one, before":   {[]response{{0, 5}, {10, 90}, {20, 90}, {30, 90}, {40, 90}, {50, 90}}, 50, 0},
		"a current one, long ago": {[]response{{0, 5}, {81, 90}, {91, 90}, {101, 90}, {111, 90}, {121, 90}}, 121, 90},
		"nothing since":           {[]response{{0, 90}, {10, 90}, {20, 90}, {30, 90}, {40, 90}}, 130, 0},
		"very many":               {many, 100, 90},
	} {
		var ages blockAges
		for _, r := range c.responses {
			at := began.Add(time.Duration(r.second) * time.Second)
			age := time.Duration(r.age) * time.Second
			ages.add(Node{Block: model.Block{Height: 1, Time: at.Add(-age)}, At: at}, age)
		}
		var want time.Time
		if c.want > 0 {
			want = began.Add(time.Duration(c.responses[len(c.responses)-1].second-c.want) * time.Second)
		}
		if got := ages.newest(began.Add(time.Duration(c.at) * time.Second)); !got.Equal(want) {
			t.Errorf("%s: the newest block is of %s, want %s", name, got, want)
		}
		if len(ages.old) > oldKept {
			t.Errorf("%s: %d are kept", name, len(ages.old))
		}
	}
}
