package sim

import "slices"

// audience is the streams that ask for the same positions, and so get the
// same bytes.
type audience struct {
	streams []*stream
	rows    []*row // what it is to be told of the block at hand
}

// subscribe makes the stream hear of what changes from now on.
func (n *Node) subscribe(s *stream) {
	n.mu.Lock()
	defer n.mu.Unlock()
	key := s.filter.audience()
	if n.audiences[key] == nil {
		n.audiences[key] = &audience{}
	}
	n.audiences[key].streams = append(n.audiences[key].streams, s)
}

// unsubscribe is for a caller that holds the lock.
func (n *Node) unsubscribe(s *stream) {
	key := s.filter.audience()
	a := n.audiences[key]
	if a == nil {
		return
	}
	a.streams = slices.DeleteFunc(a.streams, func(other *stream) bool { return other == s })
	if len(a.streams) == 0 {
		delete(n.audiences, key)
	}
}

// tell hands a block of changed rows to the streams that asked for them. The
// caller holds the lock.
func (n *Node) tell(rows []*row) {
	for _, a := range n.gather(rows) {
		pages := updatePages(a.rows)
		for _, s := range a.streams {
			s.push(order{verb: tellPages, pages: pages})
		}
		clear(a.rows)
		a.rows = a.rows[:0]
	}
}

// gather sorts the rows to the audiences, and returns those that get any.
func (n *Node) gather(rows []*row) []*audience {
	var all, byParty, byMarket, byBoth bool
	for key := range n.audiences {
		all = all || key == Key{}
		byParty = byParty || key.Party != "" && key.Market == ""
		byMarket = byMarket || key.Party == "" && key.Market != ""
		byBoth = byBoth || key.Party != "" && key.Market != ""
	}
	var told []*audience
	give := func(key Key, r *row) {
		a := n.audiences[key]
		if a == nil {
			return
		}
		if len(a.rows) == 0 {
			told = append(told, a)
		}
		a.rows = append(a.rows, r)
	}
	for _, r := range rows {
		if all {
			give(Key{}, r)
		}
		if byParty && r.Party != "" {
			give(Key{Party: r.Party}, r)
		}
		if byMarket && r.Market != "" {
			give(Key{Market: r.Market}, r)
		}
		if byBoth && r.Party != "" && r.Market != "" {
			give(r.Key(), r)
		}
	}
	return told
}
