package book

import (
	"slices"
	"time"

	"blotter/model"
)

// Unlisted are the positions that are no longer listed, with their last numbers: what they have changed is kept in the
// PnL of the session and of the day. Of more than its limit it has only sums by market.
type Unlisted struct {
	rows  *Rows
	more  map[model.ID]*UnlistedSum // nil if there are none
	limit int
}

// UnlistedSum is what positions of a market that are no longer listed have changed since the baseline of the day.
type UnlistedSum struct{ Unrealised, Realised model.Sum }

// maxUnlisted is how many positions are kept that are no longer listed. Each takes about 100 bytes.
const maxUnlisted = 100_000

func newUnlisted() *Unlisted { return &Unlisted{rows: NewRows(), limit: maxUnlisted} }

func (u *Unlisted) clone() *Unlisted {
	clone := Unlisted{rows: u.rows.Clone(), limit: u.limit}
	for market, sum := range u.more {
		copied := *sum
		clone.sumOf(market).add(&copied)
	}
	return &clone
}

// Len returns how many positions it has.
func (u *Unlisted) Len() int { return u.rows.Len() }

// All yields each position with its last numbers.
func (u *Unlisted) All(yield func(model.Position) bool) { u.rows.All(yield) }

// More yields the sums of the positions that it does not have, by market.
func (u *Unlisted) More(yield func(model.ID, *UnlistedSum) bool) {
	for market, sum := range u.more {
		if !yield(market, sum) {
			return
		}
	}
}

// maxUnlistedName is how long the identifiers of a position may be together that is kept: a faulty service can make up
// others without end.
const maxUnlistedName = 256

// put adds a position that has left the list, unless its numbers cannot be added. If there is no room, its change since
// a baseline is added to a sum.
func (u *Unlisted) put(p *model.Position, day *Baseline) {
	isAddable := p.Number(model.UnrealisedPnl).IsAddable() && p.Number(model.RealisedPnl).IsAddable()
	switch {
	case !isAddable || len(p.Party.String())+len(p.Market.String()) > maxUnlistedName:
		return
	case u.rows.Len() < u.limit && u.rows.identifiers() < 2*u.limit:
		u.rows.Put(onlyNumbers(p))
		return
	}
	if before, ok := day.Row(p.Key); ok {
		sum := u.sumOf(p.Market)
		sum.Unrealised.Add(p.Number(model.UnrealisedPnl))
		sum.Unrealised.Subtract(before.Number(model.UnrealisedPnl))
		sum.Realised.Add(p.Number(model.RealisedPnl))
		sum.Realised.Subtract(before.Number(model.RealisedPnl))
	}
}

// onlyNumbers returns a position with the numbers that a baseline has of another one.
func onlyNumbers(p *model.Position) *model.Position {
	only := &model.Position{Key: p.Key}
	for _, f := range baselineFields {
		only.SetNumber(f, p.Number(f))
	}
	return only
}

// putLost adds a position whose last numbers are not known, if there is room for it.
func (u *Unlisted) putLost(key model.Key) {
	lost := model.Position{Key: key}
	lost.SetNumber(model.UnrealisedPnl, model.TextAmount(""))
	if u.rows.Len() < u.limit {
		u.rows.Put(&lost)
	}
}

// sumOf returns the sum of a market.
func (u *Unlisted) sumOf(market model.ID) *UnlistedSum {
	if u.more == nil {
		u.more = make(map[model.ID]*UnlistedSum)
	}
	if u.more[market] == nil {
		u.more[market] = new(UnlistedSum)
	}
	return u.more[market]
}

func (s *UnlistedSum) add(other *UnlistedSum) {
	s.Unrealised.AddSum(other.Unrealised)
	s.Realised.AddSum(other.Realised)
}

// DayNumbers are the numbers by position that are kept from one run to the next.
type DayNumbers struct {
	Began time.Time // the day
	Day   *Baseline // what it began with
	Last  *Baseline // the last numbers, also of positions that are no longer listed
}

// Only returns the numbers of those positions whose keys are kept.
func (n *DayNumbers) Only(isKept func(model.Key) bool) *DayNumbers {
	if n == nil {
		return nil
	}
	return &DayNumbers{n.Began, n.Day.only(isKept), n.Last.only(isKept)}
}

// Numbers returns the numbers by position of the day that began at a time, as they are now; nil if there are none, or
// if there are too many to keep them.
func (l *Baselines) Numbers(began, now time.Time) *DayNumbers {
	if l.day == nil || max(l.day.Len(), l.rows()+l.unlisted.Len()) > MaxKept {
		return nil
	}
	unlisted := BaselinePart{At: now, IsPartial: true, Positions: slices.Collect(l.unlisted.All)}
	return &DayNumbers{began, l.day.clone(), NewBaseline(append([]BaselinePart{unlisted}, l.now(now).Parts()...))}
}

// Resume goes on from the numbers that an earlier run has kept. If that was of the day before, the day begins with the
// last ones. The book must be empty.
func (l *Baselines) Resume(kept *DayNumbers, isSameDay bool) {
	l.ownRows()
	if l.day = kept.Last; isSameDay {
		l.day = kept.Day
	}
	for p := range kept.Last.positions {
		l.unlisted.put(&p, nil)
	}
}

// only returns the baseline with those positions whose keys are kept.
func (b *Baseline) only(isKept func(model.Key) bool) *Baseline {
	parts := b.Parts()
	for i := range parts {
		parts[i].Positions = slices.DeleteFunc(parts[i].Positions, func(p model.Position) bool { return !isKept(p.Key) })
	}
	return NewBaseline(parts)
}

// Unlisted returns the positions that are no longer listed. They can be read until the book changes.
func (l *Baselines) Unlisted() *Unlisted { return l.unlisted }

// Listings counts how often positions have come, or have left the list.
func (l *Baselines) Listings() int { return l.listings }

// Relisted is by how much sums of all positions differ only because a position has come, or has left the list: by
// numbers that it had before. No profit was made by that.
type Relisted struct {
	Of   model.Position
	Sign int // +1 if they are in the sums now, -1 if they no longer are, 0 if nothing differs
}

// NoteListing notes a position that has come, or has left the list: before is nil, or after is. A position that is
// older than a baseline without it begins with the numbers that it has. Times of the service are ahead of those of the
// baselines by some time.
func (l *Baselines) NoteListing(before, after *model.Position, ahead time.Duration) Relisted {
	if (before == nil) == (after == nil) {
		return Relisted{}
	}
	l.ownRows()
	l.listings++
	if after == nil {
		l.unlisted.put(before, l.day)
		return Relisted{*before, -1}
	}
	if last, wasListed := l.unlisted.rows.Remove(after.Key); wasListed {
		return Relisted{last, +1}
	}
	l.first, l.day = l.first.joinedBy(after, ahead), l.day.joinedBy(after, ahead)
	if row, ok := l.day.Row(after.Key); ok && !row.IsNew && len(l.unlisted.more) > 0 {
		l.day = l.day.withJoined(after) // it is in a sum
	}
	if row, ok := l.first.Row(after.Key); ok && !row.IsNew {
		return Relisted{*after, +1}
	}
	return Relisted{}
}

// NoteFirstRows notes the first rows of a table that the book did not have. If a baseline has rows of its subscription
// already, it was watched before, or in an earlier run: a position that is missing now has left the list. Its last
// numbers are not known, unless it left while it was watched.
func (l *Baselines) NoteFirstRows(t *Table, ahead time.Duration) {
	if l.unlisted.Len() == 0 && !l.first.covers(t) && !l.day.covers(t) {
		return
	}
	for p := range t.rows.All {
		l.NoteListing(nil, &p, ahead)
	}
	if t.partial || l.day == nil {
		return
	}
	for p := range l.day.positions {
		if t.Covers(p.Key) && !t.rows.Has(p.Key) && !l.unlisted.rows.Has(p.Key) {
			l.ownRows()
			l.unlisted.putLost(p.Key)
		}
	}
}

// ownRows makes the rows that change here those of this book alone.
func (l *Baselines) ownRows() {
	if !l.isShared {
		return
	}
	l.isShared = false
	l.unlisted, l.first, l.day = l.unlisted.clone(), l.first.clone(), l.day.clone()
}

// copied returns the baselines for another book, which has these tables.
func (l *Baselines) copied(to *tables) Baselines {
	copied := *l
	copied.tables, copied.isShared = to, true
	return copied
}

// joinedBy returns the baseline with a position that is listed now, if the baseline does not have it though it is
// older.
func (b *Baseline) joinedBy(p *model.Position, ahead time.Duration) *Baseline {
	row, ok := b.Row(p.Key)
	if !ok || !row.IsNew {
		return b
	}
	if at, isTime := p.Number(model.UpdatedAt).Time(); !isTime || !at.Before(row.At.Add(ahead)) {
		return b
	}
	return b.withJoined(p)
}

// withJoined returns the baseline with a position that begins with the numbers that it has.
func (b *Baseline) withJoined(p *model.Position) *Baseline {
	if b.joined == nil {
		b = &Baseline{b.parts, NewRows()}
	}
	if b.joined.Len() < maxUnlisted {
		b.joined.Put(onlyNumbers(p))
	}
	return b
}

// clone returns a baseline whose joined positions are its own.
func (b *Baseline) clone() *Baseline {
	if b == nil || b.joined == nil {
		return b
	}
	return &Baseline{b.parts, b.joined.Clone()}
}
