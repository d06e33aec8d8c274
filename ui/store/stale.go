package store

import (
	"time"

	"blotter/model"
	"blotter/model/book"
)

// Stale is which rows may be out of date.
type Stale struct {
	all     bool // no stream has rows that can be trusted
	streams map[model.Subscription]bool
}

// StaleOf returns which rows of the streams may be out of date.
func StaleOf(links []model.Link, now time.Time) Stale {
	s := Stale{all: true}
	for i := range links {
		link := &links[i]
		if !link.MayBeOutOfDate(now) {
			s.all = false
			continue
		}
		if s.streams == nil {
			s.streams = make(map[model.Subscription]bool)
		}
		s.streams[link.Subscription] = true
	}
	return s
}

// All reports whether all rows may be out of date, as where there is no stream.
func (s Stale) All() bool { return s.all }

// Any reports whether a row may be out of date.
func (s Stale) Any() bool { return s.all || len(s.streams) > 0 }

// Has reports whether the rows of a stream may be out of date.
func (s Stale) Has(stream model.Subscription) bool { return s.all || s.streams[stream] }

// HasRow reports whether the position with the key may be out of date.
func (s Stale) HasRow(b *book.Book, key model.Key) bool {
	if s.all || len(s.streams) == 0 {
		return s.all
	}
	source, _ := b.Source(key)
	return s.streams[source]
}

// Stale returns which rows may be out of date now.
func (s *Store) Stale() Stale { return StaleOf(s.flow.links, s.Now()) }
