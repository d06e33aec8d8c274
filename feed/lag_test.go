package feed

import (
	"bytes"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"blotter/feed/follow"
	"blotter/feed/sim"
	"blotter/model"
)

// behindAnHour runs a scene with two nodes behind the address: node 0 shows the state of an hour ago, node 1 is
// current. Their responses to streams name their blocks. Row b has changed half an hour ago, row c before both.
func behindAnHour(t *testing.T, config Config, scene func(s *trial)) {
	t.Helper()
	playWith(t, sim.Config{}, config, func(s *trial) {
		s.node.NameBlocksOnStreams(true)
		s.node.Put(held("network", "b", 1), held("network", "c", 1))
		s.node.StartReplicas(time.Hour, 0)
		time.Sleep(time.Hour)
		s.node.Update(held("network", "b", 2))
		time.Sleep(30 * time.Minute)
		scene(s)
	})
}

// freshness returns the word of the only link, and its age.
func (s *trial) freshness() (model.Freshness, time.Duration) {
	s.t.Helper()
	return s.link().Freshness(time.Now())
}

// staysBehind asserts that the only link is BEHIND for a time, whatever else happens.
func (s *trial) staysBehind(d, least time.Duration) {
	s.t.Helper()
	for ; d > 0; d -= time.Second {
		s.after(time.Second)
		if how, by := s.freshness(); how != model.FreshBehind || by < least {
			s.t.Fatalf("%s %s, want BEHIND by %s", how, by, least)
		}
	}
}

// TestPagesOfACurrentNodeDoNotMakeAStreamCurrent: each check of the silent stream reaches the current node.
func TestPagesOfACurrentNodeDoNotMakeAStreamCurrent(t *testing.T) {
	behindAnHour(t, unaudited, func(s *trial) {
		s.node.Route([]int{0}, []int{1})
		s.watch("network", "")
		s.staysBehind(10*time.Minute, time.Hour)
		if s.probes() == 0 {
			t.Error("no page was requested")
		}
		if l := s.link(); time.Since(l.NewestBlock.Time) > time.Minute || time.Since(l.Block.Time) < time.Hour {
			t.Errorf("the block of the stream is of %s, the newest of the address of %s", l.Block.Time, l.NewestBlock.Time)
		}
		s.node.Route([]int{1}, []int{1})
		s.node.Cut()
		s.after(10 * time.Second) // the next stream has its own block
		if s.isLive(); time.Since(s.link().Block.Time) > time.Minute {
			t.Errorf("the block of the second stream is of %s", s.link().Block.Time)
		}
	})
}

// TestPagesOfANodeThatIsBehindDoNotMakeAStreamBehind: the word does not change with each page.
func TestPagesOfANodeThatIsBehindDoNotMakeAStreamBehind(t *testing.T) {
	behindAnHour(t, Config{}, func(s *trial) {
		s.node.Route([]int{1}, []int{0, 1})
		s.watch("network", "")
		for range 600 {
			s.after(time.Second)
			s.isLive()
		}
	})
}

// TestAQuietStreamThatIsBehindIsReplaced as soon as another stream reaches a current node, also if an audit has failed.
// Its rows are never stale, and none goes back.
func TestAQuietStreamThatIsBehindIsReplaced(t *testing.T) {
	behindAnHour(t, Config{}, func(s *trial) {
		s.node.Route([]int{0}, []int{0})
		s.watch("network", "")
		s.node.SetStreamResponse(1, sim.Response{Status: 503})
		s.staysBehind(time.Minute, time.Hour)
		s.rows("network/b 1", "network/c 1")
		s.node.Route([]int{1}, []int{0, 1})
		for range 60 {
			s.after(time.Second)
			if how, _ := s.freshness(); how > model.FreshBehind {
				t.Fatalf("the stream is %s", how)
			}
		}
		s.isLive()
		s.rows("network/b 2", "network/c 1")
		if s.commits != 1 || s.link().Tries != 2 || s.node.Counters().StreamsOpen != 1 {
			t.Errorf("%d snapshots, %d tries, %d open streams", s.commits, s.link().Tries, s.node.Counters().StreamsOpen)
		}
		if l := s.link(); time.Since(l.Block.Time) > 2*time.Minute || time.Since(l.ConnectedAt) > time.Minute {
			t.Errorf("the stream is connected since %s, and its block is of %s", l.ConnectedAt, l.Block.Time)
		}
		s.node.Update(held("network", "c", 5)) // on the stream that took over
		s.takeAll()
		s.rows("network/b 2", "network/c 5")
		s.after(10 * time.Minute)
		s.isLive()
		s.sameAsService()
		s.watchAgain()
		if n := s.node.Counters().StreamsOpen; n != 0 {
			t.Errorf("%d streams are open, and none is watched", n)
		}
	})
}

// TestAStreamThatIsBehindIsNotReplacedByAnotherOne: no stream is current. The next audit follows soon, but not at
// once.
func TestAStreamThatIsBehindIsNotReplacedByAnotherOne(t *testing.T) {
	behindAnHour(t, Config{}, func(s *trial) {
		s.node.Route([]int{0}, []int{0, 1})
		s.watch("network", "")
		s.staysBehind(25*time.Minute, time.Hour)
		if n := len(s.streams()); n < 100 || n > 115 {
			t.Errorf("%d streams were opened", n)
		}
		if s.link().Tries != 1 {
			t.Errorf("the stream was opened %d times", s.link().Tries)
		}
	})
}

// TestAnOwnUpdateThatIsCurrentEndsALag: the node has caught up. The log has a line for the begin and one for the end.
func TestAnOwnUpdateThatIsCurrentEndsALag(t *testing.T) {
	var log bytes.Buffer
	config := unaudited
	config.Logger = slog.New(slog.NewTextHandler(&log, nil))
	behindAnHour(t, config, func(s *trial) {
		s.node.Route([]int{0}, []int{1})
		s.watch("network", "")
		s.staysBehind(20*time.Second, time.Hour)
		s.node.StopReplicas() // sends the change of b, half an hour old
		s.staysBehind(20*time.Second, time.Hour)
		s.rows("network/b 2", "network/c 1")
		s.node.Update(held("network", "b", 3))
		s.takeAll()
		s.is(model.Live, model.FreshLive)
		old := held("network", "c", 4)
		old.UpdatedAt = now(-3600)
		s.node.Broadcast(old)
		s.takeAll()
		s.is(model.Live, model.FreshLive)
		for _, line := range []string{"it is behind", "it is no longer behind"} {
			if n := strings.Count(log.String(), line); n != 1 {
				t.Errorf("the log has %q %d times: %s", line, n, log.String())
			}
		}
	})
}

// TestAnAuditThatFindsNoDifferenceEndsALag: the node names an old block, and its rows are those of the service.
// If one of the rows has no time, it shows less: its stream takes over.
func TestAnAuditThatFindsNoDifferenceEndsALag(t *testing.T) {
	for tries, rows := range map[int][]sim.Position{1: {held("network", "b", 1)}, 2: {held("network", "b", 1), {Party: "network", Market: "c", UpdatedAt: sim.NoTime}}} {
		play(t, func(s *trial) {
			s.node.NameBlocksOnStreams(true)
			s.node.Put(rows...)
			time.Sleep(time.Hour)
			s.node.Lag(10 * time.Minute)
			s.watch("network", "")
			s.staysBehind(time.Minute, 10*time.Minute) // audits name an old block too
			s.node.Lag(0)
			s.after(time.Minute)
			s.isLive()
			if s.link().Tries != tries {
				t.Errorf("of %d rows, the stream was opened %d times, want %d", len(rows), s.link().Tries, tries)
			}
		})
	}
}

// TestLateUpdatesShowThatAStreamIsBehind: three messages in a row, and only times that are later than before.
func TestLateUpdatesShowThatAStreamIsBehind(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "b", 1), held("network", "c", 1))
		time.Sleep(time.Hour)
		s.watch("network", "")
		s.after(10 * time.Second)
		late := func(market string, volume int64, age time.Duration) {
			p := held("network", market, volume)
			p.UpdatedAt = time.Now().Add(-age).UnixNano()
			s.node.Broadcast(p)
			s.after(time.Second)
		}
		for volume := range int64(10) { // a value that changes, with the time of before
			late("c", 5+volume, time.Hour+10*time.Second+time.Duration(volume)*time.Second)
			s.isLive()
		}
		late("b", 2, 10*time.Minute)
		late("b", 3, 10*time.Minute)
		s.isLive()
		late("b", 4, 20*time.Second)
		late("b", 5, 10*time.Minute) // older than before: it does not count
		late("c", 2, 9*time.Minute)
		late("c", 3, 9*time.Minute)
		s.isLive()
		late("c", 4, 9*time.Minute)
		if how, by := s.freshness(); how != model.FreshBehind || by.Round(time.Minute) != 9*time.Minute {
			t.Errorf("%s by %s, want BEHIND by 9 minutes", how, by)
		}
		s.node.Update(held("network", "b", 7))
		s.takeAll()
		s.is(model.Live, model.FreshLive)
	})
}

// TestUpdatesThatComeLateAreSaid from five seconds on, and a stream with them is not BEHIND. A proxy that collects them
// sends the new ones together with the old ones.
func TestUpdatesThatComeLateAreSaid(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		s.node.Put(held("network", "b", 1))
		time.Sleep(time.Hour)
		s.watch("network", "")
		volume := int64(1)
		update := func(age time.Duration) {
			volume++
			p := held("network", "b", volume)
			p.UpdatedAt = time.Now().Add(-age).UnixNano()
			s.node.Broadcast(p)
			s.takeAll()
		}
		lateBy := func(want time.Duration) {
			s.t.Helper()
			if s.is(model.Live, model.FreshLive); s.link().LateBy.Round(time.Second) != want {
				s.t.Errorf("late by %s, want %s", s.link().LateBy, want)
			}
		}
		for _, age := range []time.Duration{12, 12, 12, 12} {
			update(age * time.Second)
			s.after(time.Second)
		}
		lateBy(12 * time.Second)
		for range 3 {
			lateBy(12 * time.Second)
			update(time.Second)
			s.after(time.Second)
		}
		lateBy(0)
		for range 3 { // as a proxy sends them
			time.Sleep(30 * time.Second)
			for _, age := range []time.Duration{28, 20, 10, 6, 0} {
				update(age * time.Second)
			}
			lateBy(28 * time.Second)
		}
		s.node.Put(held("network", "b", volume))
		s.node.Cut()
		s.after(10 * time.Second)
		if s.isLive(); s.link().LateBy != 0 {
			t.Errorf("the next stream is late by %s", s.link().LateBy)
		}
	})
}

// TestTimesThatAreAlwaysWrongAreNoLag: audits of a node that names a current block find that nothing is missing, and
// times in other units than nanoseconds say nothing.
func TestTimesThatAreAlwaysWrongAreNoLag(t *testing.T) {
	for name, c := range map[string]struct {
		stamp            func(now time.Time) int64
		namesBlocks      bool
		unjudged, judged int64
	}{
		"two hours old":   {func(now time.Time) int64 { return now.Add(-2 * time.Hour).UnixNano() }, true, 60, 600},
		"in milliseconds": {time.Time.UnixMilli, false, 0, 30},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, func(s *trial) {
				s.node.NameBlocksOnStreams(c.namesBlocks)
				s.node.Stamp(c.stamp)
				s.node.Put(held("network", "b", 1))
				s.watch("network", "")
				for i := range c.unjudged + c.judged {
					s.node.Update(held("network", "b", i+2))
					s.after(time.Second)
					if i >= c.unjudged {
						s.isLive()
					}
				}
			})
		})
	}
}

// TestRowsOfAClockThatWasSetBackAreNoLag: they are ahead of the clock of the service now.
func TestRowsOfAClockThatWasSetBackAreNoLag(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "b", 1), held("network", "c", 1))
		s.watch("network", "")
		s.after(time.Minute)
		s.node.SetClock(time.Hour)
		s.node.Cut()
		s.after(10 * time.Second)
		s.node.Update(held("network", "b", 2))
		s.after(time.Second)
		s.node.SetClock(0)
		s.node.Put(held("network", "b", 3)) // not sent
		s.node.Cut()
		for range 60 {
			s.after(time.Second)
			if how, _ := s.freshness(); how == model.FreshBehind {
				t.Fatal("the stream is BEHIND")
			}
		}
		s.isLive()
		s.rows("network/b 3", "network/c 1")
	})
}

// TestRoundRobinOverNodesThatAreBehind changes rows all the time, while each request reaches another one of three
// nodes. LIVE never stands over rows that differ for longer than the interval of audits and the time to catch up.
func TestRoundRobinOverNodesThatAreBehind(t *testing.T) {
	const every = 20 * time.Second
	for seed := range uint64(4) {
		playWith(t, sim.Config{}, Config{Times: Times{StreamTimes: follow.StreamTimes{AuditEvery: every}}}, func(s *trial) {
			random := rand.New(rand.NewPCG(seed, 3))
			s.node.NameBlocksOnStreams(seed%2 == 0)
			change := func(i int) {
				if seed < 2 || i%40 == 0 { // often, or seldom
					s.node.Update(held("network", strings.Repeat(string(rune('a'+random.IntN(5))), 2), int64(i)))
				}
			}
			s.node.StartReplicas(0, 20*time.Second, 10*time.Minute)
			for i := range 15 * 60 {
				change(i)
				time.Sleep(time.Second)
			}
			s.watch("network", "")
			wrong, longest, fresh := 0, 0, 0
			for i := range 40 * 60 {
				change(i)
				if random.IntN(400) == 0 {
					s.node.Cut()
				}
				s.after(time.Second)
				if wrong++; s.differences() == 0 {
					wrong = 0
				}
				if how, _ := s.freshness(); how <= model.FreshQuiet {
					fresh++
				} else {
					wrong = 0
				}
				longest = max(longest, wrong)
			}
			t.Logf("seed %d: LIVE or QUIET stood for %d of %d s, and over rows that differ for %d s at most", seed, fresh, 40*60, longest)
			if fresh < 1800 {
				t.Errorf("seed %d: LIVE or QUIET stood for %d of %d s", seed, fresh, 40*60)
			}
			if longest > 27 { // 20 s, 10% more, and 5 s
				t.Errorf("seed %d: LIVE or QUIET stood over rows that differ for %d s", seed, longest)
			}
			s.node.StopReplicas()
			s.after(time.Minute)
			s.isLive()
			s.sameAsService()
		})
	}
}

// TestARowThatNoLongerExistsIsNoLagForEver: after a reconnect, the newest row that was shown is missing. Five audits
// of nodes that name a current block lack it too.
func TestARowThatNoLongerExistsIsNoLagForEver(t *testing.T) {
	play(t, func(s *trial) {
		s.node.NameBlocksOnStreams(true)
		s.node.Put(held("network", "b", 1))
		time.Sleep(time.Hour)
		s.node.Put(held("network", "c", 1))
		s.watch("network", "")
		s.after(time.Minute)
		s.isLive()
		s.node.Remove(held("network", "c", 1).Key())
		s.node.Cut()
		s.after(2 * time.Second)
		s.staysBehind(3*time.Second, time.Hour-time.Minute)
		s.after(2 * time.Minute)
		s.isLive()
		s.rows("network/b 1")
		s.node.Cut() // the next stream is not behind either
		s.after(2 * time.Second)
		s.isLive()
	})
}

// TestAuditsThatFailAreNotRepeatedWithEachUpdate of a stream that is behind.
func TestAuditsThatFailAreNotRepeatedWithEachUpdate(t *testing.T) {
	play(t, func(s *trial) {
		s.node.Put(held("network", "b", 1))
		time.Sleep(time.Hour)
		s.watch("network", "")
		s.after(10 * time.Minute)
		began := len(s.streams())
		s.node.SetStreamResponse(sim.Always, sim.Response{Status: 503})
		s.feed.Resync()
		for i := range int64(300) {
			age := 10 * time.Minute
			if i%5 == 0 {
				age = 0 // it is no longer behind, for a moment
			}
			p := held("network", "b", 5+i)
			p.UpdatedAt = time.Now().Add(-age).UnixNano() + i
			s.node.Broadcast(p)
			s.after(time.Second)
		}
		if n := len(s.streams()) - began; n > 12 {
			t.Errorf("%d standby streams in five minutes", n)
		}
	})
}

// TestAnAuditOfANodeThatNamesNoBlockDoesNotEndALagOfABlock: that node may be as far behind.
func TestAnAuditOfANodeThatNamesNoBlockDoesNotEndALagOfABlock(t *testing.T) {
	play(t, func(s *trial) {
		s.node.NameBlocksOnStreams(true)
		s.node.Put(held("network", "b", 1))
		time.Sleep(time.Hour)
		s.node.Lag(10 * time.Minute)
		s.watch("network", "")
		s.node.NameBlocksOnStreams(false)
		s.staysBehind(time.Minute, 10*time.Minute)
		if s.link().Audits == 0 {
			t.Error("there was no audit")
		}
	})
}

// TestTheAgeOfLateUpdatesIsThatOfTimesThatMoved: a row beside them has a newer time, which it had before.
func TestTheAgeOfLateUpdatesIsThatOfTimesThatMoved(t *testing.T) {
	playWith(t, sim.Config{}, unaudited, func(s *trial) {
		standing := held("network", "c", 1)
		s.node.Put(held("network", "b", 1), standing)
		time.Sleep(time.Hour)
		s.node.Put(standing)
		standing.UpdatedAt = time.Now().UnixNano()
		s.watch("network", "")
		s.after(5 * time.Minute)
		for volume := range int64(3) {
			p := held("network", "b", 5+volume)
			p.UpdatedAt = time.Now().Add(-20 * time.Minute).UnixNano()
			s.node.Broadcast(p, standing)
			s.after(time.Second)
		}
		if how, by := s.freshness(); how != model.FreshBehind || by.Round(time.Minute) != 20*time.Minute {
			t.Errorf("%s by %s, want BEHIND by 20 minutes", how, by)
		}
	})
}

// TestAServiceWhoseNodesAreAllBehind, as after a backup was restored: streams name no block, and pages name old ones.
func TestAServiceWhoseNodesAreAllBehind(t *testing.T) {
	playWith(t, sim.Config{}, Config{}, func(s *trial) {
		s.node.Put(held("network", "b", 1))
		time.Sleep(time.Hour)
		s.node.Lag(36 * time.Minute)
		s.watch("network", "")
		s.after(time.Minute)
		s.is(model.Live, model.FreshQuiet) // fewer than five pages
		s.after(time.Minute)
		s.staysBehind(time.Minute, 36*time.Minute)
		if s.link().Lag.Shown != model.LagOfAllBlocks || s.link().Tries != 1 {
			t.Errorf("the lag is %+v, after %d tries", s.link().Lag, s.link().Tries)
		}
		s.node.Lag(0)
		s.after(20 * time.Second)
		s.is(model.Live, model.FreshQuiet)
		s.node.Lag(36 * time.Minute)
		s.after(4 * time.Minute)
		s.staysBehind(time.Second, 36*time.Minute)
		s.node.Update(held("network", "b", 2)) // current: only the blocks are old
		s.takeAll()
		s.is(model.Live, model.FreshLive)
		s.after(4 * time.Minute)
		s.is(model.Live, model.FreshQuiet)
	})
}
