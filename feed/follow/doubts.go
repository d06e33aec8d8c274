package follow

import (
	"maps"
	"math/bits"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// doubt is why a row is in doubt.
type doubt struct {
	how    doubtHow
	since  time.Time
	audits int             // in a row that have shown it
	first  time.Time       // when the first of these ended
	at     int64           // the time of the state in the last of them
	state  *model.Position // the older one, if there are no audits
}

type doubtHow uint8

const (
	rowAbsent  doubtHow = iota // from a snapshot or an audit
	rowOlder                   // there
	rowChanged                 // by it, at an equal time: no audit has compared it since
)

// begin begins a doubt about a row, or goes on with it. An audit counts.
func (s *standing) begin(key model.Key, how doubtHow, now time.Time) *doubt {
	d := s.doubts[key]
	switch {
	case d == nil:
		d = &doubt{how: how, since: now}
		s.doubts[key], s.doubtedAt = d, now
	case d.how != how:
		d.how, d.audits, d.at, d.state = how, 0, 0, nil
	}
	return d
}

// count counts an audit that has shown the doubt, with a state of this time.
func (d *doubt) count(at int64, now time.Time) {
	if at < d.at {
		d.audits = 0
	}
	if d.audits++; d.audits == 1 {
		d.first = now
	}
	d.at = at
}

// takeBelieved ends the doubts that are believed: rows are gone, or have older states, which are among those that were
// sent. It returns how many. Is tells which are, and is told whether olderRows or more have older states.
func (s *standing) takeBelieved(is func(d *doubt, isBackup bool) bool, sent *sentTimes, now time.Time) (gone, older int) {
	isBackup := s.older() >= olderRows
	for key, d := range s.doubts {
		if !is(d, isBackup) {
			continue
		}
		if delete(s.byRow, key); d.how == rowAbsent {
			gone++
		} else {
			older++
			s.set(key, standingRow{rowState: sent.byRow[key]})
		}
		delete(s.doubts, key)
		s.believed[key] = now
	}
	return gone, older
}

// keepOlderStates keeps the older states that a snapshot has of the rows in doubt.
func (s *standing) keepOlderStates(rows *book.Rows) {
	for key, d := range s.doubts {
		if p, has := book.Find(rows, key); has && d.how == rowOlder {
			d.state = &p
		}
	}
}

// keepOlder keeps an older state that has come since, if there are no audits. The doubt may be nil.
func (d *doubt) keepOlder(p *model.Position, notAfter int64) {
	if d != nil && d.state != nil && stateOf(d.state, notAfter).isOlderThan(stateOf(p, notAfter), notAfter) {
		kept := *p
		d.state = &kept
	}
}

// allBelieved returns the rows that are believed to be gone, or of which older states are, in order: also those that
// the book may not know yet.
func (s *standing) allBelieved(now time.Time) (gone, older []model.Key) {
	maps.DeleteFunc(s.believed, func(_ model.Key, since time.Time) bool { return now.Sub(since) > leftFor })
	for key := range s.believed {
		if _, isThere := s.byRow[key]; isThere {
			older = append(older, key)
		} else {
			gone = append(gone, key)
		}
	}
	slices.SortFunc(gone, model.Key.Compare)
	slices.SortFunc(older, model.Key.Compare)
	return gone, older
}

// estimated returns how many rows stand although a snapshot lacks them or has older states, also of those that are not
// in the sample.
func (s *standing) estimated() (rows int) {
	for _, d := range s.doubts {
		if d.how != rowChanged {
			rows++
		}
	}
	return rows << bits.OnesCount64(s.mask)
}

// mayBeBelieved returns the rows whose older states may be believed with the next audit.
func (s *standing) mayBeBelieved() (keys map[model.Key]bool) {
	keys = make(map[model.Key]bool)
	for key := range s.believed {
		keys[key] = true
	}
	if s.older() < olderRows {
		return keys
	}
	for key, d := range s.doubts {
		if d.how == rowOlder && d.audits+1 >= olderAudits {
			keys[key] = true
		}
	}
	return keys
}

// older returns how many rows are in doubt because of older states, with those of which such a state is believed.
func (s *standing) older() (rows int) {
	for key := range s.believed {
		if _, isThere := s.byRow[key]; isThere {
			rows++
		}
	}
	for _, d := range s.doubts {
		if d.how == rowOlder {
			rows++
		}
	}
	return rows
}

// olderStates returns the times of the rows that are in doubt because of older states, if there are olderRows or more.
func (s *standing) olderStates() map[model.Key]int64 {
	times := make(map[model.Key]int64)
	for key, d := range s.doubts {
		if d.how == rowOlder {
			times[key] = s.byRow[key].at
		}
	}
	if len(times) < olderRows {
		return nil
	}
	return times
}

// areRecent reports whether audits come early because of doubts.
func (s *standing) areRecent(now time.Time) bool {
	return len(s.doubts) > 0 && now.Sub(s.doubtedAt) < earlyFor
}

// marked returns the keys of the rows that are marked now, in order, and when the next one will be; zero if none will.
func (s *standing) marked(now time.Time) (keys []model.Key, next time.Time) {
	for key, d := range s.doubts {
		at := d.since.Add(markedAfter)
		switch {
		case d.how == rowChanged:
		case !at.After(now):
			keys = append(keys, key)
		case next.IsZero() || at.Before(next):
			next = at
		}
	}
	slices.SortFunc(keys, model.Key.Compare)
	return keys, next
}
