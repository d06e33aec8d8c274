// Package replay has the keys of a recording that is shown in place of a service, and the words about it: of a file, or
// of what the screen itself has shown, the past. It also keeps what is typed while the past is opened. It plays
// nothing: Clock does.
package replay

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/event"
	"blotter/ui/format"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// Clock is the clock of a recording. Its methods do not block.
type Clock interface {
	// State returns the speed, whether the clock is stopped, whether all is played, and what is wrong with the
	// recording.
	State() (speed float64, paused, ended bool, problem error)
	// Pause stops the clock, or starts it again.
	Pause(paused bool)
	// Step goes to the next change, or with -1 to the one before, and stops the clock there.
	Step(direction int)
	// SetSpeed sets the speed; 1 is that of the recording.
	SetSpeed(speed float64)
	// Jump goes to a time, forward or back.
	Jump(to time.Time)
	// IsJumping reports whether the rows of the time of a Jump are not read yet.
	IsJumping() bool
	// Range returns the times between which the recording can be shown.
	Range() (oldest, newest time.Time)
	// Follow calls show with the states of a position from one time to another, or in as much of that as is recorded:
	// the one at the first time, and each later one, with its time; nil if there is no such position. It blocks.
	Follow(ctx context.Context, key model.Key, from, to time.Time, show func(at time.Time, state *model.Position)) error
	// TakeEvents returns the events of what was shown since the last call; with restart they replace those before.
	TakeEvents() (restart bool, events []event.Event)
}

// Controls are the keys of a recording. They do nothing if Clock is nil.
type Controls struct {
	Clock
	// Live is the clock of the service while its past is shown; nil if a file is.
	Live func() time.Time
	// WhatIf is the change of mark prices at which the positions are shown; empty if there is none.
	WhatIf string
	// Shift is that change; nil if there is none.
	Shift *analysis.PriceShift
}

// Scenario returns what was typed for the change of mark prices; empty if there is none.
func (r Controls) Scenario() string {
	if r.Shift == nil {
		return ""
	}
	return r.Shift.Typed
}

// HasEnded reports whether all of a recording is played, or as much as can be read.
func (r Controls) HasEnded() bool {
	if r.Clock == nil {
		return false
	}
	_, _, ended, problem := r.State()
	return ended || problem != nil
}

// Recording returns the state of the recording that is shown.
func (r Controls) Recording() pane.Recording {
	state := pane.Recording{IsWhatIf: r.WhatIf != ""}
	if r.Clock != nil {
		_, state.IsPaused, _, _ = r.State()
	}
	return state
}

// Actions are the keys. They work everywhere.
func Actions() []keys.Action[Controls] {
	speed := func(factor float64) func(Controls, *pane.Context) []pane.Effect {
		return func(r Controls, _ *pane.Context) []pane.Effect {
			speed, _, _, _ := r.State()
			r.SetSpeed(speed * factor)
			return nil
		}
	}
	jump := func(by time.Duration) func(Controls, *pane.Context) []pane.Effect {
		return func(r Controls, c *pane.Context) []pane.Effect { return r.GoTo(c.Store.Now().Add(by)) }
	}
	return []keys.Action[Controls]{
		{Name: "replay_pause", Keys: []string{"space"}, Help: "pause, or go on", Hint: "play/pause", Priority: 1, Do: Controls.pause},
		{Name: "replay_step", Keys: []string{"."}, Help: "step to the next change", Hint: "step", Priority: 2, Do: step(+1)},
		{Name: "replay_step_back", Keys: []string{","}, Help: "step to the change before", Do: step(-1)},
		{Name: "replay_slower", Keys: []string{"["}, Help: "half as fast", Hint: "slower", Priority: 3, Do: speed(0.5)},
		{Name: "replay_faster", Keys: []string{"]"}, Help: "twice as fast", Hint: "faster", Priority: 3, Do: speed(2)},
		{Name: "replay_back", Keys: []string{"<"}, Help: "a minute back", Hint: "back", Priority: 4, Do: jump(-time.Minute)},
		{Name: "replay_forward", Keys: []string{">"}, Help: "a minute forward", Hint: "forward", Priority: 4, Do: jump(+time.Minute)},
	}
}

func (r Controls) pause(*pane.Context) []pane.Effect {
	_, paused, _, _ := r.State()
	r.Pause(!paused)
	return nil
}

func step(direction int) func(Controls, *pane.Context) []pane.Effect {
	return func(r Controls, _ *pane.Context) []pane.Effect {
		r.Step(direction)
		return nil
	}
}

// WhyNotLive returns why actions with OnlyLive do nothing now: the past or a what if is shown. Empty if neither is.
func (r Controls) WhyNotLive() string {
	switch {
	case r.WhatIf != "":
		return "not in what if; {back} ends it"
	case r.Live != nil:
		return "not in the past: {rewind} {rewind} enter"
	}
	return ""
}

// Refuses returns why an effect is not applied; empty if it is. Numbers at other mark prices must not be copied, and
// must not become a baseline.
func (r Controls) Refuses(effect pane.Effect) string {
	if r.WhatIf == "" {
		return ""
	}
	const words = "Not in what if; esc ends it."
	switch e := effect.(type) {
	case pane.Copy:
		return words
	case pane.Rewind:
		if e.Shift == nil {
			return words
		}
	case pane.Open:
		switch e.Dialog.(type) {
		case pane.BaselineDialog, pane.TimeDialog:
			return words
		}
	}
	return ""
}

// Oldest returns the first time that can be shown; zero without a clock.
func (r Controls) Oldest() time.Time {
	if r.Clock == nil {
		return time.Time{}
	}
	oldest, _ := r.Range()
	return oldest
}

// GoTo goes to a time, forward or back.
func (r Controls) GoTo(to time.Time) []pane.Effect {
	if oldest := r.Oldest(); to.Before(oldest) {
		to = oldest
	}
	r.Jump(to)
	return []pane.Effect{pane.Change(func(s *store.Store) tea.Cmd {
		s.Jump()
		return nil
	})}
}

// Words returns what stands in place of the freshness while a recording is shown: the time of the recording, and
// whether it goes on. They are empty if there is none.
func (r Controls) Words(s *store.Store) string {
	switch {
	case r.WhatIf != "":
		return "WHAT IF " + r.WhatIf + ", maintenance kept"
	case r.Clock == nil:
		return ""
	}
	words, isPast := "REPLAY "+s.Format().Local(s.Now()).Format(time.TimeOnly), r.Live != nil
	if isPast {
		words = "REWIND " + strings.TrimPrefix(words, "REPLAY ") + " (" + format.Ago(r.Live().Sub(s.Now())) + ")"
	}
	switch speed, paused, ended, problem := r.State(); {
	case problem != nil:
		words += " cut off"
	case s.Baseline().IsOfLaterRows(): // the rows are still those of the time before
		words += " loading"
	case ended && (!isPast || !paused):
		words += " ended"
	case paused && !isPast: // the past is usually paused
		words += " paused"
	case !paused && (speed != 1 || isPast):
		words += fmt.Sprintf(" %gx", speed)
	}
	return words
}
