package ui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/format"
)

// Replay is the clock of a recording that is shown in place of a service. Its methods do not block.
type Replay interface {
	// State returns the speed, whether the clock is stopped, whether all is played, and what is wrong with the
	// recording.
	State() (speed float64, paused, ended bool, problem error)
	// Pause stops the clock, or starts it again.
	Pause(paused bool)
	// Step plays up to the next change, and stops the clock there.
	Step()
	// SetSpeed sets the speed; 1 is that of the recording.
	SetSpeed(speed float64)
	// Jump goes to a time, forward or back.
	Jump(to time.Time)
}

func (m *Model) pauseReplay() tea.Cmd {
	_, paused, _, _ := m.options.Replay.State()
	m.options.Replay.Pause(!paused)
	return nil
}

func (m *Model) stepReplay() tea.Cmd {
	m.options.Replay.Step()
	return nil
}

func (m *Model) slowReplay() tea.Cmd  { return m.changeSpeed(0.5) }
func (m *Model) hurryReplay() tea.Cmd { return m.changeSpeed(2) }

func (m *Model) changeSpeed(factor float64) tea.Cmd {
	speed, _, _, _ := m.options.Replay.State()
	m.options.Replay.SetSpeed(speed * factor)
	return nil
}

func (m *Model) jumpBack() tea.Cmd    { return m.jump(-time.Minute) }
func (m *Model) jumpForward() tea.Cmd { return m.jump(+time.Minute) }

func (m *Model) jump(by time.Duration) tea.Cmd {
	to := m.store.Now().Add(by)
	m.options.Replay.Jump(to)
	if by > 0 {
		return nil
	}
	drop, taken := m.store.JumpBack(to)
	if !taken.IsZero() {
		m.notify("Baseline removed: it was taken at " + m.store.Format().ClockOn(taken, m.store.Now()) + ", later than now.")
	}
	return drop
}

// replayWords returns what stands in place of the freshness while a recording is shown: the time of the recording, and
// whether it goes on. It is empty if there is none.
func (m *Model) replayWords() string {
	if m.options.Replay == nil {
		return ""
	}
	words := "REPLAY " + m.store.Format().Local(m.store.Now()).Format(time.TimeOnly)
	switch speed, paused, ended, problem := m.options.Replay.State(); {
	case problem != nil:
		words += " cut off"
	case ended:
		words += " ended"
	case paused:
		words += " paused"
	case speed != 1:
		words += fmt.Sprintf(" %gx", speed)
	}
	return words
}

// reportTrouble reports once what is wrong with the recording that is shown, or with the one that is made.
func (m *Model) reportTrouble() {
	var err error
	if m.options.Replay != nil {
		_, _, _, err = m.options.Replay.State()
	}
	if err == nil && m.options.Recording != nil {
		err = m.options.Recording()
	}
	if err != nil && !m.troubled {
		m.troubled = true
		m.notify(format.OneLine(err.Error()))
	}
}

// isRecording reports whether a recording is being made.
func (m *Model) isRecording() bool {
	return m.options.Recording != nil && m.options.Recording() == nil
}
