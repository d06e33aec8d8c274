package watch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"blotter/model"
	"blotter/ui/format"
)

// WarnOfUnaudited warns of positions that no audit has compared with a second snapshot so far, once until all were
// compared. After that it reports that they were.
func (w *Watch) WarnOfUnaudited() {
	unaudited := 0
	for i := range w.links {
		unaudited += w.links[i].UnauditedRows
	}
	isAudited := func(l *model.Link) bool { return l.Audits > 0 && l.UnauditedRows == 0 }
	switch {
	case unaudited > 0 && !w.warnedOfUnaudited:
		w.warnedOfUnaudited = true
		w.Warn(fmt.Errorf("%s not verified: changes while the stream connected may be missing", are(unaudited, "position")))
	case w.warnedOfUnaudited && w.all(isAudited):
		w.warnedOfUnaudited = false
		w.Warn(fmt.Errorf("a check has compared all positions, with %s", format.Counted(w.corrected, "correction")))
	}
}

// confirmWithin is how long ConfirmEmpty waits at most.
const confirmWithin = 5 * time.Second

// ConfirmEmpty reads one more stream of each subscription if none has sent a position: a node may have lost its
// positions. It warns if that does not work within a few seconds. The function audit begins audits.
func (w *Watch) ConfirmEmpty(ctx context.Context, audit func()) {
	if w.book.Len() > 0 {
		return
	}
	audit()
	limited, cancel := context.WithTimeout(ctx, confirmWithin)
	defer cancel()
	for slices.ContainsFunc(w.links, func(l model.Link) bool { return l.EmptySnapshots == 1 }) {
		delta, came, err := w.nextDelta(limited)
		switch {
		case err != nil:
			w.Warn(errors.New("the service sends no positions, and a second stream that shows that did not come in time"))
			return
		case came:
			w.Apply(delta)
		}
	}
}

// are returns a number of things with a verb: "1 position is", "2 positions are".
func are(n int, what string) string {
	if n == 1 {
		return format.Counted(n, what) + " is"
	}
	return format.Counted(n, what) + " are"
}
