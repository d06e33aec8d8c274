package ui

import (
	"strings"
	"testing"
	"time"
)

// TestThePaletteIsFoundByTheWordsOfPeople: the first entry for each word is one that does what is meant.
func TestThePaletteIsFoundByTheWordsOfPeople(t *testing.T) {
	words := map[string]string{
		"liquidation": "price to trouble", "close out": "next alert", "liquidated": "next alert", "compare": "baseline",
		"since the morning": "baseline", "history": "rewind", "yesterday": "rewind", "fresh": "connection",
		"is the data current": "connection", "money": "session", "totals": "session", "sum": "session", "csv": "save rows",
		"excel": "save rows", "today": "sort by column TODAY", "undo": "back", "dark": "theme dark", "font": "font", "quit": "quit",
		"exit": "quit", "help me": "help", "manual": "help", "notify": "help alerts", "slack": "help alerts",
		"phone": "help alerts", "refresh": "resync", "find": "filter", "bigger": "full screen",
		"what happened": "events", "save view": "views", "incidents": "all incidents", "coin": "choose markets",
		"account": "choose parties", "alarm": "new alert", "margin": "next pane", "margin levels": "next pane",
	}
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		for typed, want := range words {
			s.palette(typed)
			if cursor := s.cursorLine(); !strings.Contains(cursor, " "+want+" ") {
				t.Errorf("%q finds %q, want %q", typed, cursor, want)
			}
			s.press("esc")
		}
		s.palette("liquidation")
		s.sees("not a liquidation price: balances are not sent")
	})
}

// TestThePaletteGoesToAnotherPaneFirst, and then does what was chosen there.
func TestThePaletteGoesToAnotherPaneFirst(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.palette("new alert")
		s.press("enter")
		s.sees("─ alerts ─", "▌name    of the rule")
		s.press("esc", "esc")
		s.palette("choose column")
		s.seesNot("only in", "pin column")
	})
}

// TestThePaletteSaysWhereItGoes, after what the action does.
func TestThePaletteSaysWhereItGoes(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.pass(time.Second)
		s.press("tab")
		s.palette("sort by trouble")
		s.sees("worst first; again: back; goes to positions first")
	})
}
