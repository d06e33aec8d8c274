package command

import (
	"strings"
	"testing"

	"blotter/feed/sim"
)

// TestNegativeDecimals: the smallest size of a market is 1,000, and so is the smallest amount of an asset.
func TestNegativeDecimals(t *testing.T) {
	withService(t, func(s *service) {
		w := newSandbox(s.t)
		s.environment["BLOTTER_CONFIG"] = w.write(s.t, "desk.toml", `
[screen]
time_zone = "UTC"
[[market]]
id = "b1"
name = "PEPE/USDT"
asset = "c1"
price_decimals = 9
size_decimals = -3
[[market]]
id = "b2"
asset = "c2"
price_decimals = -2
size_decimals = 2
[[asset]]
id = "c1"
symbol = "USDT"
decimals = 6
[[asset]]
id = "c2"
symbol = "KYEN"
decimals = -3
`)
		s.Put(
			sim.Position{Party: "a1", Market: "b1", OpenVolume: 1234, AverageEntryPrice: "12300", UnrealisedPnl: "-5000000"},
			sim.Position{Party: "a2", Market: "b1", OpenVolume: -1234, AverageEntryPrice: "12300", UnrealisedPnl: "5000000"},
			sim.Position{Party: "a1", Market: "b2", OpenVolume: 150, AverageEntryPrice: "40000", UnrealisedPnl: "-6"},
		)
		s.run("positions", "-o", "csv", "--names", "--scaled", "--columns", "party,market,size,entry,mark,notional,unrealised").exits(0).printsErrors("").
			prints("party,market,openVolume,averageEntryPrice,estimatedMarkPrice,estimatedNotional,unrealisedPnl\n" +
				"a1,PEPE/USDT,1234000,0.000012300,0.000008248,10.178,-5.000000\n" +
				"a1,b2,1.50,4000000,3996000,5994000,-6000\n" +
				"a2,PEPE/USDT,-1234000,0.000012300,0.000008248,-10.178,5.000000\n")
		s.run("positions", "-o", "csv", "--columns", "size").exits(0).prints("openVolume\n1234\n150\n-1234\n") // as they were sent
		table := s.run("positions", "--columns", "party,market,size,entry,mark,unrealised").exits(0).output
		for _, want := range []string{"+1,234,000", "0.000012300", "0.000008248", "-5.000000", "4,000,000", "-6,000"} {
			if !strings.Contains(table, want) {
				t.Errorf("the table has no %s:\n%s", want, table)
			}
		}
		for filter, want := range map[string]string{
			"size>1,233,999": "a1", "size=1.234M": "a1", "size>1234000": "", "size<=-1,234k": "a2", "entry=4M": "a1", "upnl<-5,999": "a1", "upnl=-6k": "a1",
			"entry<0.0000123": "", "entry<0.00001230001 size>0": "a1", "upnl<-6000": "",
		} {
			if want != "" {
				want += "\n"
			}
			s.run("positions", "-o", "csv", "--columns", "party", "--filter", filter).exits(0).prints("partyId\n" + want)
		}
		totals := s.run("positions", "-o", "csv", "--totals", "--scaled").exits(0).output
		if !strings.Contains(totals, "-6000") {
			t.Errorf("the totals are\n%s", totals)
		}
	})
}
