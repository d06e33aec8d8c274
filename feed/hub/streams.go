package hub

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
)

// watch sets the subscriptions that a session watches. Those that are over a limit are refused; if that of all streams
// is the reason, they are watched as soon as there is room.
func (h *Hub) watch(s *Session, subscriptions []model.Subscription) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, isIn := h.sessions[s]; !isIn || h.ctx.Err() != nil {
		return
	}
	before := make(map[model.Subscription]*watch)
	for _, w := range s.watches {
		before[w.as] = w
	}
	var watches []*watch
	seen := make(map[model.Subscription]bool)
	for _, as := range subscriptions {
		if seen[as] {
			continue
		}
		seen[as] = true
		w := cmp.Or(before[as], &watch{session: s, as: as, since: time.Now()})
		if w.isOver = len(watches) >= h.limits.SessionStreams; !w.isOver {
			delete(before, as)
		}
		watches = append(watches, w)
	}
	for _, w := range before {
		h.leave(w)
	}
	s.setWatches(watches)
	h.settle()
	if len(watches) > 0 {
		if p := h.past(kindOf(watches[0].as.Key)); p != nil {
			s.memory.Store(p.memory)
		}
	}
}

// remove removes a session that has ended, once.
func (h *Hub) remove(s *Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, isIn := h.sessions[s]; !isIn {
		return
	}
	for _, w := range s.watches {
		h.leave(w)
	}
	s.setWatches(nil)
	h.leaveLists(s)
	h.pages.turns.forget(s)
	s.release()
	delete(h.sessions, s)
	h.frames.share(len(h.sessions))
	h.settle()
}

// settle lets watches that have no stream enter one, if there is room, and makes the feed watch what is open. The lock
// is held, as for all that follow.
func (h *Hub) settle() {
	if h.ctx.Err() != nil {
		return
	}
	byAge := slices.SortedFunc(maps.Keys(h.sessions), func(a, b *Session) int { return cmp.Compare(a.number, b.number) })
	for _, s := range byAge {
		for _, w := range s.watches {
			if w.stream == nil && !w.isOver {
				h.enter(w)
			}
		}
	}
	var all []model.Subscription
	for _, st := range h.streams {
		all = append(all, st.subscription)
	}
	slices.SortFunc(all, func(a, b model.Subscription) int { return cmp.Compare(a.Epoch, b.Epoch) })
	if !slices.Equal(all, h.watched) {
		h.watched = all
		h.feed.Watch(all)
		h.recordStreams()
	}
}

// enter gives a watch its stream, and opens that if there is room.
func (h *Hub) enter(w *watch) {
	st := h.streams[w.as.Key]
	if st == nil {
		if len(h.streams) >= h.limits.Streams && !h.endLongestIdle() {
			return
		}
		st = newStream(h.nextSubscription(w.as.Key), h.limits.Rows)
		h.streams[w.as.Key] = st
	}
	st.idleSince = time.Time{}
	w.session.enter(w, st)
}

func (h *Hub) nextSubscription(key model.Key) model.Subscription {
	h.epoch++
	return model.Subscription{Key: key, Epoch: h.epoch}
}

// leave ends a watch. If it was the last of its stream, the stream lingers.
func (h *Hub) leave(w *watch) {
	st := w.stream
	if st == nil {
		return
	}
	if w.session.leave(w); st.isIdle() {
		st.idleSince = time.Now()
		endpoint.Signal(h.idle)
	}
}

// endLongestIdle ends the stream that lingers for the longest time, and reports whether there is one.
func (h *Hub) endLongestIdle() bool {
	var longest *stream
	for _, st := range h.streams {
		if !st.idleSince.IsZero() && (longest == nil || st.idleSince.Before(longest.idleSince)) {
			longest = st
		}
	}
	if longest != nil {
		delete(h.streams, longest.subscription.Key)
	}
	return longest != nil
}

// endIdle ends streams and lists of margin levels that have lingered for long enough.
func (h *Hub) endIdle() {
	for {
		if endpoint.Pause(h.ctx, h.endIdleBefore(time.Now().Add(-h.limits.Linger)), h.idle) != nil {
			return
		}
	}
}

// endIdleBefore ends those that have been idle since a time or longer. It returns when to look again; zero if none is
// idle.
func (h *Hub) endIdleBefore(since time.Time) (next time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	isOver := func(idleSince time.Time) bool {
		switch {
		case idleSince.IsZero():
			return false
		case !idleSince.After(since):
			return true
		}
		if end := idleSince.Add(h.limits.Linger); next.IsZero() || end.Before(next) {
			next = end
		}
		return false
	}
	maps.DeleteFunc(h.streams, func(_ model.Key, st *stream) bool { return isOver(st.idleSince) })
	maps.DeleteFunc(h.lists, func(_ model.Key, l *marginList) bool {
		if !isOver(l.idleSince) {
			return false
		}
		l.stop()
		return true
	})
	h.settle()
	return next
}

// renewStreams begins all streams again, after a panic: what the hub has of their rows may be wrong.
func (h *Hub) renewStreams() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, st := range h.streams {
		st.renew(h.nextSubscription(st.subscription.Key))
	}
	h.settle()
}

func (h *Hub) requestAudit(s *Session, as model.Subscription) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, w := range s.watches {
		if w.as == as && w.stream != nil {
			h.feed.RequestAudit(w.stream.subscription)
		}
	}
}

// resyncEvery is how often a stream is checked again at most because traders ask for it.
const resyncEvery = 2 * time.Second

// resync checks the streams of a session again, but not those that were just checked for another one.
func (h *Hub) resync(s *Session) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var due []model.Subscription
	now := time.Now()
	for _, w := range s.watches {
		if st := w.stream; st != nil && now.Sub(st.resyncedAt) >= resyncEvery {
			st.resyncedAt = now
			due = append(due, st.subscription)
		}
	}
	if len(due) > 0 {
		h.feed.ResyncOnly(due)
	}
}
