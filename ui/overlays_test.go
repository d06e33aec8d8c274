package ui

import (
	"testing"

	"blotter/ui/columns"
	"blotter/ui/dialog"
	"blotter/ui/pane"
)

// TestAPromptCoversNothing: it is typed in the second line, and an overlay below it is not drawn.
func TestAPromptCoversNothing(t *testing.T) {
	list, prompt := dialog.NewColumnList(columns.Settings{}), dialog.NewWhatIfLine("", nil)
	for _, c := range []struct {
		name string
		overlays
		top, covering any
	}{
		{"none", overlays{}, nil, nil},
		{"a list", overlays{open: []pane.Pane{list}}, list, list},
		{"a prompt over a list", overlays{open: []pane.Pane{list, prompt}}, prompt, nil},
		{"a list over a prompt", overlays{open: []pane.Pane{prompt, list}}, list, list},
	} {
		if top, covering := c.top, c.covering; any(c.overlays.top()) != top || any(c.overlays.covering()) != covering {
			t.Errorf("%s: %T is on top, and %T covers the panes", c.name, c.overlays.top(), c.overlays.covering())
		}
	}
}

// TestWhatIsTypedIsThereAgain after esc: in a line it is selected, so that what is typed next replaces it. What was
// used is not there.
func TestWhatIsTypedIsThereAgain(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("/")
		s.write("eth")
		s.press("esc")
		s.seesNot("[eth]")
		s.press("/")
		s.sees("\n / eth")
		s.wantMarkets("ETH")
		s.write("sol")
		s.sees("\n / sol")
		s.press("enter", "esc", "/")
		s.sees("\n /  words, or party:x")
		s.press("esc", ":")
		s.write("freez")
		s.press("esc", ":")
		s.sees(" : freez\n", "▌f       freeze")
		s.press("backspace")
		s.sees(" :  type what to do")
		s.write("freeze")
		s.press("enter", ":")
		s.sees("FROZEN", " :  type what to do")
		s.press("esc", "x")
		s.write("eth -5%")
		s.press("tab", "esc", "x")
		s.sees("\n what if: eth -5%")
		s.write("a")
		s.sees("\n what if: a\n")
		s.press("esc", "i", "/")
		s.write("state")
		s.press("esc", "/")
		s.sees("\n / state ", "line 1 of ")
	})
}

// TestAFormKeepsItsTexts for what it is about: a rule of the same filter, a row. What was removed is there again.
func TestAFormKeepsItsTexts(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("!", "n")
		s.write("near")
		s.press("tab")
		s.write("upnl<0")
		s.press("esc", "n")
		s.sees("▌name    near", " filter  upnl<0")
		s.press("enter", "n")
		s.seesNot(" near\n filter  upnl<0")
		s.press("esc", "esc", "n", "down", "ctrl+u")
		s.write("4")
		s.press("down", "ctrl+u", "esc", "n")
		s.sees(" size decimals    4\n price decimals   2\n")
		s.press("esc", "down", "n")
		s.seesNot(" size decimals    4\n")
	})
}
