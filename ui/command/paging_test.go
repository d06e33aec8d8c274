package command

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"blotter/feed"
	"blotter/feed/sim"
)

// levels are n margin records, the last the newest.
func levels(s *dashboardTest, n int) {
	for i := range n {
		s.Node.PutMargins(level(i))
		time.Sleep(time.Millisecond)
	}
}

func level(i int) sim.MarginLevels {
	return sim.MarginLevels{Party: fmt.Sprintf("f%02d", i), Market: "b1", Asset: "c1", Maintenance: "100", Search: "110", Initial: "120", Release: "130"}
}

// PageIs asserts the parties of the margin levels, from the first to the last.
func (s *dashboardTest) PageIs(title, first, last string) *dashboardTest {
	s.t.Helper()
	s.Shows(title)
	var parties []string
	_, below, _ := strings.Cut(s.Screen(), "MAINTENANCE ")
	for line := range strings.Lines(below) {
		if fields := strings.Fields(strings.TrimPrefix(line, "▌")); len(fields) > 3 && fields[0] == "BTC/USDT" {
			parties = append(parties, fields[1])
		}
	}
	if len(parties) == 0 || parties[0] != first || parties[len(parties)-1] != last {
		s.t.Errorf("the page has %v, not %s to %s:\n%s", parties, first, last, s.Screen())
	}
	return s
}

func tenOnAPage() setup {
	desks := twoDesks()
	desks.options.PageSize = 10
	return desks
}

// TestPagingWhileRecordsChange: the records that the cursors name move to the newest end, and none is missed in either
// direction.
func TestPagingWhileRecordsChange(t *testing.T) {
	tenOnAPage().run(t, func(s *dashboardTest) {
		levels(s, 35)
		s.Press("r", "tab", "o").PageIs("oldest first · page 1", "f00", "f09")
		s.Node.PutMargins(level(9))
		s.Press("right").PageIs("page 2", "f10", "f19")
		s.Node.PutMargins(level(10))
		s.Press("left").PageIs("page 1", "f00", "f11")
	})
}

// TestPagingBackWhileRecordsAreAdded: the pages adjoin, and page 1 says that more records are before it. At the
// beginning of the list it is the first page again, which follows what changes.
func TestPagingBackWhileRecordsAreAdded(t *testing.T) {
	tenOnAPage().run(t, func(s *dashboardTest) {
		levels(s, 35)
		s.Press("r", "tab", "right").PageIs("newest first · page 2", "f24", "f15")
		s.Press("left").PageIs("newest first · page 1", "f34", "f25").Lacks("Records were added")
		s.Press("right").PageIs("newest first · page 2", "f24", "f15")
		for i := 35; i < 47; i++ {
			s.Node.PutMargins(level(i))
			time.Sleep(time.Millisecond)
		}
		s.Press("left").PageIs("newest first · page 1", "f34", "f25").Shows("Records were added: more are before this page.")
		s.After(10*time.Second).PageIs("page 1", "f34", "f25") // it stays, as later pages do
		s.Press("left").PageIs("newest first · page 1", "f44", "f35").Shows("Records were added: more are before this page.")
		s.Press("right").PageIs("newest first · page 2", "f34", "f25").Lacks("Records were added")
		s.Press("left", "left").PageIs("newest first · page 1", "f46", "f37").Lacks("Records were added")
		s.Node.PutMargins(level(47))
		s.After(10*time.Second).PageIs("page 1", "f47", "f38")
	})
}

// TestExpiredCursorLeadsToTheFirstPage, with a message; from there paging works as before.
func TestExpiredCursorLeadsToTheFirstPage(t *testing.T) {
	for _, refusal := range []sim.Response{
		{Status: 400, Body: `{"code":3,"message":"invalid pagination"}`},
		{Status: 500, Body: `{"code":13,"message":"Internal error"}`},
	} {
		tenOnAPage().run(t, func(s *dashboardTest) {
			levels(s, 35)
			s.Press("r", "tab", "right", "right").PageIs("page 3", "f14", "f05")
			s.Node.SetMarginResponse(1, refusal)
			s.Press("left").PageIs("newest first · page 1", "f34", "f25").
				Shows("The service cannot continue from this page: the first page is shown again.").Lacks(refusal.Body, "Refresh failed")
			s.After(6*time.Second).PageIs("page 1", "f34", "f25").Lacks("no longer knew")
			s.Press("right").PageIs("page 2", "f24", "f15")
		})
	}
}

// TestPageKeysDuringAnOutage cause no more connections than the streams alone, and show at once what is wrong.
func TestPageKeysDuringAnOutage(t *testing.T) {
	tenOnAPage().run(t, func(s *dashboardTest) {
		levels(s, 35)
		s.Press("r", "tab", "right", "right").PageIs("page 3", "f14", "f05")
		s.Listener.Kill()
		before := s.Listener.Dials()
		for began := time.Now(); time.Since(began) < 59*time.Second; {
			s.Type("left", "right", "g", "G")
		}
		if dials := s.Listener.Dials() - before; dials > 6 {
			t.Errorf("%d dials in a minute", dials)
		}
		s.PageIs("page 4", "f04", "f00").Shows("STALE", "Refresh failed: connection refused: nothing listens there")
		s.Listener.Revive()
		s.After(feed.DefaultTimes().MaxBackoff+5*time.Second).Press("g").PageIs("page 1", "f34", "f25").Lacks("STALE", "Refresh failed")
	})
}

// TestPagingBackWithoutACursorOfTheService: the pages come in the opposite order, and only the last page is shown as
// the end of the list.
func TestPagingBackWithoutACursorOfTheService(t *testing.T) {
	desks := tenOnAPage()
	absent := regexp.MustCompile(`"(cursor|startCursor)":"[^"]*"`)
	desks.before = func(node http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if isStream(sim.Request{URI: r.RequestURI}) {
				node.ServeHTTP(w, r)
				return
			}
			response := httptest.NewRecorder()
			node.ServeHTTP(response, r)
			_, _ = w.Write(absent.ReplaceAll(response.Body.Bytes(), []byte(`"$1":""`)))
		})
	}
	desks.run(t, func(s *dashboardTest) {
		levels(s, 35)
		s.Press("r", "tab", "right", "right", "right").PageIs("page 4", "f04", "f00")
		s.Press("left").PageIs("page 3", "f14", "f05")
		s.Press("left").PageIs("page 2", "f24", "f15")
		s.Press("left").PageIs("page 1", "f34", "f25")
		s.Press("left").Shows("First page.")
		s.Press("G").PageIs("last page", "f09", "f00")
		s.Press("left").PageIs("last page", "f09", "f00").Shows("There is more, but the service sends no cursor")
	})
}
