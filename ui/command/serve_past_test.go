package command

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestOneTraderDoesNotKeepTheOthersOutOfThePast: four of its sessions may be there, and a fifth when one has left.
func TestOneTraderDoesNotKeepTheOthersOutOfThePast(t *testing.T) {
	withServe(t, func(d *servedTest) {
		keys := fmt.Sprintf("keys = [%q", authorized(t, 2))
		d.serveAgain(strings.Replace(tradersFile(t), keys, keys+fmt.Sprintf(", %q", authorized(t, 3)), 1))
		var inPast []*remoteScreen
		for range maxPlayersOfTrader {
			inPast = append(inPast, d.connect(2))
		}
		d.after(10 * time.Second)
		for _, each := range inPast {
			each.press("w").shows("REWIND")
		}
		fifth, other := d.connect(3), d.connect(1)
		d.after(5 * time.Second)
		fifth.press("w").shows("4 of your sessions are in the past")
		other.press("w").shows("REWIND").close()
		inPast[0].press("q")
		d.after(time.Second)
		fifth.press("w").shows("REWIND").close()
		for _, each := range inPast {
			each.close()
		}
	})
}
