package access

import (
	"context"
	"time"

	"blotter/model"
	"blotter/model/event"
)

// Clock is the clock of a recording that is played. record.Player says what the methods do.
type Clock interface {
	Pause(paused bool)
	Step(direction int)
	SetSpeed(speed float64)
	Jump(to time.Time)
	IsJumping() bool
	Range() (oldest, newest time.Time)
	Now() time.Time
}

// Player plays a recording. *record.Player is one.
type Player interface {
	Source
	Clock
	State() (speed float64, paused, ended bool, problem error)
	TakeEvents() (restart bool, events []event.Event)
	Events(to time.Time) []event.Event
	Follow(ctx context.Context, key model.Key, from, to time.Time, show func(at time.Time, state *model.Position)) error
	// StepTo makes Step go to changes of positions that are seen, not to others.
	StepTo(isSeen func(model.Key) bool)
}

// Past is a Player that lets through only what its rights have.
type Past struct {
	*Access
	Clock
	player Player
}

// NewPast returns a Player that lets through what the rights have. The service is the name that replaces its addresses.
func NewPast(player Player, rights Rights, service string) *Past {
	player.StepTo(rights.Covers)
	return &Past{New(player, rights, service), player, player}
}

// State returns the state of the player. A problem has no text of a file.
func (p *Past) State() (speed float64, paused, ended bool, problem error) {
	speed, paused, ended, problem = p.player.State()
	return speed, paused, ended, hiddenError(problem)
}

// Follow does what the player does with a position that may be seen; with another one, it returns an error.
func (p *Past) Follow(ctx context.Context, key model.Key, from, to time.Time, show func(at time.Time, state *model.Position)) error {
	if !p.rights.Covers(key) {
		return errNotAllowed
	}
	return hiddenError(p.player.Follow(ctx, key, from, to, show))
}

// TakeEvents returns those events of the player that may be seen.
func (p *Past) TakeEvents() (restart bool, events []event.Event) {
	restart, events = p.player.TakeEvents()
	return restart, p.seenEvents(events)
}

// Events returns those events up to a time that may be seen.
func (p *Past) Events(to time.Time) []event.Event { return p.seenEvents(p.player.Events(to)) }

func (p *Past) seenEvents(events []event.Event) []event.Event {
	return seen(events, func(e event.Event) bool { return p.rights.Covers(e.Key) })
}
