package store

import (
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
)

var now = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

func TestStale(t *testing.T) {
	fresh, old := model.Subscription{Epoch: 1}, model.Subscription{Epoch: 2}
	live, stale := model.Link{Subscription: fresh, Phase: model.Live, Committed: true, MessageAt: now}, model.Link{Subscription: old, StaleSince: now}
	for _, c := range []struct {
		name     string
		links    []model.Link
		all, any bool
	}{
		{"no stream", nil, true, true},
		{"a live one", []model.Link{live}, false, false},
		{"one of two is stale", []model.Link{live, stale}, false, true},
		{"all are stale", []model.Link{stale}, true, true},
	} {
		s := staleOf(book.New(0), c.links, now)
		if s.All() != c.all || s.Any() != c.any || len(c.links) == 2 && (s.Has(fresh) || !s.Has(old)) {
			t.Errorf("%s: all %v, any %v", c.name, s.All(), s.Any())
		}
	}
}
