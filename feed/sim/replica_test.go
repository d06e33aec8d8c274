package sim_test

import (
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
)

func TestAReplicaThatIsBehind(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		one, two, three := position(alice, gold, 1), position(alice, gold, 2), position(alice, gold, 3)
		s.Put(one)
		s.PutMargins(record(0, 0))
		open := s.stream("")
		open.lines()
		s.StartReplicas(10 * time.Second)
		s.Update(two)
		s.PutMargins(record(1, 1))
		want(t, "a stream that was open", open.lines(), updates(two)) // takes a second, as each call of lines does
		behind := s.stream("")
		want(t, "a new stream", behind.lines(), snapshot(one))
		want(t, "margin levels", s.page().String(), " 00")
		time.Sleep(6500 * time.Millisecond)
		want(t, "after nine and a half seconds", behind.lines(), "")
		want(t, "after ten and a half", behind.lines(), updates(two))
		want(t, "margin levels after ten", s.page().String(), " 01 00")
		s.Update(three)
		want(t, "behind, before it catches up", behind.lines(), "")
		s.StopReplicas()
		want(t, "behind, once it has caught up", behind.lines(), updates(three))
		s.Update(one)
		want(t, "behind, afterwards", behind.lines(), updates(one))
		want(t, "a new stream, afterwards", s.stream("").lines(), snapshot(one))
		time.Sleep(time.Minute)
		want(t, "a minute later", behind.lines(), "")
	})
}

func TestReplicaSendsItsBlockTime(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		block := func() string {
			response, _ := s.get(margins)
			return response.Header.Get("X-Block-Timestamp")
		}
		s.StartReplicas(time.Minute)
		time.Sleep(20 * time.Second)
		want(t, "while it has stopped", block(), "946684800000000000")
		time.Sleep(50 * time.Second)
		want(t, "while it is a minute behind", block(), "946684810000000000")
		s.StopReplicas()
		want(t, "once it has caught up", block(), "946684870000000000")
	})
}

// Both nodes behind the address get the same state, whatever changes and in which order.
func TestAReplicaFollowsRemovals(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		one, two, other := position(alice, gold, 1), position(alice, gold, 2), position(bruno, rust, 3)
		s.Put(one)
		s.StartReplicas(1500 * time.Millisecond)
		s.Remove(one.Key())
		s.Put(other)
		s.Put(two)
		s.Broadcast(one)
		behind := s.stream("")
		want(t, "behind", behind.lines(), snapshot(one))
		want(t, "two seconds later", behind.lines(), updates(one))
		want(t, "a new stream then", s.stream("").lines(), snapshot(other, two))
	})
}

func TestAStreamIsMovedWhileItIsHeld(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		one, two := position(alice, gold, 1), position(alice, gold, 2)
		s.Put(one)
		s.StartReplicas(time.Hour)
		s.HoldSnapshot(sim.AllPages)
		behind := s.stream("")
		want(t, "snapshot", behind.lines(), snapshot(one))
		s.StopReplicas()
		s.Release()
		synctest.Wait()
		s.Update(two)
		want(t, "update", behind.lines(), updates(two))
	})
}

func TestStamp(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		withoutTime := sim.Position{Party: alice, Market: gold, OpenVolume: 1}
		stamped := func() int64 {
			s.Update(withoutTime)
			return s.Positions()[0].UpdatedAt
		}
		now := time.Now()
		if got := stamped(); got != now.UnixNano() {
			t.Errorf("the true time: %d", got)
		}
		s.Stamp(func(now time.Time) int64 { return now.Add(time.Hour).UnixNano() })
		if got := stamped(); got != now.Add(time.Hour).UnixNano() {
			t.Errorf("an hour ahead: %d", got)
		}
		s.Stamp(func(time.Time) int64 { return sim.NoTime })
		if got := stamped(); got != sim.NoTime {
			t.Errorf("no time: %d", got)
		}
		absent := `{"result":{"snapshot":{"positions":[{"marketId":"` + gold + `","partyId":"` + alice + `","openVolume":"1","realisedPnl":"0",` +
			`"unrealisedPnl":"0","averageEntryPrice":"0","lossSocialisationAmount":"0","takerFeesPaid":`
		want(t, "no time on the wire", s.stream("").lines()[:len(absent)], absent)
		s.Stamp(nil)
		if got := stamped(); got != time.Now().UnixNano() {
			t.Errorf("the true time again: %d", got)
		}
	})
}

func TestTheMarketUsesTheStamps(t *testing.T) {
	bubble(t, sim.Config{Seed: 1, Parties: 5, Markets: 3, Rate: 50}, func(t *testing.T, s *service) {
		s.Stamp(func(time.Time) int64 { return 42 })
		time.Sleep(10 * time.Second)
		stamped := map[int64]int{}
		for _, p := range s.Positions() {
			stamped[p.UpdatedAt]++
		}
		if stamped[42] < 5 {
			t.Errorf("times and how many positions have them: %v", stamped)
		}
		for _, m := range s.Margins() {
			if m.Timestamp == 42 {
				t.Errorf("a margin levels record has the time of positions: %+v", m)
			}
		}
	})
}

// Each request reaches the next node, and its response has the state and the block of that node.
func TestRequestsReachNodesInTurn(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		one, two, three := position(alice, gold, 1), position(alice, gold, 2), position(alice, gold, 3)
		s.Put(one)
		s.NameBlocksOnStreams(true)
		began := time.Now()
		s.StartReplicas(0, time.Minute, time.Hour)
		s.Update(two)
		block := func(lag time.Duration) string { return strconv.FormatInt(time.Now().Add(-lag).UnixNano(), 10) }
		start := strconv.FormatInt(began.UnixNano(), 10)
		current := s.stream("")
		want(t, "the current node", current.lines(), snapshot(two))
		minute := s.stream("")
		want(t, "a node that is a minute behind", minute.lines(), snapshot(one))
		hour := s.stream("")
		want(t, "a node that is an hour behind", hour.lines(), snapshot(one))
		for _, stream := range []*openStream{current, minute, hour} {
			if !strings.Contains(stream.head, "X-Block-Timestamp: "+start) {
				t.Errorf("no block %s in %q", start, stream.head)
			}
		}
		time.Sleep(80 * time.Second)
		for _, text := range []string{block(0), block(time.Minute), start, block(0)} {
			response, _ := s.get(margins)
			want(t, "block of a page", response.Header.Get("X-Block-Timestamp"), text)
		}
		want(t, "the minute is over", minute.lines(), updates(two))
		s.Route([]int{2, 1}, []int{0})
		want(t, "routed", s.stream("").lines(), snapshot(one))
		want(t, "routed", s.stream("").lines(), snapshot(two))
		for range 2 {
			response, _ := s.get(margins)
			want(t, "block of a routed page", response.Header.Get("X-Block-Timestamp"), block(0))
		}
		s.StopReplicas()
		want(t, "the hour is over", hour.lines(), updates(two))
		s.Update(three)
		for _, stream := range []*openStream{current, minute, hour} {
			want(t, "all nodes are one", stream.lines(), updates(three))
		}
	})
}

// TestSnapshotsThatAreOlderThanUpdates: an update is sent at once, and is in a snapshot only later.
func TestSnapshotsThatAreOlderThanUpdates(t *testing.T) {
	bubble(t, sim.Config{}, func(t *testing.T, s *service) {
		one, two, other := position(alice, gold, 1), position(alice, gold, 2), position(alice, rust, 3)
		s.Put(one, other)
		open := s.stream("")
		open.lines()
		s.AgeSnapshots(2500 * time.Millisecond)
		s.Update(two)
		s.Remove(other.Key())
		want(t, "a stream that was open", open.lines(), updates(two)) // takes a second, as each call of lines does
		behind := s.stream("")
		want(t, "a new stream", behind.lines(), snapshot(one, other))
		time.Sleep(time.Second)
		want(t, "a stream that is opened after three seconds", s.stream("").lines(), snapshot(two))
		s.Update(one)
		want(t, "an update", behind.lines(), updates(one))
		s.AgeSnapshots(0)
		want(t, "a new stream, afterwards", s.stream("").lines(), snapshot(one))
	})
}
