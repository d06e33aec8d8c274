package feed

import (
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"blotter/model"
)

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
