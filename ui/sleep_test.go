package ui

import (
	"context"
	"errors"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestAgesAfterASleep: the monotonic clock of the machine has stopped meanwhile, and nothing comes any more.
func TestAgesAfterASleep(t *testing.T) {
	slept := time.Duration(0)
	clock := func() time.Time { return modeltest.Set(time.Now(), slept) }
	onScreen(t, 120, 40, func(o *Options) { o.Now = clock }, func(s *screen) {
		s.source.respond = func(_ context.Context, request model.PageRequest) (*model.Page, error) {
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
		s.source.respond = func(context.Context, model.PageRequest) (*model.Page, error) {
			return nil, errors.New("no route to the host")
		}
		slept = 8 * time.Hour
		s.pass(2 * time.Second)
		s.sees("FROZEN 8h", "checked 8h ago")
		s.press("f", "i")
		s.sees("live since 14:02:07 CET, 8h ago")
		s.press("esc", "h")
		s.sees("session · since 14:02:07, 8h 0m")
	})
}
