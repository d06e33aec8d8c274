package record_test

import (
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed"
	"blotter/feed/record"
	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/book"
)

// TestWhatWasFollowed: all positions were followed, then those of one party, then all again. A player of all positions
// has at each time what was followed then, and says it; a baseline of that time has no numbers of the others.
func TestWhatWasFollowed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "followed.jsonl")
		one := model.Scope{Parties: []model.ID{model.MakeID("a1")}}
		var times []time.Time
		play(t, sim.Config{}, feed.Config{}, record.Options{Path: path, Header: record.Header{}}, func(s *session) {
			s.node.Put(sim.Position{Party: "a1", Market: "b1", OpenVolume: 5, UnrealisedPnl: "51", UpdatedAt: 1},
				sim.Position{Party: "a2", Market: "b1", OpenVolume: 6, UnrealisedPnl: "-17900", UpdatedAt: 1})
			for epoch, scope := range []model.Scope{{}, one, {}} {
				s.tap.Watch(scope.Subscriptions(nil, uint64(epoch+1)))
				s.follow(t, s.tap, 3*time.Second)
				times = append(times, time.Now())
				s.follow(t, s.tap, time.Second)
			}
		})
		player := open(t, path, model.Scope{})
		of := model.Scope{}.Subscriptions(nil, 1)[0]
		wantRows, wantFollowed := []int{2, 1, 2}, [][]model.Key{nil, {{Party: model.MakeID("a1")}}, nil}
		check := func(how string, i int, s *screen) {
			t.Helper()
			if got := len(s.rows()); got != wantRows[i] {
				t.Errorf("%s: time %d has %d rows, want %d", how, i, got, wantRows[i])
			}
			if got := s.book.Table(of).Followed(); !slices.Equal(got, wantFollowed[i]) {
				t.Errorf("%s: at time %d %v was followed, want %v", how, i, got, wantFollowed[i])
			}
		}
		for _, i := range []int{2, 1, 0} {
			check("jump", i, at(t, player, times[i]))
		}
		there := at(t, player, times[1])
		there.book.Baselines().Take(times[1])
		for key, want := range map[model.Key]struct{ isKnown, isNew bool }{
			{Party: model.MakeID("a1"), Market: model.MakeID("b1")}: {true, false},
			{Party: model.MakeID("a1"), Market: model.MakeID("b2")}: {true, true},
			{Party: model.MakeID("a2"), Market: model.MakeID("b1")}: {false, false},
			{Party: model.MakeID("a3"), Market: model.MakeID("b1")}: {false, false},
		} {
			row, isKnown := there.book.Baselines().Current().Row(key)
			if isKnown != want.isKnown || row.IsNew != want.isNew {
				t.Errorf("%v: the baseline has it: %t, new: %t", key, isKnown, row.IsNew)
			}
		}
		all := func(model.Subscription) bool { return true }
		if there.book.Baselines().LacksAny(all) {
			if there.book.Baselines().Extend(all, time.Now()); there.book.Baselines().Taken().Len() != 1 {
				t.Error("the baseline was extended by what was not followed")
			}
		}

		player = open(t, path, model.Scope{})
		player.Jump(times[0])
		s := &screen{book: book.New(0)}
		for i := range times {
			s.follow(t, player, 100*time.Millisecond)
			check("play", i, s)
			s.follow(t, player, 3900*time.Millisecond)
		}
	})
}
