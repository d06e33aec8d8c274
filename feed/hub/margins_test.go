package hub

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/margins"
	"blotter/model"
	"blotter/model/book"
)

// marginService has margin levels, and notes which lists are requested.
type marginService struct {
	mu       sync.Mutex
	records  map[model.Key][]model.MarginLevels
	requests []string
	err      error
	panics   bool
}

func (m *marginService) Page(_ context.Context, _ endpoint.Kind, query endpoint.PageQuery) (*endpoint.Page, error) {
	time.Sleep(500 * time.Millisecond) // the pace of background requests
	m.mu.Lock()
	defer m.mu.Unlock()
	m.requests = append(m.requests, query.Key.Party.String())
	switch {
	case m.panics:
		m.panics = false
		panic("a defect")
	case m.err != nil:
		return nil, m.err
	}
	page := &endpoint.Page{}
	page.Rows = slices.Clone(m.records[query.Key])
	page.At = time.Now()
	if query.NewestFirst {
		slices.Reverse(page.Rows)
	}
	for i := range page.Rows {
		page.Cursors = append(page.Cursors, fmt.Sprint(i))
	}
	return page, nil
}

// put adds a record.
func (m *marginService) put(party, market string, at int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := model.Key{Party: model.MakeID(party), Market: model.MakeID(market)}
	levels := model.MarginLevels{MarginKey: model.MarginKey{Key: key, Asset: model.MakeID("usd")}, Maintenance: model.AmountOf(at), Timestamp: model.AmountOf(at)}
	list := model.Key{Party: key.Party}
	m.records[list] = append(m.records[list], levels)
}

func (m *marginService) count(party string) (n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, each := range m.requests {
		if each == party {
			n++
		}
	}
	return n
}

func playMargins(t *testing.T, limits Limits, scene func(*trial, *marginService)) {
	t.Helper()
	play(t, limits, func(s *trial) {
		m := &marginService{records: make(map[model.Key][]model.MarginLevels)}
		s.feed.lister = margins.New(m, slog.New(slog.DiscardHandler))
		scene(s, m)
	})
}

// reader is a screen that reads margin levels until it is stopped.
type reader struct {
	*Session
	stop   func()
	mu     sync.Mutex
	book   *book.Book
	errs   []string
	ends   int
	wholes int
	tookAt time.Time // something, the last time
}

func (s *trial) reader(parties ...string) *reader {
	s.Helper()
	r := &reader{Session: s.join("reader").Session, book: book.New(0)}
	r.WatchMargins(pageOf(parties...).Scope)
	r.start(s.Context())
	return r
}

func (r *reader) start(ctx context.Context) {
	ctx, cancel := context.WithCancel(ctx)
	var task sync.WaitGroup
	task.Go(func() {
		for {
			read, err := r.NextMargins(ctx)
			if err != nil {
				return
			}
			r.take(read)
		}
	})
	r.stop = func() { cancel(); task.Wait() }
}

func (r *reader) take(read book.MarginsRead) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tookAt = time.Now()
	if read.Err != nil {
		r.errs = append(r.errs, read.Err.Error())
	}
	if read.Page != nil {
		r.book.MergeMargins(read.Page)
	}
	if read.Ended {
		r.ends++
	}
	if read.Whole {
		r.wholes++
	}
}

// words returns all records in words.
func (r *reader) words() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []string
	for levels := range r.book.Margins().All {
		all = append(all, fmt.Sprintf("%s/%s %s", levels.Party, levels.Market, levels.Maintenance))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

func (s *trial) after(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// TestMarginsAreReadOnce for all sessions, and a session that comes later gets what is known at once.
func TestMarginsAreReadOnce(t *testing.T) {
	playMargins(t, Limits{}, func(s *trial, m *marginService) {
		m.put("a", "x", 1)
		m.put("b", "x", 2)
		one, two := s.reader("a", "b"), s.reader("a")
		s.after(2 * time.Second)
		if one.words() != "a/x 1, b/x 2" || two.words() != "a/x 1" || m.count("a") != 1 || m.count("b") != 1 {
			s.Errorf("%q and %q after %q", one.words(), two.words(), m.requests)
		}
		if one.ends != 1 || one.wholes != 1 || two.wholes != 1 {
			s.Errorf("ended %d, whole %d and %d", one.ends, one.wholes, two.wholes)
		}
		three := s.reader("b")
		if synctest.Wait(); three.words() != "b/x 2" || three.wholes != 0 || m.count("b") != 1 {
			s.Errorf("%q, whole %d, after %q", three.words(), three.wholes, m.requests)
		}
		m.put("b", "y", 3)
		s.after(model.MarginRefresh + time.Second)
		if one.words() != "a/x 1, b/x 2, b/y 3" || three.words() != "b/x 2, b/y 3" || three.wholes != 1 || m.count("b") != 2 {
			s.Errorf("%q and %q, whole %d, after %q", one.words(), three.words(), three.wholes, m.requests)
		}
		for _, each := range []*reader{one, two, three} {
			each.stop()
		}
	})
}

// TestMarginsComeWithADelta, if Deltas come one after the other, and otherwise at once.
func TestMarginsComeWithADelta(t *testing.T) {
	playMargins(t, Limits{}, func(s *trial, m *marginService) {
		m.put("a", "x", 1)
		busy, quiet := s.reader("a"), s.reader("a")
		watched := pageOf("a").Scope.Subscriptions(nil, 1)
		busy.Watch(watched)
		s.after(2 * time.Second)
		ctx, cancel := context.WithCancel(s.Context())
		var task sync.WaitGroup
		deltas := make(map[time.Time]bool) // by when they came
		task.Go(func() {
			for {
				if _, err := busy.Next(ctx); err != nil {
					return
				}
				deltas[time.Now()] = true
			}
		})
		s.send(s.snapshot("a", "a/x 5"))
		m.put("a", "y", 2)
		for i := range int(model.MarginRefresh/time.Second+1) * 100 {
			s.send(s.update("a", fmt.Sprintf("a/x %d", i)))
			s.after(10 * time.Millisecond)
		}
		cancel()
		task.Wait()
		if busy.words() != "a/x 1, a/y 2" || !deltas[busy.tookAt] || deltas[quiet.tookAt] || busy.tookAt.Sub(quiet.tookAt) > time.Second/mostFrames {
			s.Errorf("%q came at %s, without Deltas at %s", busy.words(), busy.tookAt, quiet.tookAt)
		}
		busy.stop()
		quiet.stop()
	})
}

// TestMarginsOfOtherMarketsAreLeftOut: a list is that of a party.
func TestMarginsOfOtherMarketsAreLeftOut(t *testing.T) {
	playMargins(t, Limits{}, func(s *trial, m *marginService) {
		m.put("a", "x", 1)
		m.put("a", "y", 2)
		all := s.reader("a")
		some := s.join("some")
		scope := pageOf("a").Scope
		scope.Markets = []model.ID{model.MakeID("y")}
		some.WatchMargins(scope)
		narrow := &reader{Session: some.Session, book: book.New(0)}
		narrow.start(s.Context())
		if s.after(time.Second); all.words() != "a/x 1, a/y 2" || narrow.words() != "a/y 2" || m.count("a") != 1 {
			s.Errorf("%q and %q after %q", all.words(), narrow.words(), m.requests)
		}
		all.stop()
		narrow.stop()
	})
}

// TestNothingIsReadWhileNobodyWaits: a frozen screen does not read on, and one that is stuck does not hold others. When
// it goes on, it has all records.
func TestNothingIsReadWhileNobodyWaits(t *testing.T) {
	playMargins(t, Limits{}, func(s *trial, m *marginService) {
		m.put("a", "x", 1)
		one := s.reader("a")
		s.after(time.Second)
		one.stop()
		s.after(time.Minute)
		if got := m.count("a"); got > 2 {
			s.Errorf("%d requests while nobody waits", got)
		}
		two := s.reader("a")
		for i := range int64(60) {
			m.put("a", fmt.Sprint("m", i), 10+i)
			s.after(10 * time.Second)
		}
		if got := m.count("a"); got < 60 {
			s.Errorf("%d requests in ten minutes", got)
		}
		if one.start(s.Context()); true {
			synctest.Wait()
		}
		if one.words() != two.words() || !strings.Contains(one.words(), "a/m59 69") {
			s.Errorf("%q\nwant %q", one.words(), two.words())
		}
		one.stop()
		two.stop()
	})
}

// TestUnreadMarginsAreBounded: of a session that takes none, all records replace what waits.
func TestUnreadMarginsAreBounded(t *testing.T) {
	w := newWalk()
	l := &marginList{records: book.New(0), readers: map[*walk]struct{}{w: {}}, changed: make(chan struct{}, 1)}
	w.beginLists(model.Scope{}, []*marginList{l}, false)
	if _, ok := w.nextRead(); ok {
		t.Error("there is something at the beginning")
	}
	for i := range 25 {
		page := new(model.Page)
		for j := range 1000 {
			key := model.Key{Party: model.MakeID("a"), Market: model.MakeID(fmt.Sprint(i, "-", j))}
			page.Rows = append(page.Rows, model.MarginLevels{MarginKey: model.MarginKey{Key: key}})
		}
		l.take(book.MarginsRead{Page: page}, time.Now())
		if w.unread > maxUnread {
			t.Fatalf("%d records wait", w.unread)
		}
	}
	got := make(map[model.Key]bool)
	for read, ok := w.nextRead(); ok; read, ok = w.nextRead() {
		for i := range read.Page.Rows {
			got[read.Page.Rows[i].Key] = true
		}
	}
	if len(got) != 25_000 {
		t.Errorf("%d records came", len(got))
	}
}

// TestFailingMargins: all sessions are told, the list is tried again later, and a defect does not end that.
func TestFailingMargins(t *testing.T) {
	playMargins(t, Limits{}, func(s *trial, m *marginService) {
		m.put("a", "x", 1)
		m.err = fmt.Errorf("the service is down")
		one := s.reader("a")
		s.after(2 * time.Second)
		if len(one.errs) != 1 || one.errs[0] != "the service is down" {
			s.Errorf("%q", one.errs)
		}
		m.mu.Lock()
		m.err, m.panics = nil, true
		m.mu.Unlock()
		s.after(model.MarginRetry)
		if len(s.panics) != 1 {
			s.Errorf("panics %q", s.panics)
		}
		if s.after(firstRestart + time.Second); one.words() != "a/x 1" {
			s.Errorf("%q", one.words())
		}
		one.stop()
	})
}

// TestHurriedMargins come soon, also if many lists are read, but only those that the session reads.
func TestHurriedMargins(t *testing.T) {
	playMargins(t, Limits{}, func(s *trial, m *marginService) {
		var parties []string
		for i := range 40 {
			parties = append(parties, fmt.Sprint("p", i))
		}
		one := s.reader(parties...)
		s.after(30 * time.Second)
		last := m.requests[len(m.requests)-1]
		before := m.count(last)
		one.HurryMargins([]model.ID{model.MakeID(last), model.MakeID("other")})
		if s.after(3 * time.Second); m.count(last) == before || m.count("other") > 0 {
			s.Errorf("%q were read", m.requests[len(m.requests)-6:])
		}
		late := s.reader("new") // was not read yet
		if s.after(2 * time.Second); m.count("new") != 1 {
			s.Errorf("%q were read", m.requests[len(m.requests)-6:])
		}
		least := m.count(parties[0])
		for _, party := range parties {
			if n := m.count(party); n < least-3 || n == 0 {
				s.Errorf("%s was read %d times, another one %d", party, n, least)
			}
		}
		one.stop()
		late.stop()
	})
}

// TestListsAreBounded: a session with more than it may read is told, and never has all.
func TestListsAreBounded(t *testing.T) {
	playMargins(t, Limits{SessionStreams: 2, Streams: 3, Linger: time.Minute}, func(s *trial, m *marginService) {
		one := s.reader("a", "b", "c")
		s.after(3 * time.Second)
		if one.wholes != 0 || len(one.errs) != 1 || m.count("c") != 0 {
			s.Errorf("whole %d, %q, after %q", one.wholes, one.errs, m.requests)
		}
		two := s.reader("c", "d")
		if s.after(3 * time.Second); len(two.errs) != 1 || m.count("c") == 0 || m.count("d") != 0 {
			s.Errorf("%q, after %q", two.errs, m.requests)
		}
		one.stop()
		one.Close()
		two.WatchMargins(pageOf("c", "d").Scope)
		if s.after(3 * time.Second); m.count("d") == 0 || len(s.hub.lists) != 3 {
			s.Errorf("%d lists, after %q", len(s.hub.lists), m.requests)
		}
		two.stop()
		two.Close()
		if s.after(2 * time.Minute); len(s.hub.lists) != 0 {
			s.Errorf("%d lists", len(s.hub.lists))
		}
	})
}
