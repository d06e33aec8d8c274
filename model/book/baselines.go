package book

import (
	"time"

	"blotter/model"
)

// Baselines are the numbers by position that a book keeps: the first rows of each subscription, those with which the
// day began, what the trader took, and the last numbers of positions that are no longer listed.
type Baselines struct {
	tables   *tables   // of the book
	first    *Baseline // each subscription as it was when its first snapshot came
	taken    *Baseline // what the trader took, or nil if there is none
	day      *Baseline // what the day began with, or nil if that is not kept
	unlisted *Unlisted
	listings int
	isShared bool // another book may have the rows in unlisted, first and day too
}

// MaxDayRows is how many positions a book has at most if it has a baseline of the day.
const MaxDayRows = 200_000

// MaxKept is how many positions a baseline has at most that is kept from one run to the next.
const MaxKept = 20_000

// Extend takes a baseline of each subscription whose first usable rows have come.
func (l *Baselines) Extend(isUsable func(model.Subscription) bool, at time.Time) {
	if l.first == nil {
		l.first = &Baseline{}
	}
	if l.rows() > MaxDayRows {
		l.day = nil
	}
	made := make(map[*Table]*baselinePart) // the baselines share them
	for _, baseline := range []**Baseline{&l.first, &l.taken, &l.day} {
		if *baseline != nil {
			*baseline = (*baseline).extended(l.tables, made, isUsable, at)
		}
	}
}

// LacksAny reports whether Extend would take a baseline.
func (l *Baselines) LacksAny(isUsable func(model.Subscription) bool) bool {
	lacks := func(baseline *Baseline, t *Table) bool { return baseline != nil && !baseline.covers(t) }
	for t := range l.tables.all {
		if (lacks(l.first, t) || lacks(l.taken, t) || lacks(l.day, t)) && isUsable(t.Subscription) {
			return true
		}
	}
	return false
}

func (l *Baselines) rows() (n int) {
	for t := range l.tables.all {
		n += t.rows.Len()
	}
	return n
}

// CanBeginDay reports whether BeginDay would begin a baseline of the day.
func (l *Baselines) CanBeginDay() bool {
	n := l.rows()
	return 0 < n && n <= MaxDayRows
}

// BeginDay drops the baseline of the day before. The next Extend takes that of the day, from rows that can be used.
func (l *Baselines) BeginDay() {
	l.ownRows()
	left, _ := l.splitUnlisted()
	l.day, l.unlisted.more, l.unlisted.rows = nil, nil, NewRows()
	for i := range left {
		l.unlisted.rows.Put(&left[i])
	}
	if l.CanBeginDay() {
		l.day = &Baseline{joined: l.unlisted.rows.Clone()}
	}
}

// splitUnlisted returns the positions that have left a list that is watched, and those whose list is not: their numbers
// are of an earlier time, of another run.
func (l *Baselines) splitUnlisted() (left, unwatched []model.Position) {
	for p := range l.unlisted.All {
		if l.tables.covering(p.Key) != nil {
			left = append(left, p)
		} else {
			unwatched = append(unwatched, p)
		}
	}
	return left, unwatched
}

// Take takes a baseline of all rows, in place of one that was taken before. The trader has asked for it: rows that may
// be out of date are in it too.
func (l *Baselines) Take(at time.Time) { l.taken = l.now(at) }

// now returns a baseline of all rows as they are.
func (l *Baselines) now(at time.Time) *Baseline {
	all := func(model.Subscription) bool { return true }
	return (&Baseline{}).extended(l.tables, make(map[*Table]*baselinePart), all, at)
}

// Use uses a baseline in place of the one that was taken before.
func (l *Baselines) Use(of *Baseline) { l.taken = of }

// Drop forgets the baseline that was taken.
func (l *Baselines) Drop() { l.taken = nil }

// Current returns the baseline of the changes: the one that was taken, or else the first snapshot of each subscription.
func (l *Baselines) Current() *Baseline {
	if l.taken != nil {
		return l.taken
	}
	return l.first
}

// HasTaken reports whether a baseline was taken.
func (l *Baselines) HasTaken() bool { return l.taken != nil }

// Taken returns the baseline that was taken; nil if none was.
func (l *Baselines) Taken() *Baseline { return l.taken }

// First returns each subscription as its first snapshot had it.
func (l *Baselines) First() *Baseline { return l.first }

// Day returns what the day began with; nil if that is not kept.
func (l *Baselines) Day() *Baseline { return l.day }

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

// DayNumbers are the numbers by position that are kept from one run to the next.
type DayNumbers struct {
	Began time.Time // the day
	Day   *Baseline // what it began with
	// Last are the last numbers, also of positions that are no longer listed. Those that were not watched at the end
	// are in the part of the time when the day began.
	Last *Baseline
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
	left, unwatched := l.splitUnlisted()
	unlisted := []BaselinePart{{At: began, IsPartial: true, Positions: unwatched}, {At: now, IsPartial: true, Positions: left}}
	return &DayNumbers{began, l.day.clone(), NewBaseline(append(unlisted, l.now(now).Parts()...))}
}

// Resume goes on from the numbers that an earlier run has kept. If that was of the day before, the day begins with the
// last ones. The book must be empty.
func (l *Baselines) Resume(kept *DayNumbers, isSameDay bool) {
	l.ownRows()
	last := kept.Last
	if l.day = kept.Day; !isSameDay {
		last = last.without(kept.Began)
		l.day = last
	}
	for p := range last.positions {
		l.unlisted.put(&p, nil)
	}
}
