package margins

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/endpoint"
	"blotter/feed/feedtest"
	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/modeltest"
)

// network is a simulated service that a Pool uses, in fake time.
type network struct {
	*sim.Node
	feedtest.Network
	t        *testing.T
	listener *sim.Listener
	lister   *Lister
	delay    time.Duration // before each response
}

// play runs a scene.
func play(t *testing.T, config sim.Config, scene func(*network)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := &network{Node: sim.New(config), t: t}
		n.listener = n.Listen("sim.test")
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(n.delay)
			n.ServeHTTP(w, r)
		})}
		served := make(chan error, 1)
		go func() { served <- server.Serve(n.listener) }()
		defer func() { server.Close(); <-served }()
		pool, err := endpoint.New(endpoint.Config{
			Service: endpoint.Service{BaseURLs: []string{"http://sim.test"}, Dial: n.Dial},
			Times:   endpoint.RequestTimes{MaxBackoff: 20 * time.Second},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		n.lister = New(pool, slog.New(slog.DiscardHandler))
		scene(n)
	})
}

// fill puts the given number of records into the service, the oldest first.
func (n *network) fill(records int) {
	for market := range records {
		n.PutMargins(record(market, time.Now().UnixNano()+int64(market)))
	}
	time.Sleep(time.Second)
}

// changing changes a random record at an interval while the scene runs.
func (n *network) changing(every time.Duration, records int, scene func()) {
	random, done := rand.New(rand.NewPCG(1, 1)), make(chan struct{})
	var changes sync.WaitGroup
	changes.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(every):
				n.PutMargins(record(random.IntN(records), 0))
			}
		}
	})
	scene()
	close(done)
	changes.Wait()
}

// TestWalkEndsWhileRecordsChange: 6,000 records, of which many change each second, are read in small pages.
func TestWalkEndsWhileRecordsChange(t *testing.T) {
	const records = 6000
	for _, c := range []struct {
		name          string
		delay, change time.Duration // before each response, and between two changes
		within        time.Duration
		complete      bool // the changes are slow enough to reach the end of the list
	}{
		{"200 changes and 77 responses a second", 13 * time.Millisecond, 5 * time.Millisecond, 25 * time.Second, true},
		{"200 changes and 20 responses a second", 50 * time.Millisecond, 5 * time.Millisecond, 150 * time.Second, false},
		{"1,000 changes and 20 responses a second", 50 * time.Millisecond, time.Millisecond, 150 * time.Second, false},
	}[:modeltest.Times(3)] {
		t.Run(c.name, func(t *testing.T) {
			play(t, sim.Config{}, func(n *network) {
				n.fill(records)
				n.delay = c.delay
				n.changing(c.change, records, func() {
					ctx, cancel := context.WithTimeout(n.t.Context(), 2*c.within)
					defer cancel()
					began := time.Now()
					walked, err := n.lister.Walk(ctx, model.PageRequest{Size: 7}, 0)
					rows, warning := walked.Records, walked.Warning
					if took := time.Since(began); err != nil || took > c.within {
						n.t.Errorf("it took %s, want %s at most: %v", took, c.within, err)
					}
					seen := make(map[model.MarginKey]bool)
					for i := range rows {
						seen[rows[i].MarginKey] = true
					}
					if len(seen) != len(rows) {
						n.t.Errorf("%d rows of %d records", len(rows), len(seen))
					}
					if c.complete && (len(rows) != records || warning != "") {
						n.t.Errorf("%d records and %q", len(rows), warning)
					}
					if !c.complete && (len(rows) < records*9/10 || !strings.Contains(warning, "some may be missing")) {
						n.t.Errorf("%d records and %q", len(rows), warning)
					}
				})
			})
		})
	}
}

// TestWalkAtARateLimit: the public service allows 20 requests a second after a burst of 100, and bans clients that send
// more.
func TestWalkAtARateLimit(t *testing.T) {
	play(t, sim.Config{Limits: sim.Limits{Requests: 20, Burst: 100, BanAfter: 10}}, func(n *network) {
		n.fill(3000)
		walked, err := n.lister.Walk(n.t.Context(), model.PageRequest{Size: 11}, 0)
		rows, warning := walked.Records, walked.Warning
		if len(rows) != 3000 || warning != "" || err != nil {
			n.t.Errorf("%d records, %q, %v", len(rows), warning, err)
		}
	})
}

func TestBanThatIsTooLongEndsAWalkAtOnce(t *testing.T) {
	play(t, sim.Config{}, func(n *network) {
		n.SetMarginResponse(sim.Always, sim.Response{Status: 403, Body: "banned", Header: http.Header{"Ratelimit-Retry-After": {"600"}}})
		for range 2 { // first by the service, then because the ban is known
			ctx, cancel := context.WithTimeout(n.t.Context(), 15*time.Second)
			began := time.Now()
			_, err := n.lister.Walk(ctx, model.PageRequest{Size: 2}, 0)
			cancel()
			if took := time.Since(began); took > 0 || err == nil || !strings.Contains(err.Error(), "banned") {
				n.t.Errorf("after %s the error is %v, want the ban at once", took, err)
			}
		}
	})
}

// TestWalkWaitsForAServiceThatIsDown, and dials it six times a minute at most. When it is back, dials are free again:
// the end of the list is read over another connection at once.
func TestWalkWaitsForAServiceThatIsDown(t *testing.T) {
	play(t, sim.Config{}, func(n *network) {
		n.fill(9)
		n.listener.Kill()
		began, ended := time.Now(), make(chan struct{})
		var rows []model.MarginLevels
		var err error
		go func() {
			defer close(ended)
			var walked Walked
			walked, err = n.lister.Walk(n.t.Context(), model.PageRequest{Size: 4}, 0)
			rows = walked.Records
		}()
		time.Sleep(10 * time.Minute)
		n.CheckDialLimit(n.t, began)
		n.listener.Revive()
		<-ended
		if took := time.Since(began); err != nil || len(rows) != 9 || took > 10*time.Minute+20*time.Second {
			n.t.Errorf("%d records after %s, %v", len(rows), took, err)
		}
		if tries := len(n.Dials()); tries < 25 {
			n.t.Errorf("%d tries to connect in ten minutes", tries)
		}
		n.listener.Kill()
		ctx, cancel := context.WithTimeout(n.t.Context(), 15*time.Second)
		defer cancel()
		_, err = n.lister.Walk(ctx, model.PageRequest{Size: 4}, 0)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.HasSuffix(err.Error(), "connection refused: nothing listens there") {
			n.t.Errorf("the error is %v", err)
		}
	})
}

// TestPagesOfAService reads pages through a Pool: the service accepts the parameters that the Pool sends.
func TestPagesOfAService(t *testing.T) {
	play(t, sim.Config{}, func(n *network) {
		n.fill(20)
		n.Lag(time.Minute)
		request := model.PageRequest{Scope: model.Scope{Parties: ofParties("aa").Parties}, Size: 8, NewestFirst: true}
		var all []model.MarginLevels
		for _, turn := range []model.PageTurn{model.FirstPage, model.NextPage, model.NextPage, model.PreviousPage, model.LastPage} {
			request.Turn = turn
			page, err := n.lister.Page(n.t.Context(), request)
			if err != nil {
				n.t.Fatal(err)
			}
			if behind := page.ReadAt.Sub(page.Block.Time); behind != time.Minute || page.Block.Height == 0 {
				n.t.Errorf("block %d is %s behind, want a minute", page.Block.Height, behind)
			}
			request.From = page
			all = append(all, page.Rows...)
		}
		var list, got []string
		for _, m := range n.Margins() {
			list = append(list, m.Market)
		}
		for i := range all {
			got = append(got, all[i].Market.String())
		}
		if want := slices.Concat(list, list[8:16], list[12:]); !slices.Equal(got, want) {
			n.t.Errorf("the pages have %q, want %q", got, want)
		}
	})
}
