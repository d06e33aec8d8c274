package model

// Delta is what the feed tells the screen: the state of the links and the data that goes with it, together,
// so that the two never disagree. It belongs to whoever receives it; the positions of Updates only until the next Delta
// with data is asked for, because there are too many of them to leave each time's to the garbage collector.
type Delta struct {
	Links     []Link     // every subscription, in the order of the scope
	Snapshots []Snapshot // to be taken before Updates
	Updates   []Updates
	More      bool // the next Delta is there already: this one is a part of the news
}

// Snapshot is everything that a subscription has, whole.
type Snapshot struct {
	Subscription
	Rows  *Rows
	Audit bool // it came from a second look at a stream that was thought healthy
}

// Updates are positions of one subscription that changed, each whole, not a patch.
type Updates struct {
	Subscription
	Positions []Position
}
