package remote

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"blotter/ui/input"
)

// TestATrackpadDoesNotDelayTheNextKey: 400 turns of the wheel, with motions between them, and a key.
func TestATrackpadDoesNotDelayTheNextKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		o := show(t, d.connect(t, 1))
		until(t, "the screen", func() bool { return o.has("one keys=") })
		for range 400 {
			o.press(t, "\x1b[<65;10;10M\x1b[<35;11;10M")
		}
		o.press(t, "k")
		time.Sleep(200 * time.Millisecond)
		synctest.Wait()
		if got := d.screens[0].keys.Load(); got != 1 {
			t.Error("the key waits")
		}
		if got := d.screens[0].turns.Load(); got != 400 {
			t.Errorf("%d turns of the wheel", got)
		}
	})
}

// TestWhatWaitsBecomesOne only if it is the wheel or a motion, and nothing else is between.
func TestWhatWaitsBecomesOne(t *testing.T) {
	down, up := uv.MouseWheelEvent{Button: uv.MouseWheelDown}, uv.MouseWheelEvent{Button: uv.MouseWheelUp}
	key := func(code rune) tea.Msg { return uv.KeyPressEvent{Code: code} }
	click, release := uv.MouseClickEvent{Button: uv.MouseLeft}, uv.MouseReleaseEvent{Button: uv.MouseLeft}
	motion := func(x int) tea.Msg { return uv.MouseMotionEvent{X: x} }
	for want, messages := range map[string][]tea.Msg{
		"2 down":                          {down, down},
		"2 down, a, 1 down":               {down, down, key('a'), down},
		"a, a, a":                         {key('a'), key('a'), key('a')},
		"3 down, 1 up":                    {down, up, down, down},
		"2 down, motion 2":                {down, motion(1), down, motion(2)},
		"click, motion 2, release":        {click, motion(1), motion(2), release},
		"click, motion 1, click, motion ": {click, motion(1), click, motion(0)},
		"release, release":                {release, release},
	} {
		q := newInputQueue()
		for _, message := range messages {
			q.add(t.Context(), message)
		}
		var got []string
		for message, ok := q.take(); ok; message, ok = q.take() {
			switch message := message.(type) {
			case input.Wheel:
				got = append(got, fmt.Sprint(message.Turns, map[tea.MouseButton]string{tea.MouseWheelDown: " down", tea.MouseWheelUp: " up"}[message.Button]))
			case uv.MouseMotionEvent:
				got = append(got, strings.TrimSuffix(fmt.Sprint("motion ", message.X), "0"))
			case uv.MouseClickEvent:
				got = append(got, "click")
			case uv.MouseReleaseEvent:
				got = append(got, "release")
			case uv.KeyPressEvent:
				got = append(got, message.String())
			}
		}
		if words := strings.Join(got, ", "); words != want {
			t.Errorf("%s, want %s", words, want)
		}
	}
}

// TestTheQueueIsBounded: the input is not read while it is full.
func TestTheQueueIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newInputQueue()
		added := 0
		go func() {
			for range maxQueued + 1 {
				q.add(t.Context(), uv.KeyPressEvent{Code: 'a'})
				added++
			}
		}()
		synctest.Wait()
		if added != maxQueued {
			t.Errorf("%d messages wait", added)
		}
		q.take()
		synctest.Wait()
		if added != maxQueued+1 {
			t.Error("there is room, and the next one is not added")
		}
	})
}
