package status

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/store"
)

// Spinner is put before words that say what is awaited. It turns until the first data has come.
type Spinner struct {
	model    spinner.Model
	turnedAt time.Time
}

// Begin returns the command that turns the spinner for the first time, or nil if it turns already. A spinner that was
// not on the screen for a time has stopped.
func (s *Spinner) Begin(now time.Time) tea.Cmd {
	if now.Sub(s.turnedAt) < 2*time.Second {
		return nil
	}
	s.turnedAt = now
	return s.model.Tick
}

// Turn turns the spinner, and returns the command that turns it again.
func (s *Spinner) Turn(msg spinner.TickMsg, now time.Time) (again tea.Cmd) {
	s.turnedAt = now
	s.model, again = s.model.Update(msg)
	return again
}

// String returns the spinner as it is now.
func (s *Spinner) String() string { return s.model.View() }

// IsLoading reports whether a stream whose rows have never come is being opened or read.
func (p *Connection) IsLoading(s *store.Store) bool {
	links := s.Flow().Links()
	return len(links) == 0 || slices.ContainsFunc(links, func(l model.Link) bool {
		return !l.Committed && !l.Partial && (l.Phase == model.Connecting || l.Phase == model.Syncing)
	})
}
