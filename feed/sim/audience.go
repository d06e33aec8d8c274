package sim

import "slices"

// audience is the streams that ask for the same positions.
type audience struct{ streams []*stream }

// subscribe makes the stream hear of what changes from now on.
func (r *replica) subscribe(s *stream) {
	key := s.filter.audience()
	if r.audiences[key] == nil {
		r.audiences[key] = &audience{}
	}
	r.audiences[key].streams = append(r.audiences[key].streams, s)
}

// unsubscribe ends it, and reports whether the stream was subscribed.
func (r *replica) unsubscribe(s *stream) bool {
	key := s.filter.audience()
	a := r.audiences[key]
	if a == nil || !slices.Contains(a.streams, s) {
		return false
	}
	a.streams = slices.DeleteFunc(a.streams, func(other *stream) bool { return other == s })
	if len(a.streams) == 0 {
		delete(r.audiences, key)
	}
	return true
}

// tell hands a block of changed rows to the streams that asked for them. Each stream writes the rows for itself, when its turn
// comes, into a buffer that stays warm: that is cheaper than bytes shared by
// all that wait in memory.
func (r *replica) tell(rows []*row) {
	for a, rows := range r.gather(rows) {
		for _, s := range a.streams {
			s.push(order{verb: tellRows, rows: rows})
		}
	}
}

// gather sorts the rows to the audiences that asked for them.
func (r *replica) gather(rows []*row) map[*audience][]*row {
	told := map[*audience][]*row{}
	var byParty, byMarket, byBoth bool
	for key, a := range r.audiences {
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
	give := func(key Key, row *row) {
		if a := r.audiences[key]; a != nil && key != (Key{}) {
			told[a] = append(told[a], row)
		}
	}
	if !byParty && !byMarket && !byBoth {
		return told
	}
	for _, row := range rows {
		key := row.still.Key()
		if byParty {
			give(Key{Party: key.Party}, row)
		}
		if byMarket {
			give(Key{Market: key.Market}, row)
		}
		if byBoth && key.Party != "" && key.Market != "" {
			give(key, row)
		}
	}
	return told
}
