package feed

import (
	"slices"

	"blotter/model"
	"blotter/model/event"
)

// pending are the updates that wait, in the order in which they came. While there are few, none is dropped, because
// finding several updates of one row takes longer than merging them. If there are very many, an update is dropped
// if a newer one of its row waits, and the previous one has the same size, status and loss socialisation amount. So the
// book, which compares each update with the row before, still finds every event, in order and with its time.
type pending struct {
	rows       []model.Position
	taken      int // how many of rows were taken
	conflateAt int // when this many wait, they are conflated
	distinct   int // how many different positions they have, at least
	missed     int // changes of size, status or loss that were dropped since updates were taken last
	marked     int // how many of the updates came before the last mark
}

// room is how many updates of a subscription may wait.
type room struct {
	bufferLimit  int // all of them, before they are conflated for the first time
	historyLimit int // those that are not the newest of their rows
}

// len returns how many updates wait.
func (p *pending) len() int { return len(p.rows) - p.taken }

// put adds updates. If many wait, it keeps the newest of each row, and some of the others.
func (p *pending) put(rows []model.Position, room room) {
	if p.taken > len(p.rows)/2 {
		p.dropTaken()
	}
	p.rows = append(p.rows, rows...)
	if p.len() > max(p.conflateAt, room.bufferLimit) {
		p.conflate(room)
	}
}

// mark marks the updates that wait now, until they are taken.
func (p *pending) mark() { p.marked = p.len() }

// dropTaken frees the room of the updates that were taken.
func (p *pending) dropTaken() { p.rows, p.taken = slices.Delete(p.rows, 0, p.taken), 0 }

// rowsAtLeast returns how many different positions there are at least.
func (p *pending) rowsAtLeast() int { return min(p.distinct, p.len()) }

// reasons are why an update is kept, as a set.
type reasons uint8

const (
	isNewest  reasons = 1 << iota // of its row, or of those of its row that are marked
	isOldest                      // of its row: if its size is not that of the book, it has the time of that event
	isChanged                     // the update of its row before it has another size, status or loss
)

// conflate drops the updates without a reason to keep them.
func (p *pending) conflate(room room) {
	p.dropTaken()
	why, distinct, changes := p.whyKept()
	history := 0
	for _, reason := range why {
		if reason != 0 && reason&isNewest == 0 {
			history++
		}
	}
	tooMany := history > room.historyLimit
	if tooMany {
		dropHistory(why, history-room.historyLimit)
	}
	kept, marked := p.rows[:0], p.marked
	for i, reason := range why {
		if reason != 0 {
			kept = append(kept, p.rows[i])
		} else if i < p.marked {
			marked--
		}
	}
	clear(p.rows[len(kept):])
	p.rows, p.distinct, p.marked = kept, distinct, marked
	p.conflateAt = len(kept) + max(len(kept)/2, room.bufferLimit)
	if tooMany {
		_, _, left := p.whyKept()
		p.missed += changes - left
	}
}

// whyKept returns the reasons to keep each of the updates, of how many different positions they are, and how many
// changes of size, status or loss are in them.
func (p *pending) whyKept() (why []reasons, distinct, changes int) {
	why = make([]reasons, len(p.rows))
	later := make(map[model.Key]int, p.distinct) // the next update of each row
	for i := range slices.Backward(p.rows) {
		row := &p.rows[i]
		why[i] = isOldest
		next, hasNext := later[row.Key]
		later[row.Key] = i
		if !hasNext {
			why[i] |= isNewest
			distinct++
			continue
		}
		if i < p.marked && next >= p.marked {
			why[i] |= isNewest
		}
		why[next] &^= isOldest
		if !event.NoneBetween(row, &p.rows[next]) {
			why[next] |= isChanged
			changes++
		}
	}
	return why, distinct, changes
}

// dropHistory drops n of the updates that are not the newest of their row: first those without a change, then the
// oldest.
func dropHistory(why []reasons, n int) {
	for _, droppable := range [...]reasons{isOldest, isOldest | isChanged} {
		for i := 0; i < len(why) && n > 0; i++ {
			if why[i] != 0 && why[i]&^droppable == 0 {
				why[i] = 0
				n--
			}
		}
	}
}

// take moves the first n updates to the end of into, and drops their texts here.
func (p *pending) take(n int, into []model.Position) []model.Position {
	rows := p.rows[p.taken:][:n]
	into = append(into, rows...)
	clear(rows)
	p.taken += n
	p.distinct, p.marked = max(p.distinct-n, 0), max(p.marked-n, 0)
	if p.len() == 0 {
		*p = pending{rows: p.rows[:0], missed: p.missed}
		if cap(p.rows) > maxBuffered {
			p.rows = nil
		}
	}
	return into
}

// moveTo moves all updates to the end of those of q. It calls moved, if that is not nil, with each.
func (p *pending) moveTo(q *pending, room room, moved func(*model.Position)) {
	rows := p.rows[p.taken:]
	for i := range rows {
		if moved != nil {
			moved(&rows[i])
		}
	}
	q.put(rows, room)
	q.missed += p.missed
	*p = pending{}
}
