package sim

import "sync/atomic"

// Counters are what a service has done so far.
type Counters struct {
	// StreamsOpen is how many streams are open now, StreamsOpened how many ever were.
	StreamsOpen, StreamsOpened int64

	// SnapshotsSent and UpdatesSent count the positions written to streams, in
	// snapshots and in updates.
	SnapshotsSent, UpdatesSent int64

	// BlockedWrites is how often a write to a stream had to wait for its reader, and BlockedUpdates how often what
	// waited was updates: a snapshot is written as fast as it is read.
	BlockedWrites, BlockedUpdates int64

	// StreamsDropped is how many streams ended because their reader was too slow.
	StreamsDropped int64

	// MarginPages is how many pages of margin levels were answered.
	MarginPages int64
}

type counters struct {
	streamsOpen, streamsOpened, snapshotsSent, updatesSent atomic.Int64
	blockedWrites, blockedUpdates                          atomic.Int64
	streamsDropped, marginPages                            atomic.Int64
}

// Counters returns what the service has done so far.
func (n *Node) Counters() Counters {
	c := &n.counters
	return Counters{
		StreamsOpen:    c.streamsOpen.Load(),
		StreamsOpened:  c.streamsOpened.Load(),
		SnapshotsSent:  c.snapshotsSent.Load(),
		UpdatesSent:    c.updatesSent.Load(),
		BlockedWrites:  c.blockedWrites.Load(),
		BlockedUpdates: c.blockedUpdates.Load(),
		StreamsDropped: c.streamsDropped.Load(),
		MarginPages:    c.marginPages.Load(),
	}
}
