package view

import (
	"testing"
	"time"
)

// TestTheOldestOfManyRecords: the times of the greatest number of records take little memory.
func TestTheOldestOfManyRecords(t *testing.T) {
	var times recordTimes
	var total GroupTotal
	at := func(minute int) time.Time { return time.Unix(int64(60*minute), 0) }
	const minutes = 10 * maxRecordMinutes
	for i := range minutes {
		times.count(at((i*7)%minutes), +1)
	}
	for i := range minutes {
		if total.margin.times = times; !total.HasRecordUpTo(at(i)) {
			t.Fatalf("the oldest record is not of minute %d or before it: %+v", i, times)
		}
		if isMerged := i <= minutes-maxRecordMinutes; !isMerged && total.HasRecordUpTo(at(i).Add(-1)) {
			t.Fatalf("there is a record before minute %d: %+v", i, times)
		}
		if len(times) > maxRecordMinutes {
			t.Fatalf("%d minutes are kept", len(times))
		}
		times.count(at(i), -1)
	}
	if len(times) > 0 {
		t.Errorf("%+v are left", times)
	}
}

// TestTheOldestRecordIsNotThatOfAnother: of two in one minute it is the older one, and one that was removed is
// forgotten.
func TestTheOldestRecordIsNotThatOfAnother(t *testing.T) {
	var total GroupTotal
	at := func(second int64) time.Time { return time.Unix(second, 0) }
	want := func(oldest int64) {
		t.Helper()
		if !total.HasRecordUpTo(at(oldest)) || total.HasRecordUpTo(at(oldest-1)) {
			t.Errorf("the oldest record is not of second %d: %+v", oldest, total.margin.times)
		}
	}
	total.margin.times.count(at(630), +1)
	total.margin.times.count(at(610), +1)
	want(610)
	total.margin.times.count(at(300), +1)
	want(300)
	total.margin.times.count(at(300), -1)
	want(610)
}
