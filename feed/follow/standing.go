package follow

import (
	"hash/maphash"
	"maps"
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
// Only audits of nodes that are not behind count. The others neither count nor interrupt those that do. If only nodes
// that are behind have answered for behindFor, theirs count: the network may count its times anew.
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

func newStanding(seed maphash.Seed) *standing {
	return &standing{sample: newSample[standingRow](seed), began: time.Now(), doubts: make(map[model.Key]*doubt),
		believed: make(map[model.Key]time.Time)}
}

// put takes a state that stands now, which ends the doubt about its row.
func (s *standing) put(key model.Key, row standingRow) {
	s.set(key, row)
	delete(s.doubts, key)
	delete(s.believed, key)
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
			s.doubts[key].keepOlder(&rows[i], notAfter)
		case isPage && isOwn && state.at == row.at:
		default:
			s.put(key, standingRow{state, !isPage, s.stream, now.Sub(s.began)})
		}
	}
}

// takeSnapshot takes a whole snapshot of the open stream, which has sent these states. Has reports whether it has a
// row.
func (s *standing) takeSnapshot(sent *sentTimes, has func(model.Key) bool, notAfter int64, now time.Time) {
	s.narrow(sent.mask)
	for key, row := range s.byRow {
		switch {
		case has(key):
		case row.isOpen:
			s.begin(key, rowAbsent, now)
		case now.Sub(s.began)-row.cameAt > leftFor:
			delete(s.byRow, key)
		}
	}
	if len(s.byRow) == 0 {
		s.byRow = make(map[model.Key]standingRow, len(sent.byRow))
	}
	for key, state := range sent.byRow {
		if row, known := s.byRow[key]; s.keeps(key) && (!known || !s.doubtsState(key, row, state, notAfter, now)) {
			s.put(key, standingRow{state, row.byUpdate && row.stream == s.stream, s.stream, now.Sub(s.began)})
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
		if p, has := book.Find(rows, key); has && s.keeps(key) {
			s.put(key, standingRow{stateOf(&p, notAfter), s.byRow[key].byUpdate, s.stream, now.Sub(s.began)})
		}
	}
}

// narrow drops the rows that are not in a smaller sample: a stream that has only this sample cannot show whether doubts
// about them are right.
func (s *standing) narrow(mask uint64) {
	if s.mask |= mask; s.mask == 0 {
		return
	}
	maps.DeleteFunc(s.byRow, func(key model.Key, _ standingRow) bool { return !s.keeps(key) })
	maps.DeleteFunc(s.doubts, func(key model.Key, _ *doubt) bool { return !s.keeps(key) })
	maps.DeleteFunc(s.believed, func(key model.Key, _ time.Time) bool { return !s.keeps(key) })
}

// isSample reports whether the standing rows are some of all.
func (s *standing) isSample() bool { return s.mask != 0 || s.ofSample }

// doubtsState reports whether a row is in doubt because a snapshot has another state of it. If that is older, the row
// stands. If the times do not decide, the other state stands, until an audit has compared it.
func (s *standing) doubtsState(key model.Key, row standingRow, state rowState, notAfter int64, now time.Time) bool {
	switch {
	case state.isOlderThan(row.rowState, notAfter):
		if state.values == row.values {
			delete(s.doubts, key)
		} else {
			s.begin(key, rowOlder, now)
		}
		return true
	case state.values != row.values && !row.rowState.isOlderThan(state, notAfter):
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
	s.narrow(a.sent.mask)
	isSentIn := func(row standingRow, before time.Duration) bool {
		return row.byUpdate && row.stream == s.stream && row.cameAt >= a.openedAt.Sub(s.began)-before
	}
	for key, state := range a.sent.byRow {
		if !s.keeps(key) {
			continue
		}
		row, known := s.byRow[key]
		switch {
		case !known:
			s.put(key, standingRow{rowState: state, cameAt: now.Sub(s.began)})
		case isSentIn(row, 0) && !row.rowState.isOlderThan(state, notAfter):
		case isSentIn(row, sentLately) && state.isOlderThan(row.rowState, notAfter):
		case state.isOlderThan(row.rowState, notAfter) && !a.counts && state.values != row.values:
		case s.doubtsState(key, row, state, notAfter, now):
			if d := s.doubts[key]; d != nil && d.how == rowOlder {
				d.count(state.at, now)
			}
		case state != row.rowState:
			s.put(key, standingRow{rowState: state, cameAt: now.Sub(s.began)})
		case a.counts, s.doubts[key] != nil && s.doubts[key].audits == 0:
			delete(s.doubts, key)
		}
	}
	if !a.counts {
		return 0, 0
	}
	for key, row := range s.byRow {
		if _, has := a.sent.byRow[key]; has || !a.sent.keeps(key) || isSentIn(row, sentLately) {
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
