package access

import (
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/record"
	"blotter/model"
	"blotter/model/book"
)

// TestPastThatMayBeSeen: of a past that is recorded for all, a trader sees the own rows and events, and steps to the
// own changes: not even the time of a change of others is seen.
func TestPastThatMayBeSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		memory, err := record.NewMemory(record.MemoryOptions{Duration: time.Hour, Bytes: 16 << 20})
		if err != nil {
			t.Fatal(err)
		}
		defer memory.Close()
		streams := model.Scope{Parties: ids("alice hidden-carol")}.Subscriptions(nil, 1)
		size := func(of model.Subscription, size int64) model.Position {
			p := model.Position{Key: model.Key{Party: of.Party, Market: markets[0]}}
			p.SetNumber(model.OpenVolume, model.AmountOf(size))
			return p
		}
		first := book.Delta{}
		for _, s := range streams {
			rows, p := book.NewRows(), size(s, 1)
			rows.Put(&p)
			first.Links = append(first.Links, model.Link{Subscription: s, Committed: true, Address: "http://hidden-host"})
			first.Snapshots = append(first.Snapshots, book.Snapshot{Subscription: s, Rows: rows})
		}
		memory.Delta(&first)
		began := time.Now()
		for i, of := range []int{0, 1, 0} { // alice, hidden-carol, alice
			time.Sleep(2 * time.Second)
			memory.Delta(&book.Delta{Updates: []book.Updates{{Subscription: streams[of], Positions: []model.Position{size(streams[of], int64(i+2))}}}})
		}
		time.Sleep(2 * time.Second)
		player, err := memory.Play()
		if err != nil {
			t.Fatal(err)
		}
		past := NewPast(player, limited(true, false), "desk")
		defer past.Close()
		past.Watch(streams)
		past.Pause(true)
		past.Jump(began)
		next := func() book.Delta {
			delta, err := past.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			delta.Links = nil // the trader has named the other party
			texts(reflect.ValueOf(delta), func(text string) {
				if isLeak(past.rights, text) {
					t.Errorf("%q is in %.500s", text, words(delta))
				}
			})
			return delta
		}
		if first := next(); len(first.Snapshots) != 1 || first.Snapshots[0].Party != parties[0] {
			t.Errorf("%s", words(first))
		}
		for _, want := range []time.Duration{2 * time.Second, 6 * time.Second} {
			past.Step(1)
			if next(); past.Now().Sub(began).Round(time.Second) != want {
				t.Errorf("a step to %s, want %s", past.Now().Sub(began), want)
			}
		}
		past.Step(-1)
		if next(); past.Now().Sub(began).Round(time.Second) != 2*time.Second {
			t.Errorf("a step back to %s", past.Now().Sub(began))
		}
		for i, want := range []string{"1 2 4", ""} {
			who := streams[i].Party
			followed := ""
			err := past.Follow(t.Context(), model.Key{Party: who, Market: markets[0]}, began, time.Now(), func(_ time.Time, p *model.Position) {
				followed += p.Number(model.OpenVolume).String() + " "
			})
			if strings.TrimSpace(followed) != want || (err != nil) != (want == "") {
				t.Errorf("%s is followed: %s, %v", who, followed, err)
			}
		}
		if events := past.Events(time.Now()); len(events) != 2 || events[0].Party != parties[0] || events[1].Party != parties[0] {
			t.Errorf("events %v", events)
		}
	})
}
