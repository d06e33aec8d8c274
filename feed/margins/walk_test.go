package margins

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/wire"
	"blotter/model"
	"blotter/model/modeltest"
)

func TestWalkReadsEachRecordOnceInTheRequestedOrder(t *testing.T) {
	for _, ties := range []bool{false, true} {
		for _, parties := range [][]string{nil, {"aa"}, {"bb", "aa"}} {
			s := newService(t)
			s.fill(rand.New(rand.NewPCG(1, 1)), 10, ties, "aa", "bb", "cc")
			for size := -1; size <= 31; size++ {
				for _, newestFirst := range []bool{false, true} {
					request := model.PageRequest{Scope: ofParties(parties...), Size: size, NewestFirst: newestFirst}
					got, warning := s.walk(request, 0)
					if want := s.list(newestFirst, parties...); !slices.Equal(got, want) || warning != "" {
						t.Fatalf("parties %v in pages of %d, newest first %t: %q %q, want %q", parties, size, newestFirst, got, warning, want)
					}
				}
			}
		}
	}
}

func TestWalkEndsAtTheLimit(t *testing.T) {
	s := newService(t)
	s.fill(rand.New(rand.NewPCG(1, 1)), 20, false, "aa", "bb")
	for _, newestFirst := range []bool{false, true} {
		for limit := 1; limit <= 41; limit++ {
			s.queries = nil
			request := model.PageRequest{Scope: ofParties("aa", "bb"), Size: 4, NewestFirst: newestFirst}
			got, warning := s.walk(request, limit)
			if want := s.list(newestFirst, "aa", "bb")[:min(limit, 40)]; !slices.Equal(got, want) || warning != "" {
				t.Fatalf("limit %d, newest first %t: %q %q, want %q", limit, newestFirst, got, warning, want)
			}
			if limit <= 4 && len(s.queries) != 4 { // a page without a block is read twice
				t.Errorf("%d requests for %d records of two lists", len(s.queries), limit)
			}
		}
	}
}

// TestWalkMissesNothingWhileRowsMove moves rows between any two pages. Often it moves the row of the cursor; then the
// service leaves out a row.
func TestWalkMissesNothingWhileRowsMove(t *testing.T) {
	walksWhileRowsMove(t, uint64(modeltest.Times(10_000)), nil)
}

// TestWalkMissesNothingWithFewCursors: some services send a cursor with the last row of a page only.
func TestWalkMissesNothingWithFewCursors(t *testing.T) {
	walksWhileRowsMove(t, uint64(modeltest.Times(2_000)), func(page *endpoint.Page) {
		for i := range page.Cursors[:max(0, len(page.Cursors)-1)] {
			page.Cursors[i] = ""
		}
	})
}

func walksWhileRowsMove(t *testing.T, seeds uint64, rewrite func(*endpoint.Page)) {
	t.Helper()
	for seed := range seeds {
		random := rand.New(rand.NewPCG(seed, 1))
		s := newService(t)
		s.rewrite = rewrite
		records, size := 2+random.IntN(9), 1+random.IntN(4)
		now := int64(0)
		change := func(market int) {
			now++
			s.PutMargins(record(market, now))
		}
		for market := range records {
			change(market)
		}
		changes := random.IntN(12)
		s.before = func() {
			for range random.IntN(3) {
				if changes--; changes >= 0 {
					change(random.IntN(records))
				}
			}
		}
		request := model.PageRequest{Size: size, NewestFirst: random.IntN(2) == 0}
		walked, err := s.lister().Walk(t.Context(), request, 0)
		rows, warning := walked.Records, walked.Warning
		if err != nil || warning != "" {
			t.Fatalf("seed %d: %q, %v", seed, warning, err)
		}
		times := make(map[model.MarginKey]int)
		for i := range rows {
			times[rows[i].MarginKey]++
		}
		if len(times) != records || len(rows) != records {
			t.Fatalf("seed %d: %d records in pages of %d came as %q", seed, records, size, namesOf(rows))
		}
	}
}

func TestWalkEndsWhereTheServiceRepeatsPages(t *testing.T) {
	const nothingNew, noCursor = "sends none that are new", "sends no cursor"
	both := madeUp(true, false, "x", "y")
	only := func(i int, cursor string) *endpoint.Page {
		page := madeUp(true, false, "x", "y")
		page.Rows, page.Cursors = page.Rows[i:i+1], []string{cursor}
		return page
	}
	for name, c := range map[string]struct {
		pages   []*endpoint.Page // the last one again and again
		records int
		warning string
	}{
		"the same page":  {[]*endpoint.Page{both}, 2, nothingNew},
		"a used cursor":  {[]*endpoint.Page{only(0, "x"), only(1, "x")}, 2, nothingNew},
		"no cursor":      {[]*endpoint.Page{only(0, "x"), only(1, "")}, 2, noCursor},
		"an empty page":  {[]*endpoint.Page{only(0, "x"), madeUp(true, false)}, 1, nothingNew},
		"nothing at all": {[]*endpoint.Page{madeUp(true, false)}, 0, nothingNew},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t)
			s.respond = func(_ endpoint.PageQuery, try int) (*endpoint.Page, error) {
				return c.pages[min(try, len(c.pages))-1], nil
			}
			got, warning := s.walk(model.PageRequest{Size: 2}, 0)
			if len(got) != c.records || !strings.Contains(warning, c.warning) || len(s.queries) > 10 {
				t.Errorf("%q and the warning %q after %d requests, want %d and %q", got, warning, len(s.queries), c.records, c.warning)
			}
		})
	}
}

// TestWalkEndsAlthoughThereIsMoreThatIsNew: three records change so fast that each page has a new version of one.
func TestWalkEndsAlthoughThereIsMoreThatIsNew(t *testing.T) {
	s := newService(t)
	s.respond = func(query endpoint.PageQuery, try int) (*endpoint.Page, error) {
		after, _ := strconv.Atoi(query.Cursor)
		page := &endpoint.Page{MarginPage: wire.MarginPage{HasNext: try < 1000}}
		for at := after + 1; at <= after+query.Size; at++ {
			var levels model.MarginLevels
			levels.Market, levels.Timestamp = model.MakeID(fmt.Sprint(at%3)), model.AmountOf(int64(at))
			page.Rows, page.Cursors = append(page.Rows, levels), append(page.Cursors, strconv.Itoa(at))
		}
		return page, nil
	}
	got, warning := s.walk(model.PageRequest{Size: 2}, 0)
	if len(got) != 3 || !strings.Contains(warning, "change faster than they can be read 2 at a time") || len(s.queries) > 100 {
		t.Errorf("%q and the warning %q after %d requests", got, warning, len(s.queries))
	}
}

// TestWalkEndsAtSoManyRecords that no service has: a faulty one could send others without end.
func TestWalkEndsAtSoManyRecords(t *testing.T) {
	w := &walk{size: 1, known: newKnown(), ending: ending{newest: new(int64)}, request: func(context.Context, string, int, bool) (*endpoint.Page, error) {
		return madeUp(true, false, "a"), nil
	}}
	for i := range uint64(maxRecords - 1) {
		w.known.records[i] = knownRecord{version: i}
	}
	if _, err := w.next(t.Context()); err != nil || !w.ended || w.problem == nil {
		t.Errorf("ended %t, with the problem %v, and %v", w.ended, w.problem, err)
	}
}

// TestWalkHasTheNewestCopy of a record that is on each page, whether its time rises or falls.
func TestWalkHasTheNewestCopy(t *testing.T) {
	for _, step := range []int{-1, +1} {
		s := newService(t)
		s.fill(rand.New(rand.NewPCG(1, 1)), 6, false, "aa")
		newest := 0
		s.rewrite = func(page *endpoint.Page) {
			at := 100 + step*len(s.queries)
			newest = max(newest, at)
			page.Rows = append(page.Rows, model.MarginLevels{Timestamp: model.AmountOf(int64(at))})
			page.Cursors = append(page.Cursors, "")
		}
		got, warning := s.walk(model.PageRequest{Size: 2}, 0)
		if want := append(s.list(false), fmt.Sprintf("/ %d", newest)); !slices.Equal(got, want) || warning != "" {
			t.Errorf("the records are %q, want %q; %s", got, want, warning)
		}
	}
}

// TestWalkWhileRecordsAreRemoved, those that follow the first page: nothing is missing.
func TestWalkWhileRecordsAreRemoved(t *testing.T) {
	s := newService(t)
	s.fill(rand.New(rand.NewPCG(1, 1)), 4, false, "aa")
	list := s.list(false)
	s.before = func() {
		if len(s.queries) == 1 {
			for _, m := range s.Margins()[:2] { // the newest
				s.RemoveMargins(m.Key())
			}
		}
	}
	if got, warning := s.walk(model.PageRequest{Size: 2}, 0); !slices.Equal(got, list[:2]) || warning != "" {
		t.Errorf("%q and the warning %q", got, warning)
	}
}

// TestWalkReadsPagesThatAreSmallerThanRequested: services may have their own limit.
func TestWalkReadsPagesThatAreSmallerThanRequested(t *testing.T) {
	for largest := 1; largest <= 4; largest++ {
		s := newService(t)
		s.fill(rand.New(rand.NewPCG(1, 1)), 20, false, "aa")
		s.respond = func(query endpoint.PageQuery, _ int) (*endpoint.Page, error) {
			query.Size = min(query.Size, largest)
			return s.read(t.Context(), query)
		}
		got, warning := s.walk(model.PageRequest{Size: 10}, 0)
		if want := s.list(false); !slices.Equal(got, want) {
			t.Errorf("pages of %d at most: %q, want %q", largest, got, want)
		}
		if canCheck := largest > 1; canCheck != (warning == "") {
			t.Errorf("pages of %d at most: the warning is %q", largest, warning)
		}
	}
}

// TestWalkKeepsTheFirstWarning of several lists.
func TestWalkKeepsTheFirstWarning(t *testing.T) {
	s := newService(t)
	s.respond = func(query endpoint.PageQuery, _ int) (*endpoint.Page, error) {
		if query.Key.Party == model.MakeID("aa") {
			return madeUp(true, false, ""), nil
		}
		return madeUp(true, false, "x"), nil
	}
	_, warning := s.walk(model.PageRequest{Scope: ofParties("aa", "bb"), Size: 2}, 0)
	if !strings.Contains(warning, "no cursor") {
		t.Errorf("the warning is %q, want that of the first list", warning)
	}
}

// TestWalkRetries: until ctx ends after errors that may pass. Any other error ends the walk at once.
func TestWalkRetries(t *testing.T) {
	lost := errors.New("connection lost")
	for _, c := range []struct {
		err   error
		again bool
	}{
		{lost, true},
		{&endpoint.StatusError{Status: 408}, true},
		{&endpoint.StatusError{Status: 429}, true},
		{&endpoint.StatusError{Status: 500}, true},
		{&endpoint.StatusError{Status: 503, RetryAfter: 9 * time.Second}, true},
		{&endpoint.StatusError{Status: 403, RetryAfter: 9 * time.Second}, true},
		{&endpoint.PostponedError{Cause: lost, Until: time.Time{}}, true},
		{&endpoint.StatusError{Status: 403}, false},
		{&endpoint.StatusError{Status: 400}, false},
		{&endpoint.StatusError{Status: 401}, false},
		{&endpoint.StatusError{Status: 404}, false},
		{endpoint.ErrTokenInClear, false},
		{endpoint.ErrClosed, false},
		{fmt.Errorf("closing: %w", context.Canceled), false},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newService(t)
			s.fill(rand.New(rand.NewPCG(1, 1)), 9, false, "aa")
			s.fails(1, 4, c.err)
			began := time.Now()
			walked, err := s.lister().Walk(t.Context(), model.PageRequest{Size: 5}, 0)
			if took := time.Since(began); c.again && (err != nil || len(walked.Records) != 9 || took == 0) {
				t.Errorf("%v: %d rows, %v after %s", c.err, len(walked.Records), err, took)
			} else if !c.again && (!errors.Is(err, c.err) || len(s.queries) != 1 || took > 0) {
				t.Errorf("%v: %v after %d requests and %s", c.err, err, len(s.queries), took)
			}

			if status, ok := errors.AsType[*endpoint.StatusError](c.err); !c.again || ok && status.RetryAfter > 0 {
				return // a wait that is longer than what is left of the time ends the walk before
			}
			s.fails(1, always, c.err)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			began, s.queries = time.Now(), nil
			_, err = s.lister().Walk(ctx, model.PageRequest{Size: 5}, 0)
			if took := time.Since(began); took != 20*time.Second || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%v: after %s the error is %v", c.err, took, err)
			}
			if want := known(c.err); !errors.Is(err, want) || len(s.queries) > 20 {
				t.Errorf("%v: the error is %v after %d requests", c.err, err, len(s.queries))
			}
		})
	}
}

// known returns the cause of a request that was not sent, or else err.
func known(err error) error {
	if postponed, ok := errors.AsType[*endpoint.PostponedError](err); ok {
		return postponed.Cause
	}
	return err
}

// TestWalkLogsEachFailure after which it tries again.
func TestWalkLogsEachFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s.fails(1, 3, errors.New("connection lost"))
		var log bytes.Buffer
		_, err := New(s, slog.New(slog.NewTextHandler(&log, nil))).Walk(t.Context(), model.PageRequest{Size: 5}, 0)
		if got := strings.Count(log.String(), "margin levels: connection lost; trying again"); got != 2 || err != nil {
			t.Errorf("%v, and the log has %s", err, log.String())
		}
	})
}

// TestWalkTriesAPageWithACursorThreeTimes: a service fails every time on a cursor that it does not have. Then the list
// is read again from the beginning, but only once, and its first page is tried three times too.
func TestWalkTriesAPageWithACursorThreeTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s.fill(rand.New(rand.NewPCG(1, 1)), 9, false, "aa")
		s.fails(2, always, &endpoint.StatusError{Status: 500, Words: "no such cursor"})
		_, err := s.lister().Walk(t.Context(), model.PageRequest{Size: 5}, 0)
		if statusOf(err) != 500 || len(s.queries) != 7 {
			t.Errorf("%v after %d requests, want 1 for the first page, 3 for the second, and 3 for the first one again", err, len(s.queries))
		}
		s.queries = nil
		s.fails(2, 8, errors.New("connection lost")) // this has nothing to do with the cursor
		if walked, err := s.lister().Walk(t.Context(), model.PageRequest{Size: 5}, 0); err != nil || len(walked.Records) != 9 {
			t.Errorf("%d rows, %v", len(walked.Records), err)
		}
	})
}

// TestWalkEndsAtOnceWhereTheWaitIsTooLong, whether the service names the time now or did so before. A wait that it has
// not named may end earlier.
func TestWalkEndsAtOnceWhereTheWaitIsTooLong(t *testing.T) {
	ban := &endpoint.StatusError{Status: 403, RetryAfter: 10 * time.Minute}
	synctest.Test(t, func(t *testing.T) {
		lost, until := errors.New("connection lost"), time.Now().Add(10*time.Minute)
		postponed := &endpoint.PostponedError{Cause: ban, Until: until, ByService: true}
		for _, c := range []struct {
			err, want error
			after     time.Duration
		}{{ban, ban, 0}, {postponed, postponed, 0}, {&endpoint.PostponedError{Cause: lost, Until: until}, lost, 15 * time.Second}} {
			s := newService(t)
			s.fails(1, always, c.err)
			ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
			began := time.Now()
			_, got := s.lister().Walk(ctx, model.PageRequest{Size: 2}, 0)
			cancel()
			if took := time.Since(began); !errors.Is(got, c.want) || took != c.after {
				t.Errorf("after %s the error is %v, want %v after %s", took, got, c.want, c.after)
			}
		}
	})
}

// TestErrorOfAWalkNamesTheList if there are several.
func TestErrorOfAWalkNamesTheList(t *testing.T) {
	refused := &endpoint.StatusError{Status: 400, Words: "bad"}
	for _, c := range []struct {
		scope model.Scope
		want  string
	}{
		{model.Scope{}, "the service responded with 400: bad"},
		{ofParties("aa"), "the service responded with 400: bad"},
		{ofParties("a\x1ba", "bb"), "the service responded with 400: bad (party " + model.Neutralise("a\x1ba") + ")"},
		{model.Scope{Markets: ofParties("cc", "dd").Parties}, "the service responded with 400: bad (market cc)"},
		{model.Scope{Parties: ofParties("aa").Parties, Markets: ofParties("cc", "dd").Parties}, "the service responded with 400: bad (party aa, market cc)"},
	} {
		s := newService(t)
		s.fails(1, 2, refused)
		_, err := s.lister().Walk(t.Context(), model.PageRequest{Scope: c.scope, Size: 2}, 0)
		if fmt.Sprint(err) != c.want || statusOf(err) != 400 {
			t.Errorf("a walk: %v, want %q", err, c.want)
		}
	}
}
