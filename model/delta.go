package model

// Delta is what the feed hands to the screen: the state of the subscriptions, and the data that belongs to that state.
// Whoever receives it owns it; the positions of Updates and Audits only until the next Delta with data is asked for,
// because their memory is used again.
//
// The parts are to be applied in the order of the fields.
type Delta struct {
	Links     []Link // every subscription, in the order of the scope; nil where nothing changed
	Snapshots []Snapshot
	Updates   []Updates
	Audits    []AuditPage
	More      bool // the next Delta is ready: this one is a part of the news
}

// Snapshot is all positions of one subscription. It replaces what there was before.
type Snapshot struct {
	Subscription
	Rows *Rows
}

// Updates are positions of one subscription that changed. Each is whole: it replaces its row.
type Updates struct {
	Subscription
	Positions []Position
	NotAfter  int64 // a later time of change, in nanoseconds since the Unix epoch, is ahead of the service's clock: it decides nothing
	LatePage  bool  // the positions are of a snapshot page that came after updates: each is taken only where it is newer than its row
}

// AuditPage is a part of a second look: what a second stream of the same subscription said in its snapshot, to be
// compared with the book.
type AuditPage struct {
	Subscription
	Positions []Position
	NotAfter  int64
	First     bool // an audit begins
	Last      bool // the second stream has said all that it has
}

// Correction is a row that an audit found wrong.
type Correction struct {
	Subscription
	Before *Position // nil: the row was missing
	After  *Position // nil: the row was removed
}

// Key is the key of the row.
func (c *Correction) Key() Key {
	if c.Before != nil {
		return c.Before.Key
	}
	return c.After.Key
}
