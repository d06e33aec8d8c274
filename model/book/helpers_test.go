package book

import (
	"math"

	"blotter/model"
	"blotter/model/modeltest"
)

// filledBook returns a book with the given number of positions of one subscription, each of another party and market.
func filledBook(s *modeltest.Sample, rows, digits int) *Book {
	book := New(0)
	for _, key := range s.Pairs(rows) {
		book.Merge(updateOf(model.Subscription{}, s.State(key, digits)))
	}
	return book
}

// updateOf returns updates of a subscription. No time is ahead of the clock.
func updateOf(s model.Subscription, positions ...model.Position) *Updates {
	return &Updates{Subscription: s, Positions: positions, NotAfter: math.MaxInt64}
}
