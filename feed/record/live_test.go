package record_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
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

var (
	chaosSeeds = flag.Int("chaos-seeds", 1, "how many runs of ten minutes with all faults are compared with their recordings")
	chaosEvery = flag.Int("chaos-every", 15, "how many seconds are between the moments that are compared")
)

// moment is what was shown at a second.
type moment struct {
	at    time.Time
	rows  map[string]string
	words []string
}

// TestEachSecondIsShownAsItWas: ten minutes of a service with all faults, with audits. Each second of the recording
// (of which some are compared) has the same rows and the same words about the streams as the screen had then.
func TestEachSecondIsShownAsItWas(t *testing.T) {
	for seed := range uint64(*chaosSeeds) {
		for name, scope := range map[string]model.Scope{"all.zst": {}, "party.gz": {Parties: []model.ID{model.MakeID("network")}}} {
			t.Run(fmt.Sprint(seed, name), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), name)
				var moments []moment
				synctest.Test(t, func(t *testing.T) {
					service := sim.Config{Seed: seed, Parties: 3, Markets: 3, Rate: 5, Faults: faulty.New(seed+1, nil)}
					config := feed.Config{Times: feed.Times{StreamTimes: follow.StreamTimes{AuditEvery: time.Minute}}}
					play(t, service, config, record.Options{Path: path, Header: record.Header{Scope: scope}}, func(s *session) {
						for range 600 {
							s.follow(t, s.tap, time.Second)
							moments = append(moments, moment{time.Now(), s.rows(), s.words(time.Now())})
							time.Sleep(time.Nanosecond) // what comes now is later
						}
					})
				})
				player := open(t, path, scope)
				for i := 0; i < len(moments); i += *chaosEvery {
					m := moments[i]
					s := at(t, player, m.at)
					hasRows(t, s.rows(), m.rows)
					if words := s.words(m.at); !slices.Equal(words, m.words) {
						t.Errorf("at %s it says\n%q, and said\n%q", m.at, words, m.words)
					}
					if t.Failed() {
						t.Fatalf("at %s", m.at)
					}
				}
			})
		}
	}
}
