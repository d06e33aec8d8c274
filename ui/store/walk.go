package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/format"
)

// Walk is how far the margin levels of the whole scope were read. The source decides what is read next, and when.
type Walk struct {
	ctx        context.Context // of the commands that wait
	source     Source
	number     int                // of the walk: each begins at the beginning
	cancel     context.CancelFunc // ends the command that waits, nil if none does
	isComplete bool
	checkedAt  time.Time
	problem    string       // why the last request failed, or why records may be missing
	waiting    view.Waiting // the rows of the scope whose margin record is older than their size
	judged     view.Waiting // those that the rules watch
	hurriedAt  time.Time    // when hurry last had some read soon
	hints      book.Hints
}

// walkedMsg is what a command has waited for.
type walkedMsg struct {
	walk int // its number: what another one brings is ignored
	read book.MarginsRead
	err  error
}

// IsComplete reports whether all margin levels of the scope were read.
func (w *Walk) IsComplete() bool { return w.isComplete }

// HasRead reports whether all margin levels were read since the size of a position last changed. If it has no record
// then, the service has none. The times are by the clock of the Store and by that of the service.
func (w *Walk) HasRead(p *model.Position, of *view.Margins, now, serviceNow time.Time) bool {
	sized, ok := of.SizedAt(p)
	return w.isComplete && (!ok || serviceNow.Sub(sized) > model.Elapsed(now, w.checkedAt))
}

// CheckedAt returns when all margin levels that have changed were last read; zero if they were not yet.
func (w *Walk) CheckedAt() time.Time { return w.checkedAt }

// stop ends the command that waits. Nothing is read until the next one.
func (w *Walk) stop() {
	if w.cancel != nil {
		w.cancel()
		w.cancel = nil
	}
}

// watch reads the margin levels of a scope from the beginning.
func (w *Walk) watch(scope model.Scope) {
	w.stop()
	*w = Walk{ctx: w.ctx, source: w.source, number: w.number + 1}
	w.source.WatchMargins(scope)
}

// next returns the command that waits for the next margin levels, or nil if it is not time for it. Nothing is read
// while pages are held.
func (w *Walk) next(hasPages bool) tea.Cmd {
	if w.cancel != nil || w.ctx.Err() != nil || hasPages {
		return nil
	}
	ctx, cancel := context.WithCancel(w.ctx)
	w.cancel = cancel
	source, number := w.source, w.number
	return func() tea.Msg {
		read, err := source.NextMargins(ctx)
		return walkedMsg{number, read, err}
	}
}

// takePage returns the page that was read, nil if there is none.
func (w *Walk) takePage(msg walkedMsg, now time.Time) *model.Page {
	if msg.walk != w.number || errors.Is(msg.err, context.Canceled) {
		return nil
	}
	if w.stop(); msg.err != nil {
		w.problem = format.OneLine(msg.err.Error())
		return nil
	}
	w.note(&msg.read, now)
	return msg.read.Page
}

// note notes how far the margin levels were read.
func (w *Walk) note(read *book.MarginsRead, now time.Time) {
	w.problem = ""
	if read.Err != nil {
		w.problem, _ = Problem(read.Err, now)
	}
	w.isComplete = w.isComplete || read.Whole
	if read.Ended {
		w.checkedAt = now
	}
}

// noteRecorded notes how far the margin levels of a recording were read, and when.
func (w *Walk) noteRecorded(reads []book.MarginsRead, now time.Time) {
	for i := range reads {
		readAt := now
		if page := reads[i].Page; page != nil {
			readAt = page.ReadAt
		}
		w.note(&reads[i], readAt)
	}
}

const (
	hurryEvery  = time.Second / 4  // how often hurry looks for rows that wait
	overdueFrom = 15 * time.Second // how long a row waits for a margin record until the screen says so
)

// hurry makes the source soon read the margin levels of parties with rows of the view that is shown, or of the wider
// one that the rules watch, and that wait for a record of their size. Each may be nil. The times are those of the
// screen and of the service.
func (w *Walk) hurry(shown, wide *view.View, now, serviceNow time.Time) {
	if now.Sub(w.hurriedAt) < hurryEvery {
		return
	}
	limit := serviceNow.Add(-overdueFrom)
	w.hurriedAt, w.waiting = now, view.Waiting{}
	if shown != nil {
		w.waiting = shown.Margins().Waiting(limit)
	}
	w.judged = w.waiting
	parties := w.waiting.Parties
	if wide != nil {
		w.judged = wide.Margins().Waiting(limit)
		parties = distinct(parties, w.judged.Parties)
	}
	w.source.HurryMargins(parties)
}

// Words returns when the margin levels of the scope were last read, and how many of the open positions of a view have
// any: "read 1m ago, 98% complete".
func (w *Walk) Words(v *view.View, now time.Time) string {
	words := "loading"
	if w.isComplete {
		words = "read " + format.Age(model.Elapsed(now, w.checkedAt)) + " ago"
	}
	if open, covered := v.Open(), v.Margins().Covered(); covered < open {
		words += fmt.Sprintf(", %d%% complete", 100*covered/open)
	}
	if margins := v.Book().Margins(); margins.IsFull() {
		words += ", only " + format.Grouped(margins.Len()) + " kept"
	}
	if n := w.waiting.Overdue; n > 0 {
		words += ", " + format.Counted(n, "position") + " without a record of the present size"
	}
	switch {
	case w.problem == "":
	case w.isComplete:
		words += ", not read again: " + w.problem
	default:
		words += "; the last request failed: " + w.problem
	}
	return words
}
