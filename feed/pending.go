package feed

import (
	"math"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// pending are the updates that wait, in the order in which they came. While there are few, none is dropped, because
// finding several updates of one row takes longer than merging them. If there are very many, an update is dropped
// if a newer one of its row waits, and the previous one has the same size, status and loss socialisation amount. So the
// book, which compares each update with the row before, still finds every event, in order and with its time. The last
// update before another status stays too: a story of trouble compares with its PnL.
type pending struct {
	stored     book.Backlog     // the older ones, if there are more than room.bufferLimit
	rows       []model.Position // the newer ones, as they came
	taken      int              // how many of rows were taken
	conflateAt int              // the number of stored ones from which on they are conflated
	distinct   int              // how many different positions the stored ones have, at least
	missed     int              // changes of size, status or loss that were dropped since updates were taken last
	marked     int              // how many of the updates came before the last mark
}

// room is how many updates of a subscription may wait.
type room struct {
	bufferLimit  int // all of them, before they are stored
	historyLimit int // those that are not the newest of their rows
}

func (p *pending) len() int { return p.stored.Len() + len(p.rows) - p.taken }

// put adds updates. If many wait, it keeps the newest of each row, and some of the others.
func (p *pending) put(rows []model.Position, room room) {
	for len(rows) > 0 {
		if len(p.rows) >= room.bufferLimit {
			p.store(room)
		}
		n := min(room.bufferLimit-len(p.rows), len(rows))
		p.rows = append(p.rows, rows[:n]...)
		rows = rows[n:]
	}
}

// mark marks the updates that wait now, until they are taken.
func (p *pending) mark() { p.marked = p.len() }

// store stores the newer updates with the older ones.
func (p *pending) store(room room) {
	p.stored.Add(p.rows[p.taken:])
	clear(p.rows)
	p.rows, p.taken = p.rows[:0], 0
	if p.stored.Len() >= max(p.conflateAt, conflatedFrom*room.bufferLimit) {
		p.conflate(room)
	}
}

// conflatedFrom times room.bufferLimit is how many updates are stored before they are conflated for the first time. To
// merge fewer of them takes less time than to conflate them.
const conflatedFrom = 2

// rowsAtLeast returns how many different positions there are at least.
func (p *pending) rowsAtLeast() int { return min(p.distinct, p.stored.Len()) }

// reasons are why an update is kept, as a set.
type reasons uint8

const (
	isNewest  reasons = 1 << iota // of its row, or of those of its row that are marked
	isOldest                      // of its row: if its size is not that of the book, it has the time of that event
	isChanged                     // the update of its row before it has another size, status or loss
	isBefore                      // the update of its row after it has another status
	isNewer                       // than the next one of its row, which the book may not take
)

// conflate drops the stored updates without a reason to keep them.
func (p *pending) conflate(room room) {
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
	var kept book.Backlog
	var row []model.Position
	marked := p.marked
	for i, reason := range why {
		if row = p.stored.Take(1, row[:0]); reason != 0 {
			kept.Add(row)
		} else if i < p.marked {
			marked--
		}
	}
	p.stored, p.distinct, p.marked = kept, distinct, marked
	p.conflateAt = kept.Len() + max(kept.Len()/2, room.bufferLimit)
	if tooMany {
		_, _, left := p.whyKept()
		p.missed += changes - left
	}
}

// whyKept returns the reasons to keep each of the stored updates, of how many different positions they are, and how
// many changes of size, status or loss are in them.
func (p *pending) whyKept() (why []reasons, distinct, changes int) {
	later := p.stored.Later(0, p.stored.Len())
	why = make([]reasons, len(later))
	for i := range why {
		why[i] = isOldest
	}
	var row, nextRow model.Position
	for i, next := range later {
		if next == 0 {
			why[i] |= isNewest
			distinct++
			continue
		}
		if i < p.marked && int(next) >= p.marked {
			why[i] |= isNewest
		}
		why[next] &^= isOldest
		p.stored.At(i, &row)
		p.stored.At(int(next), &nextRow)
		if !nextRow.IsNotOlder(&row, math.MaxInt64) {
			why[i] |= isNewer
		}
		if !event.NoneBetween(&row, &nextRow) {
			why[next] |= isChanged
			changes++
			if row.Status() != nextRow.Status() {
				why[i] |= isBefore
			}
		}
	}
	return why, distinct, changes
}

// dropHistory drops n of the updates that are not the newest of their row: first those without a change, then the
// oldest.
func dropHistory(why []reasons, n int) {
	for _, droppable := range [...]reasons{isOldest, isOldest | isBefore, isOldest | isBefore | isChanged | isNewer} {
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
	older := min(n, p.stored.Len())
	into = p.stored.Take(older, into)
	p.distinct, p.marked = max(p.distinct-older, 0), max(p.marked-n, 0)
	newer := p.rows[p.taken:][:n-older]
	into = append(into, newer...)
	clear(newer)
	if p.taken += len(newer); p.taken == len(p.rows) {
		p.rows, p.taken = p.rows[:0], 0
	}
	if p.stored.Len() == 0 {
		p.conflateAt, p.distinct = 0, 0
	}
	return into
}

// moveTo moves all updates to the end of those of q. It calls moved, if that is not nil, with each.
func (p *pending) moveTo(q *pending, room room, moved func(*model.Position)) {
	var rows []model.Position
	for p.len() > 0 {
		rows = p.take(min(p.len(), room.bufferLimit), rows[:0])
		q.put(rows, room)
		for i := range rows {
			if moved != nil {
				moved(&rows[i])
			}
		}
	}
	q.missed += p.missed
	*p = pending{}
}
