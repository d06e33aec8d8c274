package command

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/model"
	"blotter/ui/alerts"
	"blotter/ui/command/config"
	"blotter/ui/command/remote"
	"blotter/ui/command/saved"
)

// TestWhatIsInAlertIsKept beside the state for the next run, without any program. What is older than a day is dropped
// with a line, but not while a program runs.
func TestWhatIsInAlertIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	synctest.Test(t, func(t *testing.T) {
		run := func(lasts time.Duration, set func(alerts.Programs)) error {
			c := &configuration{file: new(config.File)}
			programs, problem := new(alertPrograms).start(t.Context(), c, saved.NewStateFile(path, "mainnet"), nil)
			set(programs)
			time.Sleep(lasts)
			c.close()
			return problem
		}
		kept := func() alerts.InAlert {
			now := time.Now().UTC()
			key := model.Key{Party: model.MakeID("a1"), Market: model.MakeID("b1")}
			return alerts.InAlert{Rule: "loss", Condition: "upnl<0", Alerts: []alerts.Begun{{Key: key, Since: now, Told: now}}}
		}
		if err := run(30*time.Hour, func(p alerts.Programs) { p.Deliver(nil, kept()) }); err != nil {
			t.Fatal(err)
		}
		time.Sleep(23 * time.Hour)
		err := run(0, func(p alerts.Programs) {
			if all := p.Earlier(); len(all) != 1 || all[0].Rule != "loss" || len(all[0].Alerts) != 1 || all[0].Alerts[0].Key != kept().Alerts[0].Key {
				t.Errorf("the next run gets %+v", all)
			}
		})
		if err != nil {
			t.Error(err)
		}
		time.Sleep(25 * time.Hour)
		err = run(0, func(p alerts.Programs) {
			if all := p.Earlier(); len(all) > 0 {
				t.Errorf("after a day, a run gets %+v", all)
			}
		})
		if err == nil || !strings.HasSuffix(err.Error(), "is not used: it is older than a day") {
			t.Errorf("the line is %v", err)
		}
	})
}

// TestATraderHasNoAlertsOfHiddenPositions of a session that had more rights.
func TestATraderHasNoAlertsOfHiddenPositions(t *testing.T) {
	onDesk(t, func(ctx context.Context, d *servedDesk) {
		state, _ := d.screenOptions(ctx, remote.Session{Trader: "one", Getenv: func(string) string { return "" }}, d.rightsOf("one"))
		of := alerts.InAlert{Rule: "loss"}
		for _, p := range twoPositions {
			of.Alerts = append(of.Alerts, alerts.Begun{Key: model.Key{Party: model.MakeID(p.Party), Market: model.MakeID(p.Market)}})
		}
		first, end := d.traderAlerts(ctx, state, d.rightsOf("one"))
		first.Deliver(nil, of)
		end()
		next, end := d.traderAlerts(ctx, state, d.rightsOf("one"))
		defer end()
		if all := next.Earlier(); len(all) != 1 || len(all[0].Alerts) != 1 || !d.rightsOf("one").Covers(all[0].Alerts[0].Key) {
			t.Errorf("the trader gets %+v", all)
		}
	})
}
