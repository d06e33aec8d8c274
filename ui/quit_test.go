package ui

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/keys"
)

// pastSince gives the screen a memory whose past begins this long before the screen.
func pastSince(before time.Duration) func(*Options) {
	memory := fakeMemory{until: time.Date(2000, 1, 1, 13, 2, 7, 0, time.UTC).Add(time.Hour - before)}
	return keepingPast(&memory)
}

// TestQuitAsksBeforeALongPastIsLost, and not for one of less than five minutes.
func TestQuitAsksBeforeALongPastIsLost(t *testing.T) {
	onScreen(t, 120, 40, pastSince(2*time.Hour), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("q")
		s.sees("Quitting loses the last 2h of w: q again quits.")
		if s.sentMsg("QuitMsg") {
			t.Error("q quits at once")
		}
		s.press("q")
		if !s.sentMsg("QuitMsg") {
			t.Error("q again does not quit")
		}
	})
	onScreen(t, 120, 40, pastSince(4*time.Minute), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.press("q")
		if !s.sentMsg("QuitMsg") {
			t.Errorf("q does not quit:\n%s", s.text())
		}
	})
}

// TestOnePressTooManyDoesNotQuit, nor does a key that is held down.
func TestOnePressTooManyDoesNotQuit(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("i", "q")
		for range 30 {
			time.Sleep(40 * time.Millisecond)
			s.press("q")
			s.sees("q again quits.")
		}
		if s.sentMsg("QuitMsg") {
			t.Error("a held key quits")
		}
		time.Sleep(heldFor)
		s.press("q")
		s.sees("Quitting loses the last 1h of w")
		s.press("q")
		if !s.sentMsg("QuitMsg") {
			t.Errorf("q does not quit later:\n%s", s.text())
		}
	})
}

// altPress is what a terminal without a protocol sends for alt and a letter, and for esc and the letter.
func altPress(letter rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: letter, Mod: tea.ModAlt} }

// TestEscAndAKeyAtOnce are these two.
func TestEscAndAKeyAtOnce(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.press("i")
		s.send(altPress('T'))
		s.sees("The worst first")
		s.press("i")
		s.send(altPress('о')) // j of a Russian layout
		s.sees("6 of 10 positions", "▌SOL/USDT")
		s.press("/")
		s.write("eth")
		s.send(altPress('x'))
		s.sees(" what if: ")
	})
}

// TestAltIsNotEsc if an action has it, in whatever part of the screen, or the text that is typed, or if the terminal
// says so.
func TestAltIsNotEsc(t *testing.T) {
	onScreen(t, 80, 24, remapped(keys.Settings{"freeze": {"alt+f"}, "pin_column": {"alt+j"}}), func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.send(altPress('f'))
		s.sees("FROZEN")
		s.press("i")
		s.send(altPress('j'))
		s.sees("? lists the keys.", "esc back")
		withBase := altPress('q')
		withBase.BaseCode = 'q'
		s.send(withBase)
		s.sees("? lists the keys.", "esc back")
		s.press("esc", "/")
		s.write("one two")
		s.send(altPress('b'))
		s.write("x")
		s.sees(" / one xtwo")
	})
}
