package command

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/ui"
	"blotter/ui/command/config"
)

// sizePeriod is what a position of the demo and its margin record had while the position had one size.
type sizePeriod struct {
	size                int64
	profit, maintenance map[string]bool
}

// demoHistory are the periods of each position, by the names of its market and party.
type demoHistory map[string][]*sizePeriod

// note notes the present state of the service.
func (h demoHistory) note(node *sim.Node, in *model.Instruments) {
	name := func(market, party string) string {
		return in.Market(model.MakeID(market)).Name + " " + in.Party(model.MakeID(party)).Name
	}
	for _, p := range node.Positions() {
		key := name(p.Market, p.Party)
		periods := h[key]
		if len(periods) == 0 || periods[len(periods)-1].size != p.OpenVolume {
			periods = append(periods, &sizePeriod{p.OpenVolume, make(map[string]bool), make(map[string]bool)})
			h[key] = periods
		}
		periods[len(periods)-1].profit[p.UnrealisedPnl] = true
	}
	for _, m := range node.Margins() {
		if periods := h[name(m.Market, m.Party)]; len(periods) > 0 {
			periods[len(periods)-1].maintenance[m.Maintenance] = true
		}
	}
}

// has reports whether a position had a ratio with a profit and a maintenance margin of a size, which is as on the
// screen.
func (h demoHistory) has(key, size, ratio string) bool {
	digits := func(text string) string {
		return strings.TrimRight(strings.NewReplacer("+", "", ",", "", ".", "").Replace(text), "0")
	}
	return slices.ContainsFunc(h[key], func(s *sizePeriod) bool {
		if digits(strconv.FormatInt(s.size, 10)) != digits(size) {
			return false
		}
		for profit := range s.profit {
			for maintenance := range s.maintenance {
				r := model.MarginRatio{Profit: model.ParseAmount(profit), Maintenance: model.ParseAmount(maintenance)}
				if r.String() == ratio {
					return true
				}
			}
		}
		return false
	})
}

// TestAlertsOfTheDemoAreTrue: for the first three minutes of --demo, each alert on the screen has a profit and a
// maintenance margin that the position had with one size.
func TestAlertsOfTheDemoAreTrue(t *testing.T) {
	file := config.File{Alerts: []config.AlertRule{demoAlert}}
	in := instrumentsOf(sim.New(demoMarket).Instruments())
	on := setup{service: demoMarket, options: ui.Options{Instruments: in, Alerts: file.ScreenAlerts()}}
	for _, party := range demoParties(in) {
		on.options.Settings.Scope.Parties = append(on.options.Settings.Scope.Parties, model.MakeID(party))
	}
	alert := regexp.MustCompile(`(\S+ \S+), size (\S+), .*uPnL/MM ([+-][0-9.,]+%)`)
	on.run(t, func(s *dashboardTest) {
		history, shown := make(demoHistory), make(map[string]bool)
		for range 3 * 60 * 20 {
			history.note(s.Node, in)
			s.After(50 * time.Millisecond)
			line := s.terminal.messages()
			found := alert.FindStringSubmatch(line)
			if found == nil || shown[found[0]] {
				continue
			}
			shown[found[0]] = true
			history.note(s.Node, in)
			if !history.has(found[1], found[2], found[3]) {
				t.Errorf("%s: the position never had that ratio with that size", line)
			}
		}
		if len(shown) < 3 {
			t.Errorf("%d alerts were shown", len(shown))
		}
	})
}

// TestDemoHasTheGroupsOfTheConfiguration, of the markets and the parties that it simulates.
func TestDemoHasTheGroupsOfTheConfiguration(t *testing.T) {
	withService(t, func(s *service) {
		path := filepath.Join(t.TempDir(), "groups.toml")
		if err := os.WriteFile(path, []byte("[[group]]\nname = 'majors'\nmarkets = ['BTC/USDT']\nparties = ['desk-1']\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		got := s.run("positions", "--config", path, "--demo", "--filter", "group:majors", "--names", "--columns", "market,party", "-o", "csv").exits(0)
		if got.output != "market,party\nBTC/USDT,desk-1\n" {
			t.Errorf("it printed\n%s", got.output)
		}
	})
}
