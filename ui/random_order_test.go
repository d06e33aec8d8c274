package ui

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model/book"
)

// TestKeysBeforeTheResponses: on a busy machine keys come before what earlier keys have begun has ended, and responses
// come late and in another order. Most of the keys open, leave and filter the past, whose rows come late too.
func TestKeysBeforeTheResponses(t *testing.T) {
	names := slices.Concat(everyKey(), slices.Repeat([]string{"w", "w", "/", "/", "esc", "esc", "f", "s", "z", "B", "<", ">", "enter", "e"}, 10))
	for seed := range 4 * *keySeeds {
		var memory fakeMemory
		change := func(o *Options) {
			keepingPast(&memory)(o)
			memory.takes = time.Duration(seed%5) * 300 * time.Millisecond
		}
		onScreen(t, 80, 24, change, func(s *screen) {
			random := rand.New(rand.NewPCG(seed, 7))
			s.publish(deskDelta(s))
			var late []tea.Msg
			give := func(msg tea.Msg) {
				_, cmd := s.m.Update(msg)
				s.start(cmd)
				s.m.View()
				for synctest.Wait(); len(s.messages) > 0; synctest.Wait() {
					late = append(late, <-s.messages)
				}
			}
			width, height := 80, 24
			for range 600 {
				switch random.IntN(20) {
				case 0:
					width, height = 1+random.IntN(120), 1+random.IntN(45)
					give(tea.WindowSizeMsg{Width: width, Height: height})
				case 1:
					give(tickMsg{})
				case 2:
					time.Sleep(time.Duration(random.Int64N(int64(2 * time.Second))))
				case 3, 4:
					of, delta := s.source, deskDelta(s)
					if random.IntN(2) == 0 {
						of, delta = memory.fakeSource, whole(all, deskRows()[random.IntN(3)])
						delta.Restart = true
					}
					of.publishSoon(delta)
				case 5, 6, 7, 8:
					for n := random.IntN(10); n > 0 && len(late) > 0; n-- {
						i := random.IntN(min(len(late), 4))
						msg := late[i]
						late = slices.Delete(late, i, i+1)
						give(msg)
					}
				default:
					give(keyNamed(names[random.IntN(len(names))]))
				}
				s.fits(width, height)
			}
		})
	}
}

// publishSoon publishes a delta if too many do not wait already.
func (f *fakeSource) publishSoon(delta book.Delta) {
	if len(f.news) < cap(f.news) {
		f.publish(delta)
	}
}
