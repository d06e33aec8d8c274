package feed

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
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
		name, body      string
		hasNext, cutOff bool
	}{
		{"an empty page that has a next", marginBody(`"hasNextPage":true,"hasPreviousPage":true,"startCursor":"","endCursor":""`), false, false},
		{"rows without cursors", marginBody(`"hasNextPage":true`, "", ""), false, true},
		{"a null cursor", marginBody(`"hasNextPage":true,"endCursor":null`, `,"cursor":"a"`, `,"cursor":null`), false, true},
		{"cursors in pageInfo alone", marginBody(`"hasNextPage":true,"startCursor":"a","endCursor":"b"`, "", ""), true, false},
		{"no pageInfo", `{"marginLevels":{"edges":[{"node":{"partyId":"aa"},"cursor":"b"}]}}`, false, false},
		{"nothing", `{"marginLevels":null}` + " \r\n\t\n", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			play(t, func(s *trial) {
				s.node.AnswerMargins(1, sim.Answer{Status: 200, Body: c.body})
				page := s.page(model.PageRequest{Size: 2})
				if page.HasNext != c.hasNext || page.CutOffNext != c.cutOff || page.HasPrevious || page.CutOffPrevious {
					t.Errorf("has next %t, previous %t; cut off %t, %t", page.HasNext, page.HasPrevious, page.CutOffNext, page.CutOffPrevious)
				}
				if c.hasNext {
					_, _ = s.feed.Margins(s.t.Context(), model.PageRequest{Size: 2, Turn: model.NextPage, From: page})
					if r := s.node.Requests(); !strings.Contains(r[1].URI, "pagination.after=b&") {
						t.Errorf("asked %s", r[1].URI)
					}
				}
			})
		})
	}
}

// TestPagingBackByTheCursorsThatThereAre: by the first row's own, where pageInfo has none. Where there are none at all,
// what is before is cut off, which is not the end of the list.
func TestPagingBackByTheCursorsThatThereAre(t *testing.T) {
	for absent, cutOff := range map[string]bool{`"startCursor":"[^"]*"`: false, `"(startC|c)ursor":"[^"]*"`: true} {
		pattern := regexp.MustCompile(absent)
		play(t, func(s *trial) {
			s.levels(rand.New(rand.NewPCG(1, 1)), 9, false, "aa")
			s.beforePage(func() {}, func(body []byte) []byte { return pattern.ReplaceAll(body, []byte(`"x":""`)) })
			list := s.list(true)
			request := model.PageRequest{Size: 3, NewestFirst: true}
			request.From, request.Turn = s.page(request), model.NextPage
			second := request
			request.From = s.page(second)
			third := s.page(request)
			if s.shows(third, list[6:]); third.HasPrevious == cutOff || third.CutOffPrevious != cutOff {
				t.Errorf("without %s: has previous %t, cut off %t", absent, third.HasPrevious, third.CutOffPrevious)
			}
			if cutOff { // the way that one came
				s.shows(s.page(second), list[3:6])
			} else {
				s.shows(s.page(model.PageRequest{Size: 3, NewestFirst: true, Turn: model.PreviousPage, From: third}), list[3:6])
			}
			last := s.page(model.PageRequest{Size: 5, NewestFirst: true, Turn: model.LastPage})
			if last.HasPrevious == cutOff || last.CutOffPrevious != cutOff || last.HasNext || last.CutOffNext {
				t.Errorf("without %s the last page is %+v", absent, last)
			}
		})
	}
}

// TestAShortPageThatIsCutOffIsNotTheFirst: a service may send fewer rows than it was asked for.
func TestAShortPageThatIsCutOffIsNotTheFirst(t *testing.T) {
	play(t, func(s *trial) {
		s.node.AnswerMargins(1, sim.Answer{Status: 200, Body: marginBody(`"hasPreviousPage":true`, `,"cursor":"a"`)})
		last := s.page(model.PageRequest{Size: 3, Turn: model.LastPage})
		s.node.AnswerMargins(1, sim.Answer{Status: 200, Body: marginBody(`"hasPreviousPage":true`, "")})
		page := s.page(model.PageRequest{Size: 3, Turn: model.PreviousPage, From: last})
		if len(page.Rows) != 1 || !page.CutOffPrevious || len(s.node.Requests()) != 2 {
			t.Errorf("%+v after %d requests", page, len(s.node.Requests()))
		}
	})
}

// TestListsWithoutCursorsAreNotBegunAgain: a list of which no row stands on the page could only be gone on with by the
// cursor of a row.
func TestListsWithoutCursorsAreNotBegunAgain(t *testing.T) {
	play(t, func(s *trial) {
		pattern := regexp.MustCompile(`"(cursor|startCursor)":"[^"]*"`)
		for i := range 4 {
			s.node.PutMargins(sim.MarginLevels{Party: "aa", Market: fmt.Sprintf("%04x", i), Asset: "ee", Timestamp: int64(100 + i)})
			s.node.PutMargins(sim.MarginLevels{Party: "bb", Market: fmt.Sprintf("%04x", i), Asset: "ee", Timestamp: int64(1 + i)})
		}
		s.beforePage(func() {}, func(body []byte) []byte {
			if !bytes.Contains(body, []byte(`"bb"`)) {
				return body
			}
			return pattern.ReplaceAll(body, []byte(`"$1":""`))
		})
		request := model.PageRequest{Scope: model.Scope{Parties: ids("aa bb")}, Size: 2, NewestFirst: true}
		request.From, request.Turn = s.page(request), model.NextPage
		page := s.page(request)
		s.shows(page, s.list(true, "aa", "bb")[2:4])
		if page.HasPrevious || !page.CutOffPrevious {
			t.Errorf("has previous %t, cut off %t", page.HasPrevious, page.CutOffPrevious)
		}
	})
}

func TestAnswersThatAreNoPage(t *testing.T) {
	for _, c := range []struct{ body, words string }{
		{"", "empty"},
		{"<html>\x1b[2Jlog in", `begins with "<html>`},
		{`{"code":1}`, "no marginLevels"},
		{`{"error":{"code":13,"message":"words\u001b[2J"}}`, "with an error: words"},
		{`{"code":13,"message":"words"}`, "with an error: words"},
		{`{"error":{"code":13}}`, "with an error: code 13"},
		{`{"marginLevels":{"edges":[]},"error":"half of it"}`, "with an error: half of it"},
		{`{"marginLevels":{"edges":[{"node":{"timestamp":true}}]}}`, "true or false at /marginLevels/edges/0/node/timestamp"},
		{`{"marginLevels":{"edges":[7]}}`, "a number at /marginLevels/edges/0"},
		{`{"marginLevels":{"pageInfo":{"hasNextPage":2}}}`, "hasNextPage"},
		{`{"marginLevels":{"edges":[`, "cut short"},
		{`{"marginLevels":{"edges":[]}}` + "\n<html>", "not JSON"},
		{`{"marginLevels":{"edges":[]}}]`, "not JSON"},
		{`{"marginLevels":{"edges":[]}} {"marginLevels":{"edges":[]}}`, "goes on after its end"},
		{`{"marginLevels":{"edges":[]}}{"err`, "goes on after its end"},
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

// TestErrorsOfMarginLevelsAreSaidOnce: whoever asked puts what was asked for before what went wrong.
func TestErrorsOfMarginLevelsAreSaidOnce(t *testing.T) {
	for body, want := range map[string]string{
		`{"marginLevels":{"edges":[`:  "connection lost (the answer was cut short)",
		`{"error":{"message":"bad"}}`: "the service answered with an error: bad",
	} {
		play(t, func(s *trial) {
			s.node.AnswerMargins(sim.Always, sim.Answer{Status: 200, Body: body})
			if _, err := s.feed.Margins(s.t.Context(), model.PageRequest{Size: 2}); err == nil || err.Error() != want {
				t.Errorf("a page: %v, want %q", err, want)
			}
		})
		play(t, func(s *trial) {
			s.node.AnswerMargins(sim.Always, sim.Answer{Status: 400, Body: body})
			_, _, err := s.feed.WalkMargins(s.t.Context(), model.PageRequest{Size: 2}, 0)
			if err == nil || !strings.HasPrefix(err.Error(), "the service answered 400: ") {
				t.Errorf("a walk: %v", err)
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
