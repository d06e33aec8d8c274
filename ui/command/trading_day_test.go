//go:build unix

package command

import (
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
)

// TestTasksOfATradingDay on a screen of 120x40: naming what the service has, narrowing to a desk, a filter with
// comparisons, groups, a saved view, an alert with its command, the event, the baseline, the session and the copy.
func TestTasksOfATradingDay(t *testing.T) {
	setup{}.alerted(t, distressAlert, func(s *dashboardTest, written func() string) {
		other := btc
		other.Market, other.UnrealisedPnl = "b2", "-2000"
		s.Node.Update(btc, eth, other)
		s.Node.PutMargins(
			sim.MarginLevels{Party: "a2", Market: "b2", Asset: "c1", Maintenance: "120000", Search: "132000", Initial: "144000", Release: "168000"},
			sim.MarginLevels{Party: "a1", Market: "b1", Asset: "c1", Maintenance: "400000", Search: "440000", Initial: "480000", Release: "560000"},
			sim.MarginLevels{Party: "a1", Market: "b2", Asset: "c1", Maintenance: "400000", Search: "440000", Initial: "480000", Release: "560000"},
		)
		s.Press("r").After(20*time.Second).Shows("uPnL raw").Rows("b1 a1 +1,250", "b2 a1 +1,250", "b2 a2 -10,000")

		// Names: the first market and its party and asset, then the other market.
		s.Press("n").Shows("b1 · a1").Press("BTC/USDT", "tab", "3", "tab", "1", "tab", "tab", "desk-1", "tab", "USDT", "tab", "2")
		s.Shows("SIZE +1.250   ENTRY 64,120.5   uPnL +346.88").Press("enter").Shows("desk-1").Lacks("uPnL raw")
		s.Press("g").Press("n").Shows("b2 · a2").Press("ETH/USDT", "tab", "3", "tab", "2", "enter")
		s.Rows("BTC/USDT desk-1 +1.250", "ETH/USDT a2 -10.000", "ETH/USDT desk-1 +1.250")

		// A desk, and back.
		s.Press("g").Press("P").Rows("BTC/USDT desk-1", "ETH/USDT desk-1").Press("esc").After(20*time.Second).Rows("BTC/USDT", "ETH/USDT", "ETH/USDT")

		// A filter with comparisons, groups, and a view of both.
		s.Press("/").Press("upnl<-10 m%<0", "enter").Rows("ETH/USDT a2", "ETH/USDT desk-1")
		s.Press("b").Shows("PARTY / MARKET", "▾desk-1", "▾a2", "1 pos")
		s.Press("v", "down", "s").Press("losers", "enter").Shows("1 losers", "[upnl<-10 m%<0]", "grouped by party")
		s.Press("0").Rows("BTC/USDT", "ETH/USDT", "ETH/USDT").Press("1").Shows("1 losers", "▾desk-1", "▾a2").Press("0")

		// The baseline, and then a distress: an alert, its command and the event.
		s.Press("B").Shows("Baseline taken", "ΔuPnL")
		worse := distressed(eth)
		worse.UnrealisedPnl = "-60000"
		s.Node.Update(worse)
		s.After(3*time.Second).Shows("ALERT distress 1", "-600.00", "-150.80", "DISTRESSED")
		if events := eventsIn(t, written()); len(events) != 1 || events[0].Direction != "begin" || events[0].Positions[0]["market"] != "ETH/USDT" {
			t.Errorf("the command got %+v", events)
		}
		s.Press("e").Shows("─ events", "ETH/USDT     a2           status DISTRESSED").Press("esc")

		// The session: the largest move since the baseline, and the totals as a chart.
		s.Press("h").After(5*time.Second).Shows("baseline 00:", "USDT unrealised PnL  -273.12", "ETH/USDT a2", "-150.80", "by market").Press("esc")

		// What is on the screen, for a spreadsheet.
		s.Press("Y").Shows("clipboard")
		if copied := s.terminal.copied(); strings.Count(copied, "\n") != 4 || !strings.HasPrefix(copied, "market\tmarket id\tparty\t") || !strings.Contains(copied, "ETH/USDT\tb2\t\ta2\t-10.000\t3410.10\t") {
			t.Errorf("the clipboard has\n%s", copied)
		}
	})
}
