package welcome

import (
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/ui/pane"
	"blotter/ui/theme"
)

// driver presses the keys of the screen, and reads it.
type driver struct {
	*testing.T
	*Screen
	quit bool
}

func newDriver(t *testing.T, width, height int) *driver {
	w := &driver{T: t, Screen: New(new(theme.Appearance), func(address string) error {
		if !strings.HasPrefix(address, "https://") {
			return errors.New(`"` + address + `" is not an address`)
		}
		return nil
	})}
	w.Update(tea.WindowSizeMsg{Width: width, Height: height})
	return w
}

func (w *driver) press(names ...string) *driver {
	for _, name := range names {
		_, cmd := w.Update(pressed(name))
		if cmd != nil {
			_, quit := cmd().(tea.QuitMsg)
			w.quit = w.quit || quit
		}
	}
	return w
}

func (w *driver) write(text string) *driver {
	for _, r := range text {
		w.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return w
}

func (w *driver) text() string { return ansi.Strip(w.View().Content) }

func (w *driver) sees(text string) *driver {
	w.Helper()
	if !strings.Contains(w.text(), text) {
		w.Errorf("the screen does not say %q:\n%s", text, w.text())
	}
	return w
}

// pressed returns a key press as Bubble Tea reports it.
func pressed(name string) tea.KeyPressMsg {
	codes := map[string]rune{"down": tea.KeyDown, "left": tea.KeyLeft, "tab": tea.KeyTab, "enter": tea.KeyEnter, "esc": tea.KeyEscape}
	if letter, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: codes[name]}
}

// chose asserts how the screen ended.
func (w *driver) chose(address string, demo, ok bool) {
	w.Helper()
	gotAddress, gotDemo, gotOK := w.Choice()
	if !w.quit || gotAddress != address || gotDemo != demo || gotOK != ok {
		w.Errorf("ended: %t, with %q, demo %t, %t, want %q, %t, %t", w.quit, gotAddress, gotDemo, gotOK, address, demo, ok)
	}
}

func TestWelcomeTakesAnAddress(t *testing.T) {
	w := newDriver(t, 80, 24)
	w.sees("▌Address").sees("To start without this screen").press("enter").sees("Type an address, or choose the demo.")
	w.write("node").press("enter").sees(`"node" is not an address`)
	if w.quit {
		t.Error("it starts with what is no address")
	}
	w.press("ctrl+u").write(" https://node.example ").press("enter").chose("https://node.example", false, true)
}

func TestWelcomeTakesAPastedAddress(t *testing.T) {
	w := newDriver(t, 80, 24)
	w.press("down").sees("▌Demo")
	w.Update(tea.PasteMsg{Content: "https://node.example\n"})
	w.sees("▌Address  https://node.example").press("enter").chose("https://node.example", false, true)
}

func TestWelcomeTakesTheDemo(t *testing.T) {
	newDriver(t, 80, 24).write("x").press("tab", "enter").chose("", true, true)
}

func TestWelcomeIsLeftWithoutAChoice(t *testing.T) {
	for _, key := range []string{"esc", "ctrl+c"} {
		newDriver(t, 80, 24).write("https://node.example").press(key).chose("", false, false)
	}
}

// TestWelcomeSaysWhyAKeyDoesNothing, such as ctrl+z without a shell, until the next one.
func TestWelcomeSaysWhyAKeyDoesNothing(t *testing.T) {
	w := newDriver(t, 80, 24)
	w.Update(pane.Said("Not suspended."))
	w.sees("Not suspended.").write("h")
	if strings.Contains(w.text(), "Not suspended.") {
		t.Errorf("it still says so:\n%s", w.text())
	}
}

func TestWelcomeOnANarrowScreenSaysWhatTheDemoIs(t *testing.T) {
	newDriver(t, 40, 10).sees(demoName + demoHint)
}

func TestWelcomeFitsEveryScreen(t *testing.T) {
	for _, size := range [][2]int{{0, 0}, {1, 1}, {20, 5}, {40, 10}, {200, 60}} {
		w := newDriver(t, size[0], size[1])
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
