package ui

import (
	"testing"
	"time"

	"blotter/model"
)

// TestGoldenFreshness: the words of the first line about streams that are late, unaudited or silent, in two sizes.
func TestGoldenFreshness(t *testing.T) {
	for name, set := range map[string]func(l *model.Link){
		"late": func(l *model.Link) { l.LateBy = 12 * time.Second },
	} {
		for size, cells := range map[string][2]int{"-80x24": {80, 24}, "-120x40": {120, 40}} {
			onScreen(t, cells[0], cells[1], nil, func(s *screen) {
				delta := deskDelta(s)
				set(&delta.Links[0])
				s.publish(delta)
				s.golden(name + size)
			})
		}
	}
}
