package model

import (
	"slices"
	"sort"
)

// lineup is rows in order, of which some are shown. It finds a row's place among those shown, and the row at a
// place.
//
// The rows stand in runs of some hundreds, and each run knows how many of its rows are shown. So a row comes
// or goes at the cost of moving part of a run; and to show others is to count anew, and not to build anything,
// which is why this is no balanced tree.
type lineup struct {
	compare func(p, q *Position) int // no two rows are equal
	shows   func(entry) bool
	runs    []run
}

// run is some rows that follow each other. It is never empty.
type run struct {
	entries []entry
	first   rank // that of the first of them
	shown   int
}

const (
	runMax    = 511 // entries: 12 KiB, less what the allocator adds
	runLoaded = 384 // leaves room
	runMin    = 128 // what is smaller is joined with a neighbour if both fit
)

// newLineup returns a lineup of entries that are in order. None of them is shown yet.
func newLineup(entries []entry, compare func(p, q *Position) int) lineup {
	l := lineup{compare: compare}
	for part := range slices.Chunk(entries, runLoaded) {
		l.runs = append(l.runs, newRun(part))
	}
	return l
}

func newRun(entries []entry) run {
	r := run{entries: append(make([]entry, 0, runMax), entries...)}
	if len(entries) > 0 {
		r.first = entries[0].rank
	}
	return r
}

// count counts the entries that are shown anew.
func (r *run) count(shows func(entry) bool) {
	n := 0
	for _, e := range r.entries {
		if shows(e) {
			n++
		}
	}
	r.shown = n
}

// at is the row at place i of those shown, nil where there is none.
func (l *lineup) at(i int) *Position {
	if i < 0 {
		return nil
	}
	for r := range l.runs {
		if i >= l.runs[r].shown {
			i -= l.runs[r].shown
			continue
		}
		for _, e := range l.runs[r].entries {
			if !l.shows(e) {
				continue
			}
			if i == 0 {
				return e.row
			}
			i--
		}
	}
	return nil
}

// place is how many of the rows shown stand before the entry's, and whether it is itself shown.
func (l *lineup) place(e entry) (place int, isShown bool) {
	if len(l.runs) == 0 {
		return 0, false
	}
	r, i := l.find(e)
	for _, before := range l.runs[:r] {
		place += before.shown
	}
	entries := l.runs[r].entries
	for _, e := range entries[:i] {
		if l.shows(e) {
			place++
		}
	}
	return place, i < len(entries) && entries[i].row == e.row && l.shows(entries[i])
}

// find is the run that the entry belongs in, and its place there. Rows are looked at where ranks do not tell: each of
// them lies somewhere else in memory, and to wait for that is what takes the time.
func (l *lineup) find(e entry) (r, i int) {
	next := sort.Search(len(l.runs), func(r int) bool {
		if first := l.runs[r].first; first != e.rank {
			return first > e.rank
		}
		return l.compare(l.runs[r].entries[0].row, e.row) > 0
	})
	r = max(0, next-1)
	entries := l.runs[r].entries
	return r, sort.Search(len(entries), func(i int) bool {
		if rank := entries[i].rank; rank != e.rank {
			return rank > e.rank
		}
		return l.compare(entries[i].row, e.row) >= 0
	})
}

// insert puts an entry in its place.
func (l *lineup) insert(e entry) {
	if len(l.runs) == 0 {
		l.runs = append(l.runs, newRun(nil))
		l.runs[0].insert(0, e, l.shows(e))
		return
	}
	at, i := l.find(e)
	r := &l.runs[at]
	r.insert(i, e, l.shows(e))
	if len(r.entries) < runMax {
		return
	}
	half := len(r.entries) / 2
	upper := newRun(r.entries[half:])
	r.entries = slices.Delete(r.entries, half, len(r.entries))
	r.count(l.shows)
	upper.count(l.shows)
	l.runs = slices.Insert(l.runs, at+1, upper)
}

// remove takes an entry out. Its row must be as it was when it came in.
func (l *lineup) remove(e entry) {
	at, i := l.find(e)
	r := &l.runs[at]
	r.remove(i, l.shows(r.entries[i]))
	switch {
	case len(r.entries) == 0:
		l.runs = slices.Delete(l.runs, at, at+1)
	case len(r.entries) < runMin && !l.join(at):
		l.join(at - 1)
	}
}

// join makes one run of run at and the next, if there are both and they are small enough.
func (l *lineup) join(at int) bool {
	if at < 0 || at+1 >= len(l.runs) || len(l.runs[at].entries)+len(l.runs[at+1].entries) > runLoaded {
		return false
	}
	l.runs[at].entries = append(l.runs[at].entries, l.runs[at+1].entries...)
	l.runs[at].shown += l.runs[at+1].shown
	l.runs = slices.Delete(l.runs, at+1, at+2)
	return true
}

func (r *run) insert(i int, e entry, isShown bool) {
	r.entries = slices.Insert(r.entries, i, e)
	r.first = r.entries[0].rank
	if isShown {
		r.shown++
	}
}

func (r *run) remove(i int, isShown bool) {
	r.entries = slices.Delete(r.entries, i, i+1)
	if len(r.entries) > 0 {
		r.first = r.entries[0].rank
	}
	if isShown {
		r.shown--
	}
}
