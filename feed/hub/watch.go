package hub

import (
	"fmt"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// watch is a subscription of a session, and its place in the stream that it gets its rows from.
type watch struct {
	session *Session
	records bool               // for a past, not for a trader
	as      model.Subscription // of the session
	since   time.Time          // when the session began to watch it
	// The locks of the Hub and the Session guard these.
	isOver bool    // the session watches too many
	stream *stream // nil if it is refused

	// The lock of the stream guards the rest.
	place  *piece // what the session got last; nil if it needs a copy of all rows
	offset int    // how many updates of the next piece it got already
	missed int    // events that were dropped
	seen   int    // the version of the link that it got last
	marks  int    // of the rows in doubt that it got last
}

func (w *watch) goTo(place *piece) { w.place, w.offset = place, 0 }

// lose gives up what waits: a copy of all rows replaces it. The changes in it are missed.
func (w *watch) lose() {
	offset := w.offset
	for p := w.place.next; p != nil; p = p.next {
		for _, change := range p.events {
			if change >= offset {
				w.missed++
			}
		}
		offset = 0
	}
	w.goTo(nil)
}

func (w *watch) waiting() int {
	if w.place == nil {
		return w.stream.book.Len()
	}
	return w.stream.last.end - w.place.end - w.offset
}

func (w *watch) link() model.Link {
	link := w.stream.link
	link.Subscription, link.Changes = w.as, w.waiting()
	return link
}

// refusal returns the link of a watch that has no stream.
func (w *watch) refusal(limits *Limits) model.Link {
	problem := &model.Problem{Refuse: true, IsOwn: true}
	if w.isOver {
		problem.Words = fmt.Sprintf("this desk follows at most %d streams for one screen", limits.SessionStreams)
		problem.Advice = "watch less at a time"
	} else {
		problem.Words = fmt.Sprintf("this desk follows at most %d streams", limits.Streams)
		problem.Advice = "it is followed as soon as another trader watches less"
	}
	return model.Link{Subscription: w.as, Phase: model.Refused, Since: w.since, Problem: problem}
}

// isBehind reports whether more than backlog rows wait, beside a snapshot, or more than backlog pieces.
func (w *watch) isBehind(backlog int) bool {
	return w.place != nil && (w.waiting() > backlog+w.stream.book.Len() || w.stream.last.number-w.place.number > backlog)
}

// taking is a Delta that is being made for a session.
type taking struct {
	book.Delta
	left   int // how many more updates fit
	more   bool
	shared []int // which of the snapshots have the rows of a piece: they must be copied
}

// takeWaiting takes what waits, as far as it fits. A snapshot always fits, so that the state of a stream never comes
// before it.
func (w *watch) takeWaiting(to *taking) {
	st := w.stream
	to.Missed += w.missed
	w.missed = 0
	if w.place == nil {
		st.copyTo(&to.Delta, w.as)
		w.goTo(st.last)
		w.marks = 0
		w.takeMarks(to)
		return
	}
	if s := w.lastSnapshot(); s != nil {
		w.takeSnapshot(to, s)
	}
	defer w.takeMarks(to)
	for p := w.place.next; p != nil; p = w.place.next {
		switch {
		case p.audit != nil:
			w.takeAudits(to)
			to.more = to.more || w.place.next != nil // which must come after what the audit has corrected
			return
		case to.left <= 0:
			to.more = true
			return
		}
		w.takeUpdates(to, p)
	}
}

// takeMarks takes which rows are marked because they are in doubt, if all else was taken.
func (w *watch) takeMarks(to *taking) {
	if st := w.stream; w.place.next == nil && w.marks != st.marks {
		w.marks = st.marks
		to.Doubts = append(to.Doubts, book.Doubts{Subscription: w.as, Keys: st.book.Table(st.subscription).Doubts()})
	}
}

// lastSnapshot returns the last snapshot that waits; nil if none does.
func (w *watch) lastSnapshot() (last *piece) {
	for p := w.place.next; p != nil; p = p.next {
		if p.snapshot != nil {
			last = p
		}
	}
	return last
}

// takeSnapshot takes a snapshot. It replaces what waits before it, but for the updates, whose events count. Its rows
// are those of the piece: see Session.take.
func (w *watch) takeSnapshot(to *taking, of *piece) {
	s := *of.snapshot
	s.Subscription, s.Superseded = w.as, nil
	for p := w.place.next; ; p = p.next {
		if p.updates != nil && !p.updates.LatePage {
			s.Superseded = append(s.Superseded, p.updates.Positions[w.offset:]...)
		}
		w.goTo(p)
		if p.snapshot != nil {
			s.Superseded = append(s.Superseded, p.snapshot.Superseded...)
		}
		if p == of {
			break
		}
	}
	to.shared = append(to.shared, len(to.Snapshots))
	to.Snapshots = append(to.Snapshots, s)
}

// takeAudits takes what audits have corrected, up to the next updates.
func (w *watch) takeAudits(to *taking) {
	for p := w.place.next; p != nil && p.audit != nil; p = p.next {
		page := *p.audit
		page.Subscription = w.as
		to.Audits = append(to.Audits, page)
		to.left -= len(page.Positions) + len(page.Removed)
		w.goTo(p)
	}
}

// takeUpdates takes the updates of the next piece that fit.
func (w *watch) takeUpdates(to *taking, p *piece) {
	u := *p.updates
	u.Subscription = w.as
	from := w.offset
	n := min(to.left, len(u.Positions)-from)
	u.Positions = u.Positions[from : from+n : from+n]
	u.BeginsPartial = u.BeginsPartial && from == 0
	if w.offset += n; w.offset == len(p.updates.Positions) {
		w.goTo(p)
	} else {
		u.Told = 0 // that is told with the rest
	}
	to.Updates = append(to.Updates, u)
	to.left -= n
}
