package store

import (
	"context"
	"testing"
	"time"

	"blotter/model/event"
	"blotter/model/view"
)

// scriptedDesk is a desk that says what a test publishes.
type scriptedDesk chan []view.DeskAlerts

func (d scriptedDesk) NextAlerts(ctx context.Context) ([]view.DeskAlerts, error) {
	select {
	case news := <-d:
		return news, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestAFullRuleOfTheDeskIsWarnedOfOnce, also if the trader has no rule, and sees one of its alerts.
func TestAFullRuleOfTheDeskIsWarnedOfOnce(t *testing.T) {
	for _, hasOwn := range []bool{false, true} {
		var desk scriptedDesk
		set := func(o *Options) {
			desk = make(scriptedDesk, 10) // of the bubble
			withAlert(t, "upnl<0")(o)
			if hasOwn {
				o.Alerts = append(o.Alerts, o.Alerts[0])
				o.Alerts[1].Name = "own"
			}
			o.Alerts[0].OfDesk, o.Desk = true, desk
		}
		onStore(t, set, func(s *shown) {
			s.publish(s.snapshot(profit("btc", 20)))
			since := time.Now()
			alert := event.Alert{Key: profit("btc", 0).Key, Begun: true, Since: since, Told: since}
			for at := range 3 {
				desk <- []view.DeskAlerts{{Rule: "loss", IsFull: at > 0, Active: []event.Alert{alert}}}
				s.pass(5 * time.Second)
				if got := s.Alerts().State(0); got.IsFull != (at > 0) || got.Now != 1 {
					t.Errorf("%d: the rule is full: %v, %d now", at, got.IsFull, got.Now)
				}
			}
			want := "loss: btc (none), size +1r, uPnL +20r; Alert loss of the desk is in alert for 1,000 positions: no more are watched."
			if got := s.reported(); got != want {
				t.Errorf("the notices are %q, want %q", got, want)
			}
		})
	}
}
