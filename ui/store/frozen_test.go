package store

import (
	"testing"
	"time"

	"blotter/model"
	"blotter/model/view"
)

// TestFrozenRowsInAnotherOrder: order, filter and baseline are those of the frozen rows, whatever the service sends
// meanwhile. After the release the rows are those of the service, with that baseline.
func TestFrozenRowsInAnotherOrder(t *testing.T) {
	onStore(t, withAlert(t, "upnl<0r"), func(s *shown) {
		all := s.Subscriptions()[0]
		set := func(change func(*view.Settings)) {
			settings := s.Settings()
			change(&settings)
			s.do(s.Set(settings))
		}
		s.publish(snapshot(all, holding("p", "eth", 1), holding("p", "btc", 2)))
		s.Freeze(true)
		s.do(nil)
		s.publish(updates(all, holding("p", "eth", 9), holding("p", "doge", 3)))
		s.want(t, "after updates", "btc 2", "eth 1")
		s.publish(snapshot(all, holding("p", "eth", -5), holding("p", "sol", 4)))
		s.want(t, "after a snapshot", "btc 2", "eth 1")
		s.pass(2 * time.Second)
		if words, _ := s.Alerts().Words(); words != "ALERT loss 1, 1 new" {
			t.Errorf("the alerts are %q", words)
		}
		set(func(to *view.Settings) { to.Order.Descending = true })
		s.want(t, "in descending order", "eth 1", "btc 2")
		set(func(to *view.Settings) { to.Filter = "market:eth" })
		s.want(t, "filtered", "eth 1")
		s.do(s.Baseline().Take())
		s.want(t, "with a baseline", "eth 1")
		s.publish(updates(all, holding("p", "eth", -6)))
		set(func(to *view.Settings) { to.Filter = "" })
		s.want(t, "not filtered", "eth 1", "btc 2")
		if change, _, ok := s.View().Totals()[0].Changes(model.Unscaled); !ok || change != model.AmountOf(0) {
			t.Errorf("frozen, the rows have changed by %v since the baseline, %v", change, ok)
		}
		s.Freeze(false)
		s.do(nil)
		s.want(t, "released", "sol 4", "eth -6")
		eth, isThere := s.View().BaselineOf(holding("p", "eth", 0).Key)
		if !isThere || eth.Number(model.UnrealisedPnl) != model.AmountOf(1) {
			t.Errorf("the baseline of the frozen rows is lost: %v, %+v", isThere, eth)
		}
		s.pass(2 * time.Second)
		if n := len(s.Alerts().Log()); n != 1 {
			t.Errorf("the log has %d lines of alerts", n)
		}
	})
}

// TestWhatWaitsIsOfTheScope: changes of other rows, which the rules watch, are not counted.
func TestWhatWaitsIsOfTheScope(t *testing.T) {
	onStore(t, withAlert(t, "upnl<0r"), func(s *shown) {
		s.publish(s.snapshot(holding("p", "eth", 1), holding("q", "eth", 1)))
		s.show("p")
		s.Freeze(true)
		s.do(nil)
		s.publish(s.update(holding("q", "eth", -2), holding("q", "btc", -2)))
		if n := FrozenOf(s.Store).Waiting(); n != 0 {
			t.Errorf("%d changes wait", n)
		}
		s.publish(s.update(holding("p", "eth", 5)))
		s.publish(s.update(holding("p", "eth", 6)))
		if n := FrozenOf(s.Store).Waiting(); n != 1 {
			t.Errorf("%d changes wait, of one row", n)
		}
		s.pass(2 * time.Second)
		if words, _ := s.Alerts().Words(); words != "ALERT loss 2, 2 new" {
			t.Errorf("the alerts are %q", words)
		}
	})
}

// TestAFreezeOfRowsThatWereJustReleased has the rows of its own time.
func TestAFreezeOfRowsThatWereJustReleased(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		all := s.Subscriptions()[0]
		s.publish(snapshot(all, holding("p", "eth", 1)))
		s.Freeze(true)
		s.do(nil)
		s.publish(updates(all, holding("p", "eth", 2)))
		s.Freeze(false)
		s.Freeze(true)
		s.do(nil)
		s.want(t, "frozen again", "eth 2")
		s.publish(updates(all, holding("p", "eth", 3)))
		s.want(t, "after an update", "eth 2")
	})
}

// TestTheFirstRuleOfFrozenRows: a rule that is made then watches what the service sends.
func TestTheFirstRuleOfFrozenRows(t *testing.T) {
	var made Options
	withAlert(t, "upnl<0r")(&made)
	onStore(t, nil, func(s *shown) {
		s.publish(s.snapshot(profit("eth", 1)))
		s.Freeze(true)
		s.do(nil)
		s.do(SetRules(s.Store, made.Alerts))
		s.publish(s.update(profit("eth", -1)))
		s.pass(5 * time.Second)
		if words, _ := s.Alerts().Words(); words != "ALERT loss 1, 1 new" {
			t.Errorf("the alerts are %q", words)
		}
		s.want(t, "frozen", "eth 1")
	})
}
