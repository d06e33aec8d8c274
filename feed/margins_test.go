package feed

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

// levels gives the service so many margin records of each party, their times mixed. With ties, few times are
// shared by many.
func (s *trial) levels(random *rand.Rand, each int, ties bool, parties ...string) {
	times := random.Perm(each * len(parties))
	for i, party := range parties {
		for j := range each {
			at := int64(times[i*each+j] + 1)
			if ties {
				at = at/4 + 1
			}
			s.node.PutMargins(sim.MarginLevels{Party: party, Market: fmt.Sprintf("%04x", j), Asset: "ee", Maintenance: "1", Timestamp: at})
		}
	}
}

// list is the whole list as the service has it, in the order asked for, by "party/market timestamp".
func (s *trial) list(newestFirst bool, parties ...string) []string {
	records := slices.DeleteFunc(s.node.Margins(), func(m sim.MarginLevels) bool {
		return len(parties) > 0 && !slices.Contains(parties, m.Party)
	})
	if !newestFirst {
		slices.Reverse(records)
	}
	if len(parties) > 1 { // of one time, the list that was asked for first comes first
		slices.SortStableFunc(records, func(a, b sim.MarginLevels) int {
			order := cmp.Compare(a.Timestamp, b.Timestamp)
			if newestFirst {
				order = -order
			}
			return cmp.Or(order, cmp.Compare(slices.Index(parties, a.Party), slices.Index(parties, b.Party)))
		})
	}
	var names []string
	for _, m := range records {
		names = append(names, fmt.Sprintf("%s/%s %d", m.Party, m.Market, m.Timestamp))
	}
	return names
}

func namesOf(rows []model.MarginLevels) []string {
	var names []string
	for i := range rows {
		names = append(names, fmt.Sprintf("%s/%s %s", rows[i].Party, rows[i].Market, rows[i].Timestamp))
	}
	return names
}

// page asks for a page that must come.
func (s *trial) page(request model.PageRequest) *model.Page {
	s.t.Helper()
	page, err := s.feed.Margins(s.t.Context(), request)
	if err != nil {
		s.t.Fatal(err)
	}
	return page
}

func (s *trial) shows(page *model.Page, want []string) {
	s.t.Helper()
	if got := namesOf(page.Rows); !slices.Equal(got, want) {
		s.t.Errorf("the page has %q, want %q", got, want)
	}
}

// TestPaging turns pages at random, of random sizes, over one list and over several: each page is the stretch of the
// whole list that it should be.
func TestPaging(t *testing.T) {
	for seed := range uint64(150) {
		random := rand.New(rand.NewPCG(seed, 1))
		parties := []string{"aa", "bb", "cc", "network"}[:1+random.IntN(4)]
		scope := model.Scope{Parties: ids(strings.Join(parties, " "))}
		if seed%3 == 0 {
			scope, parties = model.Scope{}, nil
		}
		newestFirst := random.IntN(2) == 0
		play(t, func(s *trial) {
			s.levels(random, random.IntN(12), random.IntN(2) == 0, "aa", "bb", "cc", "network")
			list := s.list(newestFirst, parties...)
			var page *model.Page
			from, to := 0, 0
			for range 30 {
				size := 1 + random.IntN(6)
				request := model.PageRequest{Scope: scope, Size: size, NewestFirst: newestFirst, From: page}
				switch turn := random.IntN(8); {
				case page == nil || turn == 0:
					request.Turn = model.FirstPage
					from, to = 0, min(size, len(list))
				case turn == 1:
					request.Turn = model.LastPage
					from, to = max(0, len(list)-size), len(list)
				case page.HasNext && (turn < 5 || !page.HasPrevious):
					request.Turn = model.NextPage
					from, to = to, min(to+size, len(list))
				case page.HasPrevious:
					request.Turn = model.PreviousPage
					from, to = from-size, from
					if from < 0 { // a short first page is asked for whole
						from, to = 0, min(size, len(list))
					}
				default:
					continue
				}
				page = s.page(request)
				s.shows(page, list[from:to])
				if page.HasNext != (to < len(list)) || page.HasPrevious != (from > 0) {
					t.Errorf("rows %d to %d of %d: has next %t, has previous %t", from, to, len(list), page.HasNext, page.HasPrevious)
				}
				if t.Failed() {
					s.t.Fatalf("seed %d, %d lists, newest first %t", seed, len(scope.Parties), newestFirst)
				}
			}
			s.asksProperly(newestFirst)
		})
	}
}

// asksProperly asserts that every request for margin levels was one that a service takes.
func (s *trial) asksProperly(newestFirst bool) {
	s.t.Helper()
	for _, r := range s.node.Requests() {
		address, err := url.Parse(r.URI)
		if err != nil || address.Path != marginPath || r.Method != http.MethodGet {
			s.t.Errorf("asked %s %s", r.Method, r.URI)
			continue
		}
		query := address.Query()
		for name, values := range query {
			known := slices.Contains([]string{"partyId", "marketId", "pagination.first", "pagination.after", "pagination.last", "pagination.before", "pagination.newestFirst"}, name)
			if !known || len(values) != 1 || values[0] == "" {
				s.t.Errorf("asked %s", r.URI)
			}
		}
		if query.Get("pagination.newestFirst") != strconv.FormatBool(newestFirst) || query.Has("pagination.first") == query.Has("pagination.last") ||
			query.Has("pagination.after") && !query.Has("pagination.first") || query.Has("pagination.before") && !query.Has("pagination.last") {
			s.t.Errorf("asked %s", r.URI)
		}
	}
}

func TestPageSizesAreThoseThatAServiceTakes(t *testing.T) {
	play(t, func(s *trial) {
		s.levels(rand.New(rand.NewPCG(1, 1)), 3, false, "aa")
		for _, size := range []int{-1, 0, 1, 5000, 5001, 1 << 40} {
			if got := len(s.page(model.PageRequest{Size: size}).Rows); got != max(1, min(size, 3)) {
				t.Errorf("%d rows for size %d", got, size)
			}
		}
	})
}

func TestPageSaysTheNodesOwnTime(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Lag(time.Minute)
		page := s.page(model.PageRequest{Size: 1})
		if behind := page.ReadAt.Sub(page.Block.Time); behind != time.Minute || page.Block.Height == 0 {
			t.Errorf("block %d is %s behind, want a minute", page.Block.Height, behind)
		}
	})
}

func TestLostPlaceLeadsBackToTheFirstPage(t *testing.T) {
	for _, c := range []struct {
		status    int
		restarted bool
	}{{400, true}, {500, true}, {404, true}, {503, false}, {429, false}, {401, false}} {
		play(t, func(s *trial) {
			s.levels(rand.New(rand.NewPCG(1, 1)), 9, false, "aa")
			list := s.list(true)
			request := model.PageRequest{Size: 4, NewestFirst: true}
			request.From, request.Turn = s.page(request), model.NextPage
			s.node.AnswerMargins(1, sim.Answer{Status: c.status, Body: `{"message":"no such place"}`})
			page, err := s.feed.Margins(s.t.Context(), request)
			if !c.restarted {
				if status, ok := asStatus(err); !ok || status.Status != c.status || status.Words != "no such place" {
					t.Errorf("%d: %v", c.status, err)
				}
				return
			}
			if err != nil || !page.Restarted {
				s.t.Fatalf("%d: %+v, %v", c.status, page, err)
			}
			s.shows(page, list[:4])
		})
	}
}

func TestARefusedFirstPageIsNotAskedForTwice(t *testing.T) {
	play(t, func(s *trial) {
		from := s.page(model.PageRequest{Size: 1})
		s.node.AnswerMargins(sim.Always, sim.Answer{Status: 400})
		before := len(s.node.Requests())
		if _, err := s.feed.Margins(s.t.Context(), model.PageRequest{Size: 1, From: from}); err == nil {
			t.Error("no error")
		}
		if got := len(s.node.Requests()) - before; got != 1 {
			t.Errorf("asked %d times", got)
		}
	})
}

func TestShortFirstPageIsAskedForWhole(t *testing.T) {
	play(t, func(s *trial) {
		s.levels(rand.New(rand.NewPCG(1, 1)), 10, false, "aa")
		request := model.PageRequest{Size: 4}
		request.From, request.Turn = s.page(request), model.NextPage
		request.From, request.Turn = s.page(request), model.PreviousPage
		for _, m := range s.node.Margins()[8:] { // the two oldest
			s.node.RemoveMargins(m.Key())
		}
		page := s.page(request)
		s.shows(page, s.list(false)[:4])
		if page.HasPrevious || !page.HasNext {
			t.Errorf("has previous %t, next %t", page.HasPrevious, page.HasNext)
		}
	})
}

// TestEmptyPageKnowsItsWayBack has all rows beyond a page go while it is looked at.
func TestEmptyPageKnowsItsWayBack(t *testing.T) {
	play(t, func(s *trial) {
		s.levels(rand.New(rand.NewPCG(1, 1)), 8, false, "aa")
		first := s.page(model.PageRequest{Size: 4})
		for _, m := range s.node.Margins()[:4] { // the newest
			s.node.RemoveMargins(m.Key())
		}
		empty := s.page(model.PageRequest{Size: 4, Turn: model.NextPage, From: first})
		if len(empty.Rows) != 0 || empty.HasNext || !empty.HasPrevious {
			s.t.Fatalf("%+v", empty)
		}
		back := s.page(model.PageRequest{Size: 4, Turn: model.PreviousPage, From: empty})
		s.shows(back, s.list(false))
	})
}

func marginBody(pageInfo string, cursors ...string) string {
	var edges []string
	for i, cursor := range cursors {
		edges = append(edges, fmt.Sprintf(`{"node":{"partyId":"aa","marketId":"%04x","asset":"ee","timestamp":"%d"}%s}`, i, i+1, cursor))
	}
	return `{"marginLevels":{"edges":[` + strings.Join(edges, ",") + `],"pageInfo":{` + pageInfo + `}}}`
}

// TestPageInfoIsNotTakenAtItsWord has services say what cannot be gone by.
func TestPageInfoIsNotTakenAtItsWord(t *testing.T) {
	for _, c := range []struct {
		name, body        string
		hasNext, followed bool
	}{
		{"an empty page that has a next", marginBody(`"hasNextPage":true,"hasPreviousPage":true,"startCursor":"","endCursor":""`), false, false},
		{"rows without cursors", marginBody(`"hasNextPage":true`, "", ""), false, false},
		{"a null cursor", marginBody(`"hasNextPage":true,"endCursor":null`, `,"cursor":"a"`, `,"cursor":null`), false, false},
		{"cursors in pageInfo alone", marginBody(`"hasNextPage":true,"startCursor":"a","endCursor":"b"`, "", ""), true, true},
		{"no pageInfo", `{"marginLevels":{"edges":[{"node":{"partyId":"aa"},"cursor":"b"}]}}`, false, false},
		{"nothing", `{"marginLevels":null}`, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			play(t, func(s *trial) {
				s.node.AnswerMargins(1, sim.Answer{Status: 200, Body: c.body})
				page := s.page(model.PageRequest{Size: 2})
				if page.HasNext != c.hasNext || page.HasPrevious {
					t.Errorf("has next %t, previous %t", page.HasNext, page.HasPrevious)
				}
				if c.followed {
					_, _ = s.feed.Margins(s.t.Context(), model.PageRequest{Size: 2, Turn: model.NextPage, From: page})
					if r := s.node.Requests(); !strings.Contains(r[1].URI, "pagination.after=b&") {
						t.Errorf("asked %s", r[1].URI)
					}
				}
			})
		})
	}
}

func TestAnswersThatAreNoPage(t *testing.T) {
	for _, c := range []struct{ body, words string }{
		{"", "empty"},
		{"<html>\x1b[2Jlog in", `begins with "<html>`},
		{`{"code":1}`, "no marginLevels"},
		{`{"marginLevels":{"edges":[{"node":{"timestamp":true}}]}}`, "true or false at /marginLevels/edges/0/node/timestamp"},
		{`{"marginLevels":{"edges":[7]}}`, "a number at /marginLevels/edges/0"},
		{`{"marginLevels":{"pageInfo":{"hasNextPage":2}}}`, "hasNextPage"},
		{`{"marginLevels":{"edges":[`, "cut short"},
	} {
		play(t, func(s *trial) {
			s.node.AnswerMargins(1, sim.Answer{Status: 200, Body: c.body})
			_, err := s.feed.Margins(s.t.Context(), model.PageRequest{Size: 2})
			if err == nil || !strings.Contains(err.Error(), c.words) || strings.ContainsRune(err.Error(), '\x1b') {
				t.Errorf("%q: %v, want %q", c.body, err, c.words)
			}
		})
	}
}

// TestNoPageBeforeItsTime: what the service asked to wait for is waited for, without asking.
func TestNoPageBeforeItsTime(t *testing.T) {
	play(t, func(s *trial) {
		ask := func() *StatusError {
			_, err := s.feed.Margins(s.t.Context(), model.PageRequest{Size: 2})
			status, _ := errors.AsType[*StatusError](err)
			return status
		}
		s.node.AnswerMargins(1, sim.Answer{Status: 403, Header: http.Header{"Ratelimit-Retry-After": {"600"}}, Body: `{"message":"banned"}`})
		ask()
		for range 599 {
			time.Sleep(time.Second)
			if status := ask(); status == nil || status.Status != 403 || status.Words != "banned" || status.RetryAfter > 600*time.Second || status.RetryAfter <= 0 {
				s.t.Fatalf("%+v", status)
			}
		}
		if got := len(s.node.Requests()); got != 1 {
			t.Errorf("asked %d times while banned", got)
		}
		time.Sleep(time.Second)
		if status := ask(); status != nil {
			t.Errorf("%+v after the ban", status)
		}
		s.node.AnswerMargins(sim.Always, sim.Answer{Status: 429})
		before := len(s.node.Requests())
		for range 600 {
			time.Sleep(100 * time.Millisecond)
			if status := ask(); status == nil || status.Status != 429 {
				s.t.Fatalf("%+v", status)
			}
		}
		if got := len(s.node.Requests()) - before; got < 3 || got > 8 {
			t.Errorf("asked %d times in a minute of 429", got)
		}
	})
}

// TestAShorterWaitDoesNotEndALongerOne: of requests that are under way at once, one is banned and one is told of
// too many.
func TestAShorterWaitDoesNotEndALongerOne(t *testing.T) {
	var l limiter
	l.learn(&StatusError{Status: 403, RetryAfter: time.Hour}, time.Second, time.Minute)
	l.learn(&StatusError{Status: 429}, time.Second, time.Minute)
	l.learn(nil, time.Second, time.Minute)
	if status, ok := asStatus(l.blocked()); !ok || status.Status != 403 || status.RetryAfter < 59*time.Minute {
		t.Errorf("%+v", status)
	}
}

// TestListsThatComeInSmallerPagesThanAskedFor: where a service sends fewer rows than were asked for, the rows of
// another list must not go before those that are still to come.
func TestListsThatComeInSmallerPagesThanAskedFor(t *testing.T) {
	for _, newestFirst := range []bool{true, false} {
		playBefore(t, func(node http.Handler) http.Handler {
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				query := r.URL.Query()
				for _, name := range []string{"pagination.first", "pagination.last"} {
					if size, err := strconv.Atoi(query.Get(name)); err == nil {
						query.Set(name, strconv.Itoa(min(size, 3)))
					}
				}
				r.URL.RawQuery = query.Encode()
				node.ServeHTTP(w, r)
			})
		}, func(s *trial) {
			s.levels(rand.New(rand.NewPCG(1, 1)), 20, false, "aa", "bb")
			request := model.PageRequest{Scope: model.Scope{Parties: ids("aa bb")}, Size: 10, NewestFirst: newestFirst}
			list := s.list(newestFirst, "aa", "bb")
			var forward, back []model.MarginLevels
			page := s.page(request)
			for forward = page.Rows; page.HasNext; forward = append(forward, page.Rows...) {
				request.Turn, request.From = model.NextPage, page
				page = s.page(request)
			}
			s.shows(&model.Page{Rows: forward}, list)
			request.Turn, request.From = model.LastPage, nil
			page = s.page(request)
			for back = page.Rows; page.HasPrevious; {
				request.Turn, request.From = model.PreviousPage, page
				page = s.page(request)
				rows := page.Rows
				if !page.HasPrevious { // a short first page is asked for whole
					rows = slices.DeleteFunc(rows, func(row model.MarginLevels) bool { return slices.Contains(back, row) })
				}
				back = append(slices.Clone(rows), back...)
			}
			s.shows(&model.Page{Rows: back}, list)
		})
	}
}
