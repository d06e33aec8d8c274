package record_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed"
	"blotter/feed/follow"
	"blotter/feed/record"
	"blotter/feed/sim"
	"blotter/model"
)

var makeCorpus = flag.Bool("make-corpus", false, "record the faults of feed/sim again into testdata, with the rows at their ends")

// TestCorpus plays recorded faults. Each recording ends with the rows of the live session, which are in the file beside
// it. A recording whose name begins with cut ends if the program was killed.
func TestCorpus(t *testing.T) {
	if *makeCorpus {
		recordCorpus(t)
	}
	recordings, err := filepath.Glob("testdata/*.zst")
	if err != nil || len(recordings) < 5 {
		t.Fatalf("recordings: %q, %v", recordings, err)
	}
	for _, path := range recordings {
		t.Run(filepath.Base(path), func(t *testing.T) {
			text, err := os.ReadFile(strings.TrimSuffix(path, ".zst") + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var want map[string]string
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			s, err := replayed(t, path, model.Scope{})
			_, damaged := errors.AsType[*record.DamagedError](err)
			if cut := strings.HasPrefix(filepath.Base(path), "cut"); damaged != cut || err != nil && !damaged {
				t.Errorf("the end of the recording: %v", err)
			}
			s.hasRows(t, want)
		})
	}
}

// recordCorpus makes the files of testdata.
func recordCorpus(t *testing.T) {
	for seed := range uint64(6) {
		name := fmt.Sprintf("testdata/chaos-%d", seed+1)
		_ = os.Remove(name + ".zst")
		synctest.Test(t, func(t *testing.T) {
			service := sim.Config{Seed: 1, Parties: 2, Markets: 2, Rate: 1, Chaos: seed + 1}
			play(t, service, feed.Config{Times: feed.Times{StreamTimes: follow.StreamTimes{AuditEvery: time.Minute}}}, record.Options{Path: name + ".zst"}, func(s *session) {
				s.follow(t, s.feed, 2*time.Minute)
				s.listener.Kill()
				s.follow(t, s.feed, time.Second)
				writeTable(t, name, s.rows())
			})
		})
	}
	whole, err := os.ReadFile("testdata/chaos-1.zst")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("testdata/cut.zst", whole[:len(whole)*2/3], 0o600); err != nil {
		t.Fatal(err)
	}
	s, _ := replayed(t, "testdata/cut.zst", model.Scope{})
	writeTable(t, "testdata/cut", s.rows())
}

func writeTable(t *testing.T, name string, rows map[string]string) {
	text, err := json.MarshalIndent(rows, "", "  ")
	if err == nil {
		err = os.WriteFile(name+".json", append(text, '\n'), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
