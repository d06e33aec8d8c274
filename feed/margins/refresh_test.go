package margins

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/sim"
	"blotter/model"
)

// refreshing is a Refresh of a service, and the records that it has read.
type refreshing struct {
	*service
	*Refresh
	stop context.CancelFunc

	mu      sync.Mutex
	records map[model.MarginKey]model.MarginLevels
	whole   int   // passes that have read everything
	ended   int   // passes that have read all that has changed
	err     error // the last one
	took    int   // of queries
}

// refresh begins to read the margin levels of a scope. It must be called in a bubble.
func (s *service) refresh(scope model.Scope) *refreshing {
	ctx, stop := context.WithCancel(s.t.Context())
	r := &refreshing{service: s, Refresh: s.lister().NewRefresh(), stop: stop, records: make(map[model.MarginKey]model.MarginLevels)}
	r.Watch(scope)
	go r.read(ctx)
	return r
}

func (r *refreshing) read(ctx context.Context) {
	for {
		read, err := r.Next(ctx)
		if err != nil {
			return
		}
		r.mu.Lock()
		if r.err = read.Err; read.Page != nil {
			for _, row := range read.Page.Rows {
				if before := r.records[row.MarginKey]; row.Timestamp.Compare(before.Timestamp) >= 0 {
					r.records[row.MarginKey] = row
				}
			}
		}
		if read.Whole {
			r.whole++
		}
		if read.Ended {
			r.ended++
		}
		r.mu.Unlock()
	}
}

// pass lets time pass, and returns the queries since the last call, such as "newest aa, newest aa after".
func (r *refreshing) pass(d time.Duration) string {
	r.mu.Lock() // both locks order what the test did before what the reader does next
	r.service.mu.Lock()
	from := r.took
	r.service.mu.Unlock()
	r.mu.Unlock()
	time.Sleep(d)
	synctest.Wait()
	var words []string
	for _, q := range r.queries[from:] {
		order := map[bool]string{false: "oldest", true: "newest"}[q.NewestFirst]
		text := strings.TrimSpace(order + " " + q.Key.Party.String())
		if q.Cursor != "" {
			text += " after"
		}
		words = append(words, text)
	}
	r.took = len(r.queries)
	return strings.Join(words, ", ")
}

// wantAll checks that the newest version of each record of the service was read.
func (r *refreshing) wantAll() {
	r.t.Helper()
	for _, m := range r.Margins() {
		key := model.MarginKey{Key: model.Key{Party: model.MakeID(m.Party), Market: model.MakeID(m.Market)}, Asset: model.MakeID(m.Asset)}
		if got := r.records[key]; got.Timestamp != model.AmountOf(m.Timestamp) {
			r.t.Errorf("the record of %s in %s has time %s, want %d", m.Party, m.Market, got.Timestamp, m.Timestamp)
		}
	}
}

// put changes records of the party aa in the given number of markets, from market 0 on.
func (s *service) put(markets int, at int64) {
	for market := range markets {
		s.PutMargins(record(market, at+int64(market)))
	}
}

// TestRefreshReadsWhatHasChanged: as far as that goes back, and no further; and everything every five minutes.
func TestRefreshReadsWhatHasChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s.put(2500, 1)
		r := s.refresh(model.Scope{})
		defer r.stop()
		if got := r.pass(time.Second); got != "oldest, oldest after, oldest after" || r.whole != 1 {
			t.Errorf("the queries are %s; %d passes are whole", got, r.whole)
		}
		r.wantAll()
		for range 3 {
			if got := r.pass(model.MarginRefresh); got != "newest" {
				t.Errorf("nothing has changed, and the queries are %s", got)
			}
		}
		r.put(3, 10_000)
		if got := r.pass(model.MarginRefresh); got != "newest, newest after" {
			t.Errorf("3 records have changed, and the queries are %s", got)
		}
		r.put(1500, 20_000)
		if got := r.pass(model.MarginRefresh); got != "newest, newest after, newest after" {
			t.Errorf("1,500 records have changed, and the queries are %s", got)
		}
		r.wantAll()
		if got := r.pass(walkEvery); strings.Count(got, "oldest") != 3 || r.whole != 2 {
			t.Errorf("the queries of five minutes are %s; %d passes are whole", got, r.whole)
		}
	})
}

// TestRefreshChecksThatNothingWasLeftOut: the row of the cursor and the one after it move between two pages, and the
// service leaves out a record that has changed. The next one is known, but not from this pass.
func TestRefreshChecksThatNothingWasLeftOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s.respond = func(query endpoint.PageQuery, _ int) (*endpoint.Page, error) {
			query.Size = min(query.Size, 3)
			return s.read(t.Context(), query)
		}
		s.put(9, 1)
		r := s.refresh(model.Scope{})
		defer r.stop()
		r.pass(time.Second)
		s.put(4, 100) // the list is 3 2 1 0 8 7 6 …
		next := len(r.queries) + 1
		s.before = func() {
			if len(s.queries) == next { // after 3 2 1
				s.PutMargins(record(2, 200))
				s.PutMargins(record(1, 201))
			}
		}
		r.pass(model.MarginRefresh)
		key := model.MarginKey{Key: model.Key{Party: model.MakeID("aa"), Market: model.MakeID("0000")}, Asset: model.MakeID("ee")}
		if got := r.records[key].Timestamp; got != model.AmountOf(100) {
			t.Errorf("the record that was left out has time %s", got)
		}
	})
}

// TestRefreshOfSinglePagesIsNotWhole: a service that sends one row at a time leaves nothing to check, and that is said.
func TestRefreshOfSinglePagesIsNotWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s.respond = func(query endpoint.PageQuery, _ int) (*endpoint.Page, error) {
			query.Size = 1
			return s.read(t.Context(), query)
		}
		s.put(9, 1)
		r := s.refresh(model.Scope{})
		defer r.stop()
		r.pass(time.Second)
		r.wantAll()
		if !errors.Is(r.err, errMayMiss) || r.whole > 0 {
			t.Errorf("%d passes are whole; the problem is %v", r.whole, r.err)
		}
	})
}

// TestRefreshReadsRecordsOfOneTime: those that come with the time of the newest record before are new, too.
func TestRefreshReadsRecordsOfOneTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		for market := range 3000 {
			s.PutMargins(record(market, 7))
		}
		r := s.refresh(model.Scope{})
		defer r.stop()
		r.pass(time.Second)
		for market := range 1500 {
			r.PutMargins(record(3000+market, 7))
		}
		r.pass(model.MarginRefresh)
		if n := len(r.records); n != 4500 {
			t.Errorf("%d records were read", n)
		}
	})
}

// TestRefreshMissesNothingWhileRowsMove: before each request records move, often that of the cursor. Then the service
// leaves out a row without an error. Passes that are whole have missed none.
func TestRefreshMissesNothingWhileRowsMove(t *testing.T) {
	for seed := range uint64(300) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 2))
			s := newService(t)
			s.respond = func(query endpoint.PageQuery, _ int) (*endpoint.Page, error) { // in small pages
				query.Size = min(query.Size, 3+random.IntN(3))
				return s.read(t.Context(), query)
			}
			records, now, moves := 5+random.IntN(20), int64(0), random.IntN(10)
			move := func(market int) {
				now++
				s.PutMargins(record(market, now))
			}
			for market := range records {
				move(market)
			}
			s.before = func() {
				for range random.IntN(3) {
					if moves--; moves >= 0 {
						move(random.IntN(records))
					}
				}
			}
			r := s.refresh(model.Scope{})
			defer r.stop()
			for range 4 {
				r.pass(model.MarginRefresh)
				moves = random.IntN(10)
			}
			moves = 0
			if r.pass(2 * model.MarginRefresh); r.whole == 0 {
				return // it says so
			}
			r.wantAll()
		})
	}
}

// TestRefreshGoesThroughTheListsOfTheScope one after the other.
func TestRefreshGoesThroughTheListsOfTheScope(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newService(t).refresh(ofParties("aa", "bb"))
		defer r.stop()
		if got := r.pass(model.MarginRefresh); got != "oldest aa, oldest bb, newest aa, newest bb" || r.whole != 1 || r.ended != 2 {
			t.Errorf("the queries are %s; %d passes are whole, and %d have ended", got, r.whole, r.ended)
		}
		r.Watch(ofParties("cc"))
		if got := r.pass(0); got != "oldest cc" {
			t.Errorf("after another scope the queries are %s", got)
		}
		for _, kind := range r.kinds {
			if kind != endpoint.BackgroundPage {
				t.Errorf("the trader waits for a page of kind %v", kind)
			}
		}
	})
}

// TestRefreshHurries: the lists of parties that wait are read at once, but not more often than once a second.
func TestRefreshHurries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newService(t).refresh(ofParties("aa", "bb"))
		defer r.stop()
		r.pass(0)
		r.Hurry([]model.ID{model.MakeID("bb")})
		if got := r.pass(900 * time.Millisecond); got != "" {
			t.Errorf("within a second the queries are %s", got)
		}
		if got := r.pass(100 * time.Millisecond); got != "newest bb" {
			t.Errorf("the queries are %s", got)
		}
		if got := r.pass(3900 * time.Millisecond); got != "" {
			t.Errorf("nothing waits, and the queries are %s", got)
		}
		for _, want := range []string{"newest aa", "newest aa, newest bb"} { // then all lists are due
			r.Hurry([]model.ID{model.MakeID("aa")})
			if got := r.pass(50 * time.Millisecond); got != want {
				t.Errorf("the queries are %s, want %s", got, want)
			}
		}
		r.Hurry([]model.ID{model.MakeID("cc")}) // is not watched
		if got := r.pass(time.Second); got != "newest aa" {
			t.Errorf("the queries are %s", got)
		}
		r.Watch(model.Scope{Markets: ofParties("cc", "dd").Parties})
		r.pass(0)
		r.Hurry([]model.ID{model.MakeID("aa")}) // may be in each list
		if got := r.pass(time.Second); got != "newest, newest" {
			t.Errorf("the queries are %s", got)
		}
	})
}

// TestRefreshWaitsAfterAFailure, and goes on if it was.
func TestRefreshWaitsAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		boom := errors.New("boom")
		s.fails(2, 3, boom)
		s.put(1500, 1)
		r := s.refresh(model.Scope{})
		defer r.stop()
		r.pass(0)
		r.took = 0
		r.Hurry([]model.ID{model.MakeID("aa")})
		if got := r.pass(model.MarginRetry - 1); got != "oldest, oldest after" || !errors.Is(r.err, boom) || r.whole != 0 {
			t.Errorf("the queries are %s; the error is %v", got, r.err)
		}
		if got := r.pass(1); got != "oldest after, newest" || r.err != nil || r.whole != 1 {
			t.Errorf("the queries are %s; the error is %v", got, r.err)
		}
		r.wantAll()
	})
}

// TestRefreshAfterAFailureOfAFirstPage reads only that list again: no cursor was refused.
func TestRefreshAfterAFailureOfAFirstPage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s.fails(2, 3, &endpoint.StatusError{Status: 500, Words: "bad day"})
		r := s.refresh(ofParties("aa", "bb"))
		defer r.stop()
		r.pass(0)
		if got := r.pass(model.MarginRetry); got != "oldest bb" || r.whole != 1 {
			t.Errorf("the queries are %s; %d passes are whole", got, r.whole)
		}
	})
}

// TestRefreshOfARefusedList reads the others, and asks for that one again in each pass.
func TestRefreshOfARefusedList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		isRefused := true
		s.respond = func(q endpoint.PageQuery, _ int) (*endpoint.Page, error) {
			if isRefused && q.Key.Party == model.MakeID("bb") {
				return nil, &endpoint.StatusError{Status: 403, Words: "not yours"}
			}
			return nil, nil
		}
		r := s.refresh(ofParties("aa", "bb", "cc"))
		defer r.stop()
		if got := r.pass(0); got != "oldest aa, oldest bb" || r.err == nil || !strings.HasSuffix(r.err.Error(), "(party bb)") {
			t.Errorf("the queries are %s; the error is %v", got, r.err)
		}
		if got := r.pass(model.MarginRetry); got != "oldest cc" || r.whole+r.ended != 0 {
			t.Errorf("the queries are %s; %d passes are whole, and %d have ended", got, r.whole, r.ended)
		}
		if got := r.pass(model.MarginRefresh + model.MarginRetry); got != "newest aa, newest bb, newest cc" || r.whole+r.ended != 0 {
			t.Errorf("the queries are %s; %d passes are whole, and %d have ended", got, r.whole, r.ended)
		}
		isRefused = false
		if r.pass(walkEvery + model.MarginRefresh); r.err != nil || r.whole != 1 || r.ended < 2 {
			t.Errorf("once it is read, the error is %v; %d passes are whole, and %d have ended", r.err, r.whole, r.ended)
		}
	})
}

// TestRefreshAfterARefusedCursor reads everything again: what was not read may have changed.
func TestRefreshAfterARefusedCursor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s.put(2500, 1)
		r := s.refresh(model.Scope{})
		defer r.stop()
		r.pass(time.Second)
		r.put(1500, 10_000)
		next := len(r.queries) + 2
		s.respond = func(_ endpoint.PageQuery, number int) (*endpoint.Page, error) {
			if number == next {
				return nil, &endpoint.StatusError{Status: 500, Words: "no such cursor"}
			}
			return nil, nil
		}
		r.pass(model.MarginRefresh)
		if got := r.pass(model.MarginRetry); !strings.HasPrefix(got, "oldest, oldest after, oldest after") {
			t.Errorf("the queries are %s", got)
		}
		r.wantAll()
	})
}

// TestRefreshOfAServiceThatAlwaysHasMore ends: it sends one page again and again.
func TestRefreshOfAServiceThatAlwaysHasMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s.respond = func(endpoint.PageQuery, int) (*endpoint.Page, error) { return madeUp(true, false, "x", "y"), nil }
		r := s.refresh(model.Scope{})
		defer r.stop()
		r.pass(20 * time.Second)
		if n := len(r.queries); n > 20 || r.whole == 0 {
			t.Errorf("%d requests; %d passes are whole", n, r.whole)
		}
	})
}

// TestWalkWarnsOfNodesWithDifferentLag if it has a limit, whichever of them responds first. Without a limit, what is
// old comes again before the end, which counts only if a node that is not behind reports it.
func TestWalkWarnsOfNodesWithDifferentLag(t *testing.T) {
	for _, newestFirst := range []bool{false, true} {
		for behind := range 2 {
			for _, limit := range []int{0, 9} {
				s := newService(t)
				s.fill(rand.New(rand.NewPCG(1, 1)), 9, false, "aa")
				s.rewrite = func(page *endpoint.Page) {
					lag := time.Duration(0)
					if len(s.queries)%2 == behind {
						lag = 40 * time.Second
					}
					page.Block = model.Block{Height: 100 - int64(lag/time.Second), Time: time.Now().Add(-lag)}
				}
				_, warning := s.walk(model.PageRequest{Size: 5, NewestFirst: newestFirst}, limit)
				if want := "one is 40s behind another"; strings.Contains(warning, want) != (limit > 0) {
					t.Errorf("newest first %t, limit %d: the warning is %q", newestFirst, limit, warning)
				}
				s.rewrite = func(page *endpoint.Page) {
					page.Block = model.Block{Height: 60, Time: time.Now().Add(-40 * time.Second)}
				}
				if _, warning := s.walk(model.PageRequest{Size: 5, NewestFirst: newestFirst}, limit); warning != "" {
					t.Errorf("of one node the warning is %q", warning)
				}
				s.rewrite = func(page *endpoint.Page) { page.Block.Time, page.Lag = time.Now().Add(-40*time.Second), 40*time.Second }
				if _, warning := s.walk(model.PageRequest{Size: 5, NewestFirst: newestFirst}, limit); warning != "the node is behind by 40s: margin levels may be old" {
					t.Errorf("of a node that is behind the warning is %q", warning)
				}
			}
		}
	}
}

// TestRefreshReadsPagesThatAreSmallerThanRequested, as far as records have changed: a page of one record only has the
// one that was read before.
func TestRefreshReadsPagesThatAreSmallerThanRequested(t *testing.T) {
	for largest := 1; largest <= 3; largest++ {
		synctest.Test(t, func(t *testing.T) {
			s := newService(t)
			s.respond = func(query endpoint.PageQuery, _ int) (*endpoint.Page, error) {
				query.Size = min(query.Size, largest)
				return s.read(t.Context(), query)
			}
			s.put(20, 1)
			r := s.refresh(model.Scope{})
			defer r.stop()
			r.pass(time.Second)
			s.put(5, 100)
			r.pass(model.MarginRefresh)
			r.wantAll()
		})
	}
}

// TestRefreshLosesNoPageThatWasRead: if the context ends when the response is there, the page is returned. Later pages
// have no record that was read already, unless it changes.
func TestRefreshLosesNoPageThatWasRead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s.put(5, 1)
		r := &refreshing{service: s, Refresh: s.lister().NewRefresh(), records: make(map[model.MarginKey]model.MarginLevels)}
		r.Watch(model.Scope{})
		ctx, end := context.WithCancel(t.Context())
		s.rewrite = func(*endpoint.Page) { end() }
		r.read(ctx)
		r.wantAll()
	})
}

// TestNewestRecordsOfManyLists: a pass through many lists takes long, so the newest records of the service are read
// meanwhile, unless the service refuses that.
func TestNewestRecordsOfManyLists(t *testing.T) {
	var parties []string
	for i := range manyLists + 1 {
		parties = append(parties, fmt.Sprintf("%02x", 0xa0+i))
	}
	isNewest := func(q endpoint.PageQuery) bool { return q.Key == model.Key{} }
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		s.before = func() { time.Sleep(4 * time.Second) } // the pace of all requests
		r := s.refresh(ofParties(parties...))
		defer func() { r.stop(); r.pass(time.Minute) }() // with its locks
		r.pass(time.Minute)
		s.PutMargins(record(7, 1000), sim.MarginLevels{Party: "bb", Market: "0007", Asset: "ee", Timestamp: 1001})
		r.pass(newestEvery + 10*time.Second)
		key := model.MarginKey{Key: model.Key{Party: model.MakeID("aa"), Market: model.MakeID("0007")}, Asset: model.MakeID("ee")}
		if got := r.records[key].Timestamp.String(); got != "1000" || len(r.records) != 1 {
			t.Errorf("the record has time %s, and there are %d", got, len(r.records))
		}
		if r.pass(5 * time.Minute); r.whole == 0 {
			t.Error("no pass has read everything")
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		refused := 0
		s.respond = func(q endpoint.PageQuery, _ int) (*endpoint.Page, error) {
			if isNewest(q) {
				refused++
				return nil, &endpoint.StatusError{Status: 403}
			}
			return nil, nil
		}
		r := s.refresh(ofParties(parties...))
		defer r.stop()
		if r.pass(5 * time.Minute); refused != 1 || r.err != nil || r.ended == 0 {
			t.Errorf("refused %d times; %v; %d passes have ended", refused, r.err, r.ended)
		}
	})
}

// TestSomePagesHaveConnectionsOfTheirOwn: a connection that is used again stays with one node, which may be behind the
// others. Most pages share one.
func TestSomePagesHaveConnectionsOfTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService(t)
		r := s.refresh(ofParties("aa"))
		defer r.stop()
		for range 60 {
			r.Hurry([]model.ID{model.MakeID("aa")})
			r.pass(time.Second)
		}
		own := 0
		for _, q := range s.queries {
			if q.OwnConnection {
				own++
			}
		}
		if own < 10 || own > 13 || len(s.queries) < 30 {
			t.Errorf("%d of %d pages in a minute have connections of their own", own, len(s.queries))
		}
	})
}
