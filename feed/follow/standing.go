package follow

import (
	"hash/maphash"
	"maps"
	"math/bits"
	"slices"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// The book decides which state of a row stands: model/book/standing.go has the rule. A Follower follows it without the
// values, and knows so which rows are in doubt: those that stand although a snapshot, or an audit of a node that is not
// behind, has an older state of them or lacks them. These are not in doubt:
//
//   - the same values under another time: a database keeps microseconds, and updates have nanoseconds
//   - what the open stream has updated sentLately before the audit began, or since
//   - a flat row that is left out
//
// A doubt ends when anything about that row has the same time or a newer one, or when it is believed:
//
//	the row is absent                        absentAudits in a row lack it; fewer, if the service lists no flat rows
//	an older state, of olderRows or more     olderAudits in a row over olderFor have older states of it, none of which is
//	                                         older than that of the audit before: a backup was restored
//	an older state of fewer rows             never: a node has lost a change. The row stays marked
//	any, without audits                      unauditedFor
//
// Only audits of nodes that are not behind count. The others neither count nor interrupt. If only nodes that are behind
// have answered for behindFor, theirs count: the network may count its times anew.
const (
	absentAudits     = 5
	absentIfUnlisted = 3 // if the service lists no flat rows
	olderAudits      = 5
	olderRows        = 3
	olderFor         = time.Minute
	unauditedFor     = time.Minute
	behindFor        = 10 * time.Minute

	sentLately  = 10 * time.Second
	markedAfter = 10 * time.Second       // a doubt began: then the row is drawn as one that may be out of date
	earlyFor    = 2 * time.Minute        // after a doubt began, audits come early
	leftFor     = 10 * time.Minute       // how long a flat row is known that was left out
	marksApart  = 250 * time.Millisecond // between two looks at what is marked
	mostDoubts  = 100_000                // with more, a snapshot is not taken
)

// standing is which rows of a subscription stand, and which of these are in doubt. Of very many rows it knows a sample.
type standing struct {
	sample[standingRow]
	began     time.Time
	doubts    map[model.Key]*doubt
	believed  map[model.Key]time.Time // since when, of rows that have not come since: the book may not know it yet
	doubtedAt time.Time               // when the last doubt began
	stream    uint32                  // counts the streams; 0 is no stream
	ofSample  bool                    // rows of a sample were left when this began
}

// standingRow is a state that stands.
type standingRow struct {
	rowState
	byUpdate bool          // an update of the stream has brought it
	stream   uint32        // has sent it; 0 if an audit has
	cameAt   time.Duration // since the beginning
}

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

func newStanding(seed maphash.Seed) *standing {
	return &standing{sample: newSample[standingRow](seed), began: time.Now(), doubts: make(map[model.Key]*doubt), believed: make(map[model.Key]time.Time)}
}

// put takes a state that stands now, which ends the doubt about its row.
func (s *standing) put(key model.Key, row standingRow) {
	s.set(key, row)
	delete(s.doubts, key)
	delete(s.believed, key)
}

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

// addUpdates takes updates of the open stream, or a late page of it.
func (s *standing) addUpdates(rows []model.Position, isPage bool, notAfter int64, now time.Time) {
	for i := range rows {
		key := rows[i].Key
		if !s.keeps(key) {
			continue
		}
		state := stateOf(&rows[i], notAfter)
		row, known := s.byRow[key]
		isOwn := row.byUpdate && row.stream == s.stream
		switch {
		case known && (isPage || !isOwn) && state.isOlderThan(row.rowState, notAfter):
		case isPage && isOwn && state.at == row.at:
		default:
			s.put(key, standingRow{state, !isPage, s.stream, now.Sub(s.began)})
		}
	}
}

// takeSnapshot takes a whole snapshot of the open stream, which has sent these states. Has reports whether it has a row.
func (s *standing) takeSnapshot(sent *sentTimes, has func(model.Key) bool, notAfter int64, now time.Time) {
	for key, state := range sent.byRow {
		if row, known := s.byRow[key]; s.keeps(key) && (!known || !s.doubtsState(key, row, state, notAfter, now)) {
			s.put(key, standingRow{state, row.byUpdate && row.stream == s.stream, s.stream, now.Sub(s.began)})
		}
	}
	for key, row := range s.byRow {
		switch {
		case has(key):
		case row.isOpen:
			s.begin(key, rowAbsent, now)
		case now.Sub(s.began)-row.cameAt > leftFor:
			delete(s.byRow, key)
		}
	}
}

// replace takes a further snapshot of the open stream: it replaces all rows.
func (s *standing) replace(sent *sentTimes, rows *book.Rows, notAfter int64, now time.Time) {
	for key := range s.byRow {
		if !rows.Has(key) {
			delete(s.byRow, key)
			delete(s.doubts, key)
		}
	}
	for key := range sent.byRow {
		if p, has := rows.Find(key); has && s.keeps(key) {
			s.put(key, standingRow{stateOf(&p, notAfter), s.byRow[key].byUpdate, s.stream, now.Sub(s.began)})
		}
	}
}

// isSample reports whether the standing rows are some of all.
func (s *standing) isSample() bool { return s.mask != 0 || s.ofSample }

// doubtsState reports whether a row stands although a snapshot has another state of it: an older one. If the time is
// equal, the row is in doubt, and the other state stands.
func (s *standing) doubtsState(key model.Key, row standingRow, state rowState, notAfter int64, now time.Time) bool {
	switch {
	case state.isOlderThan(row.rowState, notAfter):
		if state.values == row.values {
			delete(s.doubts, key)
		} else {
			s.begin(key, rowOlder, now)
		}
		return true
	case state.at == row.at && state.at > 0 && state.values != row.values:
		s.put(key, standingRow{rowState: state, cameAt: now.Sub(s.began)})
		s.begin(key, rowChanged, now)
		return true
	}
	return false
}

// audited is an audit whose snapshot is whole.
type audited struct {
	sent     *sentTimes
	openedAt time.Time
	counts   bool // its node is not behind
}

// takeAudit takes an audit. It returns how many rows are believed to be gone from now on, and of how many older states
// are.
func (s *standing) takeAudit(a audited, listsFlat bool, notAfter int64, now time.Time) (gone, older int) {
	isSentLately := func(row standingRow) bool {
		return row.byUpdate && row.stream == s.stream && row.cameAt >= a.openedAt.Sub(s.began)-sentLately
	}
	for key, state := range a.sent.byRow {
		if !s.keeps(key) {
			continue
		}
		row, known := s.byRow[key]
		switch {
		case !known:
			s.put(key, standingRow{rowState: state, cameAt: now.Sub(s.began)})
		case isSentLately(row) && !row.rowState.isOlderThan(state, notAfter):
		case state.isOlderThan(row.rowState, notAfter) && !a.counts && state.values != row.values:
		case s.doubtsState(key, row, state, notAfter, now):
			if d := s.doubts[key]; d != nil && d.how == rowOlder {
				d.count(state.at, now)
			}
		case state != row.rowState:
			s.put(key, standingRow{rowState: state, cameAt: now.Sub(s.began)})
		default:
			delete(s.doubts, key)
		}
	}
	if !a.counts {
		return 0, 0
	}
	for key, row := range s.byRow {
		if _, has := a.sent.byRow[key]; has || !a.sent.keeps(key) || isSentLately(row) {
			continue
		}
		if row.isOpen {
			s.begin(key, rowAbsent, now).count(0, now)
		} else if now.Sub(s.began)-row.cameAt > leftFor {
			delete(s.byRow, key)
		}
	}
	return s.takeBelieved(func(d *doubt, isBackup bool) bool {
		switch {
		case d.how == rowAbsent:
			return d.audits >= absentAudits || d.audits >= absentIfUnlisted && !listsFlat
		case d.how == rowOlder && isBackup:
			return d.audits >= olderAudits && now.Sub(d.first) >= olderFor
		}
		return false
	}, a.sent, now)
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
		if p, has := rows.Find(key); has && d.how == rowOlder {
			d.state = &p
		}
	}
}

// allBelieved returns the rows that are believed to be gone, or of which older states are, in order: those that the book
// may not know yet too.
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

// estimated returns how many rows are in doubt, also of those that are not in the sample.
func (s *standing) estimated() int { return len(s.doubts) << bits.OnesCount64(s.mask) }

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

// older returns how many rows are in doubt because of older states.
func (s *standing) older() (rows int) {
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

// newest returns the latest time that stands and that counts. With only, it leaves out the rows that the stream has not
// sent.
func (s *standing) newest(only *sentTimes, notAfter int64) (newest int64) {
	for key, row := range s.byRow {
		if only != nil {
			if _, has := only.byRow[key]; !has {
				continue
			}
		}
		if row.at <= notAfter {
			newest = max(newest, row.at)
		}
	}
	return newest
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

// lacksFlat reports whether a stream that has newer rows lacks a flat row that is known.
func (s *standing) lacksFlat(sent *sentTimes) bool {
	for key, row := range s.byRow {
		if _, has := sent.byRow[key]; !has && !row.isOpen && sent.keeps(key) && 0 < row.at && row.at < sent.newest {
			return true
		}
	}
	return false
}

// clear forgets all rows: there are none any longer.
func (s *standing) clear() {
	clear(s.byRow)
	clear(s.doubts)
	clear(s.believed)
}
