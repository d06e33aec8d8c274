package ui

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"
	"weak"

	"blotter/model"
)

// TestTextsOfTheServiceAreReleased: a service can make up identifiers, statuses and numbers without end. None of them
// may stay in memory once its position is gone.
func TestTextsOfTheServiceAreReleased(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("down")
		var texts []weak.Pointer[byte]
		for round := range 10 {
			texts = append(texts, s.publishMadeUp(round)...)
		}
		s.publish(whole(all, deskRows()...))
		s.press("down")
		s.sent = nil  // the messages that the test itself has kept
		for range 4 { // an identifier is released one collection after what refers to it
			runtime.GC()
		}
		kept := 0
		for _, text := range texts {
			if text.Value() != nil {
				kept++
			}
		}
		if kept > 0 {
			t.Errorf("%d of %d texts are still in memory", kept, len(texts))
		}
		s.sees("ETH/USDT")
	})
}

// publishMadeUp gives the screen positions with texts that are long and that no other round has, has the screen show
// them, and returns weak pointers to the texts.
func (s *screen) publishMadeUp(round int) []weak.Pointer[byte] {
	const rows = 40
	madeUp := func(kind string, i int) string { return fmt.Sprint(kind, round, ",", i, strings.Repeat("x", 1000)) }
	var texts []weak.Pointer[byte]
	var positions []model.Position
	for i := range rows {
		p := position(model.MakeID(madeUp("party", i)), model.MakeID(madeUp("market", i)), "1", "2", madeUp("profit", i), "4", 0, 0)
		p.SetStatus([]byte(madeUp("status", i)))
		for _, text := range []string{p.Party.String(), p.Market.String(), p.Number(model.UnrealisedPnl).String(), p.StatusName()} {
			texts = append(texts, weak.Make(unsafe.StringData(text)))
		}
		positions = append(positions, p)
	}
	s.publish(whole(all, positions[:rows/2]...))
	s.publish(updatesOf(all, positions[rows/2:]...))
	s.press("down", "pgdown", "s", "enter", "esc")
	return texts
}
