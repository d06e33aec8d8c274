package sim_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
)

func TestScriptedPositions(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		one, two, three := position(alice, gold, 1), position(alice, gold, 2), position(alice, gold, 3)
		stream := s.stream("")
		stream.lines()
		s.Put(one)
		want(t, "sent after a put", stream.lines(), "")
		want(t, "snapshot after a put", s.stream("").lines(), snapshot(one))
		s.Update(two)
		want(t, "sent after an update", stream.lines(), updates(two))
		want(t, "snapshot after an update", s.stream("").lines(), snapshot(two))
		s.Broadcast(three)
		want(t, "sent after a broadcast", stream.lines(), updates(three))
		want(t, "snapshot after a broadcast", s.stream("").lines(), snapshot(two))
		s.Remove(two.Key())
		want(t, "sent after a removal", stream.lines(), "")
		want(t, "snapshot after a removal", s.stream("").lines(), empty)
		s.Put(one)
		want(t, "snapshot after a return", s.stream("").lines(), snapshot(one))
		if positions := s.Positions(); len(positions) != 1 || positions[0].OpenVolume != 1 || positions[0].RealisedPnl != "0" {
			t.Errorf("Positions: %+v", positions)
		}
	})
}

func TestRecordsWithoutATimeGetThePresentTime(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		s.Put(sim.Position{Party: alice, Market: gold})
		s.PutMargins(sim.MarginLevels{Party: alice, Market: gold, Asset: rust})
		now := time.Now().UnixNano()
		if p, m := s.Positions()[0].UpdatedAt, s.Margins()[0].Timestamp; p != now || m != now {
			t.Errorf("times %d and %d, want %d", p, m, now)
		}
	})
}

func TestHostileTextsAreWrittenAsJSON(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		s.Put(position("\x1b[31m\"\\é", gold, 1))
		if text := s.stream("").lines(); !strings.Contains(text, `"partyId":"\u001b[31m\"\\é"`) {
			t.Errorf("got %q", text)
		}
	})
}

func TestRawBytesInTheMiddleOfAStream(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		stream := s.stream("")
		stream.lines()
		s.Raw([]byte(`{"result":{"upd`))
		want(t, "half a message", stream.lines(), `{"result":{"upd`)
		s.Cut()
		want(t, "cut", stream.lines(), "[cut]")
	})
}

func TestHoldingASnapshotBetweenPages(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		s.Put(many(120)...)
		s.HoldSnapshot(1)
		stream := s.stream("")
		if got := strings.Count(stream.lines(), "\n"); got != 1 {
			t.Errorf("%d pages while held after one", got)
		}
		s.Put(position(alice, gold, 1)) // the snapshot is of the moment it was read
		s.Release()
		text := stream.lines()
		if strings.Count(text, "\n") != 2 || strings.Contains(text, gold) || !strings.Contains(text, "lastPage") {
			t.Errorf("after the release: %.300q", text)
		}
		s.HoldSnapshot(2)
		second := s.stream("")
		second.lines()
		s.Cut()
		want(t, "cut while held", second.lines(), "[cut]")
	})
}

func TestSilence(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		open := s.stream("")
		open.lines()
		s.Silence()
		p := position(alice, gold, 1)
		s.Update(p)
		stream, page := s.send(streams), s.send(margins)
		want(t, "an open stream", open.lines(), "")
		want(t, "a new stream", stream.read(), "")
		want(t, "margin levels", page.read(), "")
		s.EndSilence()
		want(t, "an open stream, afterwards", open.lines(), updates(p))
		if text := stream.read(); !strings.HasSuffix(text, snapshot(p)+"\r\n") {
			t.Errorf("a new stream, afterwards: %q", text)
		}
		if text := page.read(); !strings.Contains(text, `{"marginLevels":`) {
			t.Errorf("margin levels, afterwards: %q", text)
		}
		s.Silence()
		s.Cut()
		want(t, "cut in the silence", open.lines(), "[cut]")
	})
}

func TestHangingStreams(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		s.HoldSnapshot(0)
		held := s.stream("")
		held.lines()
		s.Release()
		open := s.stream("")
		want(t, "before", open.lines(), empty)
		want(t, "held, before", held.lines(), empty)
		s.HoldSnapshot(0)
		inSnapshot := s.stream("")
		inSnapshot.lines()
		s.Raw([]byte(`{"resu`))
		s.Hang()
		s.Release()
		s.Update(position(alice, gold, 1))
		want(t, "half a message, and nothing more", open.lines(), `{"resu`)
		want(t, "half a message instead of a snapshot", inSnapshot.lines(), `{"resu`)
		later := s.stream("")
		want(t, "a stream that was opened later", later.lines(), snapshot(position(alice, gold, 1)))
		_ = later.conn.Close()
		time.Sleep(time.Hour)
		for range 1000 {
			s.Update(position(alice, gold, 1))
		}
		want(t, "an hour later", open.lines(), "")
		if dropped := s.Counters().StreamsDropped; dropped != 0 {
			t.Errorf("%d streams are counted as slow", dropped)
		}
		s.Raw([]byte("more"))
		want(t, "the script still reaches it", open.lines(), "more")
		s.Cut()
		want(t, "cut", open.lines(), "[cut]")
	})
}

func TestRepeatingStreams(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		open := s.stream("")
		open.lines()
		s.Repeat("{}\n", 2*time.Second)
		s.Update(position(alice, gold, 1))
		time.Sleep(time.Second / 2)
		want(t, "in a second and a half", open.lines(), "")
		want(t, "in two and a half", open.lines(), "{}\n")
		time.Sleep(3 * time.Second)
		want(t, "in six and a half", open.lines(), "{}\n{}\n")
		s.Silence()
		time.Sleep(3 * time.Second)
		want(t, "in a silence", open.lines(), "")
		s.EndSilence()
		s.End()
		if last := open.lines(); !strings.HasSuffix(last, "[end]") {
			t.Errorf("the end: %q", last)
		}
	})
}

func TestResponsesThatRepeat(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		scripted := sim.Response{Status: 200, Body: " ", Every: 2 * time.Second}
		s.SetStreamResponse(1, scripted)
		s.SetMarginResponse(1, scripted)
		stream, page := s.stream(""), &openStream{rawResponse: s.send(margins)}
		time.Sleep(6500 * time.Millisecond)
		want(t, "stream", stream.lines(), "    ")
		want(t, "margin levels, a second later", page.lines(), "     ")
		stream.lines()
		s.Cut()
		want(t, "stream, once it is cut", stream.lines(), "[cut]")
	})
}

func TestScriptedResponses(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		for _, path := range []string{streams, margins} {
			set := s.SetStreamResponse
			if path == margins {
				set = s.SetMarginResponse
			}
			set(2, sim.Response{Status: 429, Header: http.Header{"retry-after": {"3"}}, Body: "slow down"})
			set(1, sim.Response{Status: 200, Header: http.Header{"Content-Type": {"text/html"}}, Body: "<html>"})
			for range 2 {
				if response, body := s.get(path); response.StatusCode != 429 || response.Header.Get("Retry-After") != "3" || body != "slow down" {
					t.Errorf("%s: %v %q", path, response, body)
				}
			}
			if response, body := s.get(path); response.Header.Get("Content-Type") != "text/html" || body != "<html>" {
				t.Errorf("%s: %v %q", path, response, body)
			}
			if text := s.send(path).read(); !strings.HasPrefix(text, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n") {
				t.Errorf("%s, after the script: %q", path, text)
			}
			set(sim.Always, sim.Response{Status: 503})
			for range 5 {
				if response, _ := s.get(path); response.StatusCode != 503 {
					t.Errorf("%s: always 503, but %d", path, response.StatusCode)
				}
			}
			set(0, sim.Response{})
			if text := s.send(path).read(); !strings.HasPrefix(text, "HTTP/1.1 200 ") {
				t.Errorf("%s, after always: %q", path, text)
			}
		}
	})
}

func TestResponsesThatDoNotEnd(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		for _, path := range []string{streams, margins} {
			set := s.SetStreamResponse
			if path == margins {
				set = s.SetMarginResponse
			}
			set(1, sim.Response{})
			want(t, path+": without headers", s.send(path).read(), "")
			set(1, sim.Response{Status: 200, Open: true})
			if text := s.send(path).read(); !strings.HasSuffix(text, "chunked\r\n\r\n") {
				t.Errorf("%s: headers alone: %q", path, text)
			}
			set(1, sim.Response{Status: 200, Body: `{"resu`, Open: true})
			if text := s.send(path).read(); !strings.HasSuffix(text, "\r\n\r\n6\r\n{\"resu\r\n") {
				t.Errorf("%s: half a message: %q", path, text)
			}
			set(1, sim.Response{Status: 200, Body: `{"resu`, Cut: true})
			if text := s.send(path).read(); !strings.HasSuffix(text, "6\r\n{\"resu\r\n[closed]") {
				t.Errorf("%s: half a body: %q", path, text)
			}
			set(1, sim.Response{Status: 200, Delay: 90 * time.Second, Body: "late"})
			a := s.send(path)
			want(t, path+": too early", a.read(), "")
			time.Sleep(time.Minute + 29*time.Second)
			if text := a.read(); !strings.HasSuffix(text, "late") {
				t.Errorf("%s: in time: %q", path, text)
			}
		}
		s.Update(position(alice, gold, 1))
		s.SetStreamResponse(1, sim.Response{Status: 200, Open: true})
		scripted := s.stream("")
		scripted.lines()
		s.Update(position(alice, gold, 2))
		s.Raw([]byte("{}\n"))
		want(t, "an open response has only what the script sends", scripted.lines(), "{}\n")
	})
}

func TestRequestsAreRecorded(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		s.send(streams + "?partyId=" + alice).read()
		s.get(margins+"?pagination.first=1", "Authorization: Bearer secret")
		requests := s.Requests()
		if len(requests) != 2 {
			t.Fatalf("%d requests", len(requests))
		}
		want(t, "stream", requests[0].URI, streams+"?partyId="+alice)
		want(t, "margins", requests[1].Method+" "+requests[1].URI, "GET "+margins+"?pagination.first=1")
		want(t, "token", requests[1].Header.Get("Authorization"), "Bearer secret")
		if later := requests[1].At.Sub(requests[0].At); later != time.Second {
			t.Errorf("requested %v apart", later)
		}
		for range 5000 {
			s.get("/")
		}
		if kept := len(s.Requests()); kept < 2000 || kept > 4096 {
			t.Errorf("%d requests kept", kept)
		}
	})
}
