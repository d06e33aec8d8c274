package hub

import (
	"testing"
	"time"

	"blotter/feed/record"
	"blotter/model"
	"blotter/model/book"
)

// newMemory returns the memory of these tests, for two players.
func newMemory() (*record.Memory, error) {
	return record.NewMemory(record.MemoryOptions{Duration: time.Hour, Bytes: 16 << 20, Players: 2})
}

// rowsAt returns the rows of parties at a time of a past, in words.
func (s *trial) rowsAt(p *record.Player, parties string, at time.Time) string {
	s.Helper()
	screen := &screen{Session: &Session{}, book: book.New(0)}
	screen.watched = model.Scope{Parties: ids(parties)}.Subscriptions(nil, 1)
	p.Watch(screen.watched)
	delta, err := p.At(at)
	if err != nil {
		s.Fatal(err)
	}
	screen.apply(&delta)
	return rows(screen.book)
}

// TestPastIsRecordedOnce for all sessions: each can show the past of every stream, also of those that it did not watch
// then, and of those that have ended. Streams that only the past gets end.
func TestPastIsRecordedOnce(t *testing.T) {
	playWith(t, Options{Limits: Limits{Linger: time.Minute}, NewMemory: newMemory}, func(s *trial) {
		one := s.join("one")
		if _, has := one.Oldest(); has {
			s.Error("there is a past before anything came")
		}
		if _, err := one.Play(); err != errNoPast {
			s.Error(err)
		}
		one.watch("a b")
		s.send(s.snapshot("a", "a/m 1"))
		s.send(s.snapshot("b", "b/m 1"))
		s.after(time.Minute)
		first := time.Now()
		s.after(time.Second)
		s.send(s.update("a", "a/m 2"))
		one.watch("a")
		s.after(2 * time.Minute)
		if s.feed.streams() != "a" {
			s.Errorf("%s are open", s.feed.streams())
		}
		two := s.join("two")
		two.watch("a")
		s.after(time.Second)
		player, err := two.Play()
		if err != nil {
			s.Fatal(err)
		}
		if got := s.rowsAt(player, "a b", first); got != "a/m 1, b/m 1" {
			s.Errorf("then there were %s", got)
		}
		if got := s.rowsAt(player, "a b", time.Now()); got != "a/m 2" {
			s.Errorf("now there are %s", got)
		}
		again, err := one.Play()
		if err != nil || again.Events(time.Now()) == nil || &again.Events(time.Now())[0] != &player.Events(time.Now())[0] {
			s.Errorf("another player reads everything again: %v", err)
		}
		if _, err := one.Play(); err != record.ErrPlayers {
			s.Errorf("a third player: %v", err)
		}
		again.Close()
		again.Close()
		if third, err := one.Play(); err != nil {
			s.Error(err)
		} else {
			third.Close()
		}
		player.Close()
		if one.Close(); s.hub.Stats().Sessions != 1 {
			s.Errorf("%+v", s.hub.Stats())
		}
	})
}

// TestKindsOfStreamsHavePastsOfTheirOwn: a position is in one stream of each kind.
func TestKindsOfStreamsHavePastsOfTheirOwn(t *testing.T) {
	playWith(t, Options{NewMemory: newMemory}, func(s *trial) {
		one, all := s.join("one"), s.join("all")
		one.watch("a")
		all.Watch(model.Scope{}.Subscriptions(nil, 1))
		s.send(s.snapshot("a", "a/m 1"))
		of := s.feed.of("")
		s.send(book.Delta{Snapshots: []book.Snapshot{{Subscription: of, Rows: rowsOf("a/m 5", "z/m 7"), NotAfter: notAfter}}, Links: []model.Link{{Subscription: of, Committed: true}}})
		s.after(3 * time.Second)
		for session, want := range map[*screen]string{one: "a/m 1", all: "a/m 5, z/m 7"} {
			player, err := session.Play()
			if err != nil {
				s.Fatal(err)
			}
			if got := s.rowsAt(player, "a z", time.Now()); got != want {
				s.Errorf("%s has %s, want %s", session.name, got, want)
			}
			player.Close()
		}
	})
}

// TestPastHasMarginLevels, and is the same after a defect of the hub.
func TestPastAfterADefect(t *testing.T) {
	playWith(t, Options{NewMemory: newMemory}, func(s *trial) {
		one := s.join("one")
		one.watch("a")
		s.send(s.snapshot("a", "a/m 1"))
		s.hub.recordMargins(one.watched[0].Key, book.MarginsRead{Page: &model.Page{Rows: []model.MarginLevels{{MarginKey: model.MarginKey{Key: position("a/m 1").Key}, Maintenance: model.AmountOf(4)}}}})
		s.after(2 * time.Second)
		before := time.Now()
		s.hub.mu.Lock()
		s.hub.streams[one.watched[0].Key].book = nil
		s.hub.mu.Unlock()
		s.send(s.update("a", "a/m 9"))
		s.after(2 * firstRestart)
		s.send(s.snapshot("a", "a/m 3"))
		s.after(2 * time.Second)
		player, err := one.Play()
		if err != nil || len(s.panics) != 1 {
			s.Fatalf("%v, panics %q", err, s.panics)
		}
		defer player.Close()
		if got, now := s.rowsAt(player, "a", before), s.rowsAt(player, "a", time.Now()); got != "a/m 1" || now != "a/m 3" {
			s.Errorf("%s, and now %s", got, now)
		}
		if levels, _, _ := player.Margins(); len(levels) != 1 || levels[0].Maintenance != model.AmountOf(4) {
			s.Errorf("margin levels %v", levels)
		}
	})
}
