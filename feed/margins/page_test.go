package margins

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
)

func TestPageSizeIsLimited(t *testing.T) {
	s := newService(t)
	s.fill(rand.New(rand.NewPCG(1, 1)), 3, false, "aa")
	for _, size := range []int{-1, 0, 1, 5000, 5001, 1 << 40} {
		if got := len(s.page(model.PageRequest{Size: size}).Rows); got != max(1, min(size, 3)) {
			t.Errorf("%d rows for size %d", got, size)
		}
		if size := s.queries[len(s.queries)-1].Size; size < 1 || size > MaxPageSize {
			t.Errorf("%d rows were requested", size)
		}
	}
}

// TestRefusedCursorLeadsToTheFirstPage, if the service may have refused the request because of its cursor.
func TestRefusedCursorLeadsToTheFirstPage(t *testing.T) {
	for status, restarted := range map[int]bool{400: true, 404: true, 500: true, 503: false, 429: false, 401: false} {
		for _, turn := range []model.PageTurn{model.NextPage, model.PreviousPage} {
			s := newService(t)
			s.fill(rand.New(rand.NewPCG(1, 1)), 9, false, "aa", "bb")
			request := model.PageRequest{Scope: ofParties("aa", "bb"), Size: 4, NewestFirst: true}
			request.From, request.Turn = s.page(request), model.NextPage
			request.From, request.Turn = s.page(request), turn
			s.respond = func(query endpoint.PageQuery, _ int) (*endpoint.Page, error) {
				if query.Cursor == "" {
					return nil, nil
				}
				return nil, &endpoint.StatusError{Status: status, Words: "no such cursor"}
			}
			page, err := s.lister().Page(t.Context(), request)
			if !restarted {
				if statusOf(err) != status {
					t.Errorf("%d: %v", status, err)
				}
				continue
			}
			if err != nil || !page.Restarted || page.HasPrevious || !page.HasNext {
				t.Fatalf("%d: %+v, %v", status, page, err)
			}
			s.shows(page, s.list(true, "aa", "bb")[:4])
		}
	}
}

func TestFirstPageThatIsRefusedIsNotRequestedTwice(t *testing.T) {
	s := newService(t)
	from := s.page(model.PageRequest{Size: 1})
	s.fails(2, always, &endpoint.StatusError{Status: 400})
	for _, turn := range []model.PageTurn{model.FirstPage, model.LastPage} {
		s.queries = s.queries[:1]
		if _, err := s.lister().Page(t.Context(), model.PageRequest{Size: 1, Turn: turn, From: from}); err == nil || len(s.queries) != 2 {
			t.Errorf("%d requests, %v", len(s.queries)-1, err)
		}
	}
}

// TestShortFirstPageIsReadAsAWhole: rows before the page are removed while it is on the screen.
func TestShortFirstPageIsReadAsAWhole(t *testing.T) {
	s := newService(t)
	s.fill(rand.New(rand.NewPCG(1, 1)), 10, false, "aa")
	request := model.PageRequest{Size: 4}
	request.From, request.Turn = s.page(request), model.NextPage
	request.From, request.Turn = s.page(request), model.PreviousPage
	for _, m := range s.Margins()[8:] { // the two oldest
		s.RemoveMargins(m.Key())
	}
	page := s.page(request)
	s.shows(page, s.list(false)[:4])
	if page.HasPrevious || !page.HasNext {
		t.Errorf("has previous %t, next %t", page.HasPrevious, page.HasNext)
	}
}

// TestWholeFirstPageIsReadOnce: the trader does not wait for a second request.
func TestWholeFirstPageIsReadOnce(t *testing.T) {
	s := newService(t)
	s.fill(rand.New(rand.NewPCG(1, 1)), 10, false, "aa")
	request := model.PageRequest{Size: 4}
	request.From, request.Turn = s.page(request), model.NextPage
	request.From, request.Turn = s.page(request), model.PreviousPage
	if s.shows(s.page(request), s.list(false)[:4]); len(s.queries) != 3 {
		t.Errorf("%d requests for three pages", len(s.queries))
	}
}

// TestEmptyPageLeadsBack: all rows after a page are removed while it is on the screen.
func TestEmptyPageLeadsBack(t *testing.T) {
	s := newService(t)
	s.fill(rand.New(rand.NewPCG(1, 1)), 8, false, "aa")
	first := s.page(model.PageRequest{Size: 4})
	for _, m := range s.Margins()[:4] { // the newest
		s.RemoveMargins(m.Key())
	}
	empty := s.page(model.PageRequest{Size: 4, Turn: model.NextPage, From: first})
	if len(empty.Rows) != 0 || empty.HasNext || !empty.HasPrevious {
		t.Fatalf("%+v", empty)
	}
	s.shows(s.page(model.PageRequest{Size: 4, Turn: model.PreviousPage, From: empty}), s.list(false))
}

// TestShortPageThatIsCutOffIsNotTheFirst: a service may send fewer rows than requested.
func TestShortPageThatIsCutOffIsNotTheFirst(t *testing.T) {
	s := newService(t)
	s.respond = func(_ endpoint.PageQuery, try int) (*endpoint.Page, error) {
		return madeUp(false, true, []string{"a", ""}[min(try, 2)-1]), nil
	}
	last := s.page(model.PageRequest{Size: 3, Turn: model.LastPage})
	page := s.page(model.PageRequest{Size: 3, Turn: model.PreviousPage, From: last})
	if len(page.Rows) != 1 || !page.CutOffPrevious || len(s.queries) != 2 {
		t.Errorf("%+v after %d requests", page, len(s.queries))
	}
}

// TestListsAreReadAtOnce: many lists take little longer than one, and each list is requested once.
func TestListsAreReadAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		var running, most atomic.Int32
		s.before = func() {
			most.Store(max(most.Load(), running.Add(1)))
			time.Sleep(100 * time.Millisecond)
			running.Add(-1)
		}
		scope := ofParties("aa")
		for i := range 40 {
			scope.Parties = append(scope.Parties, model.MakeID(fmt.Sprintf("%04x", i)))
		}
		began := time.Now()
		s.page(model.PageRequest{Scope: scope, Size: 3})
		if took := time.Since(began); took > 800*time.Millisecond || most.Load() > listsAtOnce {
			t.Errorf("41 lists took %s, %d at once", took, most.Load())
		}
		queries := make(map[model.Key]int)
		for _, query := range s.queries {
			if queries[query.Key]++; queries[query.Key] > 1 {
				t.Errorf("%v was requested twice", query.Key)
			}
		}
	})
}

// TestPageEndsWithItsContext, and if one list fails it does not wait for the others.
func TestPageEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		broken := errors.New("connection lost")
		hangs := pageReaderFunc(func(ctx context.Context, _ endpoint.Kind, query endpoint.PageQuery) (*endpoint.Page, error) {
			if query.Key.Party == model.MakeID("bb") {
				return nil, broken
			}
			<-ctx.Done()
			return nil, ctx.Err()
		})
		lister := New(hangs, slog.New(slog.NewTextHandler(&log, nil)))
		began := time.Now()
		_, err := lister.Page(t.Context(), model.PageRequest{Scope: ofParties("aa", "bb"), Size: 3})
		if !errors.Is(err, broken) || err.Error() != "connection lost (party bb)" || time.Since(began) > 0 {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		if got := log.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "margin levels: connection lost (party bb)") {
			t.Errorf("the log has %q", got)
		}
		log.Reset()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := lister.Page(ctx, model.PageRequest{Size: 3}); !errors.Is(err, context.Canceled) || log.Len() > 0 {
			t.Errorf("%v, and the log has %q", err, log.String())
		}
	})
}

// TestRequestThatWasNotSentIsNotLogged, because its cause was logged before.
func TestRequestThatWasNotSentIsNotLogged(t *testing.T) {
	var log bytes.Buffer
	postponed := &endpoint.PostponedError{Cause: errors.New("connection refused"), Until: time.Now().Add(time.Minute)}
	lister := New(pageReaderFunc(func(context.Context, endpoint.Kind, endpoint.PageQuery) (*endpoint.Page, error) {
		return nil, postponed
	}), slog.New(slog.NewTextHandler(&log, nil)))
	if _, err := lister.Page(t.Context(), model.PageRequest{Size: 3}); !errors.Is(err, postponed) || log.Len() > 0 {
		t.Errorf("%v, and the log has %q", err, log.String())
	}
}

// TestKindOfAPageRequest, even if it is read again from the beginning.
func TestKindOfAPageRequest(t *testing.T) {
	for _, background := range []bool{false, true} {
		s := newService(t)
		s.fill(rand.New(rand.NewPCG(1, 1)), 9, false, "aa")
		request := model.PageRequest{Size: 4, Background: background}
		request.From, request.Turn = s.page(request), model.NextPage
		s.fails(2, 3, &endpoint.StatusError{Status: 500})
		s.page(request)
		want := endpoint.UserPage
		if background {
			want = endpoint.BackgroundPage
		}
		if len(s.kinds) != 3 || slices.ContainsFunc(s.kinds, func(kind endpoint.Kind) bool { return kind != want }) {
			t.Errorf("background %t: the kinds are %v", background, s.kinds)
		}
	}
}

// TestPanicReachesTheCaller, because the caller restores the terminal; also if another list has failed before.
func TestPanicReachesTheCaller(t *testing.T) {
	for _, failing := range []string{"", "aa"} {
		failed := make(chan struct{})
		pages := pageReaderFunc(func(ctx context.Context, _ endpoint.Kind, query endpoint.PageQuery) (*endpoint.Page, error) {
			if query.Key.Party.String() == failing {
				close(failed)
				return nil, errors.New("a failure")
			}
			if failing != "" {
				<-failed
				<-ctx.Done() // the group has the error
			}
			panic("a defect")
		})
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "a defect") || !strings.Contains(got, "page_test.go") {
					t.Errorf("the panic is %q", got)
				}
			}()
			_, _ = New(pages, slog.New(slog.DiscardHandler)).Page(t.Context(), model.PageRequest{Scope: ofParties("aa", "bb"), Size: 3})
			t.Error("no panic")
		}()
	}
}

// TestPanicEndsTheOtherRequests: the program ends at once.
func TestPanicEndsTheOtherRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pages := pageReaderFunc(func(ctx context.Context, _ endpoint.Kind, query endpoint.PageQuery) (*endpoint.Page, error) {
			if query.Key.Party == model.MakeID("bb") {
				panic("a defect")
			}
			return nil, endpoint.Pause(ctx, time.Now().Add(time.Minute), nil)
		})
		began := time.Now()
		defer func() {
			if reason, took := recover(), time.Since(began); reason == nil || took > 0 {
				t.Errorf("the panic came after %s: %v", took, reason)
			}
		}()
		_, _ = New(pages, slog.New(slog.DiscardHandler)).Page(t.Context(), model.PageRequest{Scope: ofParties("aa", "bb"), Size: 3})
	})
}

// pageReaderFunc makes a PageReader of a function.
type pageReaderFunc func(context.Context, endpoint.Kind, endpoint.PageQuery) (*endpoint.Page, error)

func (f pageReaderFunc) Page(ctx context.Context, kind endpoint.Kind, query endpoint.PageQuery) (*endpoint.Page, error) {
	return f(ctx, kind, query)
}

// TestRecordsThatWereNotRequestedAreLeftOut: a service may ignore the party of a request.
func TestRecordsThatWereNotRequestedAreLeftOut(t *testing.T) {
	s := newService(t)
	s.fill(rand.New(rand.NewPCG(1, 1)), 5, false, "aa", "bb", "cc")
	s.respond = func(query endpoint.PageQuery, _ int) (*endpoint.Page, error) {
		query.Key = model.Key{}
		return s.read(t.Context(), query)
	}
	scope, want := ofParties("aa", "bb"), s.list(true, "aa", "bb")
	s.shows(s.page(model.PageRequest{Scope: scope, Size: 100, NewestFirst: true}), want)
	var rows []model.MarginLevels
	request := model.PageRequest{Scope: scope, Size: 4, NewestFirst: true}
	for page := s.page(request); ; page = s.page(request) {
		rows = append(rows, page.Rows...)
		if request.From, request.Turn = page, model.NextPage; !page.HasNext {
			break
		}
	}
	s.shows(&model.Page{Rows: rows}, want)
	if records, warning := s.walk(model.PageRequest{Scope: scope, Size: 4, NewestFirst: true}, 0); !slices.Equal(records, want) {
		t.Errorf("the walk has %q, want %q; %s", records, want, warning)
	}
}
