package command

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"blotter/feed/wire"
	"blotter/model"
	"blotter/ui/command/config"
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

// TestAScopeSendsNoRequestsWhileThereAreRules: at rest the service gets as many as if everything were shown, and it
// gets no stream of the scope.
func TestAScopeSendsNoRequestsWhileThereAreRules(t *testing.T) {
	atRest := func(keys ...string) (streams, pages int) {
		const rule = "[[alert]]\nname = \"loss\"\nfilter = \"upnl<0\""
		file, err := config.Parse("a.toml", []byte(rule))
		if err != nil {
			t.Fatal(err)
		}
		desks := twoDesks()
		desks.options.Alerts = file.ScreenAlerts()
		desks.run(t, func(s *dashboardTest) {
			s.Node.Update(btc, eth)
			s.AwaitUpdates().After(time.Minute)
			before := len(s.Node.Requests())
			s.Press(keys...).After(5 * time.Minute)
			for _, request := range s.Node.Requests()[before:] {
				if !isStream(request) {
					pages++
					continue
				}
				if streams++; strings.Contains(request.URI, "partyId") {
					t.Errorf("a stream of the scope was requested: %s", request.URI)
				}
			}
		})
		return streams, pages
	}
	streams, pages := atRest()
	scopedStreams, scopedPages := atRest("P", "tab", "tab")
	// Audits come at random times, about every fifteen seconds.
	if scopedStreams > streams+streams/4 || scopedPages > pages+pages/50 {
		t.Errorf("with a scope there are %d streams and %d pages, without one %d and %d", scopedStreams, scopedPages, streams, pages)
	}
}
