package ui

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"blotter/model"
)

// heap is how many bytes are in use once everything is let go that can be.
func heap() int64 {
	var stats runtime.MemStats
	for range 3 { // an interned text goes one collection after its last identifier
		runtime.GC()
	}
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// TestHostileTextsAreLetGo has a service make up identifiers and texts, all of them long, and never the same.
func TestHostileTextsAreLetGo(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.tell(whole(all, deskRows()...))
		s.press("down")
		before := heap()
		const rounds, rows, length = 40, 100, 16 << 10
		for round := range rounds {
			made := func(kind string, i int) string {
				return strings.Repeat("x", length) + fmt.Sprint(kind, round, ",", i)
			}
			var positions []model.Position
			for i := range rows {
				p := position(model.MakeID(made("party", i)), model.MakeID(made("market", i)), "1", "2", made("profit", i), "4", 0, 0)
				p.SetStatus([]byte(made("status", i)))
				positions = append(positions, p)
			}
			s.tell(whole(all, positions[:rows/2]...))
			s.tell(updatesOf(all, positions[rows/2:]...))
			s.press("down", "pgdown", "s")
			s.asked = nil
		}
		s.tell(whole(all, deskRows()...))
		s.press("down")
		s.asked = nil
		if grown := heap() - before; grown > rows*length {
			t.Errorf("%d bytes stay, of %d that were told", grown, rounds*rows*4*length)
		}
		s.sees("ETH/USDT")
	})
}
