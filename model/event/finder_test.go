package event

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// found is a Finder, and the events that it has found since they were read last.
type found struct {
	*Finder
	events []string
	missed int
}

var foundAt = time.Unix(1000, 0)

func arrivalBehind(by time.Duration) *Arrival {
	a := NewArrival([]model.Link{{Committed: true, Lag: model.Lag{By: by, Shown: model.LagOfRows}}}, foundAt)
	return &a
}

// at is a state with a time, such as "-3 @11", of the only market; nil for an empty text.
func at(text string) *model.Position {
	if text == "" {
		return nil
	}
	p := modeltest.Position("b " + text)
	return &p
}

func (f *found) change(before, after string, behind time.Duration) {
	e, ok, missed := f.Find(at(before), at(after), book.ChangedByUpdate, arrivalBehind(behind))
	if ok {
		f.add(e)
	}
	if missed {
		f.missed++
	}
}

func (f *found) add(e Event) {
	was, is := e.Before(), e.After()
	f.events = append(f.events, fmt.Sprintf("%s %s > %s", strings.Join(e.Kinds.Names(), " "), was.Number(model.OpenVolume), is.Number(model.OpenVolume)))
}

func (f *found) settle(behind time.Duration, now ...string) {
	b := book.New(0)
	for _, text := range now {
		b.Merge(&book.Updates{Positions: []model.Position{*at(text)}, NotAfter: foundAt.UnixNano()})
	}
	for f.CompareKept(b, arrivalBehind(behind), f.add) {
	}
}

func (f *found) wants(t *testing.T, want ...string) {
	t.Helper()
	if got := strings.Join(f.events, ", "); got != strings.Join(want, ", ") {
		t.Errorf("the events are %q, want %q", got, want)
	}
	f.events = nil
}

// TestAnOlderNodeMakesNoEvents: what it shows has happened before, and each event is found once.
func TestAnOlderNodeMakesNoEvents(t *testing.T) {
	for _, behind := range []time.Duration{40 * time.Second, time.Hour} {
		f := &found{Finder: new(Finder)}
		f.change("5 @10", "-3 @11", 0)
		f.wants(t, "flipped 5 > -3")
		f.change("-3 @11", "2 @4", behind) // a reconnect to an older node
		f.change("2 @4", "5 @10", behind)
		f.wants(t)
		f.change("5 @10", "-3 @11", 0) // back to a current one
		f.wants(t)
		f.change("-3 @11", "-4 @12", 0)
		f.wants(t, "grown -3 > -4")
		if len(f.kept) > 0 {
			t.Error("states are kept for a current row")
		}
	}
}

// TestWhatHappensMeanwhileIsFoundOnce, when the node is current again: with the next change, or without one.
func TestWhatHappensMeanwhileIsFoundOnce(t *testing.T) {
	f := &found{Finder: new(Finder)}
	f.change("-3 @11", "2 @4", time.Hour)
	f.change("2 @4", "0 @12", 0)
	f.wants(t, "closed -3 > 0")
	f.change("0 @12", "2 @4", time.Hour)
	f.change("2 @4", "7 @13", time.Hour)
	f.settle(time.Hour, "7 @13")
	f.wants(t)
	f.settle(0, "7 @13")
	f.wants(t, "opened 0 > 7")
	f.settle(0, "7 @13")
	f.wants(t)
	f.change("7 @13", "", time.Hour)
	f.settle(0, "7 @13")
	f.wants(t)
	f.change("7 @13", "", time.Hour)
	f.settle(0)
	f.wants(t, "removed 7 > 0")
	f.change("7 @13", "", 0)
	f.wants(t, "removed 7 > 0")
	f.change("", "8 @14", time.Hour)
	f.settle(0, "8 @14")
	f.wants(t, "opened 0 > 8")
	f.change("", "8 @14", time.Hour)
	f.settle(0)
	f.wants(t)
	f.change("8 @14", "2 @4", time.Hour)
	stale := NewArrival([]model.Link{{Committed: true, StaleSince: foundAt}}, foundAt)
	f.CompareKept(book.New(0), &stale, f.add)
	f.wants(t)
	f.change("2 @4", "2 @15", 0) // the same size as that of the older node
	f.wants(t, "reduced 8 > 2")
}

// TestARowThatIsNotSentAgainMakesNoEvent: the node was behind, and the last page of the snapshot of the next one does
// not come. What the row is now is not known until the stream sends it.
func TestARowThatIsNotSentAgainMakesNoEvent(t *testing.T) {
	f, b := &found{Finder: new(Finder)}, book.New(0)
	f.change("5 @10", "-3 @4", time.Hour)
	merge := func(isPage bool, texts ...string) {
		b.Merge(&book.Updates{Positions: modeltest.Positions(texts...), NotAfter: foundAt.UnixNano(), BeginsPartial: isPage})
		f.CompareKept(b, arrivalBehind(0), f.add)
	}
	f.CompareKept(b, arrivalBehind(time.Hour), f.add)
	rows := book.NewRows()
	rows.Put(at("-3 @4"))
	b = b.Replaced(book.Snapshot{AsIs: true, Rows: rows})
	merge(true)
	f.wants(t)
	merge(false, "b 4 @11")
	f.wants(t, "reduced 5 > 4")
}

// TestARowInDoubtKeepsNoOtherRowWaiting: it waits itself until its doubt has ended.
func TestARowInDoubtKeepsNoOtherRowWaiting(t *testing.T) {
	f, rows := &found{Finder: new(Finder)}, book.NewRows()
	marked := at("5 @10")
	marked.Market = model.MakeID("marked")
	for _, before := range []*model.Position{at("5 @10"), marked} {
		after := *before
		after.SetNumber(model.OpenVolume, model.AmountOf(9))
		f.Find(before, &after, book.ChangedByUpdate, arrivalBehind(time.Hour))
		rows.Put(&after)
	}
	b := book.New(0).Replaced(book.Snapshot{AsIs: true, Rows: rows})
	b.Mark(&book.Doubts{Keys: []model.Key{marked.Key}})
	for range 2 {
		f.CompareKept(b, arrivalBehind(0), f.add)
	}
	f.wants(t, "grown 5 > 9")
	b.Mark(new(book.Doubts))
	f.CompareKept(b, arrivalBehind(0), f.add)
	f.wants(t, "grown 5 > 9")
	if len(f.kept) > 0 {
		t.Error("a state is kept for a current row")
	}
}

// TestALittleBehindMakesEvents of rows that do not go back in time.
func TestALittleBehindMakesEvents(t *testing.T) {
	f := &found{Finder: new(Finder)}
	f.change("", "5 @10", 40*time.Second)
	f.change("5 @10", "6 @11", 40*time.Second)
	f.wants(t, "opened 0 > 5", "grown 5 > 6")
	f.change("6 @11", "6 @4", 40*time.Second)
	f.change("6 @4", "5 @10", 40*time.Second)
	f.change("5 @10", "9 @12", 40*time.Second)
	f.wants(t, "grown 6 > 9")
	f.change("9", "-1", 40*time.Second) // a service without times
	f.wants(t, "flipped 9 > -1")
	f.change("-1 @13", "", 40*time.Second)
	f.wants(t)
}

// TestRowsWithoutAStream can be used.
func TestRowsWithoutAStream(t *testing.T) {
	f := &found{Finder: new(Finder)}
	if e, ok, _ := f.Find(at("5 @11"), at("-3 @10"), book.ChangedByUpdate, new(Arrival)); ok {
		f.add(e)
	}
	f.wants(t, "flipped 5 > -3")
}

// TestStatesThatAreKeptAreBounded: what they cannot show is counted, and no event is made up.
func TestStatesThatAreKeptAreBounded(t *testing.T) {
	f := &found{Finder: new(Finder)}
	for i := range maxKept + 5 {
		before, after := at("5 @10"), at("-3 @4")
		before.Market = model.MakeID(fmt.Sprint(i))
		after.Key = before.Key
		f.Find(before, after, book.ChangedBySnapshot, arrivalBehind(time.Hour))
	}
	if n := len(f.kept[model.Subscription{}].states); n != maxKept {
		t.Errorf("%d states are kept", n)
	}
	f.change("-3 @4", "5 @10", 0)
	f.wants(t)
	if f.missed != 1 {
		t.Errorf("%d events are missed", f.missed)
	}
	before, after := at("-3 @4"), at("4 @12")
	before.Market = model.MakeID("0")
	after.Key = before.Key
	if e, ok, _ := f.Find(before, after, book.ChangedBySnapshot, arrivalBehind(0)); ok {
		f.add(e)
	}
	f.wants(t, "reduced 5 > 4")
	calls := 0
	for f.CompareKept(book.New(0), arrivalBehind(0), func(Event) {}) {
		calls++
	}
	if want := maxKept / comparedAtOnce; calls != want-1 && calls != want || len(f.kept) > 0 {
		t.Errorf("they were compared in %d steps, and %d are left", calls, len(f.kept))
	}
	f.change("-3 @4", "5 @10", 0)
	f.wants(t, "flipped -3 > 5")
	f.change("5 @10", "4 @3", time.Hour)
	f.CompareKept(book.New(0), new(Arrival), f.add)
	if len(f.kept) > 0 {
		t.Error("states of a subscription that is no longer watched are kept")
	}
}

// TestACloneIsOfItsOwn, so that a command can use it.
func TestACloneIsOfItsOwn(t *testing.T) {
	f := &found{Finder: new(Finder)}
	f.change("-3 @11", "2 @4", time.Hour)
	clone := &found{Finder: f.Clone()}
	clone.change("2 @4", "0 @12", 0)
	clone.wants(t, "closed -3 > 0")
	f.change("2 @4", "0 @12", 0)
	f.wants(t, "closed -3 > 0")
}
