package book

import (
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/modeltest"
)

// putRecords stores the records of a page whatever the positions are, and returns how many were new.
func putRecords(m *Margins, page *model.Page) (changed int) {
	for record := range m.NewOf(page) {
		m.Put(record)
		changed++
	}
	return changed
}

// recordOf returns a record that is in place of the one with its key.
func recordOf(b *Book, levels model.MarginLevels) NewRecord {
	return NewRecord{MarginLevels: &levels, Before: b.Margins().exact(levels.MarginKey)}
}

// TestARecordThatIsReadAgainIsNewer: it has not changed, but the service still has it.
func TestARecordThatIsReadAgainIsNewer(t *testing.T) {
	key := model.MarginKey{Key: model.Key{Party: model.MakeID("a"), Market: model.MakeID("m")}, Asset: model.MakeID("x")}
	margins := New(0).Margins()
	for _, at := range []int64{100, 300, 200} {
		putRecords(margins, &model.Page{ReadAt: time.Unix(at, 0), Rows: []model.MarginLevels{{MarginKey: key, Maintenance: model.AmountOf(5)}}})
	}
	if _, readAt, ok := margins.Find(key.Key, key.Asset); !ok || !readAt.Equal(time.Unix(300, 0)) {
		t.Errorf("the record was read at %v", readAt)
	}
}

// TestMarginRecordsKeepEveryNumber, also those that are no integers of 64 bits.
func TestMarginRecordsKeepEveryNumber(t *testing.T) {
	margins := New(0).Margins()
	texts := []string{"0", "-5", "12345678901234567890123", "-170141183460469231731687303715884105728", strings.Repeat("9", 60), "1.5", "", "x"}
	var page model.Page
	for i := range texts {
		number := func(n int) model.Amount { return model.ParseAmount(texts[(i+n)%len(texts)]) }
		key := model.MarginKey{Key: model.Key{Party: model.MakeID("a"), Market: model.MakeID("m")}, Asset: model.MakeID(texts[i])}
		page.Rows = append(page.Rows, model.MarginLevels{MarginKey: key, Maintenance: number(0), Search: number(1), Initial: number(2), Release: number(3), Timestamp: number(4), MarginTexts: model.MarginTexts{texts[i], "0.25"}})
	}
	putRecords(margins, &page)
	for _, want := range page.Rows {
		if want.Asset.IsZero() {
			continue // that asks for any asset
		}
		if got, _, ok := margins.Find(want.Key, want.Asset); !ok || got != want {
			t.Errorf("the record is %+v, want %+v", got, want)
		}
	}
}

// TestFullMarginsTakeNoNewRecords, but the records that they have still change.
func TestFullMarginsTakeNoNewRecords(t *testing.T) {
	book := newBook(0, newMargins(1))
	merge := func(party string, maintenance int64) int {
		key := model.MarginKey{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID("m")}}
		return putRecords(book.Margins(), &model.Page{ReadAt: time.Unix(9, 0), Rows: []model.MarginLevels{
			{MarginKey: key, Maintenance: model.AmountOf(maintenance), Timestamp: model.AmountOf(5)}}})
	}
	if merge("a", 1) != 1 || !book.Margins().IsFull() || merge("b", 1) != 0 || merge("a", 2) != 1 || merge("a", 2) != 0 {
		t.Error("the wrong records were new")
	}
	levels, readAt, ok := book.Margins().Find(model.Key{Party: model.MakeID("a"), Market: model.MakeID("m")}, model.ID{})
	if !ok || levels.Maintenance != model.AmountOf(2) || !readAt.Equal(time.Unix(9, 0)) {
		t.Errorf("the record is %+v, read at %v", levels, readAt)
	}
	if without := book.WithoutMargins(); without.Margins().Len() != 0 || book.Margins().Len() != 1 {
		t.Error("the records are still there")
	}
}

// TestTheClockOfTheServiceDecidesWhichRecordIsNewer: this machine's is an hour behind, so all times seem ahead of it.
func TestTheClockOfTheServiceDecidesWhichRecordIsNewer(t *testing.T) {
	readAt := time.Unix(10_000, 0)
	servedAt := readAt.Add(time.Hour)
	key := model.MarginKey{Key: model.Key{Party: model.MakeID("a"), Market: model.MakeID("m")}, Asset: model.MakeID("x")}
	margins := New(0).Margins()
	for maintenance, age := range []time.Duration{time.Minute, time.Second, 2 * time.Second} {
		putRecords(margins, &model.Page{ReadAt: readAt, ServedAt: servedAt, Rows: []model.MarginLevels{{
			MarginKey: key, Maintenance: model.AmountOf(int64(maintenance)), Timestamp: model.AmountOf(servedAt.Add(-age).UnixNano()),
		}}})
	}
	if levels, _, _ := margins.Find(key.Key, key.Asset); levels.Maintenance != model.AmountOf(1) {
		t.Errorf("the record is number %s, want that of a second ago", levels.Maintenance)
	}
}

// TestARecordThatIsOlderThanTheSizeOfAnotherRow counts: the number of a row that was removed is used again by one of
// which it is not known when its size has changed. A closed row waits for no record.
func TestARecordThatIsOlderThanTheSizeOfAnotherRow(t *testing.T) {
	rows, s := NewRows(), model.Subscription{}
	rows.PutPage(modeltest.Positions("m 1 @10", "n 1 @10"), modeltest.NotAfter)
	b := New(0).Replaced(Snapshot{Rows: rows})
	b.Merge(&Updates{Subscription: s, Positions: modeltest.Positions("m 2 @50", "n 0 @50"), NotAfter: modeltest.NotAfter})
	put := func(p *model.Position) {
		table, number := b.Row(p.Key)
		levels := model.MarginLevels{MarginKey: model.MarginKey{Key: p.Key}, Maintenance: model.AmountOf(5), Timestamp: model.AmountOf(40)}
		b.PutMargins(table, number, recordOf(b, levels))
	}
	closed, other := modeltest.Position("n 0 @50"), modeltest.Position("k 4 @70")
	_, removed := b.Row(modeltest.Position("m 2").Key)
	b.Compare(&AuditPage{First: true, Last: true, Positions: modeltest.Positions("n 0 @50"), IsBelieved: true, NotAfter: modeltest.NotAfter})
	b.Compare(&AuditPage{First: true, Last: true, Positions: modeltest.Positions("n 0 @50", "k 4 @70"), NotAfter: modeltest.NotAfter})
	if _, number := b.Row(other.Key); number != removed {
		t.Fatalf("the row has the number %d, not that of the row that was removed, %d", number, removed)
	}
	put(&closed)
	put(&other)
	for key := range Waiting(b) {
		t.Errorf("%s waits for a margin record", key.Market)
	}
}

// TestTheRecordInAnAssetThatIsNotKnown is the newest one of the party and market, in whatever order they came.
func TestTheRecordInAnAssetThatIsNotKnown(t *testing.T) {
	key := modeltest.Position("m 1").Key
	for _, order := range [][]string{{"x", "y", "z"}, {"z", "y", "x"}} {
		margins := New(0).Margins()
		for _, asset := range order {
			at := map[string]int64{"x": 10, "y": 20, "z": 20}[asset]
			levels := model.MarginLevels{MarginKey: model.MarginKey{Key: key, Asset: model.MakeID(asset)}, Timestamp: model.AmountOf(at)}
			margins.Put(NewRecord{MarginLevels: &levels})
		}
		if levels, _, ok := margins.Find(key, model.ID{}); !ok || levels.Asset != model.MakeID("y") {
			t.Errorf("after records in %v, the newest is in %q", order, levels.Asset)
		}
	}
}

// TestRowsThatWaitForAMarginRecord wait from an update or an audit that changes their size until there is a newer
// record, or until they are closed or removed.
func TestRowsThatWaitForAMarginRecord(t *testing.T) {
	update := func(text string) func(*Book) {
		return func(b *Book) { b.Merge(&Updates{Positions: modeltest.Positions(text), NotAfter: modeltest.NotAfter}) }
	}
	audit := func(texts ...string) func(*Book) {
		return func(b *Book) {
			b.Compare(&AuditPage{First: true, Last: true, IsBelieved: true, Positions: modeltest.Positions(texts...), NotAfter: modeltest.NotAfter})
		}
	}
	record := func(text string, at int64) func(*Book) {
		return func(b *Book) {
			key := modeltest.Position(text).Key
			levels := model.MarginLevels{MarginKey: model.MarginKey{Key: key}, Maintenance: model.AmountOf(5), Timestamp: model.AmountOf(at)}
			table, number := b.Row(key)
			b.PutMargins(table, number, recordOf(b, levels))
		}
	}
	for _, c := range []struct {
		name    string
		steps   []func(*Book)
		waiting int
	}{
		{"a new size", []func(*Book){update("m 2 @50")}, 1},
		{"the same size", []func(*Book){update("m 1 @50")}, 0},
		{"a size that an audit has shown", []func(*Book){audit("m 2 @50", "n 1 @10")}, 1},
		{"a record that is still older", []func(*Book){update("m 2 @50"), record("m 1", 45)}, 1},
		{"a newer record", []func(*Book){update("m 2 @50"), record("m 1", 50)}, 0},
		{"a newer record of another row", []func(*Book){update("m 2 @50"), record("n 1", 50)}, 1},
		{"a row that is closed", []func(*Book){update("m 2 @50"), update("m 0 @60")}, 0},
		{"a row that is removed", []func(*Book){update("m 2 @50"), audit("n 1 @70")}, 0},
	} {
		rows := NewRows()
		rows.PutPage(modeltest.Positions("m 1 @10", "n 1 @10"), modeltest.NotAfter)
		b := New(0).Replaced(Snapshot{Rows: rows})
		record("m 1", 40)(b)
		for _, step := range c.steps {
			step(b)
		}
		waiting := 0
		for range Waiting(b) {
			waiting++
		}
		table, number := b.Row(modeltest.Position("m 1").Key)
		if waits := number != 0 && table.Rows().Waits(number); waiting != c.waiting || waits != (waiting > 0) {
			t.Errorf("after %s, %d rows wait; that of the record does: %t", c.name, waiting, waits)
		}
	}
}
