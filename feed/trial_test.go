package feed

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/feedtest"
	"blotter/feed/sim"
	"blotter/feed/wire"
	"blotter/model"
	"blotter/model/book"
)

// trial is a feed that watches a simulated service, in fake time, and the book that a screen would have.
type trial struct {
	feedtest.Network
	t        *testing.T
	node     *sim.Node
	listener *sim.Listener
	feed     *Feed
	epoch    uint64
	scope    model.Scope
	watched  []model.Subscription
	book     *book.Book
	links    []model.Link
	commits  int
	note     func(*book.Change) // is called with each change of the rows of the book; may be nil
}

// play runs a scene.
func play(t *testing.T, scene func(*trial)) { playWith(t, sim.Config{}, Config{}, scene) }

func playWith(t *testing.T, service sim.Config, config Config, scene func(*trial)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &trial{t: t, node: sim.New(service)}
		s.listener = s.Listen("sim.test")
		ctx, stop := context.WithCancel(t.Context())
		served := make(chan error, 1)
		go func() { served <- s.node.Serve(ctx, s.listener) }()
		defer func() { stop(); <-served }()
		s.run(config, scene)
	})
}

// playBefore runs a scene with a handler before that of the service.
func playBefore(t *testing.T, before func(node http.Handler) http.Handler, scene func(*trial)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &trial{t: t, node: sim.New(sim.Config{})}
		s.listener = s.Listen("sim.test")
		server := &http.Server{Handler: before(s.node)}
		served := make(chan error, 1)
		go func() { served <- server.Serve(s.listener) }()
		defer func() { server.Close(); <-served }()
		s.run(Config{}, scene)
	})
}

func (s *trial) run(config Config, scene func(*trial)) {
	s.book = book.New(0)
	config.Dial = s.Dial
	if config.BaseURLs == nil {
		config.BaseURLs = []string{"http://sim.test"}
	}
	var err error
	if s.feed, err = New(config); err != nil {
		s.t.Fatal(err)
	}
	defer s.feed.Close()
	scene(s)
}

// watchAgain ends the subscriptions and watches them again.
func (s *trial) watchAgain() {
	s.watched = nil
	s.feed.Watch(nil)
	s.takeAll()
}

// watch watches the scope of these parties and markets, each a list of words.
func (s *trial) watch(parties, markets string) {
	s.epoch++
	s.scope = model.Scope{Parties: ids(parties), Markets: ids(markets)}
	s.watched = s.scope.Subscriptions(s.watched, s.epoch)
	s.book = s.book.Narrowed(s.watched)
	s.feed.Watch(s.watched)
	s.takeAll()
}

func ids(words string) []model.ID {
	var list []model.ID
	for _, word := range strings.Fields(words) {
		list = append(list, model.MakeID(word))
	}
	return list
}

// takeAll waits until all goroutines wait, and takes all new data.
func (s *trial) takeAll() {
	for {
		synctest.Wait()
		delta, _, ok := s.feed.mailbox.take(batch)
		if !ok {
			return
		}
		if delta.Links != nil {
			s.links = delta.Links
			s.feed.addNodes(s.links)
		}
		s.commits += len(delta.Snapshots)
		if s.note != nil {
			s.book = noted(s.book, delta, s.note)
		} else {
			s.book = applied(s.book, delta)
		}
	}
}

// after waits for a time, and takes new data every second, as a screen does.
func (s *trial) after(d time.Duration) {
	s.takeAll()
	for ; d > 0; d -= time.Second {
		time.Sleep(min(d, time.Second))
		s.takeAll()
	}
}

// rows asserts what the book has: "party/market volume" for each position, in order.
func (s *trial) rows(want ...string) {
	s.t.Helper()
	got := []string{}
	for p := range s.book.All {
		if !s.scope.Covers(p.Key) {
			continue
		}
		got = append(got, fmt.Sprintf("%s/%s %s", p.Party, p.Market, p.Number(model.OpenVolume)))
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		s.t.Errorf("the book has %q, want %q", got, want)
	}
}

// link returns the state of the only subscription.
func (s *trial) link() *model.Link {
	s.t.Helper()
	if len(s.links) != 1 {
		s.t.Fatalf("%d links, want 1", len(s.links))
	}
	return &s.links[0]
}

// is asserts phase and freshness of every subscription.
func (s *trial) is(phase model.Phase, freshness model.Freshness) {
	s.t.Helper()
	if len(s.links) == 0 {
		s.t.Error("no links")
	}
	for i := range s.links {
		got, _ := s.links[i].Freshness(time.Now())
		if s.links[i].Phase != phase || got != freshness {
			s.t.Errorf("%v is %s and %s, want %s and %s", s.links[i].Key, s.links[i].Phase, got, phase, freshness)
		}
	}
}

// isLive asserts that every subscription is live or quiet, without a problem.
func (s *trial) isLive() {
	s.t.Helper()
	for i := range s.links {
		if freshness, _ := s.links[i].Freshness(time.Now()); s.links[i].Phase != model.Live || freshness > model.FreshQuiet || s.links[i].Problem != nil {
			s.t.Errorf("%v is %s and %s, with %+v", s.links[i].Key, s.links[i].Phase, freshness, s.links[i].Problem)
		}
	}
}

// problemIs asserts that the problem of the only link has a text: one of "this or that".
func (s *trial) problemIs(words string) {
	s.t.Helper()
	problem := s.link().Problem
	has := func(words string) bool { return strings.Contains(problem.Words, words) }
	switch {
	case problem == nil && words != "":
		s.t.Errorf("there is no problem, want %q", words)
	case problem != nil && (words == "" || !slices.ContainsFunc(strings.Split(words, " or "), has)):
		s.t.Errorf("the problem is %q, want %q", problem.Words, words)
	}
}

// sameAsService asserts that the book has exactly the positions of the service.
func (s *trial) sameAsService() {
	s.t.Helper()
	want := make(map[string]string)
	for _, p := range s.node.Positions() {
		want[p.Party+"/"+p.Market] = fmt.Sprintf("%d %s %s %s %d %d", p.OpenVolume, p.AverageEntryPrice, p.UnrealisedPnl, p.RealisedPnl, p.UpdatedAt, p.Status)
	}
	got := make(map[string]string)
	for p := range s.book.All {
		got[p.Party.String()+"/"+p.Market.String()] = fmt.Sprintf("%s %s %s %s %s %d", p.Number(model.OpenVolume), p.Number(model.AverageEntryPrice),
			p.Number(model.UnrealisedPnl), p.Number(model.RealisedPnl), p.Number(model.UpdatedAt), p.Status())
	}
	if !maps.Equal(got, want) {
		s.t.Errorf("the book has %d positions that are not the service's %d: %v, want %v", len(got), len(want), got, want)
	}
}

// streams returns the queries of the positions streams that were requested.
func (s *trial) streams() []string {
	var queries []string
	for _, r := range s.node.Requests() {
		if path, query, _ := strings.Cut(r.URI, "?"); strings.HasSuffix(path, wire.StreamPath) {
			queries = append(queries, query)
		}
	}
	return queries
}

// held returns a position.
func held(party, market string, volume int64) sim.Position {
	return sim.Position{Party: party, Market: market, OpenVolume: volume}
}

// The bytes of a stream, for scenes that send them.

func rowText(party, market string, volume int, updatedAt int64) string {
	return fmt.Sprintf(`{"marketId":%q,"partyId":%q,"openVolume":"%d","updatedAt":"%d","takerFeesPaid":"433"}`, market, party, volume, updatedAt)
}

func pageText(last bool, rows ...string) string {
	ending := ""
	if last {
		ending = `,"lastPage":true`
	}
	return `{"result":{"snapshot":{"positions":[` + strings.Join(rows, ",") + `]` + ending + `}}}` + "\n"
}

func updateText(rows ...string) string {
	return `{"result":{"updates":{"positions":[` + strings.Join(rows, ",") + `]}}}` + "\n"
}

// openResponse returns a response whose body stays open.
func openResponse(text string) sim.Response {
	return sim.Response{Status: http.StatusOK, Body: text, Open: true}
}
