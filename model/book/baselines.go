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

// Baselines returns the baselines of the book.
func (b *Book) Baselines() *Baselines { return &b.baselines }

// Rebased returns the book with baselines that a function has changed. It shares everything else with b.
func Rebased(b *Book, change func(*Baselines)) *Book {
	rebased := *b
	rebased.list, rebased.baselines = changeList{}, b.baselines.copied(b.tables)
	change(&rebased.baselines)
	return &rebased
}

// NewPast returns an empty book for at most limit positions of a past, with the first baseline of the service.
func NewPast(limit int, first *Baseline) *Book {
	b := New(limit)
	b.baselines.first = first
	return b
}

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

// rows returns how many positions the book has.
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
	l.day, l.unlisted.more = nil, nil
	if l.CanBeginDay() {
		l.day = &Baseline{joined: l.unlisted.rows.Clone()}
	}
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
