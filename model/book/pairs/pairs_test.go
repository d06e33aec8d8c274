package pairs

import (
	"testing"

	"blotter/model"
)

// TestWhatARecordMeansForARow has the first table of the comment of the package: the size changed at 50, something is
// told up to 60, and the clock of the service is at 100.
func TestWhatARecordMeansForARow(t *testing.T) {
	const notAfter = 100
	timed := Table{told: 60, hasTimes: true, sizedAt: map[uint32]int64{1: 50}}
	untimed := Table{told: 60, sizedAt: map[uint32]int64{1: 50}}
	for _, test := range []struct {
		name     string
		of       Table
		recorded string
		served   int64
		until    int64
		waits    bool
	}{
		{"no time", timed, "", 0, 0, false},
		{"older than the size", timed, "49", 0, 0, true},
		{"as old as the size", timed, "50", 0, 50, false},
		{"told", timed, "60", 0, 60, false},
		{"newer than what is told", timed, "61", 0, 61, true},
		{"ahead of the clock", timed, "101", 0, 0, false},
		{"served before something was received", untimed, "70", 60, 60, false},
		{"served after it", untimed, "55", 61, 61, true},
	} {
		until, waits := test.of.mustWait(1, model.ParseAmount(test.recorded), ReadTimes{ServedAt: test.served, NotAfter: notAfter})
		if waits != test.waits || waits && until != test.until {
			t.Errorf("%s: waits %t until %d, want %t until %d", test.name, waits, until, test.waits, test.until)
		}
	}
}

// TestWhatARowHasWhileItWaits has the second table: the ratio of the pair before, or none.
func TestWhatARowHasWhileItWaits(t *testing.T) {
	const notAfter = 1000
	row := func(size, profit int64) Row { return Row{1, model.AmountOf(size), model.AmountOf(profit)} }
	record := func(at, maintenance int64) Record {
		return Record{At: model.AmountOf(at), Maintenance: model.AmountOf(maintenance)}
	}
	resize := func(of *Table, now, before Row, at int64) {
		of.Resize(now, at)
		of.Resized(now, before, record(40, 10), at, notAfter)
	}
	var before Table
	before.Tell(50, 0, notAfter)
	for _, test := range []struct {
		name    string
		happens func(of *Table)
		profit  int64 // of the last ratio; 0 if there is none
		endedAt int64
		waits   bool
	}{
		{"a record comes", func(of *Table) { of.Put(row(2, 5), record(60, 10), record(40, 10), ReadTimes{NotAfter: notAfter}) }, 5, 50, true},
		{"a first record comes", func(of *Table) { of.Put(row(2, 5), record(60, 10), Record{}, ReadTimes{NotAfter: notAfter}) }, 0, 50, true},
		{"an update changes the size", func(of *Table) { resize(of, row(3, 7), row(2, 5), 55) }, 5, 55, true},
		{"an update changes the side", func(of *Table) { resize(of, row(-3, 7), row(2, 5), 55) }, 0, 55, true},
		{"an update opens the row", func(of *Table) { resize(of, row(3, 7), row(0, 0), 55) }, 0, 55, true},
		{"a row that waits is closed", func(of *Table) { resize(of, row(3, 7), row(2, 5), 55); resize(of, row(0, 0), row(3, 7), 56) }, 0, 0, false},
		{"a row that waits is removed", func(of *Table) { resize(of, row(3, 7), row(2, 5), 55); of.Forget(1) }, 0, 0, false},
		{"more is told", func(of *Table) {
			of.Put(row(2, 5), record(60, 10), record(40, 10), ReadTimes{NotAfter: notAfter})
			of.Tell(60, 0, notAfter)
			for _, number := range of.Due() {
				of.EndDue(number)
			}
		}, 0, 0, false},
		{"a snapshot replaces the table", func(of *Table) {
			of.Settle(row(3, 7), record(60, 10), func() (Row, *Table) { return row(2, 5), &before }, notAfter)
		}, 5, 50, true},
		{"a snapshot on the other side", func(of *Table) {
			of.Settle(row(-3, 7), record(60, 10), func() (Row, *Table) { return row(2, 5), &before }, notAfter)
		}, 0, 50, true},
		{"a row is watched again", func(of *Table) {
			was := SizeChange{At: 45, Side: model.Long, Last: []LastRatio{pairOf(&Row{Size: model.AmountOf(2), Profit: model.AmountOf(5)}, &Record{Maintenance: model.AmountOf(10)}, 45)}}
			of.WatchAgain(row(3, 7), &was, record(60, 10), notAfter)
		}, 5, 45, true},
	} {
		var of Table
		of.Tell(50, 0, notAfter)
		test.happens(&of)
		var ratio model.MarginRatio
		if last := of.Waiting(1, model.ID{}); last != nil {
			ratio, _ = last.Last()
		}
		if of.Waits(1) != test.waits || ratio.Profit != model.AmountOf(test.profit) || ratio.EndedAt != test.endedAt {
			t.Errorf("%s: waits %t, and has %+v", test.name, of.Waits(1), ratio)
		}
	}
}
