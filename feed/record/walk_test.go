package record_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed"
	"blotter/feed/follow"
	"blotter/feed/record"
	"blotter/feed/sim"
	"blotter/feed/sim/faulty"
	"blotter/model"
	"blotter/model/event"
)

var walks = flag.Int("walks", 50, "how many random walks through a file, and through a memory, are compared with playing it straight")

// trader is a screen of a player, with the events of its log.
type trader struct {
	*screen
	player *record.Player
	events []event.Event
}

// see takes what comes within some time, until nothing does.
func (tr *trader) see(t *testing.T, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	for {
		delta, err := tr.player.Next(ctx)
		if err != nil && ctx.Err() != nil {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		tr.take(delta)
		restart, events := tr.player.TakeEvents()
		if restart {
			tr.events = nil
		}
		tr.events = append(tr.events, events...)
	}
}

// stateText is what an event keeps of a position, without its time.
func stateText(p *model.Position) string {
	return fmt.Sprint(p.Number(model.OpenVolume), p.Number(model.LossSocialisationAmount), p.Status(), p.StatusName())
}

// facts is everything that is shown, as text.
func (tr *trader) facts() string {
	now := tr.player.Now()
	var events []string
	for i := range tr.events {
		e := &tr.events[i]
		events = append(events, fmt.Sprint(e.Party, e.Market, e.Kinds.Names(), stateText(e.Before()), stateText(e.After()), e.SeenAt().UnixNano()))
	}
	ratios := make(map[string]string)
	for p := range tr.book.All {
		ratio, ok := tr.book.RatioOf(&p, model.ID{})
		ratios[fmt.Sprint(p.Party, p.Market)] = fmt.Sprint(ratio, ok, tr.book.HasAllOf(p.Key))
	}
	margins := make(map[string]string)
	for levels, readAt := range tr.book.Margins().All {
		margins[fmt.Sprint(levels.MarginKey)] = fmt.Sprint(levels, readAt.UnixNano())
	}
	return fmt.Sprintf("rows %v\nlinks %q\nratios %v\nmargins %v\nevents %d %q", tr.rows(), tr.words(now), ratios, margins, len(events), events)
}

// straight plays a recording from its start for a time, at a speed, and returns where that leads and what is shown.
func straight(t *testing.T, open func() *record.Player, d time.Duration, speed float64) (time.Time, string) {
	tr := &trader{screen: newScreen(), player: open()}
	defer tr.player.Close()
	tr.player.SetSpeed(speed)
	tr.see(t, time.Duration(float64(d)/speed))
	tr.player.Pause(true)
	tr.see(t, 100*time.Millisecond)
	return tr.player.Now(), tr.facts()
}

// TestRandomWalksEndInTheSameState: jumps, steps, speeds and pauses in any order, then a jump to a time: there is what
// playing straight to that time shows. So it is for a file and for what is in memory.
func TestRandomWalksEndInTheSameState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "walk.zst")
	synctest.Test(t, func(t *testing.T) {
		service := sim.Config{Seed: 3, Parties: 3, Markets: 3, Rate: 30, Faults: faulty.New(5, nil)}
		config := feed.Config{Times: feed.Times{StreamTimes: follow.StreamTimes{AuditEvery: 20 * time.Second}}}
		var memory *record.Memory
		var scope model.Scope
		play(t, service, config, record.Options{Path: path}, func(s *session) {
			s.tap.WatchMargins(s.scope)
			ctx, stop := context.WithCancel(t.Context())
			go func() {
				for ctx.Err() == nil {
					_, _ = s.tap.NextMargins(ctx)
				}
			}()
			s.follow(t, s.tap, 90*time.Second)
			stop()
			memory, scope = s.memory, s.scope
		})
		for name, open := range map[string]func() (*record.Player, error){
			"file":   func() (*record.Player, error) { return record.Open(path, 0) },
			"memory": memory.Play,
		} {
			walkRandomly(t, name, func() *record.Player {
				player, err := open()
				if err != nil {
					t.Fatal(err)
				}
				player.Watch(scope.Subscriptions(nil, 1))
				return player
			})
		}
	})
}

func walkRandomly(t *testing.T, name string, open func() *record.Player) {
	random := rand.New(rand.NewPCG(1, 2))
	tr := &trader{screen: newScreen(), player: open()}
	defer tr.player.Close()
	oldest, newest := tr.player.Range()
	anywhere := func() time.Time { return oldest.Add(time.Duration(random.Int64N(int64(newest.Sub(oldest))))) }
	var ends []time.Time // some times that many walks end at
	var want []string
	for i := range 12 {
		end, facts := straight(t, open, anywhere().Sub(oldest), []float64{1, 10, 300}[i%3])
		ends, want = append(ends, end), append(want, facts)
	}
	for i := range *walks {
		var did []string
		for range random.IntN(6) {
			switch random.IntN(6) {
			case 0:
				to := anywhere()
				did = append(did, fmt.Sprint("jump ", to.Sub(oldest)))
				tr.player.Jump(to)
			case 1, 2:
				step := 2*random.IntN(2) - 1
				did = append(did, fmt.Sprint("step ", step))
				tr.player.Step(step)
			case 3:
				tr.player.SetSpeed(random.Float64() * 100)
			case 4:
				tr.player.Pause(random.IntN(2) == 0)
			case 5:
				tr.see(t, time.Duration(random.IntN(500))*time.Millisecond)
			}
		}
		n := random.IntN(len(ends))
		tr.player.Pause(true)
		tr.player.Jump(ends[n])
		if random.IntN(2) == 0 { // forward from a bit before, at some speed
			before := ends[n].Add(-time.Duration(random.IntN(3000)) * time.Millisecond)
			tr.player.Jump(before)
			tr.see(t, 50*time.Millisecond)
			for steps := 0; ; steps++ {
				at := tr.player.Now()
				tr.player.Step(+1)
				tr.see(t, 50*time.Millisecond)
				if now := tr.player.Now(); !now.Before(ends[n]) || now.Equal(at) {
					break
				}
			}
			tr.player.Jump(ends[n])
		}
		tr.see(t, 100*time.Millisecond)
		if got := tr.facts(); got != want[n] {
			t.Fatalf("%s, walk %d (%q) to %s: %s", name, i, did, ends[n].Sub(oldest), difference(got, want[n]))
		}
	}
	// A step comes after the jump before it. Many changes follow the earliest time; near the end there can be none, if
	// the stream is down there.
	earliest := slices.MinFunc(ends, time.Time.Compare)
	tr.player.Jump(earliest)
	tr.see(t, 100*time.Millisecond)
	tr.player.Step(+1)
	tr.see(t, 50*time.Millisecond)
	next := tr.player.Now()
	tr.player.Jump(slices.MaxFunc(ends, time.Time.Compare))
	tr.see(t, 100*time.Millisecond)
	tr.player.Jump(earliest)
	tr.player.Step(+1)
	tr.see(t, 100*time.Millisecond)
	if !tr.player.Now().Equal(next) {
		t.Errorf("%s: a jump to %s and a step lead to %s, not %s", name, earliest, tr.player.Now(), next)
	}
	// A step back and forward again.
	at := tr.player.Now()
	tr.player.Step(+1)
	tr.see(t, 50*time.Millisecond)
	after, afterFacts := tr.player.Now(), tr.facts()
	tr.player.Step(-1)
	tr.see(t, 50*time.Millisecond)
	if tr.player.Now().After(at) {
		t.Errorf("%s: a step back from %s leads to %s", name, after, tr.player.Now())
	}
	tr.player.Step(+1)
	tr.see(t, 50*time.Millisecond)
	if !tr.player.Now().Equal(after) || !slices.Equal([]string{tr.facts()}, []string{afterFacts}) {
		t.Errorf("%s: a step back and forward leads to %s, not %s", name, tr.player.Now(), after)
	}
}

// difference returns the first places where two texts of facts differ.
func difference(got, want string) string {
	is, was := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(is), len(was)) {
		for at := range min(len(is[i]), len(was[i])) {
			if is[i][at] != was[i][at] {
				from := max(0, at-60)
				return fmt.Sprintf("%.12s: …%.150s… and played straight …%.150s…", is[i], is[i][from:], was[i][from:])
			}
		}
		if len(is[i]) != len(was[i]) {
			return fmt.Sprintf("%.20s: %d and %d bytes", is[i], len(is[i]), len(was[i]))
		}
	}
	return "the same"
}
