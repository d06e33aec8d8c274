package ui

import (
	"strings"
	"testing"
	"time"

	"blotter/model"
)

// TestTheStateHasRoomBeforeNames: on a narrow screen the name of the service makes room, as that of the program does.
func TestTheStateHasRoomBeforeNames(t *testing.T) {
	quiet := func(l *model.Link) {
		l.HeardAt, l.NotAskedFor = time.Now().Add(-3*time.Minute), time.Now().Add(time.Minute)
	}
	stale := func(l *model.Link) {
		l.StaleSince = time.Now().Add(-12 * time.Second)
	}
	behind := func(l *model.Link) {
		l.Block, l.BlockAt = model.Block{Height: 7, Time: time.Now().Add(-2 * time.Minute)}, time.Now()
	}
	for _, c := range []struct {
		width int
		state func(*model.Link)
		keys  []string
		want  string
	}{
		{40, func(*model.Link) {}, nil, " mainnet  LIVE 0s, unaudited  "},
		{40, quiet, nil, " QUIET 3m, not verified, unaudited  "},
		{40, stale, nil, " mainnet  STALE 12s  all par"},
		{40, stale, []string{"f"}, " mainnet  STALE 12s  FROZEN 0s  "},
		{40, behind, nil, " mainnet  BEHIND 2m, unaudited  "},
		{80, quiet, nil, " blotter  mainnet  QUIET 3m, not verified, unaudited  all parties  "},
		{120, quiet, []string{"f"}, " blotter  mainnet  QUIET 3m, not verified, unaudited  FROZEN 0s  all parties  "},
	} {
		onScreen(t, c.width, 24, watchAll, func(s *screen) {
			delta := whole(all, deskRows()...)
			delta.Audits = nil
			c.state(&delta.Links[0])
			s.publish(delta)
			s.press(c.keys...)
			if first := s.lines()[0]; !strings.HasPrefix(first, c.want) {
				t.Errorf("the first line of %d cells is\n%s\nwant\n%s", c.width, first, c.want)
			}
		})
	}
}
