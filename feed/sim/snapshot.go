package sim

import (
	"cmp"
	"slices"
	"time"

	"blotter/feed/sim/market"
)

// Snapshots describes in which parts streams send their snapshots. Its zero value is how the public service does it:
// pages of 50 at once, with the mark on the last one, and no change before.
type Snapshots struct {
	// PageSize is how many positions a page has; 0 means 50.
	PageSize int

	// Pause is the time between two pages.
	Pause time.Duration

	// UpdatesBetween makes streams send what changes before their last page, in updates between the pages. The pages
	// that follow have the rows of the moment when the stream was opened, as always.
	UpdatesBetween bool

	// NoLastPage leaves out the last page. The stream goes on with updates.
	NoLastPage bool

	// NoFlat leaves out the positions without a volume.
	NoFlat bool
}

// SetSnapshots decides in which parts streams that are opened from now on send their snapshots.
func (of *scripted) SetSnapshots(parts Snapshots) { of.set(func(s *script) { s.snapshots = parts }) }

// sendSnapshot writes the pages, and reports whether the stream is subscribed to changes since then. A filter by party
// and market that finds nothing has no page: not even the headers are sent.
func (s *stream) sendSnapshot() (subscribed bool, err error) {
	if err := s.runCommands(always); err != nil {
		return false, err
	}
	s.node.mu.Lock()
	parts := s.node.script.snapshots
	rows := s.replica.snapshot(s.filter, parts.NoFlat)
	if parts.UpdatesBetween {
		s.replica.subscribe(s)
	}
	s.node.mu.Unlock()

	pages := slices.Collect(slices.Chunk(rows, cmp.Or(parts.PageSize, pageSize)))
	if len(rows) == 0 && (s.filter.party == nil || s.filter.market == nil) {
		pages = [][]*market.Row{nil}
	}
	last := len(pages) - 1
	for i, page := range pages {
		if i == last && parts.NoLastPage {
			break
		}
		if err := s.awaitPage(i, parts.Pause); err != nil {
			return false, err
		}
		s.buffer = appendSnapshot(s.buffer[:0], page, i == last)
		if _, err := s.send(s.buffer); err != nil {
			return false, err
		}
		s.node.count(&s.node.counters.SnapshotRowsSent, len(page))
	}
	return parts.UpdatesBetween, s.runCommands(func() bool { return !s.node.script.holds(AllPages) })
}

// snapshot returns the rows that the filter's snapshot has.
func (r *replica) snapshot(f filter, noFlat bool) []*market.Row {
	shown := r.positions
	if r.stored != nil {
		shown = r.stored.positions
	}
	rows := shown.find(f)
	if noFlat {
		rows = slices.DeleteFunc(rows, func(r *market.Row) bool { return r.Traded.OpenVolume == 0 })
	}
	return rows
}

// awaitPage runs the stream's commands until it may send the next page.
func (s *stream) awaitPage(sent int, pause time.Duration) error {
	if sent > 0 && pause > 0 {
		s.pause = time.Now().Add(pause)
		defer func() { s.pause = time.Time{} }()
	}
	return s.runCommands(func() bool { return !s.node.script.holds(sent) && !time.Now().Before(s.pause) })
}

// LoseMarkets makes the streams that are open send no changes in these markets from now on, in place of those of an
// earlier call. Without any, they send all changes again; what changed meanwhile is not sent later. Snapshots have all
// markets, and so do streams that are opened later.
func (n *Node) LoseMarkets(ids ...string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	lost := map[string]bool{}
	for _, id := range ids {
		lost[id] = true
	}
	for s := range n.streams {
		s.lost = lost
	}
}

// withoutLost returns the rows but those of markets that the stream has lost. The caller holds the lock of Node.
func (s *stream) withoutLost(rows []*market.Row) []*market.Row {
	if len(s.lost) == 0 {
		return rows
	}
	return slices.DeleteFunc(slices.Clone(rows), func(r *market.Row) bool { return s.lost[r.Key().Market] })
}
