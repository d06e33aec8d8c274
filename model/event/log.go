package event

import "slices"

// Log keeps the newest events. The zero Log is empty and ready for use.
type Log struct {
	ring   []Event // in order from the oldest on, which is at ring[first]
	first  int
	count  uint64 // how many events there were
	missed int
}

// MaxEvents is how many events a log keeps. They take 19 MB.
const MaxEvents = 100_000

// Add adds an event. If the log is full, the oldest one is dropped.
func (l *Log) Add(e Event) {
	l.count++
	if len(l.ring) < MaxEvents {
		l.ring = append(l.ring, e)
		return
	}
	l.ring[l.first] = e
	l.first = (l.first + 1) % MaxEvents
}

// AddAll adds events, the oldest first. It copies only those that are kept.
func (l *Log) AddAll(events []Event) {
	dropped := max(len(events)-MaxEvents, 0)
	l.count += uint64(dropped)
	l.ring = slices.Grow(l.ring, min(len(events), MaxEvents-len(l.ring)))
	for i := range events[dropped:] {
		l.Add(events[dropped+i])
	}
}

// Len returns how many events are kept.
func (l *Log) Len() int { return len(l.ring) }

// Count returns how many events there were. It is the number of the newest one: the first had number 1.
func (l *Log) Count() uint64 { return l.count }

// Oldest returns the number of the oldest event that is kept.
func (l *Log) Oldest() uint64 { return l.count - uint64(len(l.ring)) + 1 }

// Dropped returns how many events were dropped because the log was full.
func (l *Log) Dropped() int { return int(l.count) - len(l.ring) }

// Numbered returns the event with a number, and false if it is not kept. It must not be changed.
func (l *Log) Numbered(number uint64) (*Event, bool) {
	if number < l.Oldest() || number > l.count {
		return nil, false
	}
	return &l.ring[(l.first+int(number-l.Oldest()))%len(l.ring)], true
}

// AddMissed counts changes without an event: see Delta.Missed.
func (l *Log) AddMissed(n int) { l.missed += n }

// Missed returns how many changes have no event.
func (l *Log) Missed() int { return l.missed }

// Append adds all events of another log, and counts those that the other has dropped.
func (l *Log) Append(other *Log) {
	l.count += uint64(other.Dropped())
	l.missed += other.missed
	for number := other.Oldest(); number <= other.Count(); number++ {
		if e, ok := other.Numbered(number); ok {
			l.Add(*e)
		}
	}
}
