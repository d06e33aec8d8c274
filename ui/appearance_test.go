package ui

import (
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// TestASCIIOnTheScreen: keys have words in place of arrows, and the help has no character outside ASCII.
func TestASCIIOnTheScreen(t *testing.T) {
	onScreen(t, 120, 60, func(o *Options) { o.Appearance.ASCII = true }, func(s *screen) {
		s.publish(deskDelta(s))
		s.pass(time.Second)
		s.sees(">ETH/USDT  desk-1 ", "uPnL ^", "* MARK", " +0.4% -> -50%, +2.2% -> -100%", "  @@@|...... ", "- Margin levels | newest first", " a3f9~81c2 ")
		s.press("?")
		s.sees(" up/k ", " left ", "pgdown/ctrl+f")
		if text := s.text(); strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }) {
			t.Error(text)
		}
	})
}

// TestChangesInASCII have an arrow that cannot be read as a comparison, and keep within their cells.
func TestChangesInASCII(t *testing.T) {
	onScreen(t, 80, 24, func(o *Options) {
		watchAll(o)
		o.Appearance.ASCII = true
	}, func(s *screen) {
		s.publish(whole(all, deskRows()...))
		s.publish(updatesOf(all, position(desk1, solMarket, "-12000", "148220", "-13230", "8841", model.StatusUnspecified, 0)))
		s.press("e")
		s.sees("flipped +420.00 -> -120.00")
		rows := deskRows()
		rows[0] = worse("-50130")
		s.publish(book.Delta{Audits: []book.AuditPage{{
			Subscription: all, Positions: rows, First: true, Last: true, IsBelieved: true, NotAfter: time.Now().Add(time.Hour).UnixNano(),
		}}})
		s.press("i")
		s.sees("uPnL -449.20 -> -501.30")
		s.fits(80, 24)
	})
}
