package hub

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/model"
)

// pageLog notes which pages are requested of a feed, each of which takes some time.
type pageLog struct {
	mu        sync.Mutex
	requested []string // the first party of each
	cancelled int
	took      time.Duration
	err       error
}

func (l *pageLog) page(ctx context.Context, request model.PageRequest) (*model.Page, error) {
	party := request.Scope.Parties[0]
	l.mu.Lock()
	l.requested = append(l.requested, party.String())
	l.mu.Unlock()
	select {
	case <-time.After(l.took):
		if l.err != nil {
			return nil, l.err
		}
		key := model.MarginKey{Key: model.Key{Party: party}}
		return &model.Page{Rows: []model.MarginLevels{{MarginKey: key}}, ReadAt: time.Now()}, nil
	case <-ctx.Done():
		l.mu.Lock()
		l.cancelled++
		l.mu.Unlock()
		return nil, ctx.Err()
	}
}

func pageOf(parties ...string) model.PageRequest {
	request := model.PageRequest{Size: 50}
	for _, party := range parties {
		request.Scope.Parties = append(request.Scope.Parties, model.MakeID(party))
	}
	return request
}

// TestSamePageIsRequestedOnce for all sessions that wait for it. Each gets a page of its own.
func TestSamePageIsRequestedOnce(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		log := &pageLog{took: time.Second}
		s.feed.page = log.page
		pages := make(chan *model.Page, 3)
		for i := range 3 {
			session := s.join(fmt.Sprint(i))
			go func() {
				page, err := session.Page(s.Context(), pageOf("a"))
				if err != nil {
					s.Error(err)
				}
				pages <- page
			}()
		}
		one, two, three := <-pages, <-pages, <-pages
		if len(log.requested) != 1 || &one.Rows[0] == &two.Rows[0] || &two.Rows[0] == &three.Rows[0] {
			s.Errorf("%d requests", len(log.requested))
		}
		if _, err := s.join("later").Page(s.Context(), pageOf("a")); err != nil || len(log.requested) != 2 {
			s.Errorf("%v, %d requests: what has ended is not given again", err, len(log.requested))
		}
		other := pageOf("a")
		other.From, other.Turn = &model.Page{Places: []model.Place{{Key: model.Key{Party: model.MakeID("a")}, End: "7"}}}, model.NextPage
		same := other
		same.From = &model.Page{Places: []model.Place{{Key: model.Key{Party: model.MakeID("a")}, End: "8"}}}
		if requestKey(other) == requestKey(same) || requestKey(other) == requestKey(pageOf("a")) {
			s.Error("other pages count as the same")
		}
	})
}

// TestPagesOfManyLists are refused: each list is a request.
func TestPagesOfManyLists(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		s.feed.page = new(pageLog).page
		request := pageOf("a")
		for i := range maxLists - 1 {
			request.Scope.Parties = append(request.Scope.Parties, model.MakeID(fmt.Sprint(i)))
		}
		session := s.join("one")
		if _, err := session.Page(s.Context(), request); err != nil {
			s.Error(err)
		}
		request.Scope.Markets = ids("m n")
		if _, err := session.Page(s.Context(), request); err != ErrManyLists {
			s.Error(err)
		}
	})
}

// TestPageThatNobodyWaitsFor is cancelled, but not while another session waits for it.
func TestPageThatNobodyWaitsFor(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		log := &pageLog{took: time.Minute}
		s.feed.page = log.page
		first, cancelFirst := context.WithCancel(s.Context())
		second, cancelSecond := context.WithCancel(s.Context())
		ended := make(chan error, 2)
		for _, ctx := range []context.Context{first, second} {
			session := s.join("")
			go func() {
				_, err := session.Page(ctx, pageOf("a"))
				ended <- err
			}()
		}
		synctest.Wait()
		cancelFirst()
		if err := <-ended; !errors.Is(err, context.Canceled) || log.cancelled != 0 {
			s.Errorf("%v, %d cancelled", err, log.cancelled)
		}
		cancelSecond()
		<-ended
		if synctest.Wait(); log.cancelled != 1 {
			s.Errorf("%d cancelled", log.cancelled)
		}
	})
}

// TestErrorOfAPage reaches the session as it is, and a defect is one.
func TestErrorOfAPage(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		log := &pageLog{err: errors.New("refused")}
		s.feed.page = log.page
		session := s.join("one")
		if _, err := session.Page(s.Context(), pageOf("a")); err != log.err {
			s.Error(err)
		}
		s.feed.page = func(context.Context, model.PageRequest) (*model.Page, error) { panic("a defect") }
		if _, err := session.Page(s.Context(), pageOf("a")); err != errDefect || len(s.panics) != 1 {
			s.Errorf("%v, panics %q", err, s.panics)
		}
		s.feed.page = log.page
		if _, err := session.Page(s.Context(), pageOf("a")); err != log.err {
			s.Error(err)
		}
	})
}

// TestPagesAreSharedFairly: a session that requests many does not delay those of others, nor does one whose pages need
// many requests, and all together send no more than the service allows.
func TestPagesAreSharedFairly(t *testing.T) {
	for _, lists := range []int{1, 10} {
		play(t, Limits{}, func(s *trial) {
			log := &pageLog{took: 50 * time.Millisecond}
			s.feed.page = log.page
			began := time.Now()
			greedy, modest := s.join("greedy"), s.join("modest")
			var all sync.WaitGroup
			for i := range 400 / lists {
				parties := []string{fmt.Sprint("greedy", i)}
				for len(parties) < lists {
					parties = append(parties, fmt.Sprint("more", len(parties)))
				}
				all.Go(func() { _, _ = greedy.Page(s.Context(), pageOf(parties...)) })
			}
			time.Sleep(5 * time.Second)
			for i := range 20 {
				asked := time.Now()
				if _, err := modest.Page(s.Context(), pageOf(fmt.Sprint("modest", i))); err != nil {
					s.Fatal(err)
				}
				if took := time.Since(asked); took > time.Duration(2*lists)*pageEvery+100*time.Millisecond {
					s.Errorf("%d lists: page %d took %s", lists, i, took)
				}
				time.Sleep(time.Second / 10)
			}
			all.Wait()
			took := time.Since(began)
			if requests := 400 + 20; took < time.Duration(requests-pagesAtOnce-10)*pageEvery || took > time.Duration(requests)*pageEvery+5*time.Second {
				s.Errorf("%d lists: %d requests took %s", lists, requests, took)
			}
			if got := len(log.requested) - strings.Count(strings.Join(log.requested, " "), "greedy"); got != 20 {
				s.Errorf("%d pages of the other session", got)
			}
		})
	}
}

// TestSlowPagesOfASessionHoldNobody: a session reads few at a time.
func TestSlowPagesOfASessionHoldNobody(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		log := &pageLog{took: time.Hour}
		s.feed.page = log.page
		slow := s.join("slow")
		ctx, cancel := context.WithCancel(s.Context())
		var all sync.WaitGroup
		for i := range 50 {
			all.Go(func() { _, _ = slow.Page(ctx, pageOf(fmt.Sprint(i))) })
		}
		synctest.Wait()
		if len(log.requested) != readsOfScreen {
			s.Errorf("%d pages at a time", len(log.requested))
		}
		log.mu.Lock()
		log.took = 0
		log.mu.Unlock()
		if _, err := s.join("other").Page(s.Context(), pageOf("x")); err != nil {
			s.Error(err)
		}
		cancel()
		all.Wait()
		slow.Close()
		if synctest.Wait(); len(s.hub.pages.turns.of) != 1 || len(s.hub.pages.underWay) != 0 || s.hub.pages.turns.reading != 0 {
			s.Errorf("what is left: %d sessions, %d pages", len(s.hub.pages.turns.of), len(s.hub.pages.underWay))
		}
	})
}
