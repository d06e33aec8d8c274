package store

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
)

// TestWhatIsLearnedWaitsWhereASortTakesLong: sorts for it take no more than a fiftieth of the time, however quick
// another filter was meanwhile. A sort that is needed anyway includes it at once.
func TestWhatIsLearnedWaitsWhereASortTakesLong(t *testing.T) {
	d := newData(&Options{Extent: Whole(0), Settings: view.Settings{Filter: "btc"}, Instruments: model.NewInstruments(nil, nil, nil)})
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

// TestBesidePassesPanics: else a panic would end the program before the terminal is reset. It passes where they were.
func TestBesidePassesPanics(t *testing.T) {
	defer func() {
		reason, ok := recover().(panicked)
		if !ok || reason.String() != "broken" || !strings.Contains(string(reason.Stack()), "store.brokenPart(") {
			t.Errorf("wait panics with %v, of %s", reason, reason.Stack())
		}
	}()
	beside(brokenPart)()
}

func brokenPart() { panic("broken") }

// TestABaselineIsDroppedTwice before the view without it is shown: the second time there is none, and the race detector
// finds no view that reads whether there is one.
func TestABaselineIsDroppedTwice(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		s.publish(snapshot(s.Subscriptions()[0], holding("p", "eth", 1)))
		s.do(s.Baseline().Take())
		first := s.Baseline().Drop()
		s.do(tea.Batch(first, s.Baseline().Drop()))
		if s.View().ShowsChanges() {
			t.Error("changes are shown after the baseline was dropped")
		}
	})
}
