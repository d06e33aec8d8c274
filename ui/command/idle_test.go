package command

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"blotter/feed/wire"
	"blotter/model"
)

// TestIdleDashboardSendsFewRequests: all clients of a node share twenty requests a second. Without a key press there
// are at most two a second, however many parties there are.
func TestIdleDashboardSendsFewRequests(t *testing.T) {
	for _, parties := range []int{30, 60} {
		desks := twoDesks()
		for i := range parties {
			desks.options.Scope.Parties = append(desks.options.Scope.Parties, model.MakeID(fmt.Sprintf("%02x", i)))
		}
		desks.run(t, func(s *dashboardTest) {
			s.Node.Update(btc, eth)
			s.After(20 * time.Second)
			before, began := len(s.Node.Requests()), time.Now()
			s.After(time.Minute)
			pages := 0
			for _, request := range s.Node.Requests()[before:] {
				if strings.Contains(request.URI, wire.MarginPath) {
					pages++
				}
			}
			if most := 2*int(time.Since(began)/time.Second) + 2; pages > most || pages < 10 {
				t.Errorf("%d parties: %d requests for margin levels in a minute, want at most %d", parties, pages, most)
			}
		})
	}
}
