package sim_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
)

// fill fills a service with records. Number 0 is the oldest.
func fill(s *service, n int) {
	for i := range n {
		s.PutMargins(record(i, int64(i)))
	}
}

func record(i int, second int64) sim.MarginLevels {
	return sim.MarginLevels{Party: alice, Market: gold, Asset: fmt.Sprintf("%02d", i), Maintenance: "10", Search: "11",
		Initial: "15", Release: "17", Timestamp: 1795240274702797000 + second*1e9}
}

// page is the part of a response that these tests check.
type page struct {
	MarginLevels struct {
		Edges []struct {
			Node   struct{ Asset string }
			Cursor string
		}
		PageInfo struct {
			HasNextPage, HasPreviousPage bool
			StartCursor, EndCursor       string
		}
	}
}

// String returns the rows, with < and > if there are pages before and after.
func (p page) String() string {
	var text strings.Builder
	if p.MarginLevels.PageInfo.HasPreviousPage {
		text.WriteString("<")
	}
	for _, edge := range p.MarginLevels.Edges {
		text.WriteString(" " + edge.Node.Asset)
	}
	if p.MarginLevels.PageInfo.HasNextPage {
		text.WriteString(" >")
	}
	return text.String()
}

// page requests a page; the pairs are parameters without "pagination.".
func (s *service) page(pairs ...string) page {
	s.t.Helper()
	query := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		name := pairs[i]
		if !strings.HasSuffix(name, "Id") {
			name = "pagination." + name
		}
		query.Set(name, pairs[i+1])
	}
	response, body := s.get(margins + "?" + query.Encode())
	var p page
	if err := json.Unmarshal([]byte(body), &p); err != nil || response.StatusCode != http.StatusOK {
		s.t.Fatalf("%v: status %d, %s", pairs, response.StatusCode, body)
	}
	edges, info := p.MarginLevels.Edges, p.MarginLevels.PageInfo
	if len(edges) > 0 && (info.StartCursor != edges[0].Cursor || info.EndCursor != edges[len(edges)-1].Cursor) ||
		len(edges) == 0 && info.StartCursor+info.EndCursor != "" {
		s.t.Errorf("%v: the cursors of the page are not those of its rows: %s", pairs, body)
	}
	return p
}

func (p page) start() string { return p.MarginLevels.PageInfo.StartCursor }
func (p page) end() string   { return p.MarginLevels.PageInfo.EndCursor }

func TestMarginBytes(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		s.PutMargins(record(0, 0))
		account := "AccountID"
		text := s.send(margins).read()
		head, body, _ := strings.Cut(text, "\r\n\r\n")
		want(t, "head", head, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nVary: Origin\r\nX-Block-Height: 1\r\n"+
			"X-Block-Timestamp: 946684800000000000\r\nDate: Sat, 01 Jan 2000 00:00:00 GMT\r\nContent-Length: "+number(int64(len(body))))
		var p page
		_ = json.Unmarshal([]byte(body), &p)
		cursor := p.start()
		want(t, "body", body, `{"marginLevels":{"edges":[{"node":{"maintenanceMargin":"10","searchLevel":"11","initialMargin":"15",`+
			`"collateralReleaseLevel":"17","partyId":"`+alice+`","marketId":"`+gold+`","asset":"00","timestamp":"1795240274702797000",`+
			`"orderMargin":"0","marginMode":"MARGIN_MODE_CROSS_MARGIN","marginFactor":"0"},"cursor":"`+cursor+`"}],`+
			`"pageInfo":{"hasNextPage":false,"hasPreviousPage":false,"startCursor":"`+cursor+`","endCursor":"`+cursor+`"}}}`)
		place, err := base64.StdEncoding.DecodeString(cursor)
		if err != nil || !strings.HasPrefix(string(place), `{"VegaTime":"2026-11-21T05:51:14.702797Z","`+account+`":"`) {
			t.Errorf("cursor: %s, %v", place, err)
		}
	})
}

func TestIsolatedMarginBytes(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		isolated := record(0, 0)
		isolated.Mode, isolated.Factor, isolated.OrderMargin = sim.IsolatedMargin, "0.25", "3"
		s.PutMargins(isolated)
		_, body := s.get(margins)
		if part := `"orderMargin":"3","marginMode":"MARGIN_MODE_ISOLATED_MARGIN","marginFactor":"0.25"}`; !strings.Contains(body, part) {
			t.Errorf("no %s in %s", part, body)
		}
	})
}

func TestNoMargins(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		_, body := s.get(margins)
		want(t, "body", body,
			`{"marginLevels":{"edges":[],"pageInfo":{"hasNextPage":false,"hasPreviousPage":false,"startCursor":"","endCursor":""}}}`)
	})
}

func TestPaging(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		fill(s, 7)
		one := s.page("first", "3")
		two := s.page("first", "3", "after", one.end())
		three := s.page("first", "3", "after", two.end())
		oldest := s.page("first", "2", "newestFirst", "false")
		for _, test := range []struct {
			name string
			page page
			want string
		}{
			{"first", one, " 06 05 04 >"},
			{"after", two, "< 03 02 01 >"},
			{"after, the last", three, "< 00"},
			{"after the end", s.page("first", "3", "after", three.end()), "<"},
			{"before", s.page("last", "3", "before", two.start()), " 06 05 04 >"},
			{"before, a middle page", s.page("last", "2", "before", three.start()), "< 02 01 >"},
			{"before the start", s.page("last", "3", "before", one.start()), " >"},
			{"last alone", s.page("last", "3"), "< 02 01 00"},
			{"last alone, of all", s.page("last", "7"), " 06 05 04 03 02 01 00"},
			{"neither", s.page(), " 06 05 04 03 02 01 00"},
			{"all", s.page("first", "7"), " 06 05 04 03 02 01 00"},
			{"after alone", s.page("after", two.end()), "< 00"},
			{"oldest first", oldest, " 00 01 >"},
			{"oldest first, after", s.page("first", "2", "after", oldest.end(), "newestFirst", "false"), "< 02 03 >"},
			{"the same cursor with the other order", s.page("first", "2", "after", oldest.end()), "< 00"},
			{"first counts, not last", s.page("first", "2", "last", "3"), " 06 05 >"},
			{"first ignores before", s.page("first", "2", "before", two.start()), " 06 05 >"},
			{"last ignores after", s.page("last", "2", "after", one.end()), "< 01 00"},
			{"by party", s.page("partyId", alice), " 06 05 04 03 02 01 00"},
			{"by party in capitals", s.page("partyId", strings.ToUpper(alice)), " 06 05 04 03 02 01 00"},
			{"by another party", s.page("partyId", bruno), ""},
			{"by market", s.page("marketId", gold, "first", "1"), " 06 >"},
		} {
			want(t, test.name, test.page.String(), test.want)
		}
	})
}

func TestTheUsualPageSize(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		fill(s, 1001)
		if p := s.page(); len(p.MarginLevels.Edges) != 1000 || !p.MarginLevels.PageInfo.HasNextPage {
			t.Errorf("%d rows, more: %t", len(p.MarginLevels.Edges), p.MarginLevels.PageInfo.HasNextPage)
		}
	})
}

func TestRowsMoveToTheNewestEnd(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		fill(s, 6)
		one := s.page("first", "2")
		want(t, "page one", one.String(), " 05 04 >")
		s.PutMargins(record(3, 10))
		want(t, "page two, without the row that moved", s.page("first", "2", "after", one.end()).String(), "< 02 01 >")
		want(t, "page one again", s.page("first", "2").String(), " 03 05 >")
	})
}

func TestARowIsLeftOutWhenTheRowOfTheCursorMoves(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		fill(s, 6)
		one := s.page("first", "2")
		s.PutMargins(record(4, 10))
		want(t, "page two, without 03", s.page("first", "2", "after", one.end()).String(), "< 02 01 >")
		s.RemoveMargins(record(2, 0).Key())
		want(t, "all, in the end", s.page().String(), " 04 05 03 01 00")
	})
}

func TestRefusedPages(t *testing.T) {
	paging := func(inner string) string {
		return `{"code":3,"message":"InvalidArgument error","details":[{"@type":"type.googleapis.com/vega.ErrorDetail",` +
			`"code":10028,"message":"invalid pagination","inner":"` + inner + `"}]}`
	}
	for _, test := range []struct {
		query  string
		status int
		body   string
	}{
		{"pagination.first=3&pagination.after=%21%21%21", 400,
			paging("failed to decode after cursor: failed to decode cursor: illegal base64 data at input byte 0")},
		{"pagination.last=3&pagination.before=%21", 400,
			paging("failed to decode before cursor: failed to decode cursor: illegal base64 data at input byte 0")},
		{"pagination.after=", 400, paging("failed to decode after cursor: failed to decode cursor: cursor is empty")},
		{"pagination.first=0", 400, paging("pagination limit must be in range 0-5000")},
		{"pagination.first=5001", 400, paging("pagination limit must be in range 0-5000")},
		{"pagination.last=-1", 400, paging("pagination limit must be in range 0-5000")},
		{"pagination.after=e30%3D&pagination.before=e30%3D", 400, paging("cannot set both a before and after cursor")},
		{"pagination.first=3&pagination.after=aGVsbG8%3D", 500,
			`{"code":13,"message":"Internal error","details":[{"@type":"type.googleapis.com/vega.ErrorDetail","code":70001,` +
				`"message":"failed to get margin levels","inner":"parsing cursor: parsing cursor: invalid character 'h' looking for beginning of value"}]}`},
		{"pagination.first=x", 400, `{"code":3,"message":"parsing field \"first\": strconv.ParseInt: parsing \"x\": invalid syntax"}`},
		{"pagination.newestFirst=x", 400, `{"code":3,"message":"parsing field \"newest_first\": strconv.ParseBool: parsing \"x\": invalid syntax"}`},
		{"partyId=aa&partyId=bb", 400, `{"code":3,"message":"too many values for field \"party_id\": aa, bb"}`},
	} {
		t.Run(test.query, func(t *testing.T) {
			bubble(t, sim.Config{}, func(t *testing.T, s *service) {
				response, body := s.get(margins + "?" + test.query)
				if response.StatusCode != test.status {
					t.Errorf("status %d, want %d", response.StatusCode, test.status)
				}
				want(t, "body", body, test.body)
				want(t, "types", strings.Join(response.Header["Content-Type"], "+"), "application/json+application/grpc")
				if response.Header.Get("X-Block-Height") == "" {
					t.Error("no block height")
				}
			})
		})
	}
}

func TestLimitsOfRequests(t *testing.T) {
	bubble(t, sim.Config{Limits: sim.Limits{Requests: 20, Burst: 100}}, func(t *testing.T, s *service) {
		status := func() int {
			response, _ := s.get(margins)
			return response.StatusCode
		}
		count := func(n, want int) {
			t.Helper()
			for i := range n {
				if got := status(); got != want {
					t.Fatalf("request %d: status %d, want %d", i, got, want)
				}
			}
		}
		count(100, 200)
		count(100, 429)
		response, body := s.get(margins)
		want(t, "ban", body, `{"code":7,"message":"temporarily banned for continuing to request while rate limited","details":[]}`)
		want(t, "ban", response.Status+" "+response.Header.Get("Ratelimit-Retry-After"), "403 Forbidden 600")
		want(t, "streams while banned", s.stream("").lines(), empty)
		time.Sleep(599*time.Second - time.Millisecond)
		response, _ = s.get(margins)
		want(t, "later", response.Status+" "+response.Header.Get("Ratelimit-Retry-After"), "403 Forbidden 1")
		time.Sleep(time.Second)
		count(100, 200)
		count(1, 429)
		time.Sleep(50 * time.Millisecond)
		count(1, 200)
		count(1, 429)
	})
}

func TestRemainingRequests(t *testing.T) {
	bubble(t, sim.Config{Limits: sim.Limits{Requests: 2, Burst: 3}}, func(t *testing.T, s *service) {
		for i, test := range []struct {
			after time.Duration
			want  string
		}{{0, "200 2 of 2, 1"}, {0, "200 1 of 2, 1"}, {0, "200 0 of 2, 1"}, {0, "429 0 of 2, 1"}, {time.Second, "200 1 of 2, 1"}, {time.Minute, "200 2 of 2, 1"}} {
			time.Sleep(test.after)
			response, _ := s.get(margins)
			h := response.Header
			got := fmt.Sprintf("%d %s of %s, %s", response.StatusCode, h.Get("Ratelimit-Remaining"), h.Get("Ratelimit-Limit"), h.Get("Ratelimit-Reset"))
			want(t, fmt.Sprint("request ", i), got, test.want)
		}
	})
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		if response, _ := s.get(margins); response.Header.Get("Ratelimit-Limit") != "" {
			t.Errorf("a service without a limit sends: %v", response.Header)
		}
	})
}

func TestABanIsForRefusalsInARow(t *testing.T) {
	bubble(t, sim.Config{Limits: sim.Limits{Requests: 1, Burst: 1, BanAfter: 2}}, func(t *testing.T, s *service) {
		for _, test := range []struct {
			after  time.Duration
			status int
		}{{0, 200}, {0, 429}, {0, 429}, {time.Second, 200}, {0, 429}, {0, 429}, {0, 403}} {
			time.Sleep(test.after)
			if response, _ := s.get(margins); response.StatusCode != test.status {
				t.Errorf("status %d, want %d", response.StatusCode, test.status)
			}
		}
	})
}

func TestALaggingNode(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		time.Sleep(time.Minute)
		s.Lag(20 * time.Second)
		response, _ := s.get(margins)
		want(t, "block", response.Header.Get("X-Block-Height")+" "+response.Header.Get("X-Block-Timestamp"), "41 946684840000000000")
	})
}
