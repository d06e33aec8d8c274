package command

import (
	"testing"

	"blotter/feed/sim"
)

// TestNumbersWithPoints are printed as they were sent, and compared by their value, without known decimals.
func TestNumbersWithPoints(t *testing.T) {
	withService(t, func(s *service) {
		lost := sim.Position{Party: "a1", Market: "b1", OpenVolume: 5, AverageEntryPrice: "10.50", UnrealisedPnl: "-0.50", UpdatedAt: 1}
		won := sim.Position{Party: "a1", Market: "b2", OpenVolume: 5, AverageEntryPrice: "10", UnrealisedPnl: "1e+21", UpdatedAt: 2}
		none := sim.Position{Party: "a2", Market: "b1", OpenVolume: -5, UnrealisedPnl: "-0.000", UpdatedAt: 3}
		s.Put(lost, won, none)
		s.run("positions", "-o", "ndjson").exits(0).prints(line(lost) + line(won) + line(none)).printsErrors("")
		s.run("positions", "-o", "csv", "--columns", "party,market,entry,unrealised").exits(0).
			prints("partyId,marketId,averageEntryPrice,unrealisedPnl\na1,b1,10.50,-0.50\na1,b2,10,1e+21\na2,b1,0,-0.000\n").printsErrors("")
		s.run("positions", "-o", "ndjson", "--filter", "upnl<0").exits(0).prints(line(lost)).printsErrors("")
		s.run("positions", "-o", "ndjson", "--filter", "upnl=0").exits(0).prints(line(none)).printsErrors("")
		s.run("positions", "-o", "ndjson", "--filter", "upnl>999999999999999999999").exits(0).prints(line(won)).printsErrors("")
		s.run("positions", "-o", "ndjson", "--sort", "unrealised").exits(0).prints(line(lost) + line(none) + line(won)).
			printsErrors("blotter: --sort unrealised: 2 markets without a known asset: the rows of each are together, after all others\n")
	})
}
