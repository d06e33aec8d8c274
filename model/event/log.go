package event

import (
	"iter"
	"slices"
)

// Log is what has happened: the newest events, and of the older ones those that last, which are alerts and what
// belongs to a [Story]. The zero Log is empty and ready for use.
type Log struct {
	ring    []*block // in order from the oldest on, which has place first
	kept    int      // how many are in the ring
	first   int
	count   uint64   // how many events there were
	lasting []uint64 // the numbers of those that last, the oldest first
	old     []Event  // those that last and are no longer in the ring, with the first numbers of lasting
	missed  int
	dropped int // events that last and were dropped
}

// The limits of what a log keeps. The newest events take 24 MB.
const (
	MaxEvents  = 100_000 // the newest
	MaxLasting = 10_000  // of the events that last; some of the oldest are dropped at once
)

// block is a part of the ring. A ring that grows by a block copies no event.
type block [250]Event

// at returns the event with a place in the ring.
func (l *Log) at(place int) *Event { return &l.ring[place/len(block{})][place%len(block{})] }

// Add adds an event and returns its number. If the log is full, the oldest one is dropped.
func (l *Log) Add(e Event) uint64 {
	l.count++
	if e.lasts() {
		l.addLasting()
	}
	if l.kept < MaxEvents {
		if l.kept%len(block{}) == 0 {
			l.ring = append(l.ring, new(block))
		}
		*l.at(l.kept) = e
		l.kept++
		return l.count
	}
	oldest := l.at(l.first)
	if oldest.lasts() && l.hasLasting(l.count-MaxEvents) {
		l.old = append(l.old, *oldest)
	}
	*oldest = e
	l.first = (l.first + 1) % MaxEvents
	return l.count
}

// addLasting notes that the newest event lasts.
func (l *Log) addLasting() {
	if l.lasting = append(l.lasting, l.count); len(l.lasting) <= MaxLasting {
		return
	}
	dropped := MaxLasting / 10
	l.dropped += dropped
	l.lasting = slices.Delete(l.lasting, 0, dropped)
	l.old = slices.Delete(l.old, 0, min(dropped, len(l.old)))
}

// Len returns how many of the newest events are kept.
func (l *Log) Len() int { return l.kept }

// Count returns how many events there were. It is the number of the newest one: the first had number 1.
func (l *Log) Count() uint64 { return l.count }

// Oldest returns the number of the oldest event that is kept, without older ones that last.
func (l *Log) Oldest() uint64 { return l.count - uint64(l.kept) + 1 }

// Dropped returns how many events are older than that.
func (l *Log) Dropped() int { return int(l.count) - l.kept }

// Numbered returns the event with a number, and false if it is not kept. It must not be changed.
func (l *Log) Numbered(number uint64) (*Event, bool) {
	if number > l.count {
		return nil, false
	}
	if number >= l.Oldest() {
		return l.at((l.first + int(number-l.Oldest())) % l.kept), true
	}
	place, ok := slices.BinarySearch(l.lasting[:len(l.old)], number)
	if !ok {
		return nil, false
	}
	return &l.old[place], true
}

// Lasting yields the events that last, with their numbers, the newest first.
func (l *Log) Lasting() iter.Seq2[uint64, *Event] {
	return func(yield func(uint64, *Event) bool) {
		for _, number := range slices.Backward(l.lasting) {
			if e, ok := l.Numbered(number); ok && !yield(number, e) {
				return
			}
		}
	}
}

// NewestLasting returns the number of the newest event that lasts; 0 if there is none.
func (l *Log) NewestLasting() uint64 {
	if len(l.lasting) == 0 {
		return 0
	}
	return l.lasting[len(l.lasting)-1]
}

// hasLasting reports whether the event with a number is one of those that last and are kept.
func (l *Log) hasLasting(number uint64) bool {
	_, ok := slices.BinarySearch(l.lasting, number)
	return ok
}

// DroppedLasting returns how many events that last were dropped.
func (l *Log) DroppedLasting() int { return l.dropped }

// Append adds all events of another log with a function, and counts those that the other has dropped.
func (l *Log) Append(other *Log, add func(Event)) {
	l.count += uint64(other.Dropped())
	l.missed += other.missed
	for number := other.Oldest(); number <= other.Count(); number++ {
		if e, ok := other.Numbered(number); ok {
			add(*e)
		}
	}
}

// AddMissed counts changes without an event: see Delta.Missed.
func (l *Log) AddMissed(n int) { l.missed += n }

// Missed returns how many changes have no event.
func (l *Log) Missed() int { return l.missed }
