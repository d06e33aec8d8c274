package margins

import (
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"

	"blotter/feed/endpoint"
	"blotter/model"
)

// TestACursorThatHasExpired in the middle of a walk begins it again, once: nothing is missing. If another one has
// expired then, the walk fails with the answer of the service.
func TestACursorThatHasExpired(t *testing.T) {
	expired := map[int]*endpoint.StatusError{
		http.StatusBadRequest:          {Status: http.StatusBadRequest, Words: "invalid cursor"},
		http.StatusNotFound:            {Status: http.StatusNotFound, Words: "no such cursor"},
		http.StatusInternalServerError: {Status: http.StatusInternalServerError, Words: "internal error"},
	}
	for status, err := range expired {
		for _, fails := range []bool{false, true} {
			until := 1
			if status == http.StatusInternalServerError {
				until = cursorTries
			}
			if fails {
				until = always
			}
			synctest.Test(t, func(t *testing.T) {
				s := newService(t)
				s.fill(rand.New(rand.NewPCG(1, 1)), 10, false, "aa", "bb")
				refused := 0
				s.respond = func(query endpoint.PageQuery, number int) (*endpoint.Page, error) {
					if number < 3 || query.Cursor == "" || refused >= until {
						return nil, nil
					}
					refused++
					return nil, err
				}
				walked, got := s.lister().Walk(t.Context(), model.PageRequest{Size: 4}, 0)
				switch {
				case fails && got == nil:
					t.Errorf("%d: a walk without end of failures has %d records", status, len(walked.Records))
				case !fails && got != nil:
					t.Errorf("%d: the walk fails: %v", status, got)
				case !fails && (walked.IsIncomplete || len(walked.Records) != len(s.list(false, "aa", "bb"))):
					t.Errorf("%d: the walk has %d records, %q", status, len(walked.Records), walked.Warning)
				}
				isLater := func(q endpoint.PageQuery) bool { return q.Cursor != "" }
				if begun := len(slices.DeleteFunc(slices.Clone(s.queries), isLater)); begun != 2 {
					t.Errorf("%d: the list was begun %d times, want 2", status, begun)
				}
			})
		}
	}
}
