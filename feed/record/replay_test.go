package record_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed"
	"blotter/feed/follow"
	"blotter/feed/record"
	"blotter/feed/secrets"
	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/book"
)

// screen has the data of a feed that a screen would have.
type screen struct {
	book  *book.Book
	links []model.Link
}

func newScreen() *screen { return &screen{book: book.New(0)} }

func (s *screen) take(delta book.Delta) {
	s.links = delta.Links
	for _, snapshot := range delta.Snapshots {
		s.book = s.book.Replaced(snapshot)
	}
	for i := range delta.Updates {
		s.book.Merge(&delta.Updates[i])
	}
	for _, page := range delta.Audits {
		for more := true; more; page.First, page.Positions = false, nil {
			_, more = s.book.Compare(&page)
		}
	}
}

// source is a feed, or a Player.
type source interface {
	Watch(subscriptions []model.Subscription)
	Next(ctx context.Context, linksOnly bool) (book.Delta, error)
}

// follow takes new data for a time.
func (s *screen) follow(t *testing.T, source source, d time.Duration) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	for {
		delta, err := source.Next(ctx, false)
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
func (s *screen) rows() map[string]string {
	rows := make(map[string]string)
	for p := range s.book.All {
		rows[p.Party.String()+"/"+p.Market.String()] = fmt.Sprintf("%s %s %s %s %s %d", p.Number(model.OpenVolume), p.Number(model.AverageEntryPrice),
			p.Number(model.UnrealisedPnl), p.Number(model.RealisedPnl), p.Number(model.UpdatedAt), p.Status())
	}
	return rows
}

// session is a recording that is being made of a simulated service.
type session struct {
	*screen
	t        *testing.T
	path     string
	node     *sim.Node
	listener *sim.Listener
	feed     *feed.Feed
	recorder *record.Recorder
	scope    model.Scope
}

// play runs a scene while it is recorded.
func play(t *testing.T, service sim.Config, config feed.Config, options record.Options, scene func(*session)) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	s := &session{screen: newScreen(), t: t, path: options.Path, node: sim.New(service), listener: sim.Listen()}
	served := make(chan error, 1)
	go func() { served <- s.node.Serve(ctx, s.listener) }()
	defer func() { stop(); <-served }()
	for _, market := range options.Header.Markets {
		s.scope.Markets = append(s.scope.Markets, model.MakeID(market))
	}
	options.Header.Addresses = []string{"http://sim.test"}
	options.Secrets = new(secrets.Hider)
	var err error
	if s.recorder, err = record.Create(options); err != nil {
		t.Fatal(err)
	}
	config.BaseURLs, config.Secrets = options.Header.Addresses, options.Secrets
	config.Dial, config.Transport = s.listener.DialContext, s.recorder.Transport
	if s.feed, err = feed.New(config); err != nil {
		t.Fatal(err)
	}
	defer s.recorder.Close()
	defer s.feed.Close()
	s.feed.Watch(s.scope.Subscriptions(nil, 1))
	scene(s)
}

// replayed returns the rows at the end of a recording that is played at once.
func replayed(t *testing.T, path string, scope model.Scope) (*screen, error) {
	t.Helper()
	player, err := record.NewPlayer(path, feed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close()
	s := newScreen()
	player.Watch(scope.Subscriptions(nil, 1))
	err = player.Finish(t.Context(), s.take)
	return s, err
}

// playedFast plays a recording 100 times as fast for a time, and returns the rows on the screen.
func playedFast(t *testing.T, path string, d time.Duration) (*record.Player, *screen) {
	t.Helper()
	player, err := record.NewPlayer(path, feed.Config{})
	if err != nil {
		t.Fatal(err)
	}
	player.SetSpeed(100)
	s := newScreen()
	player.Watch(model.Scope{}.Subscriptions(nil, 1))
	s.follow(t, player, d)
	return player, s
}

func (s *screen) hasRows(t *testing.T, want map[string]string) {
	t.Helper()
	got := s.rows()
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

// TestChaosReplayed records ten minutes of a service with all faults, and plays them 100 times as fast, and at once.
// Each ends with the rows of the live session.
func TestChaosReplayed(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "chaos.zst")
			var live map[string]string
			synctest.Test(t, func(t *testing.T) {
				service := sim.Config{Seed: 1, Parties: 10, Markets: 8, Rate: 40, Chaos: seed + 1}
				config := feed.Config{Times: feed.Times{StreamTimes: follow.StreamTimes{AuditEvery: 20 * time.Second}}}
				play(t, service, config, record.Options{Path: path}, func(s *session) {
					s.follow(t, s.feed, 10*time.Minute)
					s.listener.Kill() // so that the screen takes all that came
					s.follow(t, s.feed, time.Second)
					live = s.rows()
					s.recorder.Close()
				})
			})
			if len(live) == 0 {
				t.Fatal("no data came while it was recorded")
			}
			synctest.Test(t, func(t *testing.T) {
				player, s := playedFast(t, path, 8*time.Second)
				defer player.Close()
				if _, _, ended, problem := player.State(); !ended || problem != nil {
					t.Errorf("after 8 seconds: ended %v, %v", ended, problem)
				}
				s.hasRows(t, live)
			})
			s, err := replayed(t, path, model.Scope{})
			if err != nil {
				t.Error(err)
			}
			s.hasRows(t, live)
		})
	}
}

// TestChaosOfMarketsReplayedForParties: a recording of three markets ends, for each party, with its rows of the live
// session.
func TestChaosOfMarketsReplayedForParties(t *testing.T) {
	for seed := range uint64(4) {
		path := filepath.Join(t.TempDir(), "markets.zst")
		service := sim.Config{Seed: 1, Parties: 6, Markets: 5, Rate: 40, Chaos: seed + 1}
		var header record.Header
		for _, market := range sim.New(service).Instruments().Markets[:3] {
			header.Markets = append(header.Markets, market.ID)
		}
		var live map[string]string
		var parties []model.ID
		synctest.Test(t, func(t *testing.T) {
			config := feed.Config{Times: feed.Times{StreamTimes: follow.StreamTimes{AuditEvery: 20 * time.Second}}}
			play(t, service, config, record.Options{Path: path, Header: header}, func(s *session) {
				s.follow(t, s.feed, 5*time.Minute)
				s.listener.Kill()
				s.follow(t, s.feed, time.Second)
				live = s.rows()
				for p := range s.book.All {
					parties = append(parties, p.Party)
				}
				s.recorder.Close()
			})
		})
		if len(live) == 0 {
			t.Fatal("no data came while it was recorded")
		}
		s, err := replayed(t, path, model.Scope{Parties: parties})
		if err != nil {
			t.Error(err)
		}
		s.hasRows(t, live)
	}
}

// TestTheEndIsAsItWasOnTheScreen: the end of a stream because the user quit is not played, and the clock stops at the
// end of the recording.
func TestTheEndIsAsItWasOnTheScreen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "day.zst")
	synctest.Test(t, func(t *testing.T) {
		play(t, sim.Config{Seed: 1, Rate: 40}, feed.Config{}, record.Options{Path: path}, func(s *session) {
			s.follow(t, s.feed, time.Minute)
			s.feed.Close()
		})
	})
	synctest.Test(t, func(t *testing.T) {
		player, s := playedFast(t, path, 5*time.Second)
		defer player.Close()
		at := player.Now().Sub(player.Header().Start)
		if _, _, ended, _ := player.State(); !ended || at < 59*time.Second || at > 61*time.Second {
			t.Errorf("ended %v, and the clock has stopped at %s", ended, at)
		}
		if len(s.links) != 1 || s.links[0].Phase != model.Live || s.links[0].Problem != nil {
			t.Errorf("at the end the streams are %+v", s.links)
		}
	})
}

// TestPlayerOfAnotherFile: it is not a recording.
func TestPlayerOfAnotherFile(t *testing.T) {
	if _, err := record.NewPlayer("/dev/null", feed.Config{}); err == nil || errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
