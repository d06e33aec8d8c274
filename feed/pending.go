package feed

import (
	"slices"

	"blotter/model"
)

// pending are the updates that wait, in the order in which they came. While they are few, none is dropped: a search for
// several updates of one row takes longer than merging them. Where they are many, an update is dropped if a newer one
// of its row waits, and the previous one has the same size, status and loss socialisation amount. So the book, which
// compares each update with the row before, still finds every event, in order and with its time.
type pending struct {
	rows     []model.Position
	space    []model.Position // the memory of rows, from its beginning
	many     int              // when there are so many rows, they are conflated
	distinct int              // of how many different positions the rows are, at least
	missed   int              // changes of size, status or loss that were dropped since updates were taken last
}

const (
	fewRows   = 1 << 10 // rows are never many
	spaceKept = 1 << 17 // rows is the memory that is kept while there are none
)

// put adds updates. Where many wait, it keeps the newest of each row, and of the others at most mostOther.
func (p *pending) put(rows []model.Position, mostOther int) {
	for i := range rows {
		if len(p.rows) >= max(p.many, fewRows) {
			p.conflate(mostOther)
		}
		if len(p.rows) == cap(p.rows) {
			p.makeRoom()
		}
		p.rows = append(p.rows, rows[i])
	}
}

// rowsAtLeast is how many different positions there are at least.
func (p *pending) rowsAtLeast() int { return min(p.distinct, len(p.rows)) }

// reasons are why an update is kept, as a set.
type reasons uint8

const (
	isNewest  reasons = 1 << iota // of its row
	isOldest                      // of its row: where its size is not that of the book, it has the time of that event
	isChanged                     // the update of its row before it has another size, status or loss
)

// conflate drops the updates without a reason to keep them. Of those that are not the newest of their rows it keeps at
// most mostOther.
func (p *pending) conflate(mostOther int) {
	why, distinct, changes := p.whyKept()
	other := 0
	for _, reason := range why {
		if reason != 0 && reason&isNewest == 0 {
			other++
		}
	}
	tooMany := other > mostOther
	if tooMany {
		dropOther(why, other-mostOther)
	}
	kept := p.rows[:0]
	for i, reason := range why {
		if reason != 0 {
			kept = append(kept, p.rows[i])
		}
	}
	clear(p.rows[len(kept):])
	p.rows, p.distinct, p.many = kept, distinct, 2*len(kept)
	if tooMany {
		_, _, left := p.whyKept()
		p.missed += changes - left
	}
}

// whyKept returns the reasons to keep each update, of how many different positions they are, and how many changes of
// size, status or loss are in them.
func (p *pending) whyKept() (why []reasons, distinct, changes int) {
	why = make([]reasons, len(p.rows))
	later := make(map[model.Key]int) // the update of each row that comes next
	for i, row := range slices.Backward(p.rows) {
		next, found := later[row.Key]
		switch {
		case !found:
			why[i] |= isNewest
		case !row.HasSameHolding(&p.rows[next]):
			why[next] |= isChanged
			changes++
		}
		later[row.Key] = i
	}
	for _, i := range later {
		why[i] |= isOldest
	}
	return why, len(later), changes
}

// dropOther drops n of the updates that are not the newest of their row: first those without a change, then the
// oldest.
func dropOther(why []reasons, n int) {
	for _, droppable := range [...]reasons{isOldest, isOldest | isChanged} {
		for i := 0; i < len(why) && n > 0; i++ {
			if why[i] != 0 && why[i]&^droppable == 0 {
				why[i] = 0
				n--
			}
		}
	}
}

// makeRoom makes room behind the rows: it moves them to the beginning of their memory where much of that is free, else
// it takes more memory.
func (p *pending) makeRoom() {
	if 2*len(p.rows) >= cap(p.space) {
		p.rows = slices.Grow(p.rows, 1)
		p.space = p.rows
		return
	}
	rest := p.rows
	p.rows = append(p.space[:0], rest...)
	clear(rest)
}

// take moves the first n updates to the end of into, and drops their texts here.
func (p *pending) take(n int, into []model.Position) []model.Position {
	into = append(into, p.rows[:n]...)
	clear(p.rows[:n])
	p.distinct = max(p.distinct-n, 0)
	if p.rows = p.rows[n:]; len(p.rows) == 0 {
		if cap(p.space) > spaceKept {
			p.space = nil
		}
		p.rows, p.many, p.distinct = p.space[:0], 0, 0
	}
	return into
}
