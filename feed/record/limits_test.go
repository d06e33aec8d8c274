package record

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book/pairs"
	"blotter/model/modeltest"
)

// hostileRecording writes a compressed recording whose blocks have correct checksums.
func hostileRecording(t *testing.T, header Header, entries func(yield func(*entry) bool)) (path string) {
	t.Helper()
	return hostileFile(t, header, func(w *writer) {
		entries(func(e *entry) bool {
			w.writeEntry(e)
			return true
		})
	})
}

// hostileFile writes a compressed recording with what is written to it.
func hostileFile(t *testing.T, header Header, write func(*writer)) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "hostile.zst")
	header.Start = time.Unix(1_795_377_116, 0)
	w, err := newWriter(&Options{Path: path, Size: 1 << 40, Header: header, create: createFile})
	if err != nil {
		t.Fatal(err)
	}
	write(w)
	if w.end(longest, closed); w.err != nil {
		t.Fatal(w.err)
	}
	return path
}

// TestWhatARecordingTakesIsBounded: rows with long texts, and a list of streams without end.
func TestWhatARecordingTakesIsBounded(t *testing.T) {
	of := model.Subscription{Epoch: 1}
	watched := []model.Subscription{of}
	for name, entries := range map[string]func(yield func(*entry) bool){
		"texts": func(yield func(*entry) bool) {
			yield(&entry{Watched: &watched})
			for i := range 300 {
				p := model.Position{Key: model.Key{Party: model.MakeID(fmt.Sprint(i)), Market: model.MakeID("m")}}
				p.SetNumber(model.OpenVolume, model.ParseAmount(strings.Repeat("9", 1<<20)))
				yield(&entry{Updates: &rowsOf{Subscription: of}, positions: []model.Position{p}})
			}
		},
		"streams": func(yield func(*entry) bool) {
			many := make([]model.Subscription, maxIdentifiers+1)
			for i := range many {
				many[i].Party = model.MakeID(fmt.Sprint(i))
			}
			yield(&entry{Watched: &many})
		},
	} {
		t.Run(name, func(t *testing.T) {
			if name == "texts" && !modeltest.IsThorough {
				t.Skip("300 MB of texts take seconds; the tag thorough reads them")
			}
			player, err := Open(hostileRecording(t, Header{}, entries), 0)
			if err != nil {
				t.Fatal(err)
			}
			defer player.Close()
			player.Watch(model.Scope{}.Subscriptions(nil, 1))
			_, newest := player.Range()
			if _, err := player.At(newest); err == nil || !strings.Contains(err.Error(), "more or longer texts than a recording has") {
				t.Error(err)
			}
		})
	}
}

// TestAStepBackEnds, also in a file whose head of a whole state has an earlier time than the state.
func TestAStepBackEnds(t *testing.T) {
	of := model.Subscription{Epoch: 1}
	watched := []model.Subscription{of}
	path := hostileFile(t, Header{}, func(w *writer) {
		w.writeEntry(&entry{Watched: &watched})
		w.flush(false)
		w.block.State = stateBegins
		w.writeEntry(&entry{At: 100, Watched: &watched})
		w.block.At = 10
		w.flush(false)
		w.block.State = ""
		w.writeEntry(&entry{At: 200, Watched: &watched})
	})
	player, err := Open(path, 0)
	if err != nil || player.Damage() != nil {
		t.Fatal(err, player.Damage())
	}
	defer player.Close()
	player.Watch(watched)
	oldest, _ := player.Range()
	if _, err := player.At(oldest.Add(50)); err != nil {
		t.Fatal(err)
	}
	player.Step(-1)
	if _, err := player.Next(t.Context()); err != nil || !player.Now().Equal(oldest) {
		t.Errorf("it goes to %s, %v", player.Now(), err)
	}
}

func TestHeaderOfARecordingIsBounded(t *testing.T) {
	var header Header
	for i := range maxIdentifiers + 1 {
		header.Scope.Parties = append(header.Scope.Parties, model.MakeID(fmt.Sprint(i)))
	}
	_, err := Open(hostileRecording(t, header, func(func(*entry) bool) {}), 0)
	if err == nil || !strings.Contains(err.Error(), "its header names more than 10000 parties and markets") {
		t.Error(err)
	}
}

// TestABlockThatCannotBeUnpackedIsRefused, one that unpacks to too much before it is in memory.
func TestABlockThatCannotBeUnpackedIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bomb.zst")
	compress, err := compression(path)
	if err != nil {
		t.Fatal(err)
	}
	header := Header{Start: time.Unix(1_795_377_116, 0)}
	line, err := json.Marshal(headerLine{formatVersion, 0, header})
	if err != nil {
		t.Fatal(err)
	}
	text, err := compress(append(line, '\n'))
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Clone(text)
	bomb, err := compress(make([]byte, maxBlock+1))
	if err != nil {
		t.Fatal(err)
	}
	for want, block := range map[string][]byte{errTooLong.Error(): bomb, "it is not compressed with zstd": []byte("any other text")} {
		if err := os.WriteFile(path, slices.Concat(text, block), 0o600); err != nil {
			t.Fatal(err)
		}
		player, err := Open(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		player.Close()
		if player.Damage() == nil || !strings.Contains(player.Damage().Error(), want) {
			t.Errorf("the damage is %v, want %s", player.Damage(), want)
		}
	}
}

// TestABlockThatSaysItIsTooLongIsRefused, before the rest of the file is in memory: also if its length and that of its
// head together are no number of 64 bits.
func TestABlockThatSaysItIsTooLongIsRefused(t *testing.T) {
	header, err := json.Marshal(headerLine{formatVersion, 0, Header{Start: time.Unix(1_795_377_116, 0)}})
	if err != nil {
		t.Fatal(err)
	}
	for _, length := range []int{maxBlock + 1, math.MaxInt64} {
		path := filepath.Join(t.TempDir(), "plain")
		text := fmt.Sprintf("%s\n{\"block\":0,\"at\":0,\"bytes\":%d,\"crc32c\":\"00000000\"}\n", header, length)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		player, err := Open(path, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer player.Close()
		if player.Damage() == nil || !strings.Contains(player.Damage().Error(), errTooLong.Error()) {
			t.Errorf("%d bytes: the damage is %v", length, player.Damage())
		}
	}
}

// TestNothingIsShownAfterALineThatCannotBeRead, also if the replay is to go on: what comes later builds on it. Each key
// that would go on shows all rows again, and what is wrong.
func TestNothingIsShownAfterALineThatCannotBeRead(t *testing.T) {
	of := model.Subscription{Epoch: 1}
	watched := []model.Subscription{of}
	update := func(at time.Duration, size int64) *entry {
		return &entry{At: at, Updates: &rowsOf{Subscription: of}, positions: []model.Position{sized("a", size, 0)}}
	}
	for _, line := range []string{`{"at":3000000,"link":{"epoch":1,"fields":{"phase":"unknown"}}}`, `{"at":3000000,"updates":{"epoch":"x"}}`} {
		playsNothingAfter(t, hostileFile(t, Header{}, func(w *writer) {
			w.writeEntry(&entry{At: time.Millisecond, Watched: &watched})
			w.writeEntry(update(2*time.Millisecond, 1))
			w.lines = append(append(w.lines, line...), '\n')
			w.writeEntry(update(4*time.Millisecond, 2))
		}))
	}
}

func playsNothingAfter(t *testing.T, path string) {
	t.Helper()
	player, err := Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close()
	player.Watch(model.Scope{}.Subscriptions(nil, 1))
	oldest, _ := player.Range()
	if _, err := player.At(oldest); err != nil {
		t.Fatal(err)
	}
	size, again := "", 0
	for range 5 {
		player.Step(1)
		delta, _, err := player.advance()
		if err != nil {
			t.Fatal(err)
		}
		for _, updates := range delta.Updates {
			for i := range updates.Positions {
				size = updates.Positions[i].Number(model.OpenVolume).String()
			}
		}
		for _, snapshot := range delta.Snapshots {
			for p := range snapshot.Rows.All {
				size = p.Number(model.OpenVolume).String()
			}
			again++
		}
	}
	if _, paused, _, problem := player.State(); size != "1" || again != 4 || !paused || problem == nil || player.Now().After(oldest.Add(2*time.Millisecond)) {
		t.Errorf("the size is %s, want 1; %d times all rows; paused: %t, at %s: %v", size, again, paused, player.Now(), problem)
	}
}

// TestHalfOfWhatCameAtOnceIsNotShown: the file ends before the other half, and neither a jump nor a step goes there.
func TestHalfOfWhatCameAtOnceIsNotShown(t *testing.T) {
	of, size := model.Subscription{Epoch: 1}, int64(0)
	watched := []model.Subscription{of}
	path := hostileFile(t, Header{}, func(w *writer) {
		w.writeEntry(&entry{At: 1, Watched: &watched})
		w.flush(false)
		w.writeEntry(&entry{At: 5, Updates: &rowsOf{Subscription: of}, positions: []model.Position{sized("a", 1, 0)}})
		w.flush(true)
		size = w.size
	})
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
	player, err := Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer player.Close()
	player.Watch(watched)
	_, newest := player.Range()
	shown, err := player.At(newest)
	if err != nil || player.Damage() == nil {
		t.Fatal(err, player.Damage())
	}
	player.Step(1)
	if delta, _, err := player.advance(); err != nil || shown.Snapshots != nil || delta.Updates != nil || !player.Now().Equal(newest) {
		t.Errorf("at %s it shows %+v, at %s %+v, %v", newest, shown.Snapshots, player.Now(), delta.Updates, err)
	}
}

// TestASnapshotOfARecordingIsBounded, as updates are.
func TestASnapshotOfARecordingIsBounded(t *testing.T) {
	of := model.Subscription{Epoch: 1}
	watched := []model.Subscription{of}
	for _, last := range []bool{false, true} {
		player, err := Open(hostileRecording(t, Header{}, func(yield func(*entry) bool) {
			yield(&entry{Watched: &watched})
			for i := range 300 {
				yield(&entry{Snapshot: &rowsOf{Subscription: of}, positions: []model.Position{sized(fmt.Sprint(i), 1, 0)}})
			}
			if last {
				yield(&entry{Snapshot: &rowsOf{Subscription: of, Last: true}})
			}
		}), 100)
		if err != nil {
			t.Fatal(err)
		}
		defer player.Close()
		player.Watch(model.Scope{}.Subscriptions(nil, 1))
		_, newest := player.Range()
		if _, err := player.At(newest); err == nil || !strings.Contains(err.Error(), "more positions than are kept") {
			t.Error(err)
		}
	}
}

// TestWhatIsNoRatioInARecordingIsNone: a ratio is of numbers, and the screen, which compares ratios, ended with a nil
// pointer.
func TestWhatIsNoRatioInARecordingIsNone(t *testing.T) {
	ratio := func(profit, maintenance string) pairs.LastRatio {
		return pairs.LastRatio{MarginRatio: model.MarginRatio{Profit: model.ParseAmount(profit), Maintenance: model.ParseAmount(maintenance)}}
	}
	for _, last := range []pairs.LastRatio{ratio("-5", "1,5"), ratio("x", "7"), ratio("-5", "-7")} {
		got := []pairs.LastRatio{last, ratio("-5", "7")}
		if err := checkSizeChange(&pairs.SizeChange{Last: got}); err != nil {
			t.Error(err)
		}
		if !got[0].Maintenance.IsZero() || got[0].Compare(got[1].MarginRatio) != 1 || got[1].String() != "-71.4%" {
			t.Errorf("%+v: %+v", last, got)
		}
	}
}

// TestEmptyBlocksInARow: a file of many of them takes long to read, and has nothing in it.
func TestEmptyBlocksInARow(t *testing.T) {
	for _, empty := range []int{maxEmpty, maxEmpty + 1} {
		path := hostileFile(t, Header{}, func(w *writer) {
			for range empty {
				w.block.Bytes, w.block.CRC = 0, checksum(nil)
				head, err := json.Marshal(&w.block)
				if err != nil {
					t.Fatal(err)
				}
				w.writeFrame(append(head, '\n'))
				w.block.Block++
			}
		})
		p, err := Open(path, 100)
		if isOpen := err == nil; isOpen != (empty <= maxEmpty) || err != nil && !strings.Contains(err.Error(), "empty blocks in a row") {
			t.Errorf("%d empty blocks: %v", empty, err)
		}
		if err == nil {
			if p.Damage() != nil {
				t.Errorf("%d empty blocks: %v", empty, p.Damage())
			}
			p.Close()
		}
	}
}
