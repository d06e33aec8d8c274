package sim

import "slices"

// audience is the streams that ask for the same positions.
type audience struct{ streams []*stream }

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
// caller holds the lock. Each stream writes the rows for itself, when its turn
// comes, into a buffer that stays warm: that is cheaper than bytes shared by
// all that wait in memory.
func (n *Node) tell(rows []*row) {
	for a, rows := range n.gather(rows) {
		for _, s := range a.streams {
			s.push(order{verb: tellRows, rows: rows})
		}
	}
}

// gather sorts the rows to the audiences that asked for them.
func (n *Node) gather(rows []*row) map[*audience][]*row {
	told := map[*audience][]*row{}
	var byParty, byMarket, byBoth bool
	for key, a := range n.audiences {
		switch {
		case key == Key{}:
			told[a] = rows
		case key.Market == "":
			byParty = true
		case key.Party == "":
			byMarket = true
		default:
			byBoth = true
		}
	}
	give := func(key Key, r *row) {
		if a := n.audiences[key]; a != nil && key != (Key{}) {
			told[a] = append(told[a], r)
		}
	}
	if !byParty && !byMarket && !byBoth {
		return told
	}
	for _, r := range rows {
		key := r.still.Key()
		if byParty {
			give(Key{Party: key.Party}, r)
		}
		if byMarket {
			give(Key{Market: key.Market}, r)
		}
		if byBoth && key.Party != "" && key.Market != "" {
			give(key, r)
		}
	}
	return told
}
