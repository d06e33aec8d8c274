package hub

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/margins"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
)

// fakeFeed is a feed whose Deltas a test makes.
type fakeFeed struct {
	margins.PageReader
	deltas chan book.Delta

	mu      sync.Mutex
	watched []model.Subscription
	audits  []model.Subscription
	resyncs [][]model.Subscription
	page    func(context.Context, model.PageRequest) (*model.Page, error)
	lister  *margins.Lister
}

func newFakeFeed() *fakeFeed { return &fakeFeed{deltas: make(chan book.Delta)} }

func (f *fakeFeed) Watch(subscriptions []model.Subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watched = slices.Clone(subscriptions)
}

func (f *fakeFeed) Next(ctx context.Context) (book.Delta, error) {
	select {
	case delta, isOpen := <-f.deltas:
		if !isOpen {
			return delta, errors.New("the feed is closed")
		}
		return delta, nil
	case <-ctx.Done():
		return book.Delta{}, ctx.Err()
	}
}

func (f *fakeFeed) Page(ctx context.Context, request model.PageRequest) (*model.Page, error) {
	return f.page(ctx, request)
}

func (f *fakeFeed) NewRefresh() *margins.Refresh { return f.lister.NewRefresh() }

func (f *fakeFeed) RequestAudit(s model.Subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.audits = append(f.audits, s)
}

func (f *fakeFeed) ResyncOnly(of []model.Subscription) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.resyncs = append(f.resyncs, slices.Clone(of))
}

// streams returns what the hub watches, as words.
func (f *fakeFeed) streams() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []string
	for _, s := range f.watched {
		all = append(all, s.Party.String()+s.Market.String())
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

// of returns the subscription of the feed with a party.
func (f *fakeFeed) of(party string) model.Subscription {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, s := range f.watched {
		if s.Party == model.MakeID(party) {
			return s
		}
	}
	return model.Subscription{}
}

// trial is a hub of a fakeFeed, in fake time.
type trial struct {
	*testing.T
	feed   *fakeFeed
	hub    *Hub
	panics []string
}

// play runs a scene.
func play(t *testing.T, limits Limits, scene func(*trial)) {
	t.Helper()
	playWith(t, Options{Limits: limits}, scene)
}

func playWith(t *testing.T, options Options, scene func(*trial)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &trial{T: t, feed: newFakeFeed()}
		options.Report = func(reason any, _ []byte) { s.panics = append(s.panics, fmt.Sprint(reason)) }
		s.hub = New(s.feed, options)
		defer s.hub.Close()
		scene(s)
	})
}

// send gives a Delta to the hub, and waits until it is applied.
func (s *trial) send(delta book.Delta) {
	s.Helper()
	s.feed.deltas <- delta
	synctest.Wait()
}

func (s *trial) join(name string) *screen {
	s.Helper()
	session, err := s.hub.Join(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	return newScreen(name, session)
}

// screen is what a screen makes of what a source sends.
type screen struct {
	*Session
	name    string
	epoch   uint64
	watched []model.Subscription
	book    *book.Book
	links   []model.Link
	events  map[model.Key][]string
	missed  int
	fixed   int // corrections
}

func newScreen(name string, session *Session) *screen {
	return &screen{Session: session, name: name, book: book.New(0), events: make(map[model.Key][]string)}
}

func (s *screen) note(c *book.Change) {
	if c.Source == book.NoEvent {
		return
	}
	if e, ok := event.New(c.Before, c.After, c.Source, time.Time{}); ok {
		s.events[e.Key] = append(s.events[e.Key], fmt.Sprintf("%v %s > %s by %d", e.Kinds.Names(), e.Before().Number(model.OpenVolume), e.After().Number(model.OpenVolume), c.Source))
	}
}

func ids(words string) (all []model.ID) {
	for word := range strings.FieldsSeq(words) {
		all = append(all, model.MakeID(word))
	}
	return all
}

// watch watches parties, each a word.
func (s *screen) watch(parties string) {
	s.epoch++
	scope := model.Scope{Parties: ids(parties)}
	s.watched = nil
	if len(scope.Parties) > 0 {
		s.watched = scope.Subscriptions(s.watched, s.epoch)
	}
	s.book = s.book.Narrowed(s.watched)
	s.Watch(s.watched)
}

// apply applies a Delta.
func (s *screen) apply(delta *book.Delta) {
	isWatched := func(of model.Subscription) bool { return slices.Contains(s.watched, of) }
	if delta.Links != nil {
		s.links = delta.Links
	}
	s.missed += delta.Missed
	for _, snapshot := range delta.Snapshots {
		if !isWatched(snapshot.Subscription) {
			continue
		}
		for change := range s.book.SnapshotChanges(&snapshot) {
			s.note(change)
		}
		s.book = s.book.Replaced(snapshot)
	}
	delta.KeepOnly(isWatched)
	for changes, ok := delta.ApplyTo(s.book); ok; changes, ok = delta.ApplyTo(s.book) {
		for i := range changes.Rows {
			s.note(&changes.Rows[i])
		}
		if changes.IsAudit {
			s.fixed += len(changes.Rows)
		}
	}
}

// take takes all that waits, as Next does but without the time of a frame.
func (s *screen) take() (deltas int) {
	for {
		delta, ok := s.Session.takeWaiting()
		if !ok {
			return deltas
		}
		deltas++
		s.apply(&delta)
	}
}

// rows returns all rows in words.
func rows(b *book.Book) string {
	all := make(map[string]string)
	for p := range b.All {
		all[p.Party.String()+"/"+p.Market.String()] = p.Number(model.OpenVolume).String()
	}
	var words []string
	for _, key := range slices.Sorted(maps.Keys(all)) {
		words = append(words, key+" "+all[key])
	}
	return strings.Join(words, ", ")
}

// position returns a position of "a/m 5 @3".
func position(text string) (p model.Position) {
	words := strings.Fields(text)
	party, market, _ := strings.Cut(words[0], "/")
	p.Key = model.Key{Party: model.MakeID(party), Market: model.MakeID(market)}
	p.SetNumber(model.OpenVolume, model.ParseAmount(words[1]))
	if len(words) > 2 {
		p.SetNumber(model.UpdatedAt, model.ParseAmount(words[2][1:]))
	}
	return p
}

func positions(texts ...string) (all []model.Position) {
	for _, text := range texts {
		all = append(all, position(text))
	}
	return all
}

func rowsOf(texts ...string) *book.Rows {
	r := book.NewRows()
	for _, p := range positions(texts...) {
		r.Put(&p)
	}
	return r
}

const notAfter = 1 << 40 // of the service's clock in these tests

// snapshot makes a Delta of a whole snapshot and a link that says so.
func (s *trial) snapshot(party string, texts ...string) book.Delta {
	of := s.feed.of(party)
	return book.Delta{
		Snapshots: []book.Snapshot{{Subscription: of, Rows: rowsOf(texts...), NotAfter: notAfter}},
		Links:     []model.Link{{Subscription: of, Phase: model.Live, Committed: true, MessageAt: time.Now()}},
	}
}

func (s *trial) update(party string, texts ...string) book.Delta {
	return book.Delta{Updates: []book.Updates{{Subscription: s.feed.of(party), Positions: positions(texts...), NotAfter: notAfter}}}
}
