package model

import "testing"

// TestRowsAreAMap puts rows of several sizes of tables and looks them up as in a map.
func TestRowsAreAMap(t *testing.T) {
	s := newSample(9, 60, 60)
	for _, keys := range []int{0, 1, fewRows, fewRows + 1, fewRows + chunkRows, fewRows + chunkRows + 1, 3000} {
		rows, want := NewRows(), make(map[Key]Position)
		for range 3 * keys {
			n := s.IntN(keys)
			p := s.state(Key{s.parties[n%60], s.markets[n/60]}, 5)
			where := rows.Get(p.Key)
			rows.Put(&p)
			if where != nil && rows.Get(p.Key) != where {
				t.Fatal("a row has moved")
			}
			want[p.Key] = p
			p.SetNumber(OpenVolume, AmountOf(-1)) // the caller's copy is its own
		}
		if rows.Len() != len(want) {
			t.Fatalf("%d rows, want %d", rows.Len(), len(want))
		}
		seen := make(map[Key]bool)
		for row := range rows.All {
			if p := want[row.Key]; seen[row.Key] || !row.Equal(&p) || rows.Get(row.Key) != row {
				t.Fatalf("%v is not what was put", row.Key)
			}
			seen[row.Key] = true
		}
		if len(seen) != len(want) {
			t.Fatalf("all rows are %d, want %d", len(seen), len(want))
		}
		for _, key := range []Key{{}, {Party: s.parties[0]}, {s.markets[0], s.parties[0]}} {
			if rows.Get(key) != nil {
				t.Fatalf("there is a row for %v", key)
			}
		}
	}
}

// TestDeletedRowsLeaveTheOthersWhereTheyAre deletes and puts rows in any order, as in a map.
func TestDeletedRowsLeaveTheOthersWhereTheyAre(t *testing.T) {
	s := newSample(10, 20, 20)
	rows, want := NewRows(), make(map[Key]*Position)
	for range 20_000 {
		p := s.state(Key{s.parties[s.IntN(20)], s.markets[s.IntN(20)]}, 5)
		if s.IntN(2) == 0 {
			rows.delete(p.Key)
			delete(want, p.Key)
		} else {
			rows.Put(&p)
			want[p.Key] = rows.Get(p.Key)
		}
		if rows.Len() != len(want) {
			t.Fatalf("%d rows, want %d", rows.Len(), len(want))
		}
	}
	for _, party := range s.parties {
		for _, market := range s.markets {
			if key := (Key{party, market}); rows.Get(key) != want[key] {
				t.Fatalf("%v is not where it was put", key)
			}
		}
	}
	n := 0
	for row := range rows.All {
		if n++; want[row.Key] != row {
			t.Fatalf("%v was deleted", row.Key)
		}
	}
	if n != len(want) {
		t.Fatalf("all rows are %d, want %d", n, len(want))
	}
	if most := uint32(20*20 + 1); rows.highest > most {
		t.Errorf("%d rows take memory, and there are never more than %d", rows.highest, most)
	}
}

func TestNilRowsHaveNoPositions(t *testing.T) {
	var rows *Rows
	for range rows.All {
		t.Error("there is a position")
	}
	if rows.Len() != 0 || rows.Get(Key{}) != nil {
		t.Error("there is a position")
	}
}

func TestRowsOfEmptyIdentifiers(t *testing.T) {
	rows := NewRows()
	rows.Put(&Position{status: 7})
	if row := rows.Get(Key{}); rows.Len() != 1 || row == nil || row.status != 7 {
		t.Errorf("the row is %+v", row)
	}
}

func TestAllStopsWhenTold(t *testing.T) {
	rows := NewRows()
	for _, party := range []string{"a", "b", "c"} {
		rows.Put(&Position{Key: Key{Party: MakeID(party)}})
	}
	n := 0
	for range rows.All {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d rows came", n)
	}
}
