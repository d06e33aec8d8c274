package view

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/filter"
	"blotter/model/modeltest"
)

// TestEventViewAgreesWithPlainList adds events, each of a size greater by 1, until the oldest are dropped, and compares
// the view with a plain list.
func TestEventViewAgreesWithPlainList(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	log := new(event.Log)
	query, _ := filter.ParseEvents("side:long")
	view := NewEvents(log, query, filter.Context{Instruments: model.NewInstruments(nil, nil, nil)})
	var added []string // all that match, the oldest first
	first := 1
	for range 10 {
		other := new(event.Log)
		for range random.IntN(40_000) {
			size := random.IntN(9) - 4
			e, ok := event.New(modeltest.Holding("7"), modeltest.Holding(fmt.Sprint(size)), book.ChangedByUpdate, time.Time{})
			if !ok {
				continue
			}
			other.Add(e)
		}
		for number := other.Oldest(); number <= other.Count(); number++ {
			if e, _ := other.Numbered(number); e.After().Number(model.OpenVolume).Sign() > 0 {
				added = append(added, fmt.Sprint(int(log.Count())+int(number), e.After().Number(model.OpenVolume)))
			}
		}
		log.Append(other, func(e event.Event) { log.Add(e) })
		for view.Update(); view.IsBehind(); view.Update() {
		}
		first = int(log.Oldest())
		want := slices.DeleteFunc(slices.Clone(added), func(text string) bool {
			var number int
			_, _ = fmt.Sscan(text, &number)
			return number < first
		})
		slices.Reverse(want)
		var got []string
		for place := range view.Len() {
			e, shared := view.At(place)
			found, is := view.Find(view.Key(place))
			if shared != 1 || !is || found != place {
				t.Fatalf("the event at %d is found at %d", place, found)
			}
			got = append(got, fmt.Sprint(view.Key(place), e.After().Number(model.OpenVolume)))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d events are shown, not %d", len(got), len(want))
		}
	}
	if first == 1 {
		t.Error("no event was dropped")
	}
}

// TestMoreEventsAtOnceThanALogKeeps: of a snapshot with too many changes for the log, the newest are kept, and the
// others are counted as dropped.
func TestMoreEventsAtOnceThanALogKeeps(t *testing.T) {
	log, other := new(event.Log), new(event.Log)
	e, _ := event.New(nil, modeltest.Holding("5"), book.ChangedByUpdate, time.Time{})
	for range 10 {
		log.Add(e)
	}
	for range event.MaxEvents + 5 {
		other.Add(e)
	}
	log.Append(other, func(e event.Event) { log.Add(e) })
	if log.Len() != event.MaxEvents || log.Dropped() != 15 || log.Oldest() != 16 {
		t.Errorf("%d events are kept and %d dropped; the oldest is %d", log.Len(), log.Dropped(), log.Oldest())
	}
}
