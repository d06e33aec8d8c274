package margins

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/modeltest"
)

// TestPaging reads pages at random, of random sizes, from one list and from several: each has the right part of the
// list.
func TestPaging(t *testing.T) {
	for seed := range uint64(modeltest.Times(500)) {
		random := rand.New(rand.NewPCG(seed, 1))
		parties := []string{"aa", "bb", "cc", "dd"}[:1+random.IntN(4)]
		if seed%3 == 0 {
			parties = nil
		}
		newestFirst := random.IntN(2) == 0
		s := newService(t)
		s.fill(random, random.IntN(12), random.IntN(2) == 0, "aa", "bb", "cc", "dd")
		list := s.list(newestFirst, parties...)
		var page *model.Page
		from, to := 0, 0
		for range 30 {
			size := 1 + random.IntN(6)
			request := model.PageRequest{Scope: ofParties(parties...), Size: size, NewestFirst: newestFirst, From: page}
			switch choice := random.IntN(8); {
			case page == nil || choice == 0:
				request.Turn = model.FirstPage
				from, to = 0, min(size, len(list))
			case choice == 1:
				request.Turn = model.LastPage
				from, to = max(0, len(list)-size), len(list)
			case page.HasNext && (choice < 5 || !page.HasPrevious):
				request.Turn = model.NextPage
				from, to = to, min(to+size, len(list))
			case page.HasPrevious:
				request.Turn = model.PreviousPage
				from, to = from-size, from
				if from < 0 { // a short first page is read as a whole
					from, to = 0, min(size, len(list))
				}
			default:
				continue
			}
			page = s.page(request)
			s.shows(page, list[from:to])
			if page.HasNext != (to < len(list)) || page.HasPrevious != (from > 0) || page.CutOffNext || page.CutOffPrevious || page.Restarted {
				t.Errorf("rows %d to %d of %d: %+v", from, to, len(list), page)
			}
			if t.Failed() {
				t.Fatalf("seed %d, parties %v, newest first %t", seed, parties, newestFirst)
			}
		}
		for _, query := range s.queries {
			if query.NewestFirst != newestFirst {
				t.Fatalf("the query is %+v", query) // the same cursor with the other order leads the other way
			}
		}
	}
}

// TestPagesThatAreSmallerThanRequested: if a service sends fewer rows than requested, the rows of another list must
// not come before its next rows.
func TestPagesThatAreSmallerThanRequested(t *testing.T) {
	for _, newestFirst := range []bool{true, false} {
		s := newService(t)
		s.fill(rand.New(rand.NewPCG(1, 1)), 20, false, "aa", "bb")
		s.respond = func(query endpoint.PageQuery, _ int) (*endpoint.Page, error) {
			query.Size = min(query.Size, 3)
			return s.read(t.Context(), query)
		}
		request := model.PageRequest{Scope: ofParties("aa", "bb"), Size: 10, NewestFirst: newestFirst}
		list := s.list(newestFirst, "aa", "bb")
		var forward, backward []model.MarginLevels
		page := s.page(request)
		for forward = page.Rows; page.HasNext; forward = append(forward, page.Rows...) {
			request.Turn, request.From = model.NextPage, page
			page = s.page(request)
		}
		s.shows(&model.Page{Rows: forward}, list)
		request.Turn, request.From = model.LastPage, nil
		page = s.page(request)
		for backward = page.Rows; page.HasPrevious; {
			request.Turn, request.From = model.PreviousPage, page
			page = s.page(request)
			rows := page.Rows
			if !page.HasPrevious { // a short first page is read as a whole
				rows = slices.DeleteFunc(rows, func(row model.MarginLevels) bool { return slices.Contains(backward, row) })
			}
			backward = append(slices.Clone(rows), backward...)
		}
		s.shows(&model.Page{Rows: backward}, list)
	}
}

// TestPageInfoThatCannotBeTrue: without a cursor there is no next page.
func TestPageInfoThatCannotBeTrue(t *testing.T) {
	for _, c := range []struct {
		name            string
		page            *endpoint.Page
		hasNext, cutOff bool
	}{
		{"an empty page that has a next", madeUp(true, true), false, false},
		{"rows without cursors", madeUp(true, false, "", ""), false, true},
		{"a last row without a cursor", madeUp(true, false, "a", ""), false, true},
		{"a cursor with the last row only", madeUp(true, false, "", "b"), true, false},
		{"a last page without cursors", madeUp(false, false, ""), false, false},
	} {
		s := newService(t)
		s.respond = func(_ endpoint.PageQuery, try int) (*endpoint.Page, error) { return c.page, nil }
		page := s.page(model.PageRequest{Size: 2})
		if page.HasNext != c.hasNext || page.CutOffNext != c.cutOff || page.HasPrevious || page.CutOffPrevious {
			t.Errorf("%s: %+v", c.name, page)
		}
		if s.page(model.PageRequest{Size: 2, Turn: model.NextPage, From: page}); c.hasNext && s.queries[1].Cursor != "b" {
			t.Errorf("%s: the query is %+v", c.name, s.queries[1])
		}
	}
}

// TestPagingBackWithoutCursors: the rows before are cut off, but the page is not at the beginning of the list.
func TestPagingBackWithoutCursors(t *testing.T) {
	s := newService(t)
	s.fill(rand.New(rand.NewPCG(1, 1)), 9, false, "aa")
	s.rewrite = func(page *endpoint.Page) {
		for i := range page.Cursors[:max(0, len(page.Cursors)-1)] {
			page.Cursors[i] = ""
		}
	}
	list := s.list(true)
	request := model.PageRequest{Size: 3, NewestFirst: true}
	request.From, request.Turn = s.page(request), model.NextPage
	second := request
	request.From = s.page(second)
	third := s.page(request)
	if s.shows(third, list[6:]); third.HasPrevious || !third.CutOffPrevious {
		t.Errorf("the third page is %+v", third)
	}
	s.shows(s.page(second), list[3:6]) // the page that the trader has seen before
	last := s.page(model.PageRequest{Size: 5, NewestFirst: true, Turn: model.LastPage})
	if last.HasPrevious || !last.CutOffPrevious || last.HasNext || last.CutOffNext {
		t.Errorf("the last page is %+v", last)
	}
}

// TestListWithoutCursorsIsNotReadAgain: the list has no row on the page, so there is no cursor to read on from.
func TestListWithoutCursorsIsNotReadAgain(t *testing.T) {
	s := newService(t)
	for i := range 4 {
		s.PutMargins(record(i, int64(100+i)))
		s.PutMargins(sim.MarginLevels{Party: "bb", Market: fmt.Sprintf("%04x", i), Asset: "ee", Timestamp: int64(1 + i)})
	}
	s.rewrite = func(page *endpoint.Page) {
		for i := range page.Rows {
			if page.Rows[i].Party == model.MakeID("bb") {
				page.Cursors[i] = ""
			}
		}
	}
	for _, parties := range [][]string{{"aa", "bb"}, {"bb", "aa"}} {
		request := model.PageRequest{Scope: ofParties(parties...), Size: 2, NewestFirst: true}
		request.From, request.Turn = s.page(request), model.NextPage
		page := s.page(request)
		s.shows(page, s.list(true, "aa", "bb")[2:4])
		request.From, request.Turn = nil, model.LastPage
		for _, page := range []*model.Page{page, s.page(request)} {
			if page.HasPrevious || !page.CutOffPrevious {
				t.Errorf("has previous %t, cut off %t", page.HasPrevious, page.CutOffPrevious)
			}
		}
	}
}

// TestEmptyPageThatHasANext: it does not keep the rows of the other lists away.
func TestEmptyPageThatHasANext(t *testing.T) {
	s := newService(t)
	s.fill(rand.New(rand.NewPCG(1, 1)), 4, false, "aa")
	s.respond = func(query endpoint.PageQuery, _ int) (*endpoint.Page, error) {
		if query.Key.Party == model.MakeID("bb") {
			return madeUp(true, false), nil
		}
		return nil, nil
	}
	s.shows(s.page(model.PageRequest{Scope: ofParties("bb", "aa"), Size: 9}), s.list(false))
}

func TestPageHasTheNewestBlock(t *testing.T) {
	s := newService(t)
	s.respond = func(_ endpoint.PageQuery, try int) (*endpoint.Page, error) {
		page := madeUp(false, false, "x")
		page.Block = model.Block{Height: int64(10 * try % 25), Time: time.Unix(int64(try), 0)}
		page.At, page.ServedAt = time.Unix(int64(100+try), 0), time.Unix(int64(200+try), 0)
		return page, nil
	}
	page := s.page(model.PageRequest{Scope: ofParties("aa", "bb", "cc"), Size: 5})
	if page.Block.Height != 20 || page.ReadAt.Unix() != page.ServedAt.Unix()-100 || page.ReadAt.Unix() < 102 {
		t.Errorf("block %d, read at %s, by the service's clock at %s", page.Block.Height, page.ReadAt, page.ServedAt)
	}
}
