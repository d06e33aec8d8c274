package sim_test

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"blotter/feed/sim"
)

// The bytes of a snapshot, an update and a drop, chunks included, as the public service writes them.
func TestStreamBytes(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		a := s.send(streams + "?partyId=" + alice)
		const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nVary: Origin\r\n" +
			"Date: Sat, 01 Jan 2000 00:00:00 GMT\r\nTransfer-Encoding: chunked\r\n\r\n"
		want(t, "snapshot", a.read(), head+"2a\r\n"+empty+"\r\n")
		p := sim.Position{Party: alice, Market: gold, OpenVolume: math.MinInt64, RealisedPnl: "-12345678901234567890123",
			UnrealisedPnl: "5", AverageEntryPrice: "341010", LossSocialisation: "-1", UpdatedAt: 1795240360702446000, Status: sim.Distressed}
		s.Update(p)
		line := updates(p)
		want(t, "update", a.read(), fmt.Sprintf("%x\r\n%s\r\n", len(line), line))
		s.Drop()
		want(t, "drop", a.read(), "b7\r\n"+dropped+"\r\n0\r\n\r\n")
	})
}

func TestNewlineOfALongMessageIsAChunk(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		positions := many(10)
		s.Put(positions...)
		_, bytes, _ := strings.Cut(s.send(streams).read(), "\r\n\r\n")
		line := snapshot(positions...)
		want(t, "snapshot", bytes, fmt.Sprintf("%x\r\n%s\r\n1\r\n\n\r\n", len(line)-1, line[:len(line)-1]))
	})
}

// many returns the given number of positions, each in another market.
func many(n int) []sim.Position {
	positions := make([]sim.Position, n)
	for i := range positions {
		positions[i] = position(alice, fmt.Sprintf("%064x", i), int64(i))
	}
	return positions
}

func TestSnapshotPages(t *testing.T) {
	for _, test := range []struct{ positions, pages int }{{1, 1}, {50, 1}, {51, 2}, {100, 2}, {120, 3}} {
		t.Run(fmt.Sprint(test.positions), func(t *testing.T) {
			bubble(t, sim.Config{}, func(t *testing.T, s *service) {
				s.Put(many(test.positions)...)
				text := s.stream("").lines()
				if pages := strings.Count(text, "\n"); pages != test.pages {
					t.Errorf("%d pages, want %d", pages, test.pages)
				}
				if !strings.HasSuffix(text, `"lastPage":true}}}`+"\n") || strings.Count(text, "lastPage") != 1 {
					t.Error("lastPage is not on the last page alone")
				}
				if got := strings.Count(text, "partyId"); got != test.positions {
					t.Errorf("%d positions, want %d", got, test.positions)
				}
			})
		})
	}
}

func TestUpdatesComeInMessagesOfFifty(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		stream := s.stream("")
		stream.lines()
		positions := many(120)
		s.Update(positions...)
		want(t, "updates", stream.lines(), updates(positions[:50]...)+updates(positions[50:100]...)+updates(positions[100:]...))
	})
}

func TestZerosAreOmitted(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		s.Put(position(alice, gold, 0))
		text := s.stream("").lines()
		for _, key := range []string{"openVolume", "positionStatus"} {
			if strings.Contains(text, key) {
				t.Errorf("a zero %s is on the wire: %s", key, text)
			}
		}
	})
}

func TestFilters(t *testing.T) {
	here, there, other := position(alice, gold, 1), position(bruno, gold, 2), position(alice, rust, 3)
	network := position("network", rust, 4)
	for _, test := range []struct {
		query   string
		shown   []sim.Position
		updated []sim.Position
	}{
		{"", []sim.Position{here, there, other, network}, []sim.Position{here, there, other, network}},
		{"?partyId=" + alice, []sim.Position{here, other}, []sim.Position{here, other}},
		{"?marketId=" + gold, []sim.Position{here, there}, []sim.Position{here, there}},
		{"?partyId=" + alice + "&marketId=" + gold, []sim.Position{here}, []sim.Position{here}},
		{"?partyId=network", []sim.Position{network}, []sim.Position{network}},
		{"?partyId=" + strings.ToUpper(alice), []sim.Position{here, other}, nil},
		{"?partyId=", nil, []sim.Position{here, there, other, network}},
		{"?partyId=&marketId=" + gold, nil, []sim.Position{here, there}},
	} {
		t.Run(test.query, func(t *testing.T) {
			bubble(t, sim.Config{}, func(t *testing.T, s *service) {
				s.Put(here, there, other, network)
				stream := s.stream(test.query)
				shown := snapshot(test.shown...)
				switch {
				case strings.Contains(test.query, "partyId=&marketId"):
					shown = ""
				case test.shown == nil:
					shown = empty
				}
				want(t, "snapshot", stream.lines(), shown)
				s.Update(here, there, other, network)
				updated := ""
				if test.updated != nil {
					updated = updates(test.updated...)
				}
				want(t, "updates", stream.lines(), updated)
			})
		})
	}
}

func TestFilterWithoutPositions(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		want(t, "by party", s.stream("?partyId="+alice).lines(), empty)
		want(t, "by market", s.stream("?marketId="+gold).lines(), empty)
		both := s.send(streams + "?partyId=" + alice + "&marketId=" + gold)
		want(t, "by both", both.read(), "")
		p := position(alice, gold, 3)
		s.Update(position(alice, rust, 1))
		want(t, "by both, after another's update", both.read(), "")
		s.Update(p)
		text := both.read()
		if !strings.HasPrefix(text, "HTTP/1.1 200 OK\r\n") || !strings.Contains(text, updates(p)) || strings.Contains(text, "snapshot") {
			t.Errorf("the first update: %q", text)
		}
	})
}

func TestRefusedFilters(t *testing.T) {
	const notHex = `{"error":{"code":3,"message":"InvalidArgument error","details":[{"@type":"type.googleapis.com/vega.ErrorDetail",` +
		`"code":160002,"message":"failed to send positions snapshot","inner":"getting initial positions by %s: not a valid hex id (or well known exception)"}]}}`
	for _, test := range []struct{ query, body string }{
		{"?partyId=zzz&marketId=" + gold, fmt.Sprintf(notHex, "market+party")},
		{"?partyId=zzz", fmt.Sprintf(notHex, "party")},
		{"?marketId=abc", fmt.Sprintf(notHex, "market")},
		{"?partyId=aa&partyId=bb", `{"code":3,"message":"too many values for field \"party_id\": aa, bb"}`},
		{"?marketId=aa&marketId=aa", `{"code":3,"message":"too many values for field \"market_id\": aa, aa"}`},
		{"?partyId=%zz", `{"code":3,"message":"invalid URL escape \"%zz\""}`},
	} {
		t.Run(test.query, func(t *testing.T) {
			bubble(t, sim.Config{}, func(t *testing.T, s *service) {
				response, body := s.get(streams + test.query)
				if response.StatusCode != http.StatusBadRequest {
					t.Errorf("status %d", response.StatusCode)
				}
				want(t, "body", body, test.body)
			})
		})
	}
}

func TestUnknownPaths(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		for _, path := range []string{"/", "/api/v2/nope", streams + "/", margins + "/"} {
			response, body := s.get(path)
			if response.StatusCode != http.StatusNotFound {
				t.Errorf("%s: status %d", path, response.StatusCode)
			}
			want(t, path, body, `{"code":5,"message":"Not Found","details":[]}`)
		}
	})
}

func TestOnlyGetIsAccepted(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		client := &http.Client{Transport: &http.Transport{DialContext: s.DialContext, DisableKeepAlives: true}}
		response, err := client.Post("http://sim"+streams, "application/json", nil)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(response.Body)
		want(t, "body", response.Status+" "+string(body), `501 Not Implemented {"code":12,"message":"Method Not Allowed","details":[]}`)
	})
}

func TestTooManyStreams(t *testing.T) {
	bubble(t, sim.Config{Limits: sim.Limits{Streams: 2}}, func(t *testing.T, s *service) {
		first := s.stream("")
		first.lines()
		s.stream("").lines()
		response, body := s.get(streams)
		if response.StatusCode != http.StatusTooManyRequests {
			t.Errorf("status %d", response.StatusCode)
		}
		want(t, "body", body, `{"error":{"code":8,"message":"client reached max subscription allowed"}}`)
		_ = first.conn.Close()
		synctest.Wait()
		want(t, "after one was closed", s.stream("").lines(), empty)
	})
}

func TestGzipIsFlushedAfterEveryMessage(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		a := s.send(streams, "Accept-Encoding: br, gzip")
		response, err := http.ReadResponse(bufio.NewReader(a.conn), nil)
		if err != nil || response.Header.Get("Content-Encoding") != "gzip" {
			t.Fatalf("%v, %v", response, err)
		}
		unzipped, err := gzip.NewReader(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(unzipped)
		line, _ := lines.ReadString('\n')
		want(t, "snapshot", line, empty)
		synctest.Wait() // for the end of the gap
		p := position(alice, gold, 3)
		s.Update(p)
		line, _ = lines.ReadString('\n')
		want(t, "update", line, updates(p))
		s.End()
		if rest, err := io.ReadAll(lines); err != nil || len(rest) != 0 {
			t.Errorf("the end: %q, %v", rest, err)
		}
	})
}

func TestNoGzipUnlessRequested(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		for _, header := range []string{"Accept-Encoding: identity", "Accept: application/json"} {
			if response, _ := s.get("/", header); response.Header.Get("Content-Encoding") != "" {
				t.Errorf("%s: the encoding is %s", header, response.Header.Get("Content-Encoding"))
			}
		}
	})
}

// TestTheGap: a change after the snapshot is read and before the updates start is in neither.
func TestTheGap(t *testing.T) {
	before, within, after := position(alice, gold, 1), position(alice, gold, 2), position(alice, gold, 3)
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		s.Put(before)
		s.HoldSnapshot(sim.AllPages)
		stream := s.stream("")
		want(t, "snapshot", stream.lines(), snapshot(before))
		s.Update(within)
		s.Release()
		want(t, "the update in the gap", stream.lines(), "")
		s.Update(after)
		want(t, "the update after it", stream.lines(), updates(after))
	})
}

func TestTheGapHasAWidth(t *testing.T) {
	bubble(t, sim.Config{Gap: 2500 * 1e6}, func(t *testing.T, s *service) {
		stream := s.stream("")
		want(t, "snapshot", stream.lines(), empty)
		s.Update(position(alice, gold, 1))
		want(t, "after a second", stream.lines(), "")
		stream.lines()
		p := position(alice, gold, 2)
		s.Update(p)
		want(t, "after three", stream.lines(), updates(p))
	})
}

// TestFeesAreInUpdatesOnly, because the service does not store them with the positions.
func TestFeesAreInUpdatesOnly(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		one := position(alice, gold, 1)
		one.TakerFees, one.MakerFees, one.OtherFees = "433", "12", "7"
		s.Put(one)
		stream := s.stream("")
		if text := stream.lines(); !strings.Contains(text, `"takerFeesPaid":"0","makerFeesReceived":"0","feesPaid":"0"`) {
			t.Errorf("snapshot: %q", text)
		}
		s.Update(one)
		if text := stream.lines(); !strings.Contains(text, `"takerFeesPaid":"433","makerFeesReceived":"12","feesPaid":"7"`) {
			t.Errorf("update: %q", text)
		}
	})
}
