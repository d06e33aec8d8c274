package ui

import (
	"testing"

	"blotter/model"
)

// TestLongNamesTakeTheFreeRoom, with and without a name in the configuration. If there is no room, they are cut outside
// their numbers.
func TestLongNamesTakeTheFreeRoom(t *testing.T) {
	names := []string{"BTC-USD-260327-110000-C", "BTC-USD-260327-110500-P", "BTC-USD-260626-110000-C"}
	for width, want := range map[int][]string{
		160: {"▌BTC-USD-260327-110000-C ", " BTC-USD-260327-110500-P ", " BTC-USD-260626-110000-C "},
		72:  {"▌B…260327-110000-C ", " BTC-USD-…110500-P ", " B…260626-110000-C "},
		80:  {"▌BTC-USD-260327-110000-C ", " BTC-USD-260327-110500-P ", " BTC-USD-260626-110000-C "},
	} {
		onScreen(t, width, 24, watchAll, func(s *screen) {
			var positions []model.Position
			for _, name := range names {
				positions = append(positions, position(desk1, model.MakeID(name), "10", "100", "500", "0", model.StatusUnspecified, 1))
			}
			s.publish(whole(all, positions...))
			s.sees(want...)
		})
	}
}
