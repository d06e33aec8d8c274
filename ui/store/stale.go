package store

import (
	"slices"
	"time"

	"blotter/model"
)

// Stale is which rows may be out of date: see Link.MayBeOutOfDate.
type Stale struct {
	all     bool // no stream has rows that can be trusted
	streams []model.Subscription
}

// staleOf returns which rows of the streams may be out of date.
func staleOf(links []model.Link, now time.Time) Stale {
	s := Stale{all: true}
	for i := range links {
		if link := &links[i]; link.MayBeOutOfDate(now) {
			s.streams = append(s.streams, link.Subscription)
		} else {
			s.all = false
		}
	}
	return s
}

// All reports whether all rows may be out of date, also because there is no stream.
func (s Stale) All() bool { return s.all }

// Any reports whether a row may be out of date.
func (s Stale) Any() bool { return s.all || len(s.streams) > 0 }

// Has reports whether the rows of a stream may be out of date.
func (s Stale) Has(stream model.Subscription) bool {
	return s.all || slices.Contains(s.streams, stream)
}

// HasRow reports whether the position with the key may be out of date, or may be missing only because others are.
func (s Stale) HasRow(key model.Key) bool {
	return s.all || slices.ContainsFunc(s.streams, func(stream model.Subscription) bool { return stream.Covers(key) })
}

// Stale returns which rows may be out of date now.
func (s *Store) Stale() Stale { return staleOf(s.flow.links, s.Now()) }
