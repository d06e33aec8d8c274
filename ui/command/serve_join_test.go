package command

import (
	"fmt"
	"strings"
	"testing"
)

// TestTradersShareTheirFirstPages: the margin levels of a party are read once, for the first page of each trader who
// watches it and in the background.
func TestTradersShareTheirFirstPages(t *testing.T) {
	withServe(t, func(d *servedTest) {
		const parties, traders = 12, 3
		var text, all strings.Builder
		text.WriteString("[screen]\ntime_zone = 'UTC'\n")
		for i := range parties {
			fmt.Fprintf(&text, "[[party]]\nid = 'd0%02d'\nname = 'party-%d'\n", i, i)
			fmt.Fprintf(&all, "'party-%d', ", i)
		}
		for i := range byte(traders) {
			fmt.Fprintf(&text, "[[trader]]\nname = 'trader-%d'\nkeys = [%q]\nparties = [%s]\nmarkets = ['*']\n", i, authorized(t, i+1), all.String())
		}
		d.writeConfig(text.String())
		d.hangUp()
		before := d.Counters().MarginPages
		var screens []*remoteScreen
		for i := range byte(traders) {
			screens = append(screens, d.connect(i+1))
		}
		const background = 10 // lists that are read again in the seconds that this takes
		if read := d.Counters().MarginPages - before; read < parties || read > parties+background {
			t.Errorf("%d pages were read for %d screens of the same %d parties", read, traders, parties)
		}
		for _, each := range screens {
			each.shows("No margin levels.")
			each.close()
		}
	})
}
