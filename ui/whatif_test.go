package ui

import (
	"testing"
	"time"
)

// TestWhatIfShowsTheDigitsThatAreKnown: 10 short at an entry price of 3,410.10 may be wrong by 0.10 at another price.
// So at 3,454.99 the unrealised PnL of -448.90 is -448.9, and at 3,410.20 it is not known. So are its change and its
// total.
func TestWhatIfShowsTheDigitsThatAreKnown(t *testing.T) {
	for typed, c := range map[string]struct {
		sees []string
		not  string
	}{
		"eth =3454.99": {[]string{"≈ uPnL             -448.9", "≈ notional         -34,549.9"}, "-448.90"},
		"eth =3410.20": {[]string{"≈ uPnL             not known"}, "-1.00"},
		"eth -5%":      {[]string{"+1,278.31"}, "uPnL             not known"},
	} {
		for _, size := range [][2]int{{120, 40}, {200, 60}, {80, 24}} {
			var memory fakeMemory
			onScreen(t, size[0], size[1], keepingPast(&memory), func(s *screen) {
				s.publish(whole(all, deskRows()[0]))
				s.pass(time.Second)
				s.press("x")
				s.write(typed)
				s.press("enter")
				s.pass(4 * time.Second)
				s.sees("WHAT IF ")
				s.seesNot(c.not)
				s.press("enter")
				s.sees(c.sees...)
				s.seesNot(c.not)
				s.press("esc", "b")
				s.seesNot(c.not)
				s.press("h")
				s.pass(4 * time.Second)
				s.seesNot(c.not)
			})
		}
	}
}
