package store

import (
	"math"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
)

// Stale is which rows may be out of date: see Link.MayBeOutOfDate and Table.IsUnsent.
type Stale struct {
	all     bool // no stream has rows that can be trusted
	streams []model.Subscription
	behind  []model.Subscription // those that are less behind than what makes rows out of date
	unsent  []model.Subscription // those with rows that were not sent again
	book    *book.Book
}

// staleOf returns which rows of a book may be out of date.
func staleOf(b *book.Book, links []model.Link, now time.Time) Stale {
	s := Stale{all: true, book: b}
	for i := range links {
		link := &links[i]
		if link.MayBeOutOfDate(now) {
			s.streams = append(s.streams, link.Subscription)
			continue
		}
		s.all = false
		if link.Behind(now) > 0 {
			s.behind = append(s.behind, link.Subscription)
		}
		if b.Unsent(link.Subscription) > 0 {
			s.unsent = append(s.unsent, link.Subscription)
		}
	}
	return s
}

// All reports whether all rows may be out of date, also because there is no stream.
func (s Stale) All() bool { return s.all }

// Any reports whether a row may be out of date.
func (s Stale) Any() bool { return s.all || len(s.streams)+len(s.unsent) > 0 }

// Has reports whether a row of a stream may be out of date.
func (s Stale) Has(stream model.Subscription) bool { return s.Rows(stream) > 0 }

// Rows returns how many rows of a stream may be out of date; math.MaxInt if all of them, however many there are.
func (s Stale) Rows(stream model.Subscription) int {
	if s.all || slices.Contains(s.streams, stream) {
		return math.MaxInt
	}
	return s.book.Unsent(stream)
}

// HasRow reports whether the position with the key may be out of date, or may be missing only because others are.
func (s Stale) HasRow(key model.Key) bool {
	return s.all || slices.ContainsFunc(s.streams, func(stream model.Subscription) bool { return stream.Covers(key) }) ||
		s.unsent != nil && s.book.IsUnsent(key)
}

// decides returns what a row may decide of alerts.
func (s Stale) decides(key model.Key) view.Decides {
	switch isBehind := func(stream model.Subscription) bool { return stream.Covers(key) }; {
	case s.HasRow(key):
		return view.DecidesNothing
	case slices.ContainsFunc(s.behind, isBehind):
		return view.DecidesBegins
	}
	return view.DecidesAll
}

// undecided returns how many rows of a stream may be out of date, and one more while it is behind at all.
func (s Stale) undecided(stream model.Subscription) int {
	rows := s.Rows(stream)
	if rows < math.MaxInt && slices.Contains(s.behind, stream) {
		rows++
	}
	return rows
}

// ShownRatio returns the margin ratio of a position as it is shown, and false if it has none. If the position and its
// margin record are not of one moment, it is an estimate; if the stream is stale or behind, it is the last one of a
// moment, because what has changed since is not known. At other mark prices each row moves with its price, and has none
// if the PnL is not known well enough.
func ShownRatio(s *Store, p *model.Position) (model.MarginRatio, bool) {
	ratio, ok := s.View().Margins().Ratio(p)
	if s.options.IsWhatIf {
		profit := s.Format().Shift().Profit(ratio.Profit, p, s.Instruments())
		return ratio, ok && ratio.IsKnown(profit.Bound, s.Instruments().Decimals(model.UnrealisedPnl, p.Market))
	}
	if ratio.IsEstimate && mayLackChanges(s, p.Key) {
		return s.View().Margins().LastRatio(p)
	}
	return ratio, ok
}

// mayLackChanges reports whether the stream of a row may lack changes.
func mayLackChanges(s *Store, key model.Key) bool {
	link := model.LinkOf(s.flow.links, key)
	if link == nil {
		return false
	}
	how, _ := link.Freshness(s.Now())
	return how.MayLackChanges()
}

// Stale returns which rows of the scope may be out of date now.
func (s *Store) Stale() Stale { return staleOf(s.Book(), s.flow.shown, s.Now()) }
