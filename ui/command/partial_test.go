package command

import (
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
)

const (
	firstPage  = `{"result":{"snapshot":{"positions":[{"partyId":"a1","marketId":"b1","openVolume":"5"}]}}}` + "\n"
	oneUpdate  = `{"result":{"updates":{"positions":[{"partyId":"a1","marketId":"b2","openVolume":"6"}]}}}` + "\n"
	secondPage = `{"result":{"snapshot":{"lastPage":true,"positions":[{"partyId":"a1","marketId":"b3","openVolume":"7"}]}}}` + "\n"
)

// TestPositionsOfASnapshotInParts: an update between its pages does not end it.
func TestPositionsOfASnapshotInParts(t *testing.T) {
	withService(t, func(s *service) {
		s.SetStreamResponse(1, sim.Response{Status: 200, Body: firstPage + oneUpdate + secondPage, Open: true})
		s.run("positions", "-o", "csv", "--columns", "market,size").exits(0).prints("marketId,openVolume\nb1,5\nb2,6\nb3,7\n").printsErrors("")
	})
}

// TestPositionsWithoutALastPage: a command that prints once waits for it. One that follows prints what there is, and
// warns.
func TestPositionsWithoutALastPage(t *testing.T) {
	withService(t, func(s *service) {
		s.SetStreamResponse(sim.Always, sim.Response{Status: 200, Body: firstPage + oneUpdate, Open: true})
		words := "PARTIAL: the service has sent 1 position and not the last page of its snapshot"
		s.run("positions", "-o", "csv").exits(3).took(15 * time.Second).prints("").
			printsErrors("blotter: no complete snapshot within 15s: " + words + "\n")
		s.run("positions", "--until", "size>5r").exits(0)
		s.run("positions", "--until", "size>9r").exits(3).printsErrors("blotter: no complete snapshot within 15s: " + words + "\n")
		for _, arguments := range []string{"positions -o ndjson --follow", "events --follow"} {
			run := s.start(strings.Fields(arguments)...)
			s.after(10 * time.Second)
			s.Raw([]byte(strings.ReplaceAll(oneUpdate, `"6"`, `"0"`)))
			s.after(time.Second)
			run.interrupt()
			got := run.result().printsErrors("blotter: " + words + "; positions may be missing\n")
			if want := `b2`; !strings.Contains(got.output, want) {
				t.Errorf("%s: printed %q", arguments, got.output)
			}
		}
	})
}
