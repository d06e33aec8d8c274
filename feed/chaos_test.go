package feed

import (
	"fmt"
	"testing"
	"time"

	"blotter/feed/follow"
	"blotter/feed/sim"
)

// TestTenMinutesOfChaos follows a service with all faults. After the last fault, the book gets all rows of the service
// again.
func TestTenMinutesOfChaos(t *testing.T) {
	for seed := range uint64(10) {
		t.Run(fmt.Sprint(seed+1), func(t *testing.T) {
			service := sim.Config{Seed: 1, Parties: 10, Markets: 8, Rate: 40, Chaos: seed + 1}
			playWith(t, service, Config{Times: Times{StreamTimes: follow.StreamTimes{AuditEvery: 20 * time.Second}}}, func(s *trial) {
				s.watch("", "")
				s.book = followFor(s.t, s.feed, s.book, 10*time.Minute)
				s.node.StopChaos()
				for range 120 {
					if s.book = followFor(s.t, s.feed, s.book, time.Second); sameRows(s.node, s.book) {
						return
					}
				}
				s.t.Error("rows still differ two minutes after the last fault")
			})
		})
	}
}
