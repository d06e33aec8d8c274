package book

import (
	"slices"

	"blotter/model"
)

// tables are the tables of a book, by the keys of their subscriptions and by their numbers.
type tables struct {
	byKey    map[model.Key]*Table
	byNumber []*Table // nil if none has the number
	by       partition
}

// partition is how positions are divided into subscriptions.
type partition uint8

const (
	undivided partition = iota
	byParty
	byMarket
)

func partitionOf(key model.Key) partition {
	switch {
	case !key.Party.IsZero():
		return byParty
	case !key.Market.IsZero():
		return byMarket
	}
	return undivided
}

func newTables() *tables { return &tables{byKey: make(map[model.Key]*Table)} }

// put adds a table. None has its key or its number.
func (s *tables) put(t *Table) {
	s.byKey[t.Key] = t
	for int(t.number) >= len(s.byNumber) {
		s.byNumber = append(s.byNumber, nil)
	}
	s.byNumber[t.number] = t
	s.by = partitionOf(t.Key)
}

// freeNumber returns the lowest number that no table has.
func (s *tables) freeNumber() uint32 {
	if n := slices.Index(s.byNumber, nil); n >= 0 {
		return uint32(n)
	}
	return uint32(len(s.byNumber))
}

// of returns the table of a subscription, and nil if it has none.
func (s *tables) of(subscription model.Subscription) *Table {
	if t := s.byKey[subscription.Key]; t != nil && t.Subscription == subscription {
		return t
	}
	return nil
}

// covering returns the table that a position with the key belongs to, or nil if there is none.
func (s *tables) covering(key model.Key) *Table {
	switch s.by {
	case byParty:
		return s.byKey[model.Key{Party: key.Party}]
	case byMarket:
		return s.byKey[model.Key{Market: key.Market}]
	}
	return s.byKey[model.Key{}]
}

// all yields every table, in the order of their numbers.
func (s *tables) all(yield func(*Table) bool) {
	for _, t := range s.byNumber {
		if t != nil && !yield(t) {
			return
		}
	}
}

// ofUpdates returns the table that updates belong to, which it may make, or nil if they belong to none.
func (s *tables) ofUpdates(u *Updates) *Table {
	t := s.byKey[u.Key]
	switch {
	case t == nil && len(u.Positions) == 0 && !u.BeginsPartial:
		return nil // they only say what is told
	case t == nil:
		t = NewTable(u.Subscription, s.freeNumber(), NewRows())
		t.partial = true
		s.put(t)
	case t.Subscription != u.Subscription:
		return nil // of another epoch: a subscription that has ended
	}
	return t
}
