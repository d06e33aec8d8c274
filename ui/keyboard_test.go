package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// TestLettersOfAnotherLayout are keys, except while text is typed.
func TestLettersOfAnotherLayout(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.write("Е") // T
		s.sees("The worst first")
		s.write("р") // h
		s.sees("session")
		s.write("й") // q
		s.seesNot("session ·")
		s.write("ж") // ; has no action
		s.sees("? lists the keys.")
		s.write("Ж") // :
		s.write("йй")
		s.sees(" : йй")
		s.press("esc", "/")
		s.write("ы")
		s.sees(" / ы", "No position matches")
		s.send(tea.KeyPressMsg{Code: 'г', Mod: tea.ModCtrl, BaseCode: 'u'})
		s.seesNot(" / ы")
		s.press("esc")
		time.Sleep(heldFor)
		s.write("йй")
		if !s.sentMsg("QuitMsg") {
			t.Error("й does not quit")
		}
	})
}

// TestTheTerminalIsAskedForTheKeysOfTheUSLayout, and for text as usual while text is typed.
func TestTheTerminalIsAskedForTheKeysOfTheUSLayout(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		asked := func() tea.KeyboardEnhancements { return s.m.View().KeyboardEnhancements }
		if to := asked(); !to.ReportAlternateKeys || !to.ReportAllKeysAsEscapeCodes || !to.ReportAssociatedText {
			t.Errorf("for commands: %+v", to)
		}
		s.press("/")
		if to := asked(); !to.ReportAlternateKeys || to.ReportAllKeysAsEscapeCodes {
			t.Errorf("for text: %+v", to)
		}
	})
}

// TestShiftAloneIsNoKey: a terminal may send it, and it does not come between two presses of a key.
func TestShiftAloneIsNoKey(t *testing.T) {
	onScreen(t, 80, 24, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("ctrl+c")
		s.send(tea.KeyPressMsg{Code: tea.KeyLeftShift, Mod: tea.ModShift})
		s.sees("ctrl+c again quits.")
		s.press("ctrl+c")
		if !s.sentMsg("QuitMsg") {
			t.Error("ctrl+c twice does not quit")
		}
	})
}
