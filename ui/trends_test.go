package ui

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/book"
)

// trendAfter is the trend of a position at 150 cells, after its profit has had a value for a time.
func (s *screen) trendAfter(profit string, span time.Duration) string {
	for ; span > 0; span -= time.Second {
		delta := updatesOf(all, worse(profit))
		delta.Links = []model.Link{liveLink(all)}
		s.publish(delta)
		s.pass(time.Second)
	}
	p, _ := s.m.store.View().Book().Find(worse(profit).Key)
	for _, line := range s.m.detail.Of(s.m.context(), &p).Summary(150, 10) {
		if line = ansi.Strip(line); strings.HasPrefix(line, " uPnL ") {
			return line
		}
	}
	return ""
}

// TestTrendOfAPosition: it falls for a while, and the words say between what, and for how long.
func TestTrendOfAPosition(t *testing.T) {
	deskScreen(t, func(s *screen) {
		for _, c := range []struct {
			profit string
			span   time.Duration
			want   string
		}{
			{"-10000", time.Minute, " uPnL ────────  59s: no change "},
			{"-20000", time.Minute, ""},
			{"-44920", time.Minute, " uPnL ██▆▆▆▁▁▁  2m59s: -449.20 … -100.00 "},
			{"5000", time.Minute, " uPnL ▆▆▄▄▁▁██  3m59s: -449.20 … +50.00 "},
			{"-20000", 5 * time.Second, ""},
			{"-10000", 5 * time.Second, " uPnL ▆▄▄▁▁▁█▄  4m9s: -449.20 … +50.00 "},
			{"-1234567", time.Minute, " uPnL ██████▁▁  5m9s: -12,345.67 … +50.00 "},
		} {
			if got := s.trendAfter(c.profit, c.span); !strings.HasPrefix(got, c.want) {
				t.Errorf("after %s for %s the trend is\n%s, want\n%s", c.profit, c.span, got, c.want)
			}
		}
		s.publish(updatesOf(all, worse("-2000000"))) // the trend gets it at the next second
		if got, want := s.trendAfter("-2000000", 0), "5m9s: -20,000.00 … +50.00"; !strings.Contains(got, want) {
			t.Errorf("between two seconds the trend is\n%s, which lacks\n%s", got, want)
		}
	})
}

// TestNoTrendOfWhatIsNotTrue: nothing is added while the rows are frozen or stale.
func TestNoTrendOfWhatIsNotTrue(t *testing.T) {
	deskScreen(t, func(s *screen) {
		s.pass(3 * time.Second)
		before := s.m.store.Moves().TrendOf(s.m.positions.Selected().Key).Profit.Period()
		s.press("f")
		s.pass(10 * time.Second)
		if after := s.m.store.Moves().TrendOf(s.m.positions.Selected().Key).Profit.Period(); after != before {
			t.Errorf("the trend went on while the rows were frozen: from %s to %s", before, after)
		}
		s.press("f")
		delta := book.Delta{Links: []model.Link{liveLink(all)}}
		delta.Links[0].Phase, delta.Links[0].StaleSince = model.Waiting, time.Now()
		s.publish(delta)
		before = s.m.store.Moves().TrendOf(s.m.positions.Selected().Key).Profit.Period()
		s.pass(10 * time.Second)
		if after := s.m.store.Moves().TrendOf(s.m.positions.Selected().Key).Profit.Period(); after != before {
			t.Errorf("the trend went on while the row was stale: from %s to %s", before, after)
		}
	})
}
