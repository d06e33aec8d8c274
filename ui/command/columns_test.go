package command

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model/view"
	"blotter/ui/export"
)

// deskConfiguration names some of what the service has. The market b2 has no decimals.
const deskConfiguration = `
[screen]
time_zone = "UTC"
[[party]]
id = "a1"
name = "desk-10"
[[party]]
id = "a2"
name = "desk-2"
[[market]]
id = "b1"
name = "BTC/USDT"
asset = "USDT"
price_decimals = 1
size_decimals = 2
[[asset]]
id = "c1"
symbol = "USDT"
decimals = 3
`

// withDesk puts a configuration and four positions, of which two have margin records.
func withDesk(s *service) {
	w := newSandbox(s.t)
	s.environment["BLOTTER_CONFIG"] = w.write(s.t, "desk.toml", deskConfiguration)
	s.Put(
		sim.Position{Party: "a1", Market: "b1", OpenVolume: 150, AverageEntryPrice: "1000", UnrealisedPnl: "-1500", UpdatedAt: 946_000_001_000_000_001},
		sim.Position{Party: "a1", Market: "b2", OpenVolume: 7, UnrealisedPnl: "70", UpdatedAt: 946_000_002_000_000_000},
		sim.Position{Party: "a2", Market: "b1", OpenVolume: -1, AverageEntryPrice: "2000", UnrealisedPnl: "250", RealisedPnl: "3", UpdatedAt: 946_000_003_000_000_000},
		sim.Position{Party: "a3", Market: "b1", UpdatedAt: 946_000_004_000_000_000},
	)
	s.PutMargins(
		sim.MarginLevels{Party: "a1", Market: "b1", Asset: "c1", Maintenance: "3000", Search: "3300", Initial: "3600", Release: "4200", Timestamp: 946_000_002_000_000_000},
		sim.MarginLevels{Party: "a2", Market: "b1", Asset: "c1", Maintenance: "1000", Search: "1100", Initial: "1200", Release: "1400", Timestamp: 946_000_004_000_000_000,
			Mode: sim.IsolatedMargin, Factor: "0.25"},
	)
}

const unscaledWarning = "blotter: --scaled: 2 numbers without known decimals left empty; set the decimals in the configuration\n"

func TestColumnsOfPositions(t *testing.T) {
	withService(t, func(s *service) {
		withDesk(s)
		s.run("positions", "-o", "csv", "--columns", "party,market,size").exits(0).printsErrors("").
			prints("partyId,marketId,openVolume\na1,b1,150\na1,b2,7\na2,b1,-1\na3,b1,0\n")
		s.run("positions", "-o", "csv", "--names", "--scaled", "--columns", "market,party,size,unrealised,updated").exits(0).printsErrors(unscaledWarning).
			prints("market,party,openVolume,unrealisedPnl,updatedAt\n" +
				"BTC/USDT,desk-10,1.50,-1.500,1999-12-24T01:46:41.000000001Z\nb2,desk-10,,,1999-12-24T01:46:42Z\n" +
				"BTC/USDT,desk-2,-0.01,0.250,1999-12-24T01:46:43Z\nBTC/USDT,a3,0,0,1999-12-24T01:46:44Z\n")
		s.run("positions", "-o", "ndjson", "--columns", "asset,mark,notional,status", "--party", "a1", "--market", "b1").
			prints(`{"assetId":"c1","estimatedMarkPrice":"990","estimatedNotional":"148500","positionStatus":"POSITION_STATUS_UNSPECIFIED"}` + "\n")
		s.run("positions", "--columns", "party,unrealised,asset", "--party", "a1").
			prints("PARTY    UNREALISED  ASSET\ndesk-10      -1.500  USDT\ndesk-10     +70 raw\n")
		s.run("positions", "--columns", "pnl").exits(2).printsErrors(
			`blotter: --columns: unknown column "pnl"; columns: ` + strings.Join(export.PositionKeys(), " ") + "\n")
		s.run("positions", "-o", "csv", "--columns", "party, size", "--party", "a3").exits(0).prints("partyId,openVolume\na3,0\n")
		s.run("positions", "-o", "json", "--columns", "party,size", "--columns", " party").exits(2).prints("").
			printsErrors("blotter: --columns: party is given twice\n")
	})
}

func TestOrderOfPositions(t *testing.T) {
	isChange := func(key string) bool { return strings.HasSuffix(key, "_change") || key == "day" }
	keys := slices.DeleteFunc(view.SortKeys(), isChange)
	withService(t, func(s *service) {
		withDesk(s)
		s.run("positions", "-o", "csv", "--columns", "party,market", "--sort", "party").
			prints("partyId,marketId\na3,b1\na2,b1\na1,b2\na1,b1\n") // a3 has no name; desk-2 is before desk-10
		s.run("positions", "-o", "csv", "--columns", "party,unrealised", "--sort", "unrealised", "--descending", "--market", "b1").
			prints("partyId,unrealisedPnl\na2,250\na3,0\na1,-1500\n")
		s.run("positions", "-o", "csv", "--columns", "market,party", "--group", "market", "--sort", "updated").exits(2)
		s.run("positions", "-o", "csv", "--columns", "market,party", "--group", "market", "--sort", "age").
			prints("marketId,partyId\nb1,a3\nb1,a2\nb1,a1\nb2,a1\n")
		s.run("positions", "--sort", "size_change").exits(2).printsErrors(
			`blotter: --sort: must be one of ` + strings.Join(keys, ", ") + `, not "size_change"` + "\n")
		s.run("positions", "--descending").exits(2).printsErrors("blotter: --descending: needs --sort\n")
		s.run("positions", "--group", "desk").exits(2).printsErrors("blotter: --group: must be one of party, market, asset, or empty\n")
	})
}

// TestMarginRatiosOfPositions: margin levels are read only if a column, an order or a filter needs them.
func TestMarginRatiosOfPositions(t *testing.T) {
	withService(t, func(s *service) {
		withDesk(s)
		pages := func() (n int) {
			for _, request := range s.Requests() {
				if strings.Contains(request.URI, "margin/levels") {
					n++
				}
			}
			return n
		}
		s.run("positions", "-o", "csv").exits(0)
		if n := pages(); n > 0 {
			t.Errorf("%d pages of margin levels were read for nothing", n)
		}
		s.run("positions", "-o", "csv", "--columns", "party,m%", "--sort", "trouble").printsErrors("").
			prints("partyId,marginRatio\na1,-50.0\na1,\na2,25.0\na3,\n")
		s.run("positions", "-o", "csv", "--columns", "party", "--filter", "m%<-20").prints("partyId\na1\n")
		s.run("positions", "-o", "csv", "--columns", "party,to50,to100", "--sort", "to50").printsErrors("").
			prints("partyId,estimatedChangeTo50,estimatedChangeTo100\na1,passed,-1.0\na2,42.9,71.4\na3,,\na1,,\n")
		if n := pages(); n != 2*2+2 { // each end is read twice
			t.Errorf("%d pages of margin levels were read, want 4", n)
		}
		s.run("positions", "-o", "csv", "--scaled", "--columns", "party,maintenance,entry%,leverage", "--sort", "maintenance", "--market", "b1").printsErrors("").
			prints("partyId,maintenanceMargin,unrealisedPartOfEntry,leverage\na2,1.000,12.5,4\na1,3.000,-1.0,\na3,,,\n")
		s.run("positions", "-o", "csv", "--columns", "party", "--filter", "leverage=4").prints("partyId\na2\n")
		s.run("positions", "-o", "csv", "--columns", "party", "--filter", "maintenance>1.5").prints("partyId\na1\n")
		s.run("positions", "-o", "csv", "--columns", "party,entry%", "--filter", "entry%<-0.9").prints("partyId,unrealisedPartOfEntry\na1,-1.0\n")
		s.run("positions", "-o", "ndjson", "--columns", "leverage,maintenance", "--party", "a2").
			prints(`{"leverage":"4","maintenanceMargin":"1000"}` + "\n")
		s.run("positions", "--columns", "party,m%", "--party", "a1", "--market", "b1").prints("PARTY    uPnL/MM\ndesk-10   -50.0%\n")
		s.SetMarginResponse(sim.Always, sim.Response{Status: 404, Body: "none"})
		s.run("positions", "--sort", "m%").exits(4).prints("")
	})
}

// csvColumns returns the columns of a text in CSV that have these names, without the names.
func csvColumns(t *testing.T, text string, names []string) string {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var columns strings.Builder
	for _, record := range records[1:] {
		var cells []string
		for _, name := range names {
			cells = append(cells, record[slices.Index(records[0], name)])
		}
		columns.WriteString(strings.Join(cells, ",") + "\n")
	}
	return columns.String()
}

func TestTotals(t *testing.T) {
	withService(t, func(s *service) {
		withDesk(s)
		shown := strings.Fields(s.run("positions", "--totals").printsErrors("").output)
		if got := strings.Join(shown, " "); !strings.HasPrefix(got, "ASSET POSITIONS OPEN UNREALISED REALISED ") || !strings.Contains(got, " USDT 3 2 -1.250 +0.003 ") {
			t.Errorf("printed %s", got)
		}
		names := []string{"party", "asset", "positions", "openPositions", "unrealisedPnl", "realisedPnl", "leftOut"}
		got := csvColumns(t, s.run("positions", "-o", "csv", "--totals", "--group", "party", "--names", "--scaled").output, names)
		if want := "desk-10,USDT,1,1,-1.500,0,0\ndesk-10,,1,1,,,0\ndesk-2,USDT,1,1,0.250,0.003,0\na3,USDT,1,0,0,0,0\n"; got != want {
			t.Errorf("got\n%s, want\n%s", got, want)
		}
		got = csvColumns(t, s.run("positions", "-o", "csv", "--totals", "--filter", "side:long market:btc").output, append([]string{"assetId"}, names[2:]...))
		if want := "c1,1,1,-1500,0,0\n"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		s.run("margins", "--totals").
			prints("ASSET  RECORDS  MAINTENANCE  SEARCH  INITIAL  RELEASE  LEFT OUT\nUSDT         2        4.000   4.400    4.800    5.600         0\n")
		s.run("positions", "--totals", "--columns", "party").exits(2).printsErrors("blotter: --totals and --columns cannot be used together\n")
	})
}

func TestColumnsOfMarginRecords(t *testing.T) {
	withService(t, func(s *service) {
		withDesk(s)
		s.run("margins", "-o", "csv", "--columns", "party,asset,maintenance,recorded", "--names", "--scaled", "--sort", "maintenance").
			prints("party,asset,maintenanceMargin,timestamp\ndesk-2,USDT,1.000,1999-12-24T01:46:44Z\ndesk-10,USDT,3.000,1999-12-24T01:46:42Z\n")
		s.run("margins", "-o", "csv", "--columns", "party", "--sort", "maintenance", "--descending", "--limit", "1").prints("partyId\na1\n")
		s.run("margins", "--sort", "size").exits(2).
			printsErrors(`blotter: --sort: must be one of party, market, asset, maintenance, search, initial, release, recorded, not "size"` + "\n")
	})
}

func TestColumnsOfFollowedPositions(t *testing.T) {
	withService(t, func(s *service) {
		withDesk(s)
		run := s.start("positions", "-o", "ndjson", "--follow", "--names", "--scaled", "--columns", "party,size", "--market", "b1", "--filter", "side:short")
		s.after(time.Second)
		run.hasPrinted(`{"party":"desk-2","openVolume":"-0.01"}` + "\n")
		s.Update(sim.Position{Party: "a2", Market: "b1", OpenVolume: -20})
		s.after(time.Second)
		run.hasPrinted(`{"party":"desk-2","openVolume":"-0.20"}` + "\n")
		s.Update(sim.Position{Party: "a2", Market: "b1"})
		s.after(time.Second)
		run.hasPrinted(`{"market":"BTC/USDT","party":"desk-2","removed":true}` + "\n")
		run.interrupt()
		run.result().printsErrors("")
		late := s.start("positions", "-o", "ndjson", "--follow", "--scaled", "--columns", "size", "--filter", "market:b2 status:distressed")
		s.after(time.Second)
		for size := range int64(2) {
			s.Update(sim.Position{Party: "a1", Market: "b2", OpenVolume: 10 + size, Status: 4})
			s.after(time.Second)
		}
		late.interrupt()
		late.result().prints(`{"openVolume":""}` + "\n" + `{"openVolume":""}` + "\n").
			printsErrors("blotter: --scaled: numbers without known decimals are left empty; set the decimals in the configuration\n")
		s.run("positions", "-o", "ndjson", "--follow", "--totals").exits(2).printsErrors("blotter: --totals and --follow cannot be used together\n")
		s.run("positions", "-o", "ndjson", "--follow", "--totals", "--sort", "size").exits(2).printsErrors("blotter: --sort and --follow cannot be used together\n")
	})
}

// TestSchemaMatchesSelectedColumns: the schema has each form that the flags choose.
func TestSchemaMatchesSelectedColumns(t *testing.T) {
	withService(t, func(s *service) {
		withDesk(s)
		s.holds("selectedPositions", s.run("positions", "-o", "json", "--names", "--columns", "party,market,asset,mark,notional,m%").output)
		s.holds("positions", s.run("positions", "-o", "json", "--scaled").output)
		s.holds("positionTotals", s.run("positions", "-o", "json", "--totals", "--group", "market", "--names").output)
		s.holds("marginTotals", s.run("margins", "-o", "json", "--totals", "--group", "party").output)
		s.holds("selectedMarginRecords", s.run("margins", "-o", "json", "--names").output)
	})
}

// TestAMarketWithLinearFalse has no estimates, and a filter of these says so once.
func TestAMarketWithLinearFalse(t *testing.T) {
	withService(t, func(s *service) {
		withDesk(s)
		w := newSandbox(s.t)
		text := strings.Replace(deskConfiguration, "size_decimals = 2\n", "size_decimals = 2\nlinear = false\n", 1)
		s.environment["BLOTTER_CONFIG"] = w.write(s.t, "inverse.toml", text)
		s.run("positions", "-o", "csv", "--columns", "party,mark,notional,to50,entry%,m%", "--market", "b1").printsErrors("").
			prints("partyId,estimatedMarkPrice,estimatedNotional,estimatedChangeTo50,unrealisedPartOfEntry,marginRatio\n" +
				"a1,,,,,-50.0\na2,,,,,25.0\na3,,,,,\n")
		s.run("positions", "-o", "csv", "--columns", "party", "--market", "b1", "--filter", "to50<50|entry%<0").prints("partyId\n").
			printsErrors("blotter: --filter: 1 market with linear = false, so to50, to100 and entry% do not match there\n")
	})
}
