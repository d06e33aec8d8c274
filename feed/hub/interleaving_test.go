package hub

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// own is a feed of its own: a book that gets everything directly, as a screen does whose feed nobody shares.
type own struct {
	*screen
	stream model.Subscription // of the feed that is shared
	audit  int                // how many more pages the audit under way has; 0 if none is
	clock  int64
}

func (o *own) apply(delta *book.Delta) {
	copied := *delta
	copied.Snapshots, copied.Updates, copied.Audits = nil, slices.Clone(delta.Updates), slices.Clone(delta.Audits)
	for _, s := range delta.Snapshots {
		s.Rows = s.Rows.Clone()
		copied.Snapshots = append(copied.Snapshots, s)
	}
	o.screen.apply(&copied)
}

// world makes what a feed sends at random, and applies it to a feed of its own for each stream.
type world struct {
	*trial
	*rand.Rand
	owns map[model.Subscription]*own
}

// own returns the feed of its own for a stream that is open.
func (w *world) own(s model.Subscription) *own {
	o := w.owns[s]
	if o == nil {
		o = &own{screen: newScreen("own", nil), stream: s}
		o.watched = []model.Subscription{s}
		w.owns[s] = o
	}
	return o
}

func (w *world) position(o *own) model.Position {
	o.clock++
	text := fmt.Sprintf("%s/%c %d", o.stream.Party, 'a'+w.IntN(8), w.IntN(4))
	switch w.IntN(4) {
	case 0: // without a time
	case 1:
		text += fmt.Sprintf(" @%d", w.Int64N(o.clock+1)+1) // any time
	default:
		text += fmt.Sprintf(" @%d", o.clock)
	}
	p := position(text)
	p.SetNumber(model.UnrealisedPnl, model.AmountOf(o.clock))
	return p
}

func (w *world) some(o *own, most int) (all []model.Position) {
	for range w.IntN(most) + 1 {
		all = append(all, w.position(o))
	}
	return all
}

// news returns a Delta of one stream.
func (w *world) news(o *own) (delta book.Delta) {
	s := o.stream
	if w.IntN(30) == 0 {
		rows := book.NewRows()
		for _, p := range w.some(o, 8) {
			rows.Put(&p)
		}
		snapshot := book.Snapshot{Subscription: s, Rows: rows, NotAfter: notAfter}
		if w.IntN(2) == 0 {
			snapshot.Superseded = w.some(o, 5)
		}
		delta.Snapshots = append(delta.Snapshots, snapshot)
		o.audit = 0
	}
	if w.IntN(40) == 0 {
		delta.Updates = append(delta.Updates, book.Updates{Subscription: s, BeginsPartial: true, NotAfter: notAfter})
		o.audit = 0
	}
	for range w.IntN(3) {
		delta.Updates = append(delta.Updates, book.Updates{Subscription: s, Positions: w.some(o, 6), NotAfter: notAfter, LatePage: w.IntN(4) == 0})
	}
	if o.audit > 0 || w.IntN(15) == 0 {
		page := book.AuditPage{Subscription: s, NotAfter: notAfter, First: o.audit == 0}
		if page.First {
			o.audit = 1 + w.IntN(3)
		}
		page.Positions = w.some(o, 4)
		o.audit--
		page.Last = o.audit == 0
		delta.Audits = append(delta.Audits, page)
	}
	if w.IntN(3) == 0 {
		delta.Links = []model.Link{{Subscription: s, Phase: model.Live, Committed: true, Messages: o.clock, Partial: o.book.IsPartial(s), Audits: o.audit}}
	}
	return delta
}

// check compares what a screen has of a stream with a feed of its own.
func (w *world) check(s *screen, when string) {
	w.Helper()
	for i, as := range s.watched {
		of := w.feed.of(as.Party.String())
		o := w.own(of)
		if got, want := rows(s.book.Narrowed([]model.Subscription{as})), rows(o.book); got != want {
			w.Fatalf("%s: %s has %s\nwant %s", when, s.name, got, want)
		}
		if s.book.Has(as) != o.book.Has(of) || s.book.IsPartial(as) != o.book.IsPartial(of) || s.book.Unsent(as) != o.book.Unsent(of) || s.book.IsAudited(as) != o.book.IsAudited(of) {
			w.Fatalf("%s: %s: %s: has %t, partial %t, unsent %d, audited %t", when, s.name, as.Party, s.book.Has(as), s.book.IsPartial(as), s.book.Unsent(as), s.book.IsAudited(as))
		}
		if len(s.links) <= i || s.links[i].Subscription != as {
			w.Fatalf("%s: %s has links %v", when, s.name, s.links)
		}
		want := model.Link{Subscription: as, Since: s.links[i].Since}
		if link := model.LinkOfSubscription(o.links, of); link != nil {
			want = *link
			want.Subscription = as
		}
		if s.links[i] != want {
			w.Fatalf("%s: %s has link %+v\nwant %+v", when, s.name, s.links[i], want)
		}
	}
}

// TestAnyInterleaving of joins, leaves, updates, audits and overflow leaves each session equal to a feed of its own.
// One that takes everything in time has the same events, too.
func TestAnyInterleaving(t *testing.T) {
	for seed := range uint64(modeltest.Times(150)) {
		play(t, Limits{Backlog: 120}, func(s *trial) {
			w := &world{s, rand.New(rand.NewPCG(seed, 7)), make(map[model.Subscription]*own)}
			steady := s.join("steady")
			steady.watch("a b c")
			screens := []*screen{steady}
			for step := range 400 {
				when := fmt.Sprintf("seed %d, step %d", seed, step)
				switch at := w.IntN(len(screens)); w.IntN(12) {
				case 0:
					if len(screens) < 6 {
						screens = append(screens, s.join(fmt.Sprint("screen ", step)))
					}
				case 1:
					if at > 0 {
						screens[at].Close()
						screens = slices.Delete(screens, at, at+1)
					}
				case 2:
					if at > 0 {
						screens[at].watch([]string{"a", "b", "a c", "c b a", ""}[w.IntN(5)])
					}
				case 3, 4:
					screens[at].take()
				default:
					var delta book.Delta
					for _, party := range []string{"a", "b", "c"} {
						if w.IntN(2) == 0 {
							one := w.news(w.own(s.feed.of(party)))
							w.own(s.feed.of(party)).apply(&one)
							delta.Snapshots, delta.Updates = append(delta.Snapshots, one.Snapshots...), append(delta.Updates, one.Updates...)
							delta.Audits, delta.Links = append(delta.Audits, one.Audits...), append(delta.Links, one.Links...)
						}
					}
					s.send(delta)
				}
				steady.take()
				w.check(steady, when)
			}
			for _, each := range screens {
				each.take()
				w.check(each, fmt.Sprint("at the end of seed ", seed))
			}
			if steady.missed > 0 {
				s.Fatalf("seed %d: %d events are missed", seed, steady.missed)
			}
			w.checkEvents(steady, seed)
		})
	}
}

// checkEvents compares the events of a screen with those of feeds of its own.
func (w *world) checkEvents(s *screen, seed uint64) {
	want := make(map[model.Key][]string)
	for _, o := range w.owns {
		maps.Copy(want, o.events)
	}
	for key := range want {
		if got := s.events[key]; !slices.Equal(got, want[key]) {
			w.Fatalf("seed %d: %v: events\n%s\nwant\n%s", seed, key, strings.Join(got, "\n"), strings.Join(want[key], "\n"))
		}
	}
	if len(want) != len(s.events) {
		w.Fatalf("seed %d: %d rows have events, want %d", seed, len(s.events), len(want))
	}
}
