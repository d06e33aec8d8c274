package hub

import (
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"blotter/model"
)

// TestOneSubscriptionTwiceIsOneLink.
func TestOneSubscriptionTwiceIsOneLink(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		one := s.join("one")
		one.watch("a")
		one.Watch(append(one.watched, one.watched...))
		if one.take(); len(one.links) != 1 || s.feed.streams() != "a" {
			s.Errorf("links %+v, streams %s", one.links, s.feed.streams())
		}
	})
}

// TestABusyStreamHoldsNoOther of the same session: they take turns if there is more than a Delta holds.
func TestABusyStreamHoldsNoOther(t *testing.T) {
	play(t, Limits{}, func(s *trial) {
		one := s.join("one")
		one.watch("a b")
		s.send(s.snapshot("a", "a/m 1"))
		s.send(s.snapshot("b", "b/m 1"))
		one.take()
		var ofA, ofB []string
		for i := range batch + 1 {
			ofA, ofB = append(ofA, fmt.Sprint("a/m ", i)), append(ofB, fmt.Sprint("b/m ", i))
		}
		for range 3 {
			s.send(s.update("a", ofA...))
			s.send(s.update("b", ofB...))
		}
		got := make(map[string]bool)
		for range 2 {
			delta, _ := one.takeWaiting()
			for _, updates := range delta.Updates {
				got[updates.Subscription.Party.String()] = true
			}
		}
		if !got["a"] || !got["b"] {
			s.Errorf("two Deltas are of %v", got)
		}
	})
}

// TestTheSessionThatWaitsLongestGetsTheStream, when there is room again.
func TestTheSessionThatWaitsLongestGetsTheStream(t *testing.T) {
	play(t, Limits{Streams: 1, Linger: time.Minute}, func(s *trial) {
		one := s.join("one")
		one.watch("a")
		for _, party := range []string{"b", "c", "d"} {
			s.join(party).watch(party)
		}
		if one.Close(); s.feed.streams() != "b" {
			s.Errorf("the stream is %q", s.feed.streams())
		}
	})
}

// TestAListThatIsReadAgainIsKept, also when the time is over for which it lingers.
func TestAListThatIsReadAgainIsKept(t *testing.T) {
	playMargins(t, Limits{Linger: time.Minute}, func(s *trial, m *marginService) {
		m.put("a", "x", 1)
		one := s.reader("a")
		s.after(2 * time.Second)
		one.stop()
		one.Close()
		two := s.reader("a")
		s.after(2 * time.Minute)
		m.put("a", "y", 2)
		if s.after(2 * model.MarginRefresh); two.words() != "a/x 1, a/y 2" {
			s.Errorf("%q", two.words())
		}
		two.stop()
	})
}

// TestAHurryDoesNotRepeatWhatFails: the next request comes after the time for that.
func TestAHurryDoesNotRepeatWhatFails(t *testing.T) {
	playMargins(t, Limits{}, func(s *trial, m *marginService) {
		m.err = errors.New("down")
		one := s.reader("a")
		s.after(time.Second)
		before := m.count("a")
		one.HurryMargins(ids("a"))
		if s.after(model.MarginRetry - 2*time.Second); m.count("a") != before {
			s.Errorf("%d requests after %d", m.count("a"), before)
		}
		if s.after(4 * time.Second); m.count("a") != before+1 {
			s.Errorf("%d requests after %d", m.count("a"), before)
		}
		one.stop()
	})
}

// TestAHurryForNobodyReadsNothing: the list of all parties is read when it is due.
func TestAHurryForNobodyReadsNothing(t *testing.T) {
	playMargins(t, Limits{}, func(s *trial, m *marginService) {
		m.put("a", "x", 1)
		one := s.reader()
		s.after(2 * time.Second)
		before := m.count("")
		one.HurryMargins(nil)
		if s.after(2 * time.Second); before == 0 || m.count("") != before {
			s.Errorf("%d requests after %d", m.count(""), before)
		}
		one.HurryMargins(ids("a"))
		if s.after(1500 * time.Millisecond); m.count("")+m.count("a") == before {
			s.Error("a hurry for a party reads nothing")
		}
		one.stop()
	})
}

// TestAWalkEndsOnceForAllLists: a list that is read again alone does not end it.
func TestAWalkEndsOnceForAllLists(t *testing.T) {
	playMargins(t, Limits{}, func(s *trial, m *marginService) {
		m.put("a", "x", 1)
		m.put("b", "x", 1)
		one := s.reader("a", "b")
		s.after(2 * time.Second)
		if one.ends != 1 {
			s.Errorf("ended %d times", one.ends)
		}
		one.HurryMargins(ids("a"))
		if s.after(2 * time.Second); m.count("a") != 2 || m.count("b") != 1 || one.ends != 1 {
			s.Errorf("ended %d times after %q", one.ends, m.requests)
		}
		one.stop()
	})
}

// TestASessionThatEndsLeavesNothing: neither its turns nor its part of the processors.
func TestASessionThatEndsLeavesNothing(t *testing.T) {
	play(t, Limits{Sessions: 1001 * runtime.GOMAXPROCS(0)}, func(s *trial) {
		s.feed.page = new(pageLog).page
		one := s.join("one")
		length := s.hub.frames.length()
		var others []*screen
		for range 40 * runtime.GOMAXPROCS(0) {
			others = append(others, s.join("other"))
		}
		if s.hub.frames.length() <= length {
			s.Error("many sessions get as many frames as one")
		}
		for i, each := range others {
			if i < 5 {
				if _, err := each.Page(s.Context(), pageOf(fmt.Sprint(i))); err != nil {
					s.Error(err)
				}
			}
			each.Close()
		}
		synctest.Wait()
		for range 100 {
			time.Sleep(time.Second)
			s.hub.frames.note(time.Now(), time.Now())
		}
		if got := s.hub.frames.length(); got != length {
			s.Errorf("after the others a frame is %s, want %s", got, length)
		}
		if got := len(s.hub.pages.turns.of); got != 0 {
			s.Errorf("%d sessions have turns", got)
		}
		one.Close()
	})
}

// TestASessionThatPausesDoesNotComeFirst: what it has had counts when it requests pages again.
func TestASessionThatPausesDoesNotComeFirst(t *testing.T) {
	turns, one, two := newTurns(), &Session{ctx: t.Context()}, &Session{ctx: t.Context()}
	take := func(of *Session) {
		mine := turns.join(of, 10)
		if is, _, _ := turns.takeTurn(mine, time.Now().Add(time.Hour)); !is {
			t.Error("it is not its turn")
		}
		turns.leave(mine, true)
	}
	take(one)
	turns.join(two, 1)
	turns.join(one, 1)
	if of, other := turns.of[one].used, turns.of[two].used; of != 10 || other != 0 {
		t.Errorf("they have had %d and %d requests, want 10 and 0", of, other)
	}
	if best := turns.best(); best == nil || best.of != two {
		t.Errorf("the turn is of %v", best)
	}
}
