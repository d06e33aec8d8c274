package ui

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// welcome drives the first screen.
type welcome struct {
	*testing.T
	*Welcome
	quit bool
}

func newWelcome(t *testing.T, width, height int) *welcome {
	w := &welcome{T: t, Welcome: NewWelcome(Looks{}, func(address string) error {
		if !strings.HasPrefix(address, "https://") {
			return errors.New(`"` + address + `" is not an address`)
		}
		return nil
	})}
	w.Update(tea.WindowSizeMsg{Width: width, Height: height})
	return w
}

func (w *welcome) press(names ...string) *welcome {
	for _, name := range names {
		_, cmd := w.Update(keyNamed(name))
		if cmd != nil {
			_, quit := cmd().(tea.QuitMsg)
			w.quit = w.quit || quit
		}
	}
	return w
}

func (w *welcome) write(text string) *welcome {
	for _, r := range text {
		w.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return w
}

func (w *welcome) text() string { return ansi.Strip(w.View().Content) }

func (w *welcome) sees(text string) *welcome {
	w.Helper()
	if !strings.Contains(w.text(), text) {
		w.Errorf("the screen does not say %q:\n%s", text, w.text())
	}
	return w
}

// chose asserts how the screen ended.
func (w *welcome) chose(address string, demo, ok bool) {
	w.Helper()
	gotAddress, gotDemo, gotOK := w.Choice()
	if !w.quit || gotAddress != address || gotDemo != demo || gotOK != ok {
		w.Errorf("ended: %t, with %q, demo %t, %t, want %q, %t, %t", w.quit, gotAddress, gotDemo, gotOK, address, demo, ok)
	}
}

func TestWelcomeTakesAnAddress(t *testing.T) {
	w := newWelcome(t, 80, 24)
	w.sees("▌Address").sees("To start without this screen").press("enter").sees("Type an address, or choose the demo.")
	w.write("node").press("enter").sees(`"node" is not an address`)
	if w.quit {
		t.Error("it starts with what is no address")
	}
	w.press("ctrl+u").write(" https://node.example ").press("enter").chose("https://node.example", false, true)
}

func TestWelcomeTakesAPastedAddress(t *testing.T) {
	w := newWelcome(t, 80, 24)
	w.press("down").sees("▌Demo")
	w.Update(tea.PasteMsg{Content: "https://node.example\n"})
	w.sees("▌Address  https://node.example").press("enter").chose("https://node.example", false, true)
}

func TestWelcomeTakesTheDemo(t *testing.T) {
	newWelcome(t, 80, 24).write("x").press("tab", "enter").chose("", true, true)
}

func TestWelcomeIsLeftWithoutAChoice(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c"} {
		newWelcome(t, 80, 24).write("https://node.example").press(key).chose("", false, false)
	}
}

func TestWelcomeFitsEveryScreen(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {1, 1}, {20, 5}, {40, 10}, {200, 60}} {
		w := newWelcome(t, size[0], size[1])
		w.write(strings.Repeat("https://", 60)).press("left", "enter")
		view := w.View()
		lines := strings.Split(view.Content, "\n")
		if len(lines) > max(size[1], 1) {
			t.Errorf("%d lines at %v", len(lines), size)
		}
		for _, line := range lines {
			if ansi.StringWidth(line) > size[0] {
				t.Errorf("%q is wider than the screen of %v", line, size)
			}
		}
		if view.Cursor != nil && view.Cursor.X >= size[0] {
			t.Errorf("the cursor is in column %d of %d", view.Cursor.X, size[0])
		}
	}
}
