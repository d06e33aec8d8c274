package record

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// slowDisk is a file whose writes do not end until it is released.
type slowDisk struct {
	*os.File
	released chan struct{}
	n        int
}

func (d *slowDisk) Write(p []byte) (int, error) {
	if d.n++; d.n > 2 {
		<-d.released
	}
	return d.File.Write(p)
}

func sized(market string, size, profit int64) model.Position {
	p := model.Position{Key: model.Key{Party: model.MakeID("a"), Market: model.MakeID(market)}}
	p.SetNumber(model.OpenVolume, model.AmountOf(size))
	p.SetNumber(model.UnrealisedPnl, model.AmountOf(profit))
	return p
}

// TestASlowDiskDelaysNothing: a million updates come while the disk does not write. The newest state of each row is
// recorded, and all changes of size; the file says how many other states are missing.
func TestASlowDiskDelaysNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "slow")
	const rows, rounds = 100, 10_000
	synctest.Test(t, func(t *testing.T) {
		released := make(chan struct{})
		r, err := Create(Options{Path: path, create: func(path string) (io.WriteCloser, error) {
			file, err := os.Create(path)
			return &slowDisk{File: file, released: released}, err
		}})
		if err != nil {
			t.Fatal(err)
		}
		of := model.Subscription{Epoch: 1}
		link := model.Link{Subscription: of, Phase: model.Live, Committed: true}
		all := book.NewRows()
		for i := range rows {
			p := sized(fmt.Sprint(i), 1, 0)
			all.Put(&p)
		}
		r.Delta(&book.Delta{Links: []model.Link{link}, Snapshots: []book.Snapshot{{AsIs: true, Subscription: of, Rows: all}}})
		time.Sleep(2 * time.Second)
		began := time.Now()
		for round := range int64(rounds) {
			var updates []model.Position
			for i := range rows {
				updates = append(updates, sized(fmt.Sprint(i), 1+round/1000, round)) // nine changes of size each
			}
			r.Delta(&book.Delta{Updates: []book.Updates{{Subscription: of, Positions: updates}}})
			time.Sleep(time.Millisecond)
			r.queue.mu.Lock()
			waiting := r.queue.rows
			if r.queue.mu.Unlock(); waiting > 2*thinnedFrom {
				t.Fatalf("%d rows wait", waiting)
			}
		}
		if took := time.Since(began); took != rounds*time.Millisecond || r.Err() != nil {
			t.Errorf("it took %s: %v", took, r.Err())
		}
		close(released)
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	player, err := Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close()
	player.Watch(model.Scope{}.Subscriptions(nil, 1))
	_, newest := player.Range()
	delta, err := player.At(newest)
	if err != nil {
		t.Fatal(err)
	}
	for p := range delta.Snapshots[0].Rows.All {
		if p.Number(model.UnrealisedPnl) != model.AmountOf(rounds-1) {
			t.Errorf("%s has %s", p.Market, p.Number(model.UnrealisedPnl))
		}
	}
	if got := len(player.Events(newest)); got != 9*rows || player.Dropped() == 0 {
		t.Errorf("%d events, %d states dropped", got, player.Dropped())
	}
}

// TestARecordingThatStopsEndsWithAWholeDelta: it stops because too much waits, in the middle of a large snapshot whose
// updates come in the same Delta.
func TestARecordingThatStopsEndsWithAWholeDelta(t *testing.T) {
	path := filepath.Join(t.TempDir(), "slow")
	of := model.Subscription{Epoch: 1}
	synctest.Test(t, func(t *testing.T) {
		released := make(chan struct{})
		r, err := Create(Options{Path: path, create: func(path string) (io.WriteCloser, error) {
			file, err := os.Create(path)
			return &slowDisk{File: file, released: released}, err
		}})
		if err != nil {
			t.Fatal(err)
		}
		link := model.Link{Subscription: of, Phase: model.Live, Committed: true, Messages: 1}
		r.Delta(&book.Delta{Links: []model.Link{link}})
		time.Sleep(2 * time.Second)
		all := book.NewRows()
		for i := range 20_000 {
			p := sized(fmt.Sprint(i), 1, 0)
			all.Put(&p)
		}
		link.Messages = 2
		update := book.Updates{Subscription: of, Positions: []model.Position{sized("0", 2, 0)}}
		r.Delta(&book.Delta{Links: []model.Link{link}, Snapshots: []book.Snapshot{{AsIs: true, Subscription: of, Rows: all}}, Updates: []book.Updates{update}})
		link.Messages = 3
		r.Delta(&book.Delta{Links: []model.Link{link}})
		time.Sleep(writeEvery) // then it writes the snapshot
		synctest.Wait()
		r.fail(errTooSlow)
		close(released)
		if err := r.Close(); err == nil {
			t.Error("the recording did not stop")
		}
	})
	player, err := Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close()
	player.Watch(model.Scope{}.Subscriptions(nil, 1))
	_, newest := player.Range()
	delta, err := player.At(newest)
	if err != nil {
		t.Fatal(err)
	}
	if got := delta.Links[0].Messages; got != 2 {
		t.Errorf("it ends with message %d, want 2", got)
	}
	for p := range delta.Snapshots[0].Rows.All {
		if p.Market.String() == "0" && p.Number(model.OpenVolume) != model.AmountOf(2) {
			t.Errorf("the size is %s, want 2", p.Number(model.OpenVolume))
		}
	}
}

// TestTheRowsThatAreWrittenCount among those that may wait, until they are written: they are in memory too.
func TestTheRowsThatAreWrittenCount(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		released := make(chan struct{})
		r, err := Create(Options{Path: filepath.Join(t.TempDir(), "slow"), create: func(path string) (io.WriteCloser, error) {
			file, err := os.Create(path)
			return &slowDisk{File: file, released: released}, err
		}})
		if err != nil {
			t.Fatal(err)
		}
		r.maxRows = 30_000
		profit := int64(0)
		put := func(rows int, wait time.Duration) {
			var updates []model.Position
			profit++
			for i := range rows {
				updates = append(updates, sized(fmt.Sprint(i), 1, profit))
			}
			r.Delta(&book.Delta{Updates: []book.Updates{{Subscription: model.Subscription{Epoch: 1}, Positions: updates}}})
			time.Sleep(wait)
			synctest.Wait()
		}
		put(1, 2*time.Second)
		put(15_000, 0)
		put(15_000, 2*time.Second)
		for r.taken > 15_000 {
			released <- struct{}{} // the disk writes a block
			synctest.Wait()
		}
		if put(15_000, 2*time.Second); r.Err() != nil {
			t.Error(r.Err())
		}
		if put(1, 0); !errors.Is(r.Err(), errTooSlow) {
			t.Errorf("30,001 rows are in memory: %v", r.Err())
		}
		close(released)
		_ = r.Close()
	})
}

// TestManyLinksAreNotKeptForASlowDisk: each Delta has the states of all streams.
func TestManyLinksAreNotKeptForASlowDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := Create(Options{Path: filepath.Join(t.TempDir(), "slow")})
		if err != nil {
			t.Fatal(err)
		}
		r.maxRows = 30_000
		links := make([]model.Link, 1000)
		for n := range 10 { // before anything is written
			r.Delta(&book.Delta{Links: links})
			if isFull := n >= 7; errors.Is(r.Err(), errTooSlow) != isFull {
				t.Errorf("%d links wait: %v", (n+1)*len(links), r.Err())
			}
		}
		_ = r.Close()
	})
}

// TestManyMarginRecordsAreNotKeptForASlowDisk: of a large scope, all of them are read again and again.
func TestManyMarginRecordsAreNotKeptForASlowDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, err := Create(Options{Path: filepath.Join(t.TempDir(), "slow")})
		if err != nil {
			t.Fatal(err)
		}
		r.maxRows = 30_000
		for n := range 5 { // before anything is written
			r.Delta(&book.Delta{Margins: []book.MarginsRead{{Page: &model.Page{Rows: make([]model.MarginLevels, 5000)}}, {Err: io.EOF}}})
			if isFull := n >= 3; errors.Is(r.Err(), errTooSlow) != isFull {
				t.Errorf("%d pages wait: %v", n+1, r.Err())
			}
		}
		_ = r.Close()
	})
}

// stoppingDisk is a file that stops the recording while it is written to for the fourth time.
type stoppingDisk struct {
	slowDisk
	stop func()
}

func (d *stoppingDisk) Write(p []byte) (int, error) {
	if d.n == 3 {
		d.stop()
	}
	return d.slowDisk.Write(p)
}

// TestARecordingThatStopsSaysHowManyStatesAreMissing: it stops while it writes what is left of many states.
func TestARecordingThatStopsSaysHowManyStatesAreMissing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "slow")
	synctest.Test(t, func(t *testing.T) {
		released := make(chan struct{})
		disk := &stoppingDisk{slowDisk: slowDisk{released: released}}
		r, err := Create(Options{Path: path, create: func(path string) (_ io.WriteCloser, err error) {
			disk.File, err = os.Create(path)
			return disk, err
		}})
		if err != nil {
			t.Fatal(err)
		}
		disk.stop = func() { r.fail(errTooSlow) }
		of := model.Subscription{Epoch: 1}
		put := func(rows int, size int64) {
			var updates []model.Position
			for i := range rows {
				updates = append(updates, sized(fmt.Sprint(i), size, 0))
			}
			r.Delta(&book.Delta{Updates: []book.Updates{{Subscription: of, Positions: updates}}})
		}
		r.Delta(&book.Delta{Links: []model.Link{{Subscription: of, Phase: model.Live, Committed: true}}})
		time.Sleep(2 * time.Second)
		put(10, 1)
		time.Sleep(2 * time.Second) // the disk does not write this
		for range 2 + thinnedFrom/10_000 {
			put(10_000, 2)
		}
		put(10_000, 3)
		put(10_000, 4)
		close(released)
		time.Sleep(time.Second)
		if err := r.Close(); err == nil {
			t.Error("the recording did not stop")
		}
	})
	player, err := Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close()
	if player.Dropped() == 0 {
		t.Error("it does not say that states are missing")
	}
}

// TestStatesAreDroppedEarlyAgain when the disk has written what waited, and is slow once more.
func TestStatesAreDroppedEarlyAgain(t *testing.T) {
	q := newQueue(time.Now(), time.Now)
	put := func(rounds int, size func(round int) int64) {
		for round := range rounds {
			var positions []model.Position
			for i := range 1000 {
				positions = append(positions, sized(fmt.Sprint(i), size(round), int64(round)))
			}
			q.Delta(&book.Delta{Updates: []book.Updates{{Positions: positions}}})
		}
	}
	put(150, func(round int) int64 { return int64(round) }) // each is an event: none is dropped
	if q.rows != 150_000 {
		t.Errorf("%d rows wait", q.rows)
	}
	q.takeAll()
	put(200, func(int) int64 { return 1 })
	if q.rows > thinnedFrom {
		t.Errorf("%d rows wait, although most are superseded", q.rows)
	}
}
