package book

import (
	"fmt"
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestRowsAreAMap puts rows of several sizes of tables and looks them up as in a map.
func TestRowsAreAMap(t *testing.T) {
	s := modeltest.NewSample(9, 60, 60)
	for _, keys := range []int{0, 1, fewRecords - 1, fewRecords, fewRecords + 1, chunkRecords - 1, chunkRecords, 2 * chunkRecords, 3000} {
		rows, want := NewRows(), make(map[model.Key]model.Position)
		for range 3 * keys {
			n := s.IntN(keys)
			p := s.State(model.Key{Party: s.Parties[n%60], Market: s.Markets[n/60]}, 5)
			where := rows.number(p.Key)
			rows.Put(&p)
			if where != 0 && rows.number(p.Key) != where {
				t.Fatal("a row has moved")
			}
			want[p.Key] = p
			p.SetNumber(model.OpenVolume, model.AmountOf(-1)) // the stored row does not change with it
		}
		if rows.Len() != len(want) {
			t.Fatalf("%d rows, want %d", rows.Len(), len(want))
		}
		seen := make(map[model.Key]bool)
		for row := range rows.All {
			p := want[row.Key]
			if number := rows.number(row.Key); number == 0 || seen[row.Key] || !row.Equal(&p) {
				t.Fatalf("%v is not what was put", row.Key)
			}
			seen[row.Key] = true
		}
		if len(seen) != len(want) {
			t.Fatalf("all rows are %d, want %d", len(seen), len(want))
		}
		for _, key := range []model.Key{{}, {Party: s.Parties[0]}, {Party: s.Markets[0], Market: s.Parties[0]}} {
			if rows.Has(key) {
				t.Fatalf("there is a row for %v", key)
			}
		}
	}
}

// TestPutPage puts pages, in which keys come twice and times are older or cannot be used, as PutUnlessOlder puts their
// positions. Some rows are removed meanwhile.
func TestPutPage(t *testing.T) {
	s := modeltest.NewSample(10, 60, 60)
	pages, singly := NewRows(), NewRows()
	for range 200 {
		page := make([]model.Position, s.IntN(3*prefetchedTogether))
		for i := range page {
			page[i] = s.State(model.Key{Party: s.Parties[s.IntN(60)], Market: s.Markets[s.IntN(60)]}, 5)
			page[i].SetNumber(model.UpdatedAt, model.AmountOf(s.Int64N(2*modeltest.NotAfter)-modeltest.NotAfter/2))
			singly.PutUnlessOlder(&page[i], modeltest.NotAfter)
		}
		pages.PutPage(page, modeltest.NotAfter)
		if len(page) > 0 && s.IntN(2) == 0 {
			pages.Remove(page[0].Key)
			singly.Remove(page[0].Key)
		}
		if pages.Len() != singly.Len() {
			t.Fatalf("%d rows, want %d", pages.Len(), singly.Len())
		}
		for want := range singly.All {
			if got := pages.Position(pages.number(want.Key)); !got.Equal(&want) {
				t.Fatalf("the row is %+v, want %+v", got, want)
			}
		}
	}
}

// TestManyRowsAreNotConfused: of that number of rows, some have the same tag in the index, one after the other.
func TestManyRowsAreNotConfused(t *testing.T) {
	var page []model.Position
	for party := range 300 {
		for market := range 500 {
			p := model.Position{Key: model.Key{Party: model.MakeID(fmt.Sprint(party)), Market: model.MakeID(fmt.Sprint(market))}}
			p.SetNumber(model.OpenVolume, model.AmountOf(int64(len(page)+1)))
			page = append(page, p)
		}
	}
	rows := NewRows()
	rows.PutPage(page, modeltest.NotAfter)
	b := New(0).Replaced(Snapshot{Rows: rows})
	for _, profit := range []int64{0, 1} {
		for i := range page {
			page[i].SetNumber(model.UnrealisedPnl, model.AmountOf(profit))
		}
		b.Merge(&Updates{Positions: page, NotAfter: modeltest.NotAfter})
		if b.Len() != len(page) {
			t.Fatalf("%d rows, want %d", b.Len(), len(page))
		}
		for i := range page {
			if row, _ := b.Find(page[i].Key); !row.Equal(&page[i]) {
				t.Fatalf("the row is %+v, want %+v", row, page[i])
			}
		}
	}
}

// TestRowsKeepEveryNumber stores numbers of all lengths, texts and unknown statuses in place of each other, in several
// chunks.
func TestRowsKeepEveryNumber(t *testing.T) {
	s := modeltest.NewSample(11, 60, 60)
	limits := []string{"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "", "-0", "18446744073709551616"}
	rows, want := NewRows(), make(map[model.Key]model.Position)
	for range 4 * 60 * 60 {
		p := s.State(model.Key{Party: s.Parties[s.IntN(60)], Market: s.Markets[s.IntN(60)]}, 1+s.IntN(20))
		for range s.IntN(3) {
			p.SetNumber(model.Field(s.IntN(int(model.FieldCount))), model.ParseAmount(s.Text()))
			p.SetNumber(model.Field(s.IntN(int(model.FieldCount))), model.ParseAmount(limits[s.IntN(len(limits))]))
		}
		if s.IntN(5) == 0 {
			p.SetStatus([]byte([]string{"NEW", "", "1023", "-7"}[s.IntN(4)]))
		}
		rows.Put(&p)
		want[p.Key] = p
		row := rows.Position(rows.number(p.Key))
		if !row.Equal(&p) {
			t.Fatalf("stored is %+v, want %+v", row, p)
		}
	}
	for row := range rows.All {
		p := want[row.Key]
		for f := range model.FieldCount {
			if got, want := row.Number(f).String(), p.Number(f).String(); got != want {
				t.Fatalf("number %d of %v is %q, want %q", f, row.Key, got, want)
			}
		}
		if row.StatusName() != p.StatusName() || row.Status() != p.Status() {
			t.Fatalf("the status of %v is %s, want %s", row.Key, row.StatusName(), p.StatusName())
		}
	}
	if rows.Len() != len(want) {
		t.Errorf("%d rows, want %d", rows.Len(), len(want))
	}
	for key := range want {
		rows.Put(&model.Position{Key: key})
	}
	if len(rows.texts) > 0 {
		t.Errorf("%d texts are kept that no row has", len(rows.texts))
	}
}

// TestDeletedRowsLeaveTheOthersWhereTheyAre deletes and puts rows in any order, as in a map.
func TestDeletedRowsLeaveTheOthersWhereTheyAre(t *testing.T) {
	s := modeltest.NewSample(10, 20, 20)
	rows, want := NewRows(), make(map[model.Key]model.Position)
	for range 20_000 {
		p := s.State(model.Key{Party: s.Parties[s.IntN(20)], Market: s.Markets[s.IntN(20)]}, 1+s.IntN(45))
		if s.IntN(2) == 0 {
			if number := rows.number(p.Key); number != 0 {
				rows.delete(number)
			}
			delete(want, p.Key)
		} else {
			rows.Put(&p)
			want[p.Key] = p
		}
		if rows.Len() != len(want) {
			t.Fatalf("%d rows, want %d", rows.Len(), len(want))
		}
	}
	for _, party := range s.Parties {
		for _, market := range s.Markets {
			key := model.Key{Party: party, Market: market}
			want, has := want[key]
			if number := rows.number(key); has != (number != 0) {
				t.Fatalf("%v is in the table: %v", key, !has)
			} else if got := rows.Position(max(1, number)); has && !got.Equal(&want) {
				t.Fatalf("%v is not what was put", key)
			}
		}
	}
	n := 0
	for row := range rows.All {
		want, has := want[row.Key]
		if n++; !has || !row.Equal(&want) {
			t.Fatalf("%v was deleted or is not what was put", row.Key)
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
	if rows.Len() != 0 || rows.Has(model.Key{}) {
		t.Error("there is a position")
	}
}

func TestRowsOfEmptyIdentifiers(t *testing.T) {
	rows := NewRows()
	var p model.Position
	p.SetStatus([]byte("7"))
	rows.Put(&p)
	for row := range rows.All {
		if row.Key != (model.Key{}) || row.Status() != 7 {
			t.Errorf("the row is %+v", row)
		}
	}
	if rows.Len() != 1 || !rows.Has(model.Key{}) {
		t.Errorf("there are %d rows", rows.Len())
	}
}

func TestAllStopsEarly(t *testing.T) {
	rows := NewRows()
	for _, party := range []string{"a", "b", "c"} {
		rows.Put(&model.Position{Key: model.Key{Party: model.MakeID(party)}})
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

// TestBacklogIsAQueue adds and takes positions of some keys, as in a slice, and looks for the next one of each key.
func TestBacklogIsAQueue(t *testing.T) {
	s := modeltest.NewSample(12, 40, 40)
	var some []model.Position
	for range 2000 {
		p := s.State(model.Key{Party: s.Parties[s.IntN(40)], Market: s.Markets[s.IntN(40)]}, 1+s.IntN(30))
		if s.IntN(20) == 0 {
			p.SetNumber(model.Field(s.IntN(int(model.FieldCount))), model.ParseAmount(s.Text()))
		}
		some = append(some, p)
	}
	var backlog Backlog
	var want, taken []model.Position
	for round := range 12 {
		for range s.IntN(backlogPart) {
			one := some[s.IntN(len(some)):][:1]
			backlog.Add(one)
			want = append(want, one...)
		}
		n := s.IntN(len(want))
		if round == 11 {
			n = len(want)
		}
		taken = backlog.Take(n, taken[:0])
		for i := range taken {
			if !taken[i].Equal(&want[i]) {
				t.Fatalf("position %d is not what was added", i)
			}
		}
		if want = want[n:]; backlog.Len() != len(want) {
			t.Fatalf("%d positions are left, want %d", backlog.Len(), len(want))
		}
		newest := make(map[model.Key]int32)
		from, to := s.IntN(len(want)/2+1), len(want)-s.IntN(len(want)/2+1)
		later := backlog.Later(from, to)
		for i := len(want) - 1; i >= 0; i-- {
			if from <= i && i < to && later[i-from] != newest[want[i].Key] {
				t.Fatalf("after %d comes %d with its key, want %d", i, later[i-from], newest[want[i].Key])
			}
			var p model.Position
			if backlog.At(i, &p); !p.Equal(&want[i]) {
				t.Fatalf("position %d is not what was added", i)
			}
			if from <= i && i < to {
				newest[want[i].Key] = int32(i - from)
			}
		}
	}
	if len(backlog.parts) > 0 {
		t.Error("an empty backlog holds memory")
	}
}
