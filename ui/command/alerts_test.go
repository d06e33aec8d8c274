//go:build unix

package command

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/command/config"
	"blotter/ui/command/saved"
)

// alerted runs a test with two desks and the alerts of a configuration. FILE in it is a file for what commands write;
// written returns what they have written there since it was called last.
func alerted(t *testing.T, text string, test func(s *dashboardTest, written func() string)) {
	t.Helper()
	twoDesks().alerted(t, text, test)
}

func (on setup) alerted(t *testing.T, text string, test func(s *dashboardTest, written func() string)) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "events")
	file, err := config.Parse("a.toml", []byte(strings.ReplaceAll(text, "FILE", path)))
	if err != nil {
		t.Fatal(err)
	}
	c := &configuration{file: file}
	on.options.Alerts = file.ScreenAlerts()
	on.options.Programs = &startedPrograms{start: sync.OnceValue(func() alerts.Programs { // in the bubble of the test
		programs, _ := new(alertPrograms).start(context.Background(), c, saved.NewStateFile("", ""), nil)
		return programs
	})}
	on.run(t, func(s *dashboardTest) {
		test(s, func() string {
			text, _ := os.ReadFile(path)
			_ = os.Remove(path)
			return string(text)
		})
		c.close()
	})
}

// startedPrograms are programs that start when they are needed.
type startedPrograms struct{ start func() alerts.Programs }

func (p *startedPrograms) Deliver(events []view.AlertEvent, of alerts.InAlert) {
	p.start().Deliver(events, of)
}

func (p *startedPrograms) Earlier() []alerts.InAlert { return nil }

func (p *startedPrograms) RunBy() string { return "" }

func (p *startedPrograms) Outcome(ctx context.Context) (alerts.Outcome, bool) {
	return p.start().Outcome(ctx)
}

const distressAlert = `
[[alert]]
name = "distress"
filter = "status:distressed"
command = ["sh", "-c", "echo noise; echo noise >&2; cat >> FILE"]
`

// distressed returns a position in distress.
func distressed(p sim.Position) sim.Position {
	p.Status = 4
	return p
}

// event is what a command got.
type alertEvent struct {
	Alert, At, Count, Direction, Service, Text string
	Positions                                  []map[string]string
	Group                                      map[string]string
}

func eventsIn(t *testing.T, text string) (events []alertEvent) {
	t.Helper()
	for line := range strings.Lines(text) {
		var e alertEvent
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		events = append(events, e)
	}
	return events
}

// TestAlertRunsItsCommandAtBeginAndEnd once each. What the command writes is not on the screen.
func TestAlertRunsItsCommandAtBeginAndEnd(t *testing.T) {
	alerted(t, distressAlert, func(s *dashboardTest, written func() string) {
		s.Node.Update(btc, eth)
		s.After(2 * time.Second)
		s.Node.Update(distressed(eth))
		s.AwaitUpdates().Shows("ALERT distress 1", "distress: ETH/USDT desk-2, size -10.000, uPnL -449.20, DISTRESSED").Lacks("noise")
		for range 5 {
			s.Node.Update(btc, distressed(eth))
			s.After(time.Second)
		}
		s.Node.Cut() // another stream, and its snapshot
		s.After(20 * time.Second)
		events := eventsIn(t, written())
		if len(events) != 1 || len(events[0].Positions) != 1 {
			t.Fatalf("the events are %+v", events)
		}
		e, p := events[0], events[0].Positions[0]
		if e.Alert != "distress" || e.Direction != "begin" || e.Count != "1" || e.Service != "sim" || !strings.HasPrefix(e.At, "2000-01-01T00:00:0") ||
			e.Text != "distress: ETH/USDT desk-2, size -10.000, uPnL -449.20, DISTRESSED" {
			t.Errorf("the event is %+v", e)
		}
		if p["partyId"] != "a2" || p["party"] != "desk-2" || p["market"] != "ETH/USDT" || p["asset"] != "USDT" || p["assetId"] != "c1" ||
			p["openVolume"] != "-10000" || p["unrealisedPnl"] != "-44920" || p["positionStatus"] != "POSITION_STATUS_DISTRESSED" || p["marginRatio"] != "" {
			t.Errorf("the position is %+v", p)
		}
		s.Node.Update(eth)
		s.After(2 * time.Second)
		if events := eventsIn(t, written()); len(events) != 1 || events[0].Direction != "end" || events[0].Text != "distress ended: ETH/USDT desk-2, size -10.000, uPnL -449.20" {
			t.Errorf("the events are %+v", events)
		}
	})
}

// TestNoCommandRunsWhileStale: a change during the outage is an event after it.
func TestNoCommandRunsWhileStale(t *testing.T) {
	alerted(t, distressAlert+`
[[alert]]
name = "old"
filter = "age>1m market:btc"
command = ["sh", "-c", "cat >> FILE"]
`, func(s *dashboardTest, written func() string) {
		s.Node.Update(btc, eth)
		s.After(2 * time.Second)
		s.Listener.Kill()
		s.Node.Put(distressed(eth))
		s.After(3 * time.Minute).Shows("STALE").Lacks("ALERT")
		if text := written(); text != "" {
			t.Errorf("the commands got %s", text)
		}
		s.Listener.Revive()
		s.After(time.Minute).Lacks("STALE")
		got := make(map[string]int)
		for _, e := range eventsIn(t, written()) {
			got[e.Alert+" "+e.Direction+" "+e.Count]++
		}
		if len(got) != 2 || got["distress begin 1"] != 1 || got["old begin 1"] != 1 {
			t.Errorf("the events are %v", got)
		}
	})
}

// TestAlertOnMarginRatioRunsItsCommand when a margin record that changes the ratio was read.
func TestAlertOnMarginRatioRunsItsCommand(t *testing.T) {
	alerted(t, `
[[alert]]
name = "margin"
filter = "m%<-30"
clear = "m%>-20"
command = ["sh", "-c", "cat >> FILE"]
`, func(s *dashboardTest, written func() string) {
		s.Node.Update(btc, eth)
		s.Node.PutMargins(maintenance(eth, "1000000"))
		s.After(10 * time.Second).Shows("-4.5%").Lacks("ALERT")
		s.Node.PutMargins(maintenance(eth, "120000"))
		s.Node.Update(eth)
		s.After(10*time.Second).Shows("-37.4%", "ALERT margin 1")
		s.Node.PutMargins(maintenance(eth, "179680"))
		s.Node.Update(eth)
		s.After(10*time.Second).Shows("-25.0%", "!ETH/USDT")
		s.Node.PutMargins(maintenance(eth, "1000000"))
		s.Node.Update(eth)
		s.After(10 * time.Second).Lacks("!ETH/USDT")
		var got []string
		for _, e := range eventsIn(t, written()) {
			got = append(got, e.Direction+" "+e.Positions[0]["marginRatio"])
		}
		if fmt.Sprint(got) != "[begin -37.4 end -4.5]" {
			t.Errorf("the events are %v", got)
		}
	})
}

// TestFailedCommandIsShownOnTheMessageLine, and so is one that cannot be started.
func TestFailedCommandIsShownOnTheMessageLine(t *testing.T) {
	for command, want := range map[string]string{
		`["sh", "-c", "exit 3"]`: "sh failed (exit status 3); run it by hand to see why: command of alert distress.",
		`["/no/such/program"]`:   "/no/such/program cannot be run: no such file or directory: command of alert distress.",
	} {
		alerted(t, "[[alert]]\nname = 'distress'\nfilter = 'status:distressed'\ncommand = "+command, func(s *dashboardTest, _ func() string) {
			s.Node.Update(distressed(eth))
			s.After(6 * time.Second).Shows(want) // after the words about the alert
		})
	}
}

// holdsEvents checks that the schema allows each of the events that a command got.
func (s *service) holdsEvents(events string) {
	s.t.Helper()
	for line := range strings.Lines(events) {
		s.holds("alertEvent", line)
	}
}

// TestSchemaMatchesAlertEvents: the JSON that a command of an alert gets.
func TestSchemaMatchesAlertEvents(t *testing.T) {
	var events string
	alerted(t, distressAlert, func(s *dashboardTest, written func() string) {
		s.Node.Update(distressed(btc), distressed(eth))
		s.After(2 * time.Second)
		s.Node.Update(eth)
		s.After(2 * time.Second)
		events = written()
	})
	withService(t, func(s *service) {
		if n := strings.Count(events, "\n"); n != 2 {
			t.Errorf("there are %d events", n)
		}
		s.holdsEvents(events)
		if s.allows("alertEvent", `{"alert":"a","at":"x","count":"1","direction":"middle","service":"s","text":"t","positions":[]}`) == nil {
			t.Error("it allows another direction")
		}
	})
}

// TestTheCommandGetsAGroup with its exact sums, and the digits of the notional that are known, as the schema describes
// it.
func TestTheCommandGetsAGroup(t *testing.T) {
	on, events := twoDesks(), ""
	on.options.Instruments = testInstruments().WithGroups([]model.Group{{Name: "both", Scope: model.Scope{Parties: []model.ID{model.MakeID("a1"), model.MakeID("a2")}}}})
	on.alerted(t, `
[[alert]]
name = "sum"
on = "group"
group = "both"
asset = "USDT"
filter = "upnl<-500"
command = ["sh", "-c", "cat >> FILE"]
`, func(s *dashboardTest, written func() string) {
		s.Node.Update(btc, eth)
		s.After(2 * time.Second)
		lost := eth
		lost.UnrealisedPnl = "-144920"
		s.Node.Update(lost)
		s.After(2 * time.Second)
		s.Node.Update(eth)
		s.After(2 * time.Second)
		events = written()
	})
	withService(t, func(s *service) {
		got := eventsIn(t, events)
		if len(got) != 2 || got[0].Direction != "begin" || got[1].Direction != "end" || got[0].Count != "0" || len(got[0].Positions) != 0 {
			t.Fatalf("the events are %+v", got)
		}
		want := map[string]string{
			"group": "both", "asset": "USDT", "assetId": "c1", "positions": "2", "openPositions": "2", "unrealisedPnl": "-110232", "realisedPnl": "101402",
			"estimatedNotional": "4494730", "maintenanceMargin": "", "marginRatio": "",
		}
		if !maps.Equal(got[0].Group, want) {
			t.Errorf("the group is %v, want %v", got[0].Group, want)
		}
		s.holdsEvents(events)
	})
}

// TestPlainRunsCommandsOfAlerts as the screen does.
func TestPlainRunsCommandsOfAlerts(t *testing.T) {
	folder := t.TempDir()
	path, file := filepath.Join(folder, "events"), filepath.Join(folder, "config.toml")
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(distressAlert, "FILE", path)), 0o600); err != nil {
		t.Fatal(err)
	}
	withService(t, func(s *service) {
		s.Put(distressed(eth))
		run := s.start("--plain", "--config", file)
		s.after(5 * time.Second)
		run.interrupt()
		run.result().exits(130)
		s.after(2 * time.Second) // a tick that is under way comes to its end
		text, _ := os.ReadFile(path)
		if events := eventsIn(t, string(text)); len(events) != 1 || events[0].Direction != "begin" {
			t.Errorf("the events are %s", text)
		}
	})
}
