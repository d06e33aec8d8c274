package ui

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestAgesAfterASleep: the monotonic clock of the machine has stopped meanwhile, and nothing comes any more.
func TestAgesAfterASleep(t *testing.T) {
	var slept atomic.Int64
	clock := func() time.Time { return modeltest.Set(time.Now(), time.Duration(slept.Load())) }
	onScreen(t, 120, 40, func(o *Options) { o.Now = clock }, func(s *screen) {
		s.source.respond = func(_ context.Context, request model.PageRequest) (*model.Page, error) {
			if slept.Load() > 0 {
				return nil, errors.New("no route to the host")
			}
			page := deskPage(request)
			page.ReadAt = clock()
			return page, nil
		}
		delta := deskDelta(s)
		for i := range delta.Links {
			delta.Links[i].Phase, delta.Links[i].Since = model.Live, clock()
		}
		s.publish(delta)
		s.press("r")
		s.pass(3 * time.Second)
		s.press("f")
		slept.Store(int64(8 * time.Hour))
		s.pass(2 * time.Second)
		s.sees("FROZEN 8h", "checked 8h ago")
		s.press("f", "i")
		s.sees("live since 14:02:07 CET, 8h ago")
		s.press("esc", "h")
		s.sees("session · since 14:02:07, 8h")
	})
}

// memorySince is a memory that reaches back to a time.
type memorySince struct {
	*fakeMemory
	at time.Time
}

func (m *memorySince) Oldest() (time.Time, bool) { return m.at, true }

// TestReachOfRewind after a sleep of the machine, and after its clock was set back.
func TestReachOfRewind(t *testing.T) {
	for set, want := range map[time.Duration]string{8 * time.Hour: "8h ago", -time.Hour: "2m ago"} {
		memory, by := &memorySince{fakeMemory: new(fakeMemory)}, time.Duration(0)
		clock := func() time.Time { return modeltest.Set(time.Now(), by) }
		onScreen(t, 120, 40, func(o *Options) {
			watchAll(o)
			o.Now, o.Memory = clock, memory
		}, func(s *screen) {
			memory.at = clock()
			s.publish(whole(all, deskRows()...))
			s.pass(2 * time.Minute)
			by = set
			s.press("i")
			s.sees("back to 14:02:07, " + want)
		})
	}
}
