package remote

import (
	"context"
	"sync"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"golang.org/x/time/rate"

	"blotter/ui/input"
)

// maxQueued is how many messages wait for the screen. Then the input is not read.
const maxQueued = 16

// inputQueue has what a trader did until the limit lets the screen have it, in order. Turns of the wheel in one
// direction that wait are one message, and of motions of the mouse only the newest is kept: a trackpad sends hundreds a
// second.
type inputQueue struct {
	mu    sync.Mutex
	waits []tea.Msg
	added chan struct{} // has a token if there are messages
	taken chan struct{} // has a token if there is room again
}

func newInputQueue() *inputQueue {
	return &inputQueue{added: make(chan struct{}, 1), taken: make(chan struct{}, 1)}
}

// add adds a message, when there is room. It returns when ctx ends.
func (q *inputQueue) add(ctx context.Context, message tea.Msg) {
	if turned, ok := message.(uv.MouseWheelEvent); ok {
		message = input.Wheel{MouseWheelMsg: tea.MouseWheelMsg(turned), Turns: 1}
	}
	for !q.tryAdd(message) {
		select {
		case <-q.taken:
		case <-ctx.Done():
			return
		}
	}
	signal(q.added)
}

// tryAdd adds a message, or returns false if there is no room.
func (q *inputQueue) tryAdd(message tea.Msg) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.merge(message) {
		return true
	}
	if len(q.waits) == maxQueued {
		return false
	}
	q.waits = append(q.waits, message)
	return true
}

// merge makes a message and one that waits one, if nothing else came between them, and reports whether it did.
func (q *inputQueue) merge(message tea.Msg) bool {
	wheel, isWheel := message.(input.Wheel)
	_, isMotion := message.(uv.MouseMotionEvent)
	for i := len(q.waits) - 1; i >= 0 && (isWheel || isMotion); i-- {
		switch before := q.waits[i].(type) {
		case input.Wheel:
			if isWheel && before.Button == wheel.Button && before.Mod == wheel.Mod {
				wheel.Turns += before.Turns
				q.waits[i] = wheel
				return true
			}
		case uv.MouseMotionEvent:
			if isMotion {
				q.waits[i] = message
				return true
			}
		default:
			return false
		}
	}
	return false
}

// take returns the first message; false if there is none.
func (q *inputQueue) take() (message tea.Msg, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.waits) == 0 {
		return nil, false
	}
	message = q.waits[0]
	q.waits = append(q.waits[:0:0], q.waits[1:]...)
	signal(q.taken)
	return message, true
}

// run sends the messages as fast as the limit allows, until ctx ends.
func (q *inputQueue) run(ctx context.Context, limit *rate.Limiter, send func(tea.Msg)) {
	for limit.Wait(ctx) == nil { // before a message is taken, so that others become one with it
		message, ok := q.take()
		for ; !ok; message, ok = q.take() {
			select {
			case <-q.added:
			case <-ctx.Done():
				return
			}
		}
		send(message)
	}
}

// signal puts a token into a channel, if there is none.
func signal(to chan struct{}) {
	select {
	case to <- struct{}{}:
	default:
	}
}
