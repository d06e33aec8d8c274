package record

import (
	"context"
	"time"

	"blotter/model"
)

// Follow calls show with the states of a position from one time to another, or in as much of that as is recorded: the
// one at the first time, and each later one, with its time; nil if there is no such position. It reads that part of the
// recording, whatever else the player does, and returns an error if it cannot be read, and at the end of ctx.
func (p *Player) Follow(ctx context.Context, key model.Key, from, to time.Time, show func(at time.Time, state *model.Position)) error {
	start := p.tape.header.Start
	first, last := max(from.Sub(start), p.tape.from), min(to.Sub(start), p.tape.to)
	if first > last {
		return nil
	}
	cursor, err := p.tape.cursor(ctx, first)
	if err != nil {
		return err
	}
	if err := cursor.goOn(first, func(*entry) {}); err != nil {
		return err
	}
	before, had := cursor.state.Find(key)
	if had {
		show(start.Add(first), &before)
	}
	for at, ok := cursor.peek(); ok && at <= last; at, ok = cursor.peek() {
		if err := cursor.nextEntries(func(*entry) {}); err != nil {
			return err
		}
		state, has := cursor.state.Find(key)
		switch {
		case has && (!had || !state.Equal(&before)):
			show(start.Add(at), &state)
		case !has && had:
			show(start.Add(at), nil)
		}
		before, had = state, has
	}
	return cursor.err
}
