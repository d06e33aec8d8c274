package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/view"
)

// troubled is a service with positions in trouble, and a plain list of what happens to them: each state is given at
// once to event.Troubles, which agree with a plain calculation.
type troubled struct {
	*shown
	random   *rand.Rand
	of       model.Subscription
	states   []model.Position
	older    []model.Position // the states of some time ago
	log      event.Log
	troubles event.Troubles
	waiting  []model.Position // updates that the suspended screen has not taken
}

// change gives one position another size, PnL or status.
func (w *troubled) change() {
	i := w.random.IntN(len(w.states))
	before, p := w.states[i], w.states[i]
	if w.random.IntN(2) == 0 {
		p.SetNumber(model.OpenVolume, model.AmountOf([]int64{0, 0, 100, 60, 40, -40}[w.random.IntN(6)]))
	}
	if w.random.IntN(2) == 0 {
		all := []model.Status{model.StatusUnspecified, model.StatusOrdersClosed, model.StatusClosedOut, model.StatusDistressed}
		p.SetStatus([]byte(fmt.Sprint(int32(all[w.random.IntN(len(all))]))))
	}
	p.SetNumber(model.RealisedPnl, model.AmountOf(w.random.Int64N(1000)))
	p.SetNumber(model.UnrealisedPnl, model.AmountOf(-w.random.Int64N(1000)))
	p.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().UnixNano()))
	if e, ok := event.New(&before, &p, book.ChangedByUpdate, time.Now()); ok {
		w.troubles.Take(&w.log, e)
	} else {
		w.troubles.NoteUnchanged(&w.log, &before, &p, time.Now())
	}
	w.states[i], w.waiting = p, append(w.waiting, p)
}

// take makes the screen take what waits.
func (w *troubled) take() {
	if len(w.waiting) > 0 {
		delta := updates(w.of, w.waiting...)
		delta.Links = []model.Link{liveLink(w.of)}
		w.waiting = nil
		w.publish(delta)
	}
}

// reconnect sends a snapshot of a node that is a few seconds behind.
func (w *troubled) reconnect() {
	w.take()
	delta := snapshot(w.of, w.older...)
	delta.Snapshots[0].AsIs, delta.Snapshots[0].NotAfter = false, time.Now().Add(time.Minute).UnixNano()
	w.publish(delta)
}

// endedStories describes the stories of a log that have ended, the newest first.
func endedStories(log *event.Log) (all []string) {
	for number, e := range log.Lasting() {
		if of := e.Story; of != nil && of.Ended == number {
			total, realised := of.Change(of.Last(), 0)
			all = append(all, fmt.Sprintf("%s %d: was %s, %s, realised %s, %d", of.Key.Market, of.Outcome, of.Size(), total, realised, of.Before.Of))
		}
	}
	return all
}

// TestStoriesOfAScreen: whatever the filter is, and although the screen is suspended now and then and reconnects have
// older states, it tells the stories that a plain list of all states has.
func TestStoriesOfAScreen(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		w := &troubled{shown: s, random: rand.New(rand.NewPCG(5, 9)), troubles: event.Troubles{Present: new(event.Present)}}
		for _, market := range []string{"a", "b", "c"} {
			p := holding("desk", market, -50)
			p.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().UnixNano()))
			w.states = append(w.states, p)
		}
		w.publish(snapshot(w.of, w.states...))
		suspended := 0
		for i := range 3000 {
			time.Sleep(time.Second)
			w.troubles.Tick(&w.log, time.Now(), func(model.Key) bool { return false })
			if i%4 == 0 {
				w.older = slices.Clone(w.states)
			}
			w.change()
			if suspended--; suspended > 0 {
				continue
			}
			w.take()
			s.do(s.Tick(nil, NoSurveys))
			switch w.random.IntN(40) {
			case 0:
				suspended = 1 + w.random.IntN(20)
			case 1:
				w.reconnect()
			case 2:
				s.do(s.Set(view.Settings{Filter: []string{"", "upnl<-500", "zzz"}[w.random.IntN(3)]}))
			}
		}
		w.take()
		got, want := endedStories(s.data.happening.log), endedStories(&w.log)
		if len(want) < 300 || !slices.Equal(got, want) {
			t.Errorf("%d stories have ended, want %d", len(got), len(want))
			for i := range min(len(got), len(want)) {
				if got, want := got[len(got)-1-i], want[len(want)-1-i]; got != want {
					t.Fatalf("the first one that differs is number %d: %s; want %s", i, got, want)
				}
			}
		}
	})
}
