package follow

import (
	"context"
	"maps"
	"sync"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
)

// Left is what Followers have known of rows when they ended, because something else is watched now: the rows that have
// changed lately. The book keeps them too. A new stream may have older states of them, or lack them.
type Left struct {
	mu     sync.Mutex
	rows   map[model.Key]leftRow
	ending int           // Followers that have not added their rows yet
	ended  chan struct{} // closed when none is
}

type leftRow struct {
	rowState
	since    time.Time
	ofSample bool
}

const (
	mostLeft = 100_000          // rows
	lately   = 11 * time.Minute // longer than the book keeps rows
)

// NewLeft returns a Left of nothing.
func NewLeft() *Left {
	l := &Left{rows: make(map[model.Key]leftRow), ended: make(chan struct{})}
	close(l.ended)
	return l
}

// Expect says that a Follower ends, which will add its rows.
func (l *Left) Expect() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ending++; l.ending == 1 {
		l.ended = make(chan struct{})
	}
}

// add adds the rows of a Follower that has ended, if that was expected.
func (l *Left) add(s *standing, notAfter int64, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ending == 0 {
		return
	}
	maps.DeleteFunc(l.rows, func(_ model.Key, row leftRow) bool { return now.Sub(row.since) > leftFor })
	for key, row := range s.byRow {
		if row.at <= notAfter && row.at > max(earliestTime, notAfter-int64(lately)) && len(l.rows) < mostLeft {
			l.rows[key] = leftRow{row.rowState, now, s.mask != 0}
		}
	}
	if l.ending--; l.ending == 0 {
		close(l.ended)
	}
}

// takeTo gives the rows of a subscription to the Follower that begins. It waits for those that end.
func (l *Left) takeTo(ctx context.Context, s *standing, of model.Subscription) {
	l.mu.Lock()
	ended := l.ended
	l.mu.Unlock()
	if endpoint.Pause(ctx, time.Time{}, ended) != nil {
		return
	}
	now := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	for key, row := range l.rows {
		if _, known := s.byRow[key]; !known && of.Covers(key) && now.Sub(row.since) <= leftFor {
			s.set(key, standingRow{rowState: row.rowState, cameAt: now.Sub(s.began)})
			s.ofSample = s.ofSample || row.ofSample
		}
	}
}
