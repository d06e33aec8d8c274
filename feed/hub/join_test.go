package hub

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/margins"
	"blotter/model"
)

// pacedService has three margin levels of each party. It responds soon; requests of the background come at their pace.
type pacedService struct {
	pace chan struct{} // holds a token while a request of the background comes at its pace

	mu       sync.Mutex
	requests map[model.ID]int
	waited   int // requests for which a trader waits
	err      error
}

func (p *pacedService) Page(ctx context.Context, kind endpoint.Kind, query endpoint.PageQuery) (*endpoint.Page, error) {
	if kind == endpoint.BackgroundPage {
		select {
		case p.pace <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		time.Sleep(endpoint.BackgroundEvery)
		<-p.pace
	}
	time.Sleep(50 * time.Millisecond)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests[query.Key.Party]++
	if kind == endpoint.UserPage {
		p.waited++
	}
	if p.err != nil {
		return nil, p.err
	}
	page := new(endpoint.Page)
	page.At = time.Now()
	for i := range int64(3) {
		key := model.Key{Party: query.Key.Party, Market: model.MakeID(fmt.Sprint("m", i))}
		page.Rows = append(page.Rows, model.MarginLevels{MarginKey: model.MarginKey{Key: key}, Timestamp: model.AmountOf(i)})
		page.Cursors = append(page.Cursors, fmt.Sprint(i))
	}
	if query.NewestFirst {
		slices.Reverse(page.Rows)
	}
	return page, nil
}

// counts returns how often the list of each party was requested, and how often a trader waited for that.
func (p *pacedService) counts() (requests map[model.ID]int, waited int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.requests), p.waited
}

// fail makes all requests fail, or none.
func (p *pacedService) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = err
}

// playJoins runs a scene with a hub of a pacedService.
func playJoins(t *testing.T, scene func(*trial, *pacedService)) {
	t.Helper()
	play(t, Limits{}, func(s *trial) {
		p := &pacedService{pace: make(chan struct{}, 1), requests: make(map[model.ID]int)}
		s.feed.lister = margins.New(p, slog.New(slog.DiscardHandler))
		s.feed.page = s.feed.lister.Page
		scene(s, p)
	})
}

// partiesOf returns so many of a hundred parties, from one on.
func partiesOf(from, n int) (parties []string) {
	for i := range n {
		parties = append(parties, fmt.Sprint("p", (from+i)%100))
	}
	return parties
}

// TestTradersWhoJoinTogether have their first page within a few seconds: each list is read once for all of them, also
// if they come one after the other, and no faster than the service allows.
func TestTradersWhoJoinTogether(t *testing.T) {
	for _, apart := range []time.Duration{0, 200 * time.Millisecond} {
		playJoins(t, func(s *trial, p *pacedService) {
			var traders sync.WaitGroup
			for i := range 30 {
				parties := partiesOf(7*i, 20)
				r := s.reader(parties...)
				request := pageOf(parties...)
				request.NewestFirst = true
				traders.Go(func() {
					defer r.stop()
					began := time.Now()
					page, err := r.Page(s.Context(), request)
					if err != nil || len(page.Rows) != 50 || !page.HasNext {
						s.Errorf("the first page is %+v, %v", page, err)
						return
					}
					if took := time.Since(began); took > 5*time.Second {
						s.Errorf("the first page of trader %d came after %s", i, took)
					}
					request.Turn, request.From = model.NextPage, page
					if page, err = r.Page(s.Context(), request); err != nil || len(page.Rows) != 10 || page.HasNext || page.Restarted {
						s.Errorf("the second page is %+v, %v", page, err)
					}
				})
				time.Sleep(apart)
			}
			traders.Wait()
			requests, waited := p.counts()
			if len(requests) != 100 || waited > 100 {
				s.Errorf("%d lists were read with %d requests for which traders waited", len(requests), waited)
			}
			for party, n := range requests {
				if n > 2 { // with the next refresh in the background
					s.Errorf("%s was read %d times", party, n)
				}
			}
		})
	}
}

// TestAFirstPageThatIsRequestedAgain is read again: the trader wants to see what is new.
func TestAFirstPageThatIsRequestedAgain(t *testing.T) {
	playJoins(t, func(s *trial, p *pacedService) {
		r := s.reader("a", "b")
		defer r.stop()
		for read := range 3 {
			_, err := r.Page(s.Context(), pageOf("a", "b"))
			if requests, _ := p.counts(); err != nil || requests[model.MakeID("a")] != read+1 {
				s.Errorf("%v after %v", err, requests)
			}
		}
	})
}

// TestAFirstPageOfListsThatFail says why, and does not wait until they are read again.
func TestAFirstPageOfListsThatFail(t *testing.T) {
	playJoins(t, func(s *trial, p *pacedService) {
		down := errors.New("the service is down")
		p.fail(down)
		r := s.reader("a", "b")
		defer r.stop()
		for range 2 {
			began := time.Now()
			r.paged = model.Scope{}
			if _, err := r.Page(s.Context(), pageOf("a", "b")); !errors.Is(err, down) || time.Since(began) > 2*time.Second {
				s.Errorf("%v after %s", err, time.Since(began))
			}
		}
		p.fail(nil)
		if page, err := r.Page(s.Context(), pageOf("a", "b")); err != nil || len(page.Rows) != 6 {
			s.Errorf("%+v, %v", page, err)
		}
	})
}
