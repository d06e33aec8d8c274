package margins

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"blotter/feed/endpoint"
	"blotter/model"
)

// hide leaves out the rows of a party after the page was cut, as a service does that hides them: the page keeps the
// cursor of its last row.
func hide(party string) func(*endpoint.Page) {
	return func(page *endpoint.Page) {
		for i := len(page.Rows) - 1; i >= 0; i-- {
			if page.Rows[i].Party == model.MakeID(party) {
				page.Rows, page.Cursors = slices.Delete(page.Rows, i, i+1), slices.Delete(page.Cursors, i, i+1)
			}
		}
	}
}

// TestWalkPassesPagesWithoutRows: of 90 records two thirds are hidden, so that some pages have no row, also the first.
// If a page has fewer rows than were requested, a walk cannot check whether they moved, and says so.
func TestWalkPassesPagesWithoutRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for seed := range uint64(5) {
			s := newService(t)
			s.fill(rand.New(rand.NewPCG(seed, 1)), 30, false, "aa", "bb", "cc")
			hideA, hideB := hide("aa"), hide("bb")
			s.rewrite = func(page *endpoint.Page) { hideA(page); hideB(page) }
			for _, size := range []int{2, 3, 5, 20} {
				got, warning := s.walk(model.PageRequest{Size: size}, 0)
				want := s.list(false, "cc")
				if !slices.Equal(got, want) || strings.Contains(warning, "none that are new") {
					t.Errorf("seed %d, pages of %d: %d records and %q, want %d", seed, size, len(got), warning, len(want))
				}
			}
		}
	})
}

// TestWalkEndsBehindPagesWithoutRows: a service that always has one more page without rows, with another cursor or with
// the same, makes no loop, and its records may not be all.
func TestWalkEndsBehindPagesWithoutRows(t *testing.T) {
	for _, isSame := range []bool{false, true} {
		s := newService(t)
		s.respond = func(query endpoint.PageQuery, try int) (*endpoint.Page, error) {
			page := new(endpoint.Page)
			if page.HasNext, page.End = true, "same"; !isSame {
				page.End = strings.Repeat("x", try)
			}
			return page, nil
		}
		_, warning := s.walk(model.PageRequest{Size: 10}, 0)
		if most := maxPassed + 2; len(s.queries) > most || warning == "" {
			t.Errorf("%d requests, at most %d are expected; the warning is %q", len(s.queries), most, warning)
		}
	}
}
