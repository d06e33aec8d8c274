package follow

import (
	"slices"
	"sync"
	"time"

	"blotter/model"
)

// A service that changes one position of a market usually changes the others of that market too: their profit depends
// on the same price. So a position of another stream or of an audit that is newer than all positions of its market on a
// silent stream is a hint that the silent one misses updates. It is a weak hint: some services send only positions that
// were traded.

const (
	newsBy    = 10 * time.Second // how much newer than those of the silent stream
	newsEvery = 10 * time.Second // how often a silent stream looks for news
)

// News is what the streams of a feed and their audits have sent: the newest time of change in each market, and whether
// flat rows were listed.
type News struct {
	mu       sync.Mutex
	streams  int
	markets  map[model.ID]int64
	lists    bool // a page had a flat row
	unlisted bool // a stream lacked flat rows that it should have
}

// NewNews returns News of nothing.
func NewNews() *News { return &News{markets: make(map[model.ID]int64)} }

// enter counts one more stream, or one less if by is -1.
func (n *News) enter(by int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.streams += by
}

// add notes rows that a stream or an audit has sent. If there is only one stream, there is nobody to tell.
func (n *News) add(rows []model.Position, notAfter int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.streams < 2 {
		return
	}
	for i := range rows {
		if at, usable := rows[i].ChangedAt(notAfter); usable && at > n.markets[rows[i].Market] {
			n.markets[rows[i].Market] = at
		}
	}
}

// isNewerThan reports whether a position of another stream is newer than all positions of its market that a stream has
// sent. Times after notAfter do not count.
func (n *News) isNewerThan(sent *sentTimes, notAfter int64) bool {
	own := make(map[model.ID]int64)
	for key, state := range sent.byRow {
		own[key.Market] = max(own[key.Market], state.at)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for market, at := range own {
		if newest := n.markets[market]; at > 0 && newest-at >= int64(newsBy) && newest <= notAfter {
			return true
		}
	}
	return false
}

// addPage does what add does, with rows of a page of a snapshot.
func (n *News) addPage(rows []model.Position, notAfter int64) {
	n.add(rows, notAfter)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.lists = n.lists || slices.ContainsFunc(rows, func(p model.Position) bool { return !p.IsOpen() })
}

// manyRows is how many rows of a snapshot are hardly all open, if the service lists flat rows.
const manyRows = 50

// noteRows notes how many rows a whole snapshot had, and whether it lacked flat rows that it should have. It reports
// whether flat rows were listed.
func (n *News) noteRows(rows int, lacksFlat bool) (lists bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.unlisted = n.unlisted || lacksFlat || rows >= manyRows && !n.lists
	return n.lists
}

// listsFlat reports whether the service lists flat rows, which is so unless it seems otherwise.
func (n *News) listsFlat() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.lists || !n.unlisted
}
