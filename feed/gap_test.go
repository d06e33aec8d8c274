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

var seeds = flag.Int("seeds", 300, "how many subscriptions TestAuditFindsWhatWasLost has")

// TestAuditFindsWhatWasLost changes positions all the time, also in the gap between the snapshot of a stream and its
// updates. After one audit all rows are those of the service, and they were never stale because of it.
func TestAuditFindsWhatWasLost(t *testing.T) {
	const each = 25
	service := sim.Config{Gap: 100 * time.Millisecond, Limits: sim.Limits{Streams: 2*each + 10, Backlog: 1 << 20}}
	for seed := range uint64(*seeds / each) {
		playWith(t, service, Config{}, func(s *trial) {
			random := rand.New(rand.NewPCG(seed, 2))
			randomPosition := func() sim.Position {
				return held(fmt.Sprintf("%04x", random.IntN(each)), fmt.Sprintf("%02x", random.IntN(4)), random.Int64N(9))
			}
			for range 2 * each {
				s.node.Put(randomPosition())
			}
			s.watchMany(each)
			wrong := 0
			for began, since := time.Now(), time.Duration(0); since < 16*time.Second; since = time.Since(began) {
				switch random.IntN(12) {
				case 0, 1, 2:
					if since < time.Second { // not sent to any stream
						s.node.Put(randomPosition())
					}
				default:
					s.node.Update(randomPosition())
				}
				if s.after(time.Duration(random.IntN(int(60 * time.Millisecond)))); since > time.Second/2 && wrong == 0 { // before the first audit
					wrong = s.differences()
				}
			}
			s.after(time.Second)
			if wrong == 0 {
				t.Error("nothing was lost: this test finds nothing")
			}
			s.sameAsService()
			s.isLive()
		})
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// differences returns how many positions differ between the book and the service.
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
