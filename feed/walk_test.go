package feed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// record is a margin record of a market, at a second.
func record(market, second int) sim.MarginLevels {
	return sim.MarginLevels{
		Party: "network", Market: "b" + strconv.Itoa(market), Asset: "c",
		Maintenance: strconv.Itoa(second), Timestamp: int64(second) * int64(time.Second),
	}
}

// walkAll reads everything oldest first, or newest first, and names the records that came.
func (s *trial) walkAll(size int, newestFirst bool) (markets []string, warning string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 15*time.Second)
	defer cancel()
	rows, warning, err := s.feed.WalkMargins(ctx, model.PageRequest{Size: size, NewestFirst: newestFirst}, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, row := range rows {
		markets = append(markets, row.Market.String()+":"+row.Maintenance.String())
	}
	return markets, warning
}

// beforePage has do happen before each request for a page, which then goes to the service without a network between:
// there are many. Rewrite has the answer's body otherwise.
func (s *trial) beforePage(do func(), rewrite func(body []byte) []byte) {
	s.feed.client.pages.Transport = roundTrip(func(request *http.Request) (*http.Response, error) {
		do()
		answer := httptest.NewRecorder()
		s.node.ServeHTTP(answer, request)
		answer.Body = bytes.NewBuffer(rewrite(answer.Body.Bytes()))
		return answer.Result(), nil
	})
}

func unchanged(body []byte) []byte { return body }

type roundTrip func(*http.Request) (*http.Response, error)

func (r roundTrip) RoundTrip(request *http.Request) (*http.Response, error) { return r(request) }

func TestWalkReadsEachRecordOnceInTheOrderAskedFor(t *testing.T) {
	play(t, func(s *trial) {
		for i := range 10 {
			s.node.PutMargins(record(i, i+1))
		}
		for size := 1; size <= 11; size++ {
			got, warning := s.walkAll(size, false)
			if want := "b0:1 b1:2 b2:3 b3:4 b4:5 b5:6 b6:7 b7:8 b8:9 b9:10"; strings.Join(got, " ") != want || warning != "" {
				t.Errorf("pages of %d, oldest first: %v %s", size, got, warning)
			}
			got, warning = s.walkAll(size, true)
			if want := "b9:10 b8:9 b7:8 b6:7 b5:6 b4:5 b3:4 b2:3 b1:2 b0:1"; strings.Join(got, " ") != want || warning != "" {
				t.Errorf("pages of %d, newest first: %v %s", size, got, warning)
			}
		}
	})
}

// Rows move between any two pages, the one that the cursor names most of all, whose successor the service then
// leaves out.
func TestWalkOldestFirstMissesNothingWhileRowsMove(t *testing.T) {
	walksWhileRowsMove(t, 10_000, unchanged)
}

// TestWalkGoesBackToARowThatHasACursor: some services give a cursor with the last row of a page alone.
func TestWalkGoesBackToARowThatHasACursor(t *testing.T) {
	inRows := regexp.MustCompile(`"(cursor|startCursor)":"[^"]*"`)
	walksWhileRowsMove(t, 2_000, func(body []byte) []byte { return inRows.ReplaceAll(body, []byte(`"$1":""`)) })
}

func walksWhileRowsMove(t *testing.T, seeds uint64, rewrite func(body []byte) []byte) {
	t.Helper()
	play(t, func(s *trial) {
		clock := 100
		for seed := range seeds {
			random := rand.New(rand.NewPCG(seed, 1))
			records, size := 2+random.IntN(9), 1+random.IntN(4)
			for i := range records {
				clock++
				s.node.PutMargins(record(i, clock))
			}
			moves := random.IntN(12)
			s.beforePage(func() {
				for range random.IntN(3) {
					if moves--; moves >= 0 {
						clock++
						s.node.PutMargins(record(random.IntN(records), clock))
					}
				}
			}, rewrite)
			got, warning := s.walkAll(size, false)
			seen := make(map[string]int)
			for _, row := range got {
				market, _, _ := strings.Cut(row, ":")
				seen[market]++
			}
			for i := range records {
				if n := seen["b"+strconv.Itoa(i)]; n != 1 {
					s.t.Fatalf("seed %d: record %d of %d came %d times in pages of %d: %v %s", seed, i, records, n, size, got, warning)
				}
			}
			for i := range records {
				s.node.RemoveMargins(record(i, 0).Key())
			}
		}
	})
}

func TestWalkEndsWhereTheServiceRepeatsItself(t *testing.T) {
	edge := func(market, cursor string) string {
		return fmt.Sprintf(`{"node":{"partyId":"p","marketId":%q,"asset":"c","timestamp":"1"},"cursor":%q}`, market, cursor)
	}
	for name, c := range map[string]struct {
		pages   []string // the last one again and again
		records int
		warning string
	}{
		"the same page":  {[]string{edge("a", "x") + "," + edge("b", "y")}, 2, "repeats"},
		"a used cursor":  {[]string{edge("a", "x"), edge("b", "x")}, 2, "repeats"},
		"no cursor":      {[]string{edge("a", "x"), edge("b", "")}, 2, "no cursor"},
		"an empty page":  {[]string{edge("a", "x"), ""}, 1, "no cursor"},
		"nothing at all": {[]string{""}, 0, "no cursor"},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, func(s *trial) {
				for i, edges := range c.pages {
					times := 1
					if i == len(c.pages)-1 {
						times = 100
					}
					s.node.AnswerMargins(times, sim.Answer{Status: 200, Body: `{"marginLevels":{"edges":[` + edges + `],"pageInfo":{"hasNextPage":true}}}`})
				}
				got, warning := s.walkAll(2, false)
				if len(got) != c.records || !strings.Contains(warning, c.warning) {
					t.Errorf("%d records (%v) and the warning %q, want %d and %q", len(got), got, warning, c.records, c.warning)
				}
			})
		})
	}
}

// TestWalkKeepsTheFirstWarning of those that its lists give.
func TestWalkKeepsTheFirstWarning(t *testing.T) {
	play(t, func(s *trial) {
		body := func(edges string) sim.Answer {
			return sim.Answer{Status: 200, Body: `{"marginLevels":{"edges":[` + edges + `],"pageInfo":{"hasNextPage":true}}}`}
		}
		s.node.AnswerMargins(1, body(""))
		s.node.AnswerMargins(sim.Always, body(`{"node":{"partyId":"b"},"cursor":"x"}`))
		_, warning, err := s.feed.WalkMargins(s.t.Context(), model.PageRequest{Scope: model.Scope{Parties: ids("a b")}, Size: 2}, 0)
		if err != nil || !strings.Contains(warning, "no cursor") {
			t.Errorf("the warning is %q, want that of the first list; %v", warning, err)
		}
	})
}

func TestWalkTriesABadCursorThreeTimes(t *testing.T) {
	play(t, func(s *trial) {
		for i := range 4 {
			s.node.PutMargins(record(i, i+1))
		}
		s.node.AnswerMargins(1, unavailable) // without a cursor this is tried for as long as there is time
		asked := 0
		s.beforePage(func() {
			if asked++; asked == 3 {
				s.node.AnswerMargins(100, sim.Answer{Status: http.StatusInternalServerError})
			}
		}, unchanged)
		_, _, err := s.feed.WalkMargins(s.t.Context(), model.PageRequest{Size: 2}, 0)
		status, ok := errors.AsType[*StatusError](err)
		if !ok || status.Status != 500 {
			t.Errorf("the error is %v, want the service's 500", err)
		}
		if asked != 5 {
			t.Errorf("%d requests, want 2 for the first page and 3 for the second", asked)
		}
	})
}

func TestWalkEndsAtOnceWhereTheWaitIsTooLong(t *testing.T) {
	play(t, func(s *trial) {
		s.node.AnswerMargins(1, sim.Answer{Status: 403, Header: http.Header{"Ratelimit-Retry-After": {"600"}}})
		start := time.Now()
		ctx, cancel := context.WithTimeout(s.t.Context(), 15*time.Second)
		defer cancel()
		_, _, err := s.feed.WalkMargins(ctx, model.PageRequest{Size: 2}, 0)
		if status, ok := asStatus(err); !ok || status.RetryAfter != 10*time.Minute || time.Since(start) > 0 {
			t.Errorf("after %s the error is %v, want the ban at once", time.Since(start), err)
		}
	})
}
