package ui

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/event"
)

// fakeReplay notes what the keys do.
type fakeReplay struct {
	speed         float64
	paused, ended bool
	steps         int
	jumped        time.Time
	jumping       bool
	problem       error
	newest        time.Time        // if the recording does not end on 2 March 2026
	restart       bool             // what TakeEvents returns next
	events        []event.Event    // also
	followed      []model.Position // the states that Follow shows, at the times when they were updated
	followsFor    time.Duration    // how long Follow takes
}

func (f *fakeReplay) State() (float64, bool, bool, error) {
	return f.speed, f.paused, f.ended, f.problem
}
func (f *fakeReplay) Pause(paused bool)      { f.paused = paused }
func (f *fakeReplay) Step(direction int)     { f.steps += direction; f.paused = true }
func (f *fakeReplay) SetSpeed(speed float64) { f.speed = speed }
func (f *fakeReplay) Jump(to time.Time)      { f.jumped = to }
func (f *fakeReplay) IsJumping() bool        { return f.jumping }

// Follow shows the states that were given to it.
func (f *fakeReplay) Follow(ctx context.Context, key model.Key, from, to time.Time, show func(time.Time, *model.Position)) error {
	for i := range f.followed {
		if p := &f.followed[i]; p.Key == key {
			if at, _ := p.Number(model.UpdatedAt).Time(); !at.Before(from) && !at.After(to) {
				show(at, p)
			}
		}
	}
	if f.followsFor > 0 {
		select {
		case <-time.After(f.followsFor):
		case <-ctx.Done():
		}
	}
	return cmp.Or(f.problem, ctx.Err())
}

func (f *fakeReplay) Range() (oldest, newest time.Time) {
	newest = cmp.Or(f.newest, time.Date(2026, 3, 2, 14, 3, 0, 0, time.UTC))
	return newest.Add(-time.Hour), newest
}

func (f *fakeReplay) TakeEvents() (restart bool, events []event.Event) {
	restart, events = f.restart, f.events
	f.restart, f.events = false, nil
	return restart, events
}

// firstDay is the end of a recording of the day that the tests begin: it begins at 14:00 there.
var firstDay = time.Date(2000, 1, 1, 14, 0, 0, 0, time.UTC)

func TestKeysOfAReplay(t *testing.T) {
	replay := &fakeReplay{speed: 1}
	now := time.Date(2026, 3, 2, 14, 2, 7, 0, time.UTC)
	onScreen(t, 120, 40, func(o *Options) {
		o.Replay, o.Now = replay, func() time.Time { return now }
	}, func(s *screen) {
		s.sees("REPLAY 15:02:07, was CONNECTING", "15:02:07 CET", "space play/pause", ". step")
		s.press("space")
		s.sees("REPLAY 15:02:07 paused, was")
		s.press("space", "]", "]")
		s.sees("REPLAY 15:02:07 4x, was")
		s.press("[", "[", "[")
		s.sees("REPLAY 15:02:07 0.5x, was")
		s.press(".")
		if replay.steps != 1 || !replay.paused {
			t.Errorf("%d steps, paused %v", replay.steps, replay.paused)
		}
		s.press("<")
		if want := now.Add(-time.Minute); !replay.jumped.Equal(want) {
			t.Errorf("< jumped to %v, want %v", replay.jumped, want)
		}
		s.press(">")
		if want := now.Add(time.Minute); !replay.jumped.Equal(want) {
			t.Errorf("> jumped to %v, want %v", replay.jumped, want)
		}
		for typed, want := range map[string]time.Time{"16:00": now.Add(58*time.Minute - 7*time.Second), "14:55:00": now.Add(-7*time.Minute - 7*time.Second), "-5m": now.Add(-5 * time.Minute)} {
			replay.paused = false
			s.press("w")
			s.sees(" go to:  9:00, 14:02:11, 5m ago")
			s.seesNot("live")
			s.write(typed)
			s.press("enter")
			if !replay.jumped.Equal(want) || !replay.paused {
				t.Errorf("%s jumped to %v, paused %v; want %v", typed, replay.jumped, replay.paused, want)
			}
		}
		s.press("W")
		s.sees("Not in a replay.")
		s.press("?")
		s.sees("step to the next change", "twice as fast")
		s.press("esc")
		replay.problem = errors.New("monday.zst: the file is cut off")
		s.pass(2 * time.Second)
		s.sees("REPLAY 15:02:07 cut off, was", "the file is cut off")
		s.pass(10 * time.Second)
		s.seesNot("the file is cut off")
		replay.problem = errors.New("monday.zst: the file is cut off") // another jump has failed
		s.pass(2 * time.Second)
		s.sees("the file is cut off")
	})
}

// TestAReplayIsNotLive: REPLAY stands in the place of LIVE, not in its colour, whether it goes on or not.
func TestAReplayIsNotLive(t *testing.T) {
	replay := &fakeReplay{speed: 1}
	onScreen(t, 80, 24, func(o *Options) { watchAll(o); o.Replay = replay }, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		for _, state := range []struct {
			fakeReplay
			words string
		}{{fakeReplay{speed: 1}, ""}, {fakeReplay{speed: 1, paused: true}, " paused"}, {fakeReplay{speed: 1, ended: true}, " ended"}} {
			*replay = state.fakeReplay
			s.pass(time.Second)
			first := s.lines()[0]
			if want := regexp.MustCompile(`^ mainnet  REPLAY \d\d:\d\d:\d\d` + state.words + `, was LIVE \ds  all parties  `); !want.MatchString(first) {
				t.Errorf("the first line is %q", first)
			}
			warning := string(s.m.colours.Styles.Warning) + "REPLAY"
			if drawn := s.m.frame().Top(s.m.layout.Screen)[0]; warning == string(s.m.colours.Styles.Live)+"REPLAY" || !strings.Contains(drawn, warning) {
				t.Errorf("REPLAY has the colour of LIVE: %q", drawn)
			}
		}
	})
}

// TestConnectionOfAReplay says why it cannot be rewound.
func TestConnectionOfAReplay(t *testing.T) {
	onScreen(t, 80, 24, func(o *Options) { watchAll(o); o.Replay = &fakeReplay{speed: 1} }, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("i")
		s.sees("rewind       not in a replay")
	})
}

func TestARecordingThatStops(t *testing.T) {
	var stopped error
	onScreen(t, 120, 40, func(o *Options) { o.Recording = func() error { return stopped } }, func(s *screen) {
		s.sees("  REC  ")
		stopped = errors.New("the recording has stopped: no space left on device")
		s.pass(2 * time.Second)
		s.sees("no space left on device")
		s.seesNot("  REC  ")
	})
}

// TestABaselineDuringAJump has the rows of the time of the jump, and not those that are shown until they come.
func TestABaselineDuringAJump(t *testing.T) {
	replay := &fakeReplay{speed: 1, newest: firstDay}
	onScreen(t, 120, 40, func(o *Options) {
		watchAll(o)
		o.Replay = replay
	}, func(s *screen) {
		at := func(unrealised string) {
			s.updates(changed(0, "-10000", unrealised, "100210"))
		}
		jumpTo := func(unrealised string) {
			there := whole(all, append(deskRows()[1:], changed(0, "-10000", unrealised, "100210"))...)
			there.Restart = true
			s.publish(there)
		}
		s.publish(whole(all, deskRows()...))
		at("-30000")
		s.press("<", "B")
		s.sees("Baseline taken", " loading")
		jumpTo("-20000")
		s.seesNot("loading")
		at("-50000")
		s.sees("-500.00", "-300.00")
		s.press(">", "<", "B", "B")
		replay.jumping = true // to the second time
		jumpTo("-60000")
		replay.jumping = false
		jumpTo("-70000")
		at("-80000")
		s.sees("-800.00", "-100.00")
	})
}

// TestAJumpToBeforeTheFirstRows: changes do not count from rows that come later.
func TestAJumpToBeforeTheFirstRows(t *testing.T) {
	replay := &fakeReplay{speed: 1, newest: firstDay}
	var back time.Duration
	onScreen(t, 120, 40, func(o *Options) {
		watchAll(o)
		o.Replay, o.Now = replay, func() time.Time { return time.Now().Add(-back) }
	}, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("h")
		s.pass(4 * time.Second)
		s.sees("largest moves of PnL since 14:02:07")
		s.press("<")
		back = time.Minute
		rewound := whole(all, deskRows()...)
		rewound.Restart = true
		s.publish(rewound)
		s.pass(4 * time.Second)
		s.sees("largest moves of PnL since 14:01:")
		s.seesNot("since 14:02")
	})
}

// TestAJumpBackDropsWhatIsLater: the totals, the trends and the baseline that are later than the clock.
func TestAJumpBackDropsWhatIsLater(t *testing.T) {
	replay := &fakeReplay{speed: 1, newest: firstDay}
	var back time.Duration
	onScreen(t, 120, 40, func(o *Options) {
		watchAll(o)
		o.Replay, o.Now = replay, func() time.Time { return time.Now().Add(-back) }
	}, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(90 * time.Second)
		s.press("B")
		s.updates(changed(0, "-10000", "-30000", "100210"))
		s.pass(30 * time.Second)
		s.press("h")
		s.sees("highest +350.28 at 14:03:", "largest moves of PnL since 14:03:37")
		s.press("<")        // to about 14:03:09
		s.pass(time.Second) // the clock is not back yet
		s.seesNot("Baseline removed")
		back = 61 * time.Second
		rewound := whole(all, deskRows()...)
		rewound.Restart = true
		s.publish(rewound)
		s.sees("Baseline removed: it was taken at 14:03:37")
		s.pass(4 * time.Second)
		s.sees("+201.08", "largest moves of PnL since 14:02:07")
		s.seesNot("+350.28", "since 14:03:37")
		s.updates(changed(0, "-10000", "-40000", "100210"))
		s.sees("+250.28", "highest +250.28 at 14:03:1")
	})
}

// TestABaselineOfTheFirstTime stays when the recording goes back to that time, and less than a minute was played.
func TestABaselineOfTheFirstTime(t *testing.T) {
	replay := &fakeReplay{speed: 1}
	oldest, _ := replay.Range()
	now := oldest
	onScreen(t, 120, 40, func(o *Options) {
		watchAll(o)
		o.Replay, o.Now = replay, func() time.Time { return now }
	}, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("B")
		now = oldest.Add(30 * time.Second)
		s.press("<")
		now = oldest
		rewound := whole(all, deskRows()...)
		rewound.Restart = true
		s.publish(rewound)
		s.seesNot("Baseline removed")
		if !replay.jumped.Equal(oldest) || !s.m.store.Book().Baselines().HasTaken() {
			t.Errorf("it goes to %s, not %s, and there is a baseline: %v", replay.jumped, oldest, s.m.store.Book().Baselines().HasTaken())
		}
	})
}
