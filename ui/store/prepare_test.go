package store

import (
	"blotter/model"
	"blotter/model/view"
	"testing"
	"time"
)

// TestWhatIsLearnedWaitsWhereASortTakesLong: sorts for it take no more than a fiftieth of the time, however quick
// another filter was meanwhile. A sort that is needed anyway includes it at once.
func TestWhatIsLearnedWaitsWhereASortTakesLong(t *testing.T) {
	d := newData(&Options{Settings: view.Settings{Filter: "btc"}, Instruments: model.NewInstruments(nil, nil, nil)})
	now := time.Unix(0, 0)
	take := func(takes time.Duration) {
		began := d
		msg := began.prepared()
		now = now.Add(takes)
		d.show(msg, now)
	}
	learn := func(market string) {
		key := model.MarginKey{Key: model.Key{Market: model.MakeID(market)}, Asset: model.MakeID("usdt")}
		d.instruments = d.instruments.Learn([]model.MarginLevels{{MarginKey: key}})
	}
	d.order.Column = view.UnrealisedColumn
	d.prepare(now)
	take(time.Second)
	learn("m1")
	d.filter.Text = ""
	d.prepare(now)
	take(time.Millisecond)
	if now = now.Add(48 * time.Second); d.applyLearned(now) != nil || d.viewInstruments == d.instruments {
		t.Error("49 seconds after a sort that took one, there is another for what was learned")
	}
	if now = now.Add(3 * time.Second); d.applyLearned(now) == nil || d.viewInstruments != d.instruments {
		t.Error("there is no sort for what was learned")
	}
	take(time.Second)
	learn("m2")
	d.order.Descending = true
	if d.prepare(now); d.viewInstruments != d.instruments {
		t.Error("what was learned is left out of a sort that was needed anyway")
	}
}

// TestBesidePassesPanics: else a panic would end the program before the terminal is reset.
func TestBesidePassesPanics(t *testing.T) {
	defer func() {
		if reason := recover(); reason != "broken" {
			t.Errorf("wait panics with %v", reason)
		}
	}()
	beside(func() { panic("broken") })()
}
