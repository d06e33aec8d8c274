package store

import (
	"time"

	"blotter/model/book"
)

// baselineAction is a change of the baseline. It is made together with the next view.
type baselineAction uint8

const (
	keepBaseline baselineAction = iota
	takeBaseline
	dropBaseline
	useBaseline    // one that was taken of the past
	extendBaseline // by rows that are no longer out of date
)

// baselineRequest is the change of the baseline that the trader has requested. The baseline itself is in the book.
type baselineRequest struct {
	action baselineAction // of the next view
	at     time.Time      // the time of the rows that it takes
	of     *book.Baseline // the baseline to use

	isJumping bool // a recording goes to another time, whose rows have not come yet
	isDelayed bool // a baseline is taken as soon as they come
}

// isOfTaken reports whether the baseline that was taken changes.
func (r *baselineRequest) isOfTaken() bool {
	return r.action != keepBaseline && r.action != extendBaseline
}

// apply changes the baseline that was taken.
func (r *baselineRequest) apply(to *book.Baselines) {
	switch r.action {
	case takeBaseline:
		to.Take(r.at)
	case useBaseline:
		to.Use(r.of)
	case dropBaseline:
		to.Drop()
	}
}

// dayBeginsWithin is how much later than the day the baseline of the day is taken at most, if it is that of its begin.
const dayBeginsWithin = 10 * time.Second

// day is the day of the baseline of the day.
type day struct {
	began  time.Time // zero if there is none yet
	begins bool      // the next view begins a baseline of the day
}

// isWhole reports whether what counts from a time counts from the begin of the day, or from before it.
func (d *day) isWhole(since time.Time) bool { return !since.After(d.began.Add(dayBeginsWithin)) }
