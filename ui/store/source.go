package store

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/format"
)

// Source is where a Store gets all data from. The Store requests one Delta after the other; the source merges what
// happens between two of them.
type Source interface {
	// Watch sets the subscriptions. It never blocks.
	Watch(subscriptions []model.Subscription)
	// Next waits for the next Delta, at most one a frame.
	Next(ctx context.Context) (book.Delta, error)
	// Page reads one page of margin levels and waits for it. If no request was sent, because the service fails, the
	// error is a Postponed.
	Page(ctx context.Context, request model.PageRequest) (*model.Page, error)
	// WatchMargins begins to read the margin levels of a scope for NextMargins, from the beginning. It never blocks.
	WatchMargins(scope model.Scope)
	// NextMargins waits for the next of these margin levels, and returns an error only if ctx or the source ends.
	// Nothing is read while nobody waits.
	NextMargins(ctx context.Context) (book.MarginsRead, error)
	// HurryMargins reads the margin levels of parties soon. It never blocks.
	HurryMargins(parties []model.ID)
	// RequestAudit brings the next audit of a subscription forward, because it may have missed an update. It never
	// blocks.
	RequestAudit(subscription model.Subscription)
	// Resync checks every subscription again now: a live one is audited, one that waits tries at once. It never blocks.
	Resync()
	// Close ends everything that the source has started, and waits for its end. Next and Page return. It may be called
	// again.
	Close()
}

// Flow is the flow of data from the source: one command at a time waits for a Delta, and the next command is started
// when that Delta is applied.
type Flow struct {
	ctx    context.Context // of the commands that wait
	source Source
	links  []model.Link       // of all streams
	shown  []model.Link       // of those that can have rows of the scope
	cancel context.CancelFunc // ends the command that waits, nil if none does
	held   *book.Delta        // what came while the rows must not change
	heldAt time.Time          // when it came
	more   bool               // the last Delta was a part of the changes of a frame, and the next part follows at once
	ended  string             // why nothing comes any longer
}

// Received is the message of what the source sent.
type Received struct {
	Delta book.Delta
	Err   error
}

// next returns the command that waits for the next Delta, or nil if it is not time for it.
func (f *Flow) next() tea.Cmd {
	if f.ctx.Err() != nil || f.cancel != nil || f.ended != "" || f.held != nil {
		return nil
	}
	ctx, cancel := context.WithCancel(f.ctx)
	f.cancel = cancel
	source := f.source
	return func() tea.Msg {
		delta, err := source.Next(ctx)
		return Received{delta, err}
	}
}

// receive keeps what came until it is applied. It returns true if nothing comes any longer.
func (f *Flow) receive(msg Received, now time.Time) (hasEnded bool) {
	f.cancel()
	f.cancel = nil
	switch {
	case msg.Err == nil:
		f.held, f.heldAt = &msg.Delta, now
	case !errors.Is(msg.Err, context.Canceled):
		f.ended = format.OneLine(msg.Err.Error())
		return true
	}
	return false
}

// unappliedMsg comes if pages of an audit, margin levels or states that are kept for events are not all applied yet, so
// that the screen can handle keys in between.
type unappliedMsg struct{}

// Links are the states of the streams that can have rows of the scope.
func (f *Flow) Links() []model.Link { return f.shown }

// AllLinks are the states of all streams, also of those that only the rules watch.
func (f *Flow) AllLinks() []model.Link { return f.links }

// HasMore reports whether more changes of the same frame follow at once.
func (f *Flow) HasMore() bool { return f.more }

// Ended returns why nothing comes any longer; empty while something may come.
func (f *Flow) Ended() string { return f.ended }
