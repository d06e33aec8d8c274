package access

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// scripted is a source that sends what a test gives it.
type scripted struct {
	world
	deltas chan book.Delta
	reads  chan book.MarginsRead
}

func newScripted() *scripted {
	return &scripted{deltas: make(chan book.Delta, 10), reads: make(chan book.MarginsRead, 10)}
}

func (s *scripted) Next(ctx context.Context) (book.Delta, error) {
	select {
	case delta := <-s.deltas:
		return delta, nil
	case <-ctx.Done():
		return book.Delta{}, ctx.Err()
	}
}

func (s *scripted) NextMargins(ctx context.Context) (book.MarginsRead, error) {
	select {
	case read := <-s.reads:
		return read, nil
	case <-ctx.Done():
		return book.MarginsRead{}, ctx.Err()
	}
}

func keyOf(party, market string) model.Key {
	return model.Key{Party: model.MakeID(party), Market: model.MakeID(market)}
}

func updateOf(key model.Key) book.Updates {
	of := model.Subscription{Key: model.Key{Party: key.Party}, Epoch: 1}
	return book.Updates{Subscription: of, Positions: []model.Position{{Key: key}}}
}

// TestChangesOfOthersWakeNobody: Next waits on, so that it does not tell when something that is hidden changes.
func TestChangesOfOthersWakeNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := newScripted()
		a := New(source, limited(true, true), "desk")
		source.deltas <- book.Delta{Updates: []book.Updates{updateOf(keyOf("hidden-carol", "gold")), updateOf(keyOf("alice", "hidden-oil"))}}
		came := make(chan book.Delta, 10)
		go func() {
			delta, _ := a.Next(t.Context())
			came <- delta
		}()
		if synctest.Wait(); len(came) > 0 {
			t.Errorf("came %+v", <-came)
		}
		source.deltas <- book.Delta{Updates: []book.Updates{updateOf(keyOf("alice", "gold"))}}
		if delta := <-came; len(delta.Updates) != 1 {
			t.Errorf("came %+v", delta)
		}
	})
}

// TestWhatHasNoRowsIsKept, if it says something of the stream.
func TestWhatHasNoRowsIsKept(t *testing.T) {
	source := newScripted()
	a := New(source, limited(true, true), "desk")
	hidden, of := []model.Position{{Key: keyOf("alice", "hidden-oil")}}, model.Subscription{Key: model.Key{Party: model.MakeID("alice")}, Epoch: 1}
	source.deltas <- book.Delta{
		Updates: []book.Updates{
			{Subscription: of, Positions: hidden, Told: 5}, {Subscription: of, Positions: hidden, BeginsPartial: true}, {Subscription: of, Positions: hidden},
		},
		Audits: []book.AuditPage{
			{Subscription: of, Positions: hidden, First: true}, {Subscription: of, Positions: hidden}, {Subscription: of, Positions: hidden, Last: true},
		},
	}
	delta, err := a.Next(t.Context())
	if err != nil || len(delta.Updates) != 2 || delta.Updates[0].Told != 5 || !delta.Updates[1].BeginsPartial {
		t.Errorf("updates %+v, %v", delta.Updates, err)
	}
	if len(delta.Audits) != 2 || !delta.Audits[0].First || !delta.Audits[1].Last {
		t.Errorf("audits %+v", delta.Audits)
	}
}

// TestCountsOfAStreamWithoutHiddenRowsAreKept.
func TestCountsOfAStreamWithoutHiddenRowsAreKept(t *testing.T) {
	a := New(newScripted(), limited(true, true), "desk")
	for key, want := range map[model.Key]int{keyOf("alice", "gold"): 3, keyOf("alice", ""): 0} {
		if got := a.seenLink(model.Link{Subscription: model.Subscription{Key: key}, StagedRows: 3}).StagedRows; got != want {
			t.Errorf("%v: %d rows, want %d", key, got, want)
		}
	}
}

// TestPlacesOfListsThatMayBeSeen: a list of all parties or markets may be seen by who may see all of them.
func TestPlacesOfListsThatMayBeSeen(t *testing.T) {
	page := &model.Page{}
	for _, key := range []model.Key{{}, keyOf("alice", ""), keyOf("hidden-carol", ""), keyOf("", "gold"), keyOf("", "hidden-oil"), keyOf("alice", "gold")} {
		page.Places = append(page.Places, model.Place{Key: key})
	}
	for want, rights := range map[string]Rights{
		"/ alice/ hidden-carol/ /gold /hidden-oil alice/gold ": limited(false, false),
		"alice/ alice/gold ": limited(true, false),
		"/gold alice/gold ":  limited(false, true),
		"alice/gold ":        limited(true, true),
	} {
		got := ""
		for _, place := range New(newScripted(), rights, "desk").seenPage(page).Places {
			got += fmt.Sprintf("%s/%s ", place.Party, place.Market)
		}
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestMarginsOfTheScopeBeforeAreNotGiven, if nothing of the new one may be seen.
func TestMarginsOfTheScopeBeforeAreNotGiven(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := newScripted()
		a := New(source, limited(true, true), "desk")
		read := book.MarginsRead{Page: &model.Page{Rows: []model.MarginLevels{{MarginKey: model.MarginKey{Key: keyOf("alice", "gold")}}}}}
		came := make(chan book.MarginsRead, 10)
		go func() {
			for {
				read, err := a.NextMargins(t.Context())
				if err != nil {
					return
				}
				came <- read
			}
		}()
		for parties, want := range map[string]int{"alice": 1, "hidden-carol": 0} {
			a.WatchMargins(model.Scope{Parties: ids(parties)})
			source.reads <- read
			if synctest.Wait(); len(came) != want {
				t.Errorf("of %s came %d", parties, len(came))
			}
			for len(came) > 0 {
				<-came
			}
		}
		a.WatchMargins(model.Scope{Parties: ids("alice")})
		a.WatchMargins(model.Scope{Parties: ids("hidden-carol")})
		source.reads <- read
		if synctest.Wait(); len(came) > 0 {
			t.Errorf("after the scope was changed came %+v", <-came)
		}
	})
}

// TestARefusedStreamIsRefusedSince the first time, also if others are watched beside it.
func TestARefusedStreamIsRefusedSince(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := New(newScripted(), limited(true, true), "desk")
		carol := model.Scope{Parties: ids("hidden-carol")}.Subscriptions(nil, 1)
		begin := time.Now()
		a.Watch(carol)
		time.Sleep(time.Minute)
		a.Watch(slices.Concat(model.Scope{Parties: ids("alice")}.Subscriptions(nil, 1), carol))
		if links := a.Links(); len(links) != 2 || !links[1].Since.Equal(begin) {
			t.Errorf("%+v", links)
		}
	})
}
