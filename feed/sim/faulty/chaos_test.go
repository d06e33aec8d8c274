package faulty

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
)

// faultLog is a log that keeps which faults there were, and when.
type faultLog struct {
	slog.Handler
	mu      sync.Mutex
	entries []string
}

func (d *faultLog) Enabled(context.Context, slog.Level) bool { return true }

func (d *faultLog) Handle(_ context.Context, record slog.Record) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	record.Attrs(func(a slog.Attr) bool {
		d.entries = append(d.entries, fmt.Sprint(record.Time.Unix(), a))
		return true
	})
	return nil
}

// tenMinutes runs a service with chaos, and a client that always tries again.
func tenMinutes(t *testing.T, seed uint64) (entries []string, lines int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := &faultLog{}
		n := sim.New(sim.Config{Seed: 1, Parties: 20, Markets: 8, Rate: 10, Faults: New(seed, slog.New(d))})
		l := sim.Listen()
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
		defer stop()
		var work sync.WaitGroup
		work.Go(func() {
			if err := n.Serve(ctx, l); err != nil {
				t.Errorf("Serve: %v", err)
			}
		})
		work.Go(func() { lines = listen(ctx, l) })
		work.Wait()
		entries = d.entries
	})
	return entries, lines
}

// The addresses of the two operations.
const (
	streams = "http://sim/api/v2/stream/positions"
	margins = "http://sim/api/v2/margin/levels"
)

// of returns the faults of a node whose seed does not matter.
func of(node *sim.Node) *Chaos {
	c := New(0, nil)
	c.node = node
	return c
}

// listen opens streams for as long as the context lasts, and counts lines.
func listen(ctx context.Context, l *sim.Listener) (lines int) {
	client := &http.Client{Transport: &http.Transport{DialContext: l.DialContext, DisableCompression: true}}
	defer client.CloseIdleConnections()
	for sleep(ctx, time.Second) {
		limited, cancel := context.WithTimeout(ctx, 45*time.Second)
		request, _ := http.NewRequestWithContext(limited, http.MethodGet, streams, nil)
		if response, err := client.Do(request); err == nil {
			scanner := bufio.NewScanner(response.Body)
			scanner.Buffer(nil, 1<<20)
			for scanner.Scan() {
				lines++
			}
			_ = response.Body.Close()
		}
		cancel()
	}
	return lines
}

func TestTenMinutesOfChaosHaveEveryFault(t *testing.T) {
	entries, lines := tenMinutes(t, 7)
	all := strings.Join(entries, "\n")
	for _, fault := range faults {
		if !strings.Contains(all, "kind="+fault.name+"\n") {
			t.Errorf("no fault %s", fault.name)
		}
	}
	if lines < 200 {
		t.Errorf("in ten minutes only %d lines came through", lines)
	}
}

// serve serves connections until the test ends. It must be called in the bubble of synctest.
func serve(t *testing.T, n *sim.Node) *sim.Listener {
	l := sim.Listen()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = n.Serve(t.Context(), l)
	}()
	t.Cleanup(func() { <-ended })
	return l
}

func TestChaosCanBeStopped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &faultLog{}
		chaos := New(3, slog.New(d))
		n := sim.New(sim.Config{Seed: 1, Parties: 5, Markets: 5, Faults: chaos})
		chaos.Stop() // it does not run yet
		l := serve(t, n)
		time.Sleep(2 * time.Minute)
		chaos.Stop()
		chaos.Stop()
		faults := len(d.entries)
		if faults == 0 {
			t.Error("there was no fault")
		}
		assertHealthy(t, n, &http.Client{Transport: &http.Transport{DialContext: l.DialContext, DisableKeepAlives: true}})
		time.Sleep(2 * time.Minute)
		if more := len(d.entries) - faults; more != 0 {
			t.Errorf("%d faults after the end", more)
		}
	})
}

func TestChaosIsReproducible(t *testing.T) {
	one, _ := tenMinutes(t, 1)
	again, _ := tenMinutes(t, 1)
	other, _ := tenMinutes(t, 2)
	if a, b := strings.Join(one, "\n"), strings.Join(again, "\n"); a != b {
		t.Errorf("one seed makes two sequences of faults:\n%s\n\n%s", a, b)
	}
	if strings.Join(one, "\n") == strings.Join(other, "\n") {
		t.Error("two seeds make one sequence of faults")
	}
}

// Whatever the fault, both operations respond as usual when it is over, with correct data.
func TestEveryFaultEnds(t *testing.T) {
	for _, fault := range faults {
		t.Run(fault.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := sim.New(sim.Config{Seed: 1, Parties: 5, Markets: 5, Rate: 10})
				l := serve(t, n)
				go listen(t.Context(), l)
				time.Sleep(1500 * time.Millisecond)
				of(n).inject(t.Context(), fault)
				synctest.Wait()

				assertHealthy(t, n, &http.Client{Transport: &http.Transport{DialContext: l.DialContext, DisableKeepAlives: true}})
			})
		})
	}
}

// assertHealthy asserts that both operations respond at once and in full, with correct data and times.
func assertHealthy(t *testing.T, n *sim.Node, client *http.Client) {
	t.Helper()
	began := time.Now()
	response, err := client.Get(margins)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(response.Body)
	if block := response.Header.Get("X-Block-Timestamp"); err != nil || !strings.Contains(string(body), "pageInfo") ||
		block != fmt.Sprint(began.UnixNano()) {
		t.Errorf("margin levels: %s, block %s, %v: %.100q", response.Status, block, err, body)
	}
	if got, want := strings.Count(string(body), "cursor"), len(n.Margins()); got != want {
		t.Errorf("%d margin records, want %d", got, want)
	}
	response, err = client.Get(streams)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	lines := bufio.NewReader(response.Body)
	snapshot, err := lines.ReadString('\n')
	positions := n.Positions()
	if err != nil || strings.Count(snapshot, "partyId") != len(positions) {
		t.Errorf("snapshot: %s, %v: %.100q", response.Status, err, snapshot)
	}
	for _, p := range positions {
		if !strings.Contains(snapshot, rowOf(n, p)) || p.UpdatedAt == sim.NoTime || p.UpdatedAt > began.UnixNano() {
			t.Errorf("the snapshot differs from %+v", p)
		}
	}
	synctest.Wait()
	n.Update(positions[0])
	if line, err := lines.ReadString('\n'); err != nil || !strings.Contains(line, "updates") {
		t.Errorf("update: %v: %.100q", err, line)
	}
	if took := time.Since(began); took != 0 {
		t.Errorf("the responses took %v", took)
	}
}

// rowOf returns a position as a snapshot has it, up to its fees.
func rowOf(n *sim.Node, p sim.Position) string {
	_, row, _ := strings.Cut(string(n.Message(p)), `"positions":[`)
	row, _, _ = strings.Cut(row, `,"takerFeesPaid"`)
	return row
}
