package book

import (
	"testing"
	"time"

	"blotter/model"
)

// TestARecordThatIsReadAgainIsNewer: it has not changed, but the service still has it.
func TestARecordThatIsReadAgainIsNewer(t *testing.T) {
	key := model.MarginKey{Key: model.Key{Party: model.MakeID("a"), Market: model.MakeID("m")}, Asset: model.MakeID("x")}
	margins := New(0).Margins()
	for _, at := range []int64{100, 300, 200} {
		margins.Merge(&model.Page{ReadAt: time.Unix(at, 0), Rows: []model.MarginLevels{{MarginKey: key, Maintenance: model.AmountOf(5)}}}, margins.Put)
	}
	if _, readAt, ok := margins.Find(key.Key, key.Asset); !ok || !readAt.Equal(time.Unix(300, 0)) {
		t.Errorf("the record was read at %v", readAt)
	}
}

// TestFullMarginsTakeNoNewRecords, but the records that they have still change.
func TestFullMarginsTakeNoNewRecords(t *testing.T) {
	book := newBook(0, newMargins(1))
	merge := func(party string, maintenance int64) int {
		key := model.MarginKey{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID("m")}}
		return book.Margins().Merge(&model.Page{ReadAt: time.Unix(9, 0), Rows: []model.MarginLevels{
			{MarginKey: key, Maintenance: model.AmountOf(maintenance), Timestamp: model.AmountOf(5)}}}, book.Margins().Put)
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
		margins.Merge(&model.Page{ReadAt: readAt, ServedAt: servedAt, Rows: []model.MarginLevels{{
			MarginKey: key, Maintenance: model.AmountOf(int64(maintenance)), Timestamp: model.AmountOf(servedAt.Add(-age).UnixNano()),
		}}}, margins.Put)
	}
	if levels, _, _ := margins.Find(key.Key, key.Asset); levels.Maintenance != model.AmountOf(1) {
		t.Errorf("the record is number %s, want that of a second ago", levels.Maintenance)
	}
}
