package model

import (
	"cmp"
	"slices"
	"testing"
)

// plainLineup holds a lineup against the sorted slice that it stands for.
type plainLineup struct {
	lineup
	rows []*Position
}

func compareVolumes(p, q *Position) int { return p.Number(OpenVolume).Compare(q.Number(OpenVolume)) }

func volume(n int64) *Position {
	p := new(Position)
	p.SetNumber(OpenVolume, AmountOf(n))
	return p
}

func (l *plainLineup) check(t *testing.T) {
	t.Helper()
	var visible []*Position
	for _, row := range l.rows {
		if l.shows(entry{row: row}) {
			visible = append(visible, row)
		}
	}
	for i := range len(visible) + 1 {
		if i%37 != 0 && i < len(visible)-2 {
			continue // At counts through; a few places tell
		}
		var want *Position
		if i < len(visible) {
			want = visible[i]
		}
		if got := l.at(i); got != want {
			t.Fatalf("at %d of %d stands %v, want %v", i, len(visible), got, want)
		}
	}
	if l.at(-1) != nil {
		t.Fatal("something stands before the first")
	}
	all, sum := 0, 0
	for _, r := range l.runs {
		if len(r.entries) == 0 || len(r.entries) >= runMax || cap(r.entries) != runMax {
			t.Fatalf("there is a run of %d with room for %d", len(r.entries), cap(r.entries))
		}
		all, sum = all+len(r.entries), sum+r.shown
	}
	if all != len(l.rows) || sum != len(visible) {
		t.Fatalf("there are %d rows, %d of them shown; want %d and %d", all, sum, len(l.rows), len(visible))
	}
}

func (l *plainLineup) checkPlace(t *testing.T, row *Position) {
	t.Helper()
	place := 0
	for _, before := range l.rows {
		if compareVolumes(before, row) < 0 && l.shows(entry{row: before}) {
			place++
		}
	}
	want := slices.Contains(l.rows, row) && l.shows(entry{row: row})
	if got, isShown := l.place(entry{row: row}); got != place || isShown != want {
		t.Fatalf("the row stands at %d, shown %v; want %d, %v", got, isShown, place, want)
	}
}

func (l *plainLineup) put(row *Position) {
	l.insert(entry{row: row})
	i, _ := slices.BinarySearchFunc(l.rows, row, compareVolumes)
	l.rows = slices.Insert(l.rows, i, row)
}

func (l *plainLineup) drop(i int) {
	l.remove(entry{row: l.rows[i]})
	l.rows = slices.Delete(l.rows, i, i+1)
}

func (l *plainLineup) show(shows func(entry) bool) {
	l.shows = shows
	for i := range l.runs {
		l.runs[i].count(shows)
	}
}

// everyThird and others decide who is shown.
func everyThird(e entry) bool { return e.row.numbers[OpenVolume].low%3 == 0 }
func others(e entry) bool     { return !everyThird(e) }

// TestLineupIsASortedSlice loads, fills and empties lineups, from all sides and the middle.
func TestLineupIsASortedSlice(t *testing.T) {
	for seed, size := range []int{0, 1, runLoaded, runLoaded + 1, 3000} {
		s := newSample(uint64(seed), 0, 0)
		var entries []entry
		l := plainLineup{}
		for n := range size {
			row := volume(int64(4 * n))
			l.rows, entries = append(l.rows, row), append(entries, entry{row: row})
		}
		l.lineup = newLineup(entries, compareVolumes)
		l.show(everyThird)
		l.check(t)
		next := int64(4 * size)
		for step := range 4000 {
			filling := step%2000 < 1000 || len(l.rows) == 0
			switch {
			case filling && step < 2000:
				l.put(volume(4*s.Int64N(4000) + int64(1+step%3) + 16000*int64(step)))
			case filling: // at the end
				l.put(volume(next))
				next += 1 << 40
			case step < 2000: // from the front
				l.drop(0)
			default:
				l.drop(s.IntN(len(l.rows)))
			}
			if step%500 == 0 {
				l.show([]func(entry) bool{everyThird, others}[s.IntN(2)])
			}
			if step%100 == 0 {
				l.check(t)
				l.checkPlace(t, volume(s.Int64N(1<<20)))
				if len(l.rows) > 0 {
					l.checkPlace(t, l.rows[s.IntN(len(l.rows))])
				}
			}
		}
		for len(l.rows) > 0 {
			l.drop(s.IntN(len(l.rows)))
			if len(l.rows)%100 == 0 {
				l.check(t)
			}
		}
	}
}

func TestLineupJoinsWhatBecameSmall(t *testing.T) {
	l := plainLineup{lineup: lineup{compare: compareVolumes, shows: everyThird}}
	for n := range 20 * runLoaded {
		l.put(volume(int64(n)))
	}
	for n := len(l.rows) - 1; n >= 0; n-- {
		if n%50 != 0 {
			l.drop(n)
		}
	}
	l.check(t)
	if runs, most := len(l.runs), 2+2*len(l.rows)/runLoaded*2; runs > most {
		t.Errorf("%d rows stand in %d runs", len(l.rows), runs)
	}
	if !slices.IsSortedFunc(l.runs, func(a, b run) int {
		return cmp.Or(compareVolumes(a.entries[0].row, b.entries[0].row))
	}) {
		t.Error("the runs are out of order")
	}
}
