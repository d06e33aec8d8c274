package book

import (
	"time"

	"blotter/model"
)

// Baselines are the baselines of a book: the first rows of each subscription, and what the trader took.
type Baselines struct {
	tables *tables   // of the book
	first  *Baseline // each subscription as it was when its first snapshot came
	taken  *Baseline // what the trader took, or nil if there is none
}

// Baselines returns the baselines of the book.
func (b *Book) Baselines() *Baselines { return &b.baselines }

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
	l.first = l.first.extended(l.tables, isUsable, at)
	if l.taken != nil {
		l.taken = l.taken.extended(l.tables, isUsable, at)
	}
}

// LacksAny reports whether Extend would take a baseline.
func (l *Baselines) LacksAny(isUsable func(model.Subscription) bool) bool {
	lacks := func(baseline *Baseline, t *Table) bool { return baseline != nil && !baseline.covers(t) }
	for t := range l.tables.all {
		if (lacks(l.first, t) || lacks(l.taken, t)) && isUsable(t.Subscription) {
			return true
		}
	}
	return false
}

// Take takes a baseline of all rows, in place of one that was taken before. The trader has asked for it: rows that may
// be out of date are in it too.
func (l *Baselines) Take(at time.Time) {
	all := func(model.Subscription) bool { return true }
	l.taken = (&Baseline{}).extended(l.tables, all, at)
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
