package ui

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/format"
)

// marginWalk reads the margin levels of the whole scope in the background, one request at a time.
type marginWalk struct {
	book.MarginWalk
	sequence uint64             // counts the requests, so that the response to an older one is ignored
	cancel   context.CancelFunc // of the request, nil where the response is there
	problem  string             // why the last request failed
}

// walkedMsg is the response to a request of the walk.
type walkedMsg struct {
	sequence uint64
	page     *model.Page
	err      error
}

// newMarginWalk returns a walk through the lists of a scope. Its requests are counted on from sequence.
func newMarginWalk(scope model.Scope, sequence uint64) marginWalk {
	return marginWalk{MarginWalk: book.NewMarginWalk(scope), sequence: sequence}
}

// stop cancels the request. The walk continues where it was.
func (w *marginWalk) stop() {
	if w.cancel != nil {
		w.cancel()
		w.cancel = nil
	}
}

// restart begins a full pass at once.
func (w *marginWalk) restart() {
	w.stop()
	w.Restart()
}

// walkMargins sends the next request of the walk when it is due.
func (m *Model) walkMargins() tea.Cmd {
	w, now := &m.walk, m.now()
	if m.incoming.frozen {
		w.stop()
		return nil
	}
	if w.cancel != nil || m.ctx.Err() != nil || len(m.data.heldPages) > 0 || now.Before(w.DueAt()) {
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	w.cancel = cancel
	w.sequence++
	source, sequence, request := m.source, w.sequence, w.Next(now)
	return func() tea.Msg {
		page, err := source.Page(ctx, request)
		return walkedMsg{sequence, page, err}
	}
}

// handleWalked handles a response, unless the request was cancelled.
func (m *Model) handleWalked(msg walkedMsg) tea.Cmd {
	w := &m.walk
	if msg.sequence != w.sequence || w.cancel == nil {
		return nil
	}
	w.stop()
	switch {
	case errors.Is(msg.err, context.Canceled):
		return nil
	case msg.err != nil:
		w.problem, _ = m.problemOf(msg.err)
		w.Failed(m.now())
		return nil
	}
	w.problem = ""
	w.Read(msg.page, m.data.book.Margins(), m.serviceNow(), m.now())
	return m.learn(msg.page)
}

// walkWords returns when the margin levels of the scope were last read, and how many of the open positions have any:
// "read 1m ago, 98% complete".
func (m *Model) walkWords() string {
	w, view := &m.walk, m.data.view
	words := "loading"
	if w.IsComplete() {
		words = "read " + format.Age(m.now().Sub(w.CheckedAt())) + " ago"
	}
	if open, covered := view.Open(), view.Covered(); covered < open {
		words += fmt.Sprintf(", %d%% complete", 100*covered/open)
	}
	if margins := view.Book().Margins(); margins.IsFull() {
		words += ", only " + format.Grouped(margins.Len()) + " kept"
	}
	if w.problem != "" {
		words += ", not read again: " + w.problem
	}
	return words
}
