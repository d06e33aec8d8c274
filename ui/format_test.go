package ui

import (
	"strings"
	"testing"
	"time"

	"blotter/model"
)

func TestWords(t *testing.T) {
	for got, want := range map[string]string{
		age(0): "0s", age(59 * time.Second): "59s", age(90 * time.Second): "1m", age(25 * time.Hour): "25h",
		age(72 * time.Hour): "3d", age(-5 * time.Second): "-5s", age(-time.Second): "0s",
		until(3500 * time.Millisecond): "4s", until(510 * time.Second): "9m", until(-time.Second): "0s",
		shortID("a3f9"+strings.Repeat("0", 56)+"81c2", 4): "a3f9…81c2", shortID("network", 4): "network",
		model.Counted(1, "row"): "1 row", model.Counted(12_345, "row"): "12,345 rows",
		exact(model.AmountOf(-5), 2, true): "-0.05", exact(model.AmountOf(50_000), model.Unscaled, true): "+50,000 raw",
		exact(model.AmountOf(0), model.Unscaled, true): "0", exact(model.ParseAmount("1.5"), 2, true): "1.5 raw",
		exact(model.ParseAmount(""), 2, true): `"" raw`,
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestATimeThatCannotBeRightIsNamed: the clock of the service decides, where it sends its time.
func TestATimeThatCannotBeRightIsNamed(t *testing.T) {
	onScreen(t, 120, 40, watchAll, func(s *screen) {
		row := deskRows()[0]
		row.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().Add(3*time.Hour).UnixNano()))
		s.publish(whole(all, row))
		if line := s.lines()[3]; !strings.HasSuffix(strings.TrimRight(line, " "), " odd") {
			t.Errorf("the row is %q", line)
		}
		s.press("enter")
		s.sees("3h ahead of the service's clock")
		s.press("esc")
		link := liveLink(all)
		link.ClockOffset = 3*time.Hour + 2*time.Second // this machine's clock is wrong
		s.publish(model.Delta{Links: []model.Link{link}})
		if line := s.lines()[3]; !strings.HasSuffix(strings.TrimRight(line, " "), " 2s") {
			t.Errorf("the row is %q", line)
		}
	})
}
