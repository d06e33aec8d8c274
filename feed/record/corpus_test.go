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
	"blotter/feed/sim/faulty"
	"blotter/model"
)

var makeCorpus = flag.Bool("make-corpus", false, "record the faults of feed/sim again into testdata, with the rows at their ends")

// TestCorpus plays recorded faults. Each recording ends with the rows of the live session, which are in the file beside
// it. A recording whose name begins with cut ends if the program was killed.
func TestCorpus(t *testing.T) {
	if *makeCorpus {
		recordCorpus(t)
	}
	tables, err := filepath.Glob("testdata/*.json")
	if err != nil || len(tables) < 4 {
		t.Fatalf("tables: %q, %v", tables, err)
	}
	for _, table := range tables {
		t.Run(filepath.Base(table), func(t *testing.T) {
			text, err := os.ReadFile(table)
			if err != nil {
				t.Fatal(err)
			}
			var want map[string]string
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			path := strings.TrimSuffix(table, ".json") + ".zst"
			player := open(t, path, model.Scope{})
			_, damaged := errors.AsType[*record.DamagedError](player.Damage())
			if cut := strings.HasPrefix(filepath.Base(path), "cut"); damaged != cut {
				t.Errorf("the end of the recording: %v", player.Damage())
			}
			hasRows(t, end(t, path, model.Scope{}).rows(), want)
		})
	}
}

// recordCorpus makes the files of testdata.
func recordCorpus(t *testing.T) {
	for seed := range uint64(3) {
		name := fmt.Sprintf("testdata/chaos-%d", seed+1)
		_ = os.Remove(name + ".zst")
		synctest.Test(t, func(t *testing.T) {
			service := sim.Config{Seed: 1, Parties: 2, Markets: 2, Rate: 1, Faults: faulty.New(seed+1, nil)}
			play(t, service, feed.Config{Times: feed.Times{StreamTimes: follow.StreamTimes{AuditEvery: time.Minute}}}, record.Options{Path: name + ".zst"}, func(s *session) {
				s.follow(t, s.tap, 2*time.Minute)
				s.listener.Kill()
				s.follow(t, s.tap, time.Second)
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
	writeTable(t, "testdata/cut", end(t, "testdata/cut.zst", model.Scope{}).rows())
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
