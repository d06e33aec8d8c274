package feed

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
)

var seeds = flag.Int("seeds", 2_000, "how many subscriptions TestAuditFindsWhatWasLost has")

// TestAuditFindsWhatWasLost has positions change in the gap between each stream's snapshot and its subscription,
// and all the time: within one audit period every table is the service's, and it was never stale for it.
func TestAuditFindsWhatWasLost(t *testing.T) {
	const each = 100
	service := sim.Config{Gap: 100 * time.Millisecond, Limits: sim.Limits{Streams: 2*each + 10, Backlog: 1 << 20}}
	for seed := range uint64(*seeds / each) {
		playWith(t, service, Config{}, func(s *trial) {
			random := rand.New(rand.NewPCG(seed, 2))
			anyone := func() sim.Position {
				return held(fmt.Sprintf("%04x", random.IntN(each)), fmt.Sprintf("%02x", random.IntN(4)), random.Int64N(9))
			}
			for range 2 * each {
				s.node.Put(anyone())
			}
			s.watchMany(each)
			wrong := 0
			for began, since := time.Now(), time.Duration(0); since < 14*time.Second; since = time.Since(began) {
				switch random.IntN(12) {
				case 0, 1, 2:
					if since < time.Second { // not sent to any stream
						s.node.Put(anyone())
					}
				default:
					s.node.Update(anyone())
				}
				if s.after(time.Duration(random.IntN(int(60 * time.Millisecond)))); since > time.Second && wrong == 0 {
					wrong = s.differences()
				}
			}
			s.after(time.Second)
			if wrong == 0 {
				t.Error("nothing was lost: there is nothing to find")
			}
			s.truth()
			s.isLive()
		})
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// differences is how many positions the book has otherwise than the service.
func (s *trial) differences() (n int) {
	positions := s.node.Positions()
	for _, p := range positions {
		row, ok := s.book.Find(model.Key{Party: model.MakeID(p.Party), Market: model.MakeID(p.Market)})
		if !ok || row.Number(model.OpenVolume) != model.AmountOf(p.OpenVolume) {
			n++
		}
	}
	return n + max(0, s.book.Len()-len(positions))
}
