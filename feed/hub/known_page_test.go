package hub

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"blotter/model"
)

func recordWords(page *model.Page) string {
	var all []string
	for i := range page.Rows {
		all = append(all, page.Rows[i].Market.String())
	}
	return strings.Join(all, " ")
}

// TestPagesOfWhatIsKnown: a page that a screen requests by itself, and those that follow it, need no request, and show
// when the lists were checked. Rows that move meanwhile are shown once more, and none is left out.
func TestPagesOfWhatIsKnown(t *testing.T) {
	playMargins(t, Limits{}, func(s *trial, m *marginService) {
		live := &pageLog{}
		s.feed.page = live.page
		for i := range int64(5) {
			m.put("a", fmt.Sprint("a", i), 10+2*i)
			m.put("b", fmt.Sprint("b", i), 11+2*i)
		}
		one := s.reader("a", "b")
		request := pageOf("a", "b")
		request.Size, request.NewestFirst, request.Background = 4, true, true
		page := func(turn model.PageTurn, from *model.Page, want string) *model.Page {
			s.Helper()
			request.Turn, request.From = turn, from
			got, err := one.Page(s.Context(), request)
			if err != nil {
				s.Fatal(err)
			}
			if recordWords(got) != want {
				s.Errorf("%s, want %s", recordWords(got), want)
			}
			return got
		}
		page(model.FirstPage, nil, "b4 a4 b3 a3") // as soon as all is known
		s.after(3 * time.Second)
		checked := one.ends
		first := page(model.FirstPage, nil, "b4 a4 b3 a3")
		if age := time.Since(first.ReadAt); checked == 0 || age <= 0 || age > 3*time.Second || !first.HasNext || first.HasPrevious {
			s.Errorf("%s old, %+v", age, first)
		}
		second := page(model.NextPage, first, "b2 a2 b1 a1")
		last := page(model.NextPage, second, "b0 a0")
		if last.HasNext || !last.HasPrevious || !second.HasNext || !second.HasPrevious {
			s.Errorf("%+v", last)
		}
		page(model.PreviousPage, last, "b2 a2 b1 a1")
		page(model.LastPage, nil, "a2 b1 a1 b0 a0"[3:])
		m.put("a", "a1", 99) // moves to the newest end
		s.after(model.MarginRefresh + time.Second)
		page(model.FirstPage, nil, "a1 b4 a4 b3")
		page(model.NextPage, first, "b2 a2 b1 b0")
		request.NewestFirst = false
		page(model.FirstPage, nil, "a0 b0 b1 a2")
		if len(live.requested) != 0 {
			s.Errorf("%d requests", len(live.requested))
		}
		request.Background, request.NewestFirst = false, true
		if page(model.FirstPage, nil, ""); len(live.requested) != 1 {
			s.Errorf("%d requests: a page of the trader is read", len(live.requested))
		}
		one.stop()
		one.Close()
		two := s.join("two")
		request.Turn, request.From = model.NextPage, first
		if got, err := two.Page(s.Context(), request); err != nil || !got.Restarted || len(live.requested) != 2 {
			s.Errorf("%+v, %v: the lists are not read any more", got, err)
		}
	})
}
