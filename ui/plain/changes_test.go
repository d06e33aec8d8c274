package plain

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
)

var start = time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)

// rowOf reads a row: "btc +1 -500 -374 DISTRESSED" is market, size, profit, ratio in thousandths or -, and status.
func rowOf(text string) followedRow {
	words := append(strings.Fields(text), "")
	var row followedRow
	row.Market = model.MakeID(words[0])
	row.SetNumber(model.OpenVolume, model.ParseAmount(strings.TrimPrefix(words[1], "+")))
	row.SetNumber(model.UnrealisedPnl, model.ParseAmount(words[2]))
	if words[4] != "" {
		row.SetStatus([]byte(words[4]))
	}
	if words[3] != "-" {
		row.ratio, row.hasRatio = model.ParseAmount(words[3]), true
	}
	return row
}

func rowsOf(texts ...string) []followedRow {
	var rows []followedRow
	for _, text := range texts {
		rows = append(rows, rowOf(text))
	}
	return rows
}

var kindNames = map[changeKind]string{statusKind: "status", openedKind: "opened", goneKind: "gone", flippedKind: "flipped", turnedKind: "turned", movedKind: "moved"}

func names(changes []rowChange) string {
	var all []string
	for _, c := range changes {
		all = append(all, kindNames[c.kind]+" "+c.now.Market.String())
	}
	return strings.Join(all, ", ")
}

func TestWhichChangesAreWritten(t *testing.T) {
	for _, c := range []struct{ before, now, want string }{
		{"a 1 100 50 ", "a 1 100 50", ""},
		{"a 1 100 50", "a 1 300 99", ""},                    // less than five points, however far the profit went
		{"a 1 100 50", "a 1 300 100", "moved a"},            // five points
		{"a 1 100 -", "a 1 119 -", ""},                      // less than a fifth
		{"a 1 100 -", "a 1 120 -", "moved a"},               // a fifth
		{"a 1 0 -", "a 1 1 -", "moved a"},                   // from nothing
		{"a 1 100 -", "a 1 x -", ""},                        // no number
		{"a 1 100 50", "a 1 -1 -1", "turned a"},             // from gain to loss
		{"a 1 100 50", "a 1 0 0", "moved a"},                // to nothing
		{"a 1 100 50", "a -1 100 50", "flipped a"},          //
		{"a 1 100 50", "a 0 0 -", "gone a"},                 // closed
		{"a 0 0 -", "a -1 0 -", "opened a"},                 //
		{"a 1 100 50", "a 1 100 50 DISTRESSED", "status a"}, //
		{"a 1 100 50 DISTRESSED", "a 1 100 50", "status a"},
		{"a 1 100 50", "a -1 -9 -9 DISTRESSED", "status a"}, // only the most important
		{"", "a 1 100 50", "opened a"},
		{"", "a 0 0 -", ""}, // a new one that is closed
		{"a 1 100 50", "", "gone a"},
		{"a 0 0 -", "", ""},
	} {
		var w writtenRows
		rows := func(text string) []followedRow {
			if text == "" {
				return nil
			}
			return rowsOf(text)
		}
		w.begin(rows(c.before), start)
		now := start.Add(rowEvery)
		changes, _ := w.changes(rows(c.now), true, current, now)
		if got := names(changes); got != c.want {
			t.Errorf("%q, then %q: %q, want %q", c.before, c.now, got, c.want)
		}
		if changes, _ := w.changes(rows(c.now), true, current, now.Add(time.Hour)); len(changes) > 0 {
			t.Errorf("%q, then %q is written twice", c.before, c.now)
		}
	}
}

// TestMovesOfARowAreRare: other changes of a row are written at once. A move is measured from the last one written.
func TestMovesOfARowAreRare(t *testing.T) {
	var w writtenRows
	w.begin(rowsOf("a 1 100 50"), start)
	for _, step := range []struct {
		after     time.Duration
		row, want string
	}{
		{1 * time.Second, "a 1 300 150", ""},
		{14 * time.Second, "a 1 300 150", ""},
		{15 * time.Second, "a 1 300 150", "moved a"},
		{29 * time.Second, "a 1 -300 -150", ""},
		{30 * time.Second, "a 1 -300 -150", "turned a"},
		{31 * time.Second, "a 1 -300 -150 DISTRESSED", "status a"},
		{32 * time.Second, "a -1 -300 -150 DISTRESSED", "flipped a"},
		{50 * time.Second, "a -1 -310 -170 DISTRESSED", ""},
		{60 * time.Second, "a -1 -320 -190 DISTRESSED", ""},
		{70 * time.Second, "a -1 -330 -210 DISTRESSED", "moved a"},
	} {
		changes, _ := w.changes(rowsOf(step.row), true, current, start.Add(step.after))
		if got := names(changes); got != step.want {
			t.Errorf("after %s, %q: %q, want %q", step.after, step.row, got, step.want)
		}
	}
}

// TestAReaderCanFollow: of many changes the most important are written first, a few at once and then one every two
// seconds, each with the values of that time.
func TestAReaderCanFollow(t *testing.T) {
	var w writtenRows
	var before, after []followedRow
	for i := range 100 {
		before = append(before, rowOf(fmt.Sprintf("m%02d 1 100 50", i)))
		after = append(after, rowOf(fmt.Sprintf("m%02d -1 100 50", i)))
	}
	after[90].SetStatus([]byte("DISTRESSED"))
	w.begin(before, start)
	changes, waiting := w.changes(after, true, current, start)
	if got := names(changes); got != "status m90, flipped m00, flipped m01, flipped m02, flipped m03" || waiting != 95 {
		t.Errorf("first %s, and %d wait", got, waiting)
	}
	written := len(changes)
	for second := range 60 {
		changes, _ = w.changes(after, true, current, start.Add(time.Duration(second+1)*time.Second))
		written += len(changes)
	}
	if written != burst+30 {
		t.Errorf("%d lines in a minute", written)
	}
	changes, waiting = w.changes(before, true, current, start.Add(time.Hour)) // most have flipped back and were never written
	if len(changes) != burst || waiting != written-burst {
		t.Errorf("%d are written and %d wait, of %d that differ from what was written", len(changes), waiting, written)
	}
}

// TestPartOfTheRows: if there are too many rows to follow all of them, a row that appears or disappears has not been
// opened or closed.
func TestPartOfTheRows(t *testing.T) {
	var w writtenRows
	w.begin(rowsOf("a 1 100 50", "b 1 100 50"), start)
	changes, _ := w.changes(rowsOf("b 1 100 50 DISTRESSED", "c 1 100 50"), false, current, start)
	if got := names(changes); got != "status b" {
		t.Error(got)
	}
	if len(w.rows) != 2 {
		t.Errorf("%d rows are kept", len(w.rows))
	}
}

// current is for rows none of which may be out of date.
func current(model.Key) bool { return false }

// TestRowsThatAreOutOfDateStayAsTheyWereWritten, also if they are missing, until they no longer are.
func TestRowsThatAreOutOfDateStayAsTheyWereWritten(t *testing.T) {
	var w writtenRows
	w.begin(rowsOf("b 1 100 50", "c 1 100 50"), start)
	outOfDate := func(key model.Key) bool { return true }
	after := rowsOf("b -1 100 50", "d 1 100 50")
	if changes, _ := w.changes(after, true, outOfDate, start.Add(time.Hour)); len(changes) > 0 {
		t.Errorf("there are %d changes of rows that are out of date", len(changes))
	}
	changes, _ := w.changes(after, true, current, start.Add(2*time.Hour))
	var kinds []changeKind
	for _, c := range changes {
		kinds = append(kinds, c.kind)
	}
	if want := []changeKind{openedKind, goneKind, flippedKind}; !slices.Equal(kinds, want) {
		t.Errorf("the changes are %v, want %v", kinds, want)
	}
}
