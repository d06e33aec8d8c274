package feed

import (
	"slices"

	"blotter/model"
)

// pending are updates in the order in which they came. Several of one row do no harm while they are few, and to look for
// them takes longer than to merge them: only where they pile up is the newest of each row kept.
type pending struct {
	rows  []model.Position
	space []model.Position // the memory of rows, from its beginning
	many  int              // when there are so many rows, only the newest of each is kept
}

const (
	fewRows   = 1 << 10 // rows are never many
	spaceKept = 1 << 17 // rows is the memory that is kept while there are none
)

func (p *pending) put(rows []model.Position) {
	for i := range rows {
		if len(p.rows) >= max(p.many, fewRows) {
			p.conflate()
		}
		if len(p.rows) == cap(p.rows) {
			p.makeRoom()
		}
		p.rows = append(p.rows, rows[i])
	}
}

// rowsAtLeast is how many different rows there are at least.
func (p *pending) rowsAtLeast() int { return min(p.many/2, len(p.rows)) }

// conflate keeps the newest of each row.
func (p *pending) conflate() {
	newest := len(p.rows)
	seen := make(map[model.Key]struct{})
	for _, row := range slices.Backward(p.rows) {
		if _, older := seen[row.Key]; !older {
			seen[row.Key] = struct{}{}
			newest--
			p.rows[newest] = row
		}
	}
	clear(p.rows[:newest])
	p.rows = p.rows[newest:]
	p.many = 2 * len(p.rows)
}

// makeRoom makes room behind the rows: it moves them to the beginning of their memory where much of that is free, else it
// takes more memory.
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
	if p.rows = p.rows[n:]; len(p.rows) == 0 {
		if cap(p.space) > spaceKept {
			p.space = nil
		}
		p.rows, p.many = p.space[:0], 0
	}
	return into
}
