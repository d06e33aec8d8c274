package analysis

import (
	"fmt"
	"testing"
	"time"

	"blotter/model"
)

// fill notes trades of other positions until the log is full.
func fill(l *Log, in *model.Instruments) {
	for i := range maxRows {
		before, after := state(1, 10, 10, 0, 0), state(2, 10, 10, 0, 0)
		before.Party = model.MakeID(fmt.Sprintf("p%d", i))
		after.Party = before.Party
		l.Note(before, after, in, start)
	}
}

// removeOne notes that one of the other positions was removed, so that the log has fewer than it has room for.
func removeOne(l *Log, in *model.Instruments) {
	gone := state(2, 10, 10, 0, 0)
	gone.Party = model.MakeID("p0")
	l.Note(gone, nil, in, start)
}

// TestATradeThatWasLeftOut because the log was full: no later trade of the position counts as all of them.
func TestATradeThatWasLeftOut(t *testing.T) {
	in := instruments()
	states := []*model.Position{
		state(10, 10, 10, 0, 0),
		state(20, 15, 15, 7, 0), // trading +57: left out
		state(30, 15, 15, 9, 0), // trading +2
	}
	l := NewLog()
	fill(l, in)
	l.Note(states[0], states[1], in, start.Add(time.Second))
	removeOne(l, in)
	l.Note(states[1], states[2], in, start.Add(2*time.Second))
	if got := words(l.Of(states[2], baselineOf(t, states[0]), model.Unscaled)); got != "price 0 trading 0 loss 0 unsplit 9" {
		t.Errorf("the change is %s", got)
	}
}

// TestATradeThatAPartHasLeftOut: what the log has of the position is not all either.
func TestATradeThatAPartHasLeftOut(t *testing.T) {
	in := instruments()
	states := []*model.Position{state(10, 10, 10, 0, 0), state(20, 10, 10, 3, 0), state(30, 10, 10, 9, 0)}
	l := NewLog()
	l.Note(states[0], states[1], in, start)
	part := NewPart()
	fill(part, in)
	part.Note(states[1], states[2], in, start)
	l.Append(part)
	if got := words(l.Of(states[2], baselineOf(t, states[0]), model.Unscaled)); got != "price 0 trading 0 loss 0 unsplit 9" {
		t.Errorf("the change is %s", got)
	}
}
