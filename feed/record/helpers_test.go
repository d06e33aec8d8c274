package record_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"blotter/feed"
	"blotter/feed/record"
	"blotter/feed/secrets"
	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/book"
)

// screen has what a screen shows of a feed or of a recording.
type screen struct {
	book  *book.Book
	links []model.Link
	taken func() // is called after each change, if it is not nil

	missed  int // changes without an event
	margins struct {
		problem string
		whole   bool // all records were read
	}
}

func newScreen() *screen { return &screen{book: book.New(0)} }

func (s *screen) take(delta book.Delta) {
	if delta.Restart {
		s.book = s.book.Emptied(time.Now())
	}
	if delta.Links != nil {
		s.links = delta.Links
	}
	s.missed += delta.Missed
	for _, snapshot := range delta.Snapshots {
		s.book = s.book.Replaced(snapshot)
	}
	for i := range delta.Updates {
		s.takeEach(delta.Updates[i])
		s.book.Merge(&delta.Updates[i])
	}
	for _, page := range delta.Audits {
		s.book.Compare(&page)
	}
	for i := range delta.Margins {
		s.margins.whole = s.margins.whole || delta.Margins[i].Whole
		if s.margins.problem = ""; delta.Margins[i].Err != nil {
			s.margins.problem = delta.Margins[i].Err.Error()
		}
		if page := delta.Margins[i].Page; page != nil {
			s.book.MergeMargins(page)
		}
	}
	for i := range delta.Doubts {
		s.book.Mark(&delta.Doubts[i])
	}
	if s.taken != nil {
		s.taken()
	}
}

// takeEach calls taken after each position of some updates, in a copy of the book: up to which time the stream has told
// something is known only after all of them, and margin ratios depend on that.
func (s *screen) takeEach(u book.Updates) {
	if s.taken == nil {
		return
	}
	whole, all := s.book, u.Positions
	s.book = whole.Clone()
	for i := range all {
		u.Positions = all[i : i+1]
		s.book.Merge(&u)
		s.taken()
		u.BeginsPartial = false
	}
	s.book = whole
}

// source is a feed, a Tap or a Player.
type source interface {
	Watch(subscriptions []model.Subscription)
	Next(ctx context.Context) (book.Delta, error)
}

// follow takes new data for a time.
func (s *screen) follow(t *testing.T, source source, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	for {
		delta, err := source.Next(ctx)
		switch {
		case err == nil: // also what comes at the very end of the time
			s.take(delta)
		case ctx.Err() != nil:
			return
		default:
			t.Fatal(err)
		}
	}
}

// rows returns the positions, each as text.
func (s *screen) rows() map[string]string { return rowsOf(s.book) }

func rowsOf(b *book.Book) map[string]string {
	rows := make(map[string]string)
	for p := range b.All {
		rows[p.Party.String()+"/"+p.Market.String()] = fmt.Sprintf("%s %s %s %s %s %s %s", p.Number(model.OpenVolume), p.Number(model.AverageEntryPrice),
			p.Number(model.UnrealisedPnl), p.Number(model.RealisedPnl), p.Number(model.UpdatedAt), p.Number(model.LossSocialisationAmount), p.StatusName())
	}
	return rows
}

// words returns what the screen says about the streams at a time.
func (s *screen) words(now time.Time) (words []string) {
	for i := range s.links {
		l := &s.links[i]
		how, age := l.Freshness(now)
		problem := ""
		if l.Problem != nil {
			problem = l.Problem.Words
		}
		words = append(words, fmt.Sprintf("%s/%s %s %s %s partial %v, %d messages, attempt %d, audits %d %v, audited %v, %q, rows %d, unsent %d",
			l.Party, l.Market, l.Phase, how, age.Truncate(time.Second), l.Partial, l.Messages, l.Attempt, l.Audits, l.Auditing, s.book.IsAudited(l.Subscription), problem, l.StagedRows, s.book.Unsent(l.Subscription)))
	}
	return words
}

// session is a recording that is being made of a simulated service.
type session struct {
	*screen
	node     *sim.Node
	listener *sim.Listener
	feed     *feed.Feed
	tap      *record.Tap
	recorder *record.Recorder
	memory   *record.Memory
	scope    model.Scope
}

// play runs a scene while it is recorded.
func play(t *testing.T, service sim.Config, config feed.Config, options record.Options, scene func(*session)) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	s := &session{screen: newScreen(), node: sim.New(service), listener: sim.Listen(), scope: options.Header.Scope}
	served := make(chan error, 1)
	go func() { served <- s.node.Serve(ctx, s.listener) }()
	defer func() { stop(); <-served }()
	if options.Secrets == nil {
		options.Secrets = new(secrets.Hider)
	}
	var err error
	if s.recorder, err = record.Create(options); err != nil {
		t.Fatal(err)
	}
	config.BaseURLs, config.Secrets, config.Dial = []string{"http://sim.test"}, options.Secrets, s.listener.DialContext
	if s.feed, err = feed.New(config); err != nil {
		t.Fatal(err)
	}
	if s.memory, err = record.NewMemory(record.MemoryOptions{Header: options.Header, Duration: 4 * time.Hour, Bytes: 128 << 20}); err != nil {
		t.Fatal(err)
	}
	defer s.memory.Close()
	s.tap = record.NewTap(s.feed, s.recorder, s.memory)
	defer s.recorder.Close()
	defer s.feed.Close()
	s.tap.Watch(s.scope.Subscriptions(nil, 1))
	scene(s)
}

// open opens a recording.
func open(t *testing.T, path string, scope model.Scope) *record.Player {
	t.Helper()
	player, err := record.Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(player.Close)
	player.Watch(scope.Subscriptions(nil, 1))
	return player
}

// at returns what a recording shows at a time.
func at(t *testing.T, player *record.Player, to time.Time) *screen {
	t.Helper()
	delta, err := player.At(to)
	if err != nil {
		t.Fatal(err)
	}
	s := newScreen()
	s.take(delta)
	return s
}

// end returns what a recording shows at its end.
func end(t *testing.T, path string, scope model.Scope) *screen {
	t.Helper()
	player := open(t, path, scope)
	_, newest := player.Range()
	return at(t, player, newest)
}

func hasRows(t *testing.T, got, want map[string]string) {
	t.Helper()
	if maps.Equal(got, want) {
		return
	}
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if got[key] != want[key] {
			t.Errorf("%s is %q, and was %q while it was recorded", key, got[key], want[key])
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d rows, and %d while it was recorded", len(got), len(want))
	}
}
