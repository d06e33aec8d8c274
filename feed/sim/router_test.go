package sim_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
)

func TestANodeHangsWithOpenConnections(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		one, two := position(alice, gold, 1), position(alice, gold, 2)
		s.Put(one)
		s.PutMargins(record(0, 0))
		s.StartReplicas(0, 0)
		current := s.stream("")
		want(t, "the first node", current.lines(), snapshot(one))
		other := s.stream("")
		want(t, "the second node", other.lines(), snapshot(one))
		s.HangReplica(1)
		s.Update(two)
		want(t, "the first node", current.lines(), updates(two))
		want(t, "the node that hangs", other.lines(), "")
		s.Route([]int{1}, []int{1})
		late, page := s.send(streams), s.send(margins)
		time.Sleep(time.Minute)
		want(t, "a stream of the node that hangs", late.read(), "")
		want(t, "a page of the node that hangs", page.read(), "")
		s.StopReplicas()
		want(t, "its stream, afterwards", other.lines(), updates(two))
		if text := late.read() + page.read(); strings.Count(text, "200 OK") != 2 {
			t.Errorf("afterwards: %q", text)
		}
	})
}

func TestANodeWithoutOldData(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		one, two, other := position(alice, gold, 1), position(alice, gold, 2), position(bruno, rust, 3)
		s.Put(one, other)
		s.PutMargins(record(0, 0))
		s.StartReplicas(0, 0)
		s.EmptyReplica(1)
		s.Route([]int{1}, []int{1})
		stream := s.stream("")
		want(t, "a stream", stream.lines(), empty)
		want(t, "margin levels", s.page().String(), "")
		s.Update(two)
		s.PutMargins(record(1, 1))
		want(t, "what changes", stream.lines(), updates(two))
		want(t, "a new stream", s.stream("").lines(), snapshot(two))
		want(t, "margin levels that changed", s.page().String(), " 01")
		s.StopReplicas()
		s.Update(other)
		want(t, "once it is correct", stream.lines(), updates(other))
		want(t, "a new stream then", s.stream("?partyId="+alice).lines(), snapshot(two))
	})
}

// TestAConnectionReachesOneNode with all of its requests, and others reach other nodes.
func TestAConnectionReachesOneNode(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		s.PutMargins(record(0, 0))
		s.StartReplicas(0, time.Minute, time.Hour)
		s.RouteConnections(1)
		time.Sleep(2 * time.Hour)
		reached := map[string]int{}
		for range 20 {
			transport := &http.Transport{DialContext: s.DialContext}
			client, first := &http.Client{Transport: transport}, ""
			for range 5 {
				response, err := client.Get("http://sim" + margins)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, response.Body)
				_ = response.Body.Close()
				block := response.Header.Get("X-Block-Timestamp")
				if first == "" {
					first = block
				}
				want(t, "the node of a connection", block, first)
			}
			reached[first]++
			transport.CloseIdleConnections()
		}
		if len(reached) != 3 {
			t.Errorf("nodes that were reached, by their blocks: %v", reached)
		}
	})
}

func TestUpdatesComeLate(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		one, two, three := position(alice, gold, 1), position(alice, gold, 2), position(alice, gold, 3)
		s.Put(one)
		stream := s.stream("")
		want(t, "snapshot", stream.lines(), snapshot(one))
		s.DelayUpdates(20 * time.Second)
		s.Update(two)
		time.Sleep(10*time.Second + time.Second/2)
		s.Update(three)
		want(t, "a new snapshot", s.stream("").lines(), snapshot(three))
		time.Sleep(8 * time.Second)
		want(t, "20 seconds after the first", stream.lines(), updates(two))
		time.Sleep(8 * time.Second)
		want(t, "19 seconds after the second", stream.lines(), "")
		s.DelayUpdates(0)
		want(t, "no longer late", stream.lines(), updates(three))
		s.DelayUpdates(20 * time.Second)
		s.Update(one)
		s.Cut()
		want(t, "a cut does not wait", stream.lines(), "[cut]")
	})
}

func TestMarginsAreAddedBetweenPages(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		fill(s, 4)
		s.GrowMargins(2)
		first := s.page("first", "2")
		second := s.page("first", "2", "after", first.end())
		if got := len(s.Margins()); got != 8 {
			t.Errorf("%d records after two pages, want 8", got)
		}
		back := s.page("last", "2", "before", second.start())
		want(t, "the page before the second", back.String(), first.String())
		s.GrowMargins(0)
		if got := len(s.Margins()); got != 4 {
			t.Errorf("%d records in the end, want 4", got)
		}
	})
}

// TestAProxyThatBuffers passes on whole blocks only, and hides that a stream is cut.
func TestAProxyThatBuffers(t *testing.T) {
	const block = 8 << 10
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		s.SetProxy(sim.Proxy{Buffer: block})
		positions := many(20)
		s.Put(positions...)
		whole := len(snapshot(positions...))
		if whole <= block || whole >= 2*block {
			t.Fatalf("the snapshot has %d bytes", whole)
		}
		stream := s.stream("")
		received := len(stream.lines())
		time.Sleep(time.Hour)
		received += len(stream.lines())
		if received != block {
			t.Errorf("%d bytes of %d in an hour, want %d", received, whole, block)
		}
		s.Update(positions...)
		if received += len(stream.lines()); received != 2*block {
			t.Errorf("%d bytes after an update, want %d", received, 2*block)
		}
		s.Cut()
		if text := stream.lines(); !strings.HasSuffix(text, "}}}\n[end]") {
			t.Errorf("the end: %q", text)
		}
	})
}

func TestAProxyThatCompresses(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		s.SetProxy(sim.Proxy{Gzip: true})
		s.Put(many(20)...)
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		transport := &http.Transport{DialContext: s.DialContext}
		defer transport.CloseIdleConnections()
		request, _ := http.NewRequestWithContext(ctx, http.MethodGet, "http://sim"+streams, nil)
		response, err := transport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body := make(chan string, 1)
		go func() {
			text, _ := io.ReadAll(response.Body)
			body <- string(text)
		}()
		time.Sleep(30 * time.Second)
		synctest.Wait()
		if len(body) > 0 {
			t.Fatal("the stream has ended")
		}
		s.End()
		if text := <-body; !strings.HasSuffix(text, "\"lastPage\":true}}}\n") || strings.Count(text, "partyId") != 20 {
			t.Errorf("in the end: %.300q", text)
		}
	})
}

// TestANodeWithAnOlderStore has missed what changed for some time. Afterwards it has what changes again, and no more.
func TestANodeWithAnOlderStore(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		one, two, three := position(alice, gold, 1), position(alice, gold, 2), position(alice, gold, 3)
		other, changed := position(alice, rust, 5), position(alice, rust, 6)
		s.Put(one, other)
		s.PutMargins(record(0, 0))
		s.StartReplicas(0, 0)
		s.SkipChanges(1, time.Minute)
		s.Route([]int{1}, []int{1})
		stream := s.stream("")
		want(t, "a stream", stream.lines(), snapshot(one, other))
		s.Update(two)
		s.PutMargins(record(1, 1))
		want(t, "what it misses", stream.lines(), "")
		time.Sleep(time.Minute)
		s.Update(changed)
		want(t, "what changes later", stream.lines(), updates(changed))
		want(t, "a new stream", s.stream("").lines(), snapshot(one, changed))
		want(t, "margin levels", s.page().String(), " 00")
		s.Update(three)
		want(t, "a row that it missed changes again", stream.lines(), updates(three))
	})
}

// TestAProxyThatCompressesAndBuffers holds back more than one that does either: 8 KiB before it compresses them, and
// what the compression has not written.
func TestAProxyThatCompressesAndBuffers(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		s.SetProxy(sim.Proxy{Buffer: 8 << 10, Gzip: true})
		s.Put(many(20)...)
		stream := s.send(streams, "Accept-Encoding: gzip")
		time.Sleep(time.Hour)
		if _, body, _ := strings.Cut(stream.read(), "\r\n\r\n"); len(body) > 100 { // the head of a gzip file
			t.Errorf("%d bytes of the body in an hour", len(body))
		}
	})
}
