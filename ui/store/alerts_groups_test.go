package store

import (
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/model/view"
)

// withGroupAlert sets an alert of the group desk, which is of the parties p and q, in an asset without decimals.
func withGroupAlert(t *testing.T, text string) func(*Options) {
	withSum := withRule(t, view.AlertRule{Name: "loss", Group: "desk", Asset: "USDT"}, filter.ParseSums, text)
	return func(o *Options) {
		withSum(o)
		usdt := model.MakeID("usdt")
		group := model.Group{Name: "desk", Scope: model.Scope{Parties: []model.ID{model.MakeID("p"), model.MakeID("q")}}}
		o.Instruments = model.NewInstruments(nil, []model.Market{{ID: model.MakeID("btc"), Asset: usdt}}, []model.Asset{{ID: usdt, Symbol: "USDT"}}).
			WithGroups([]model.Group{group})
	}
}

// TestAGroupWaitsForAllItsStreams: nothing begins because of the sum of some of them, or of rows that may be out of
// date. A stream of other parties does not matter.
func TestAGroupWaitsForAllItsStreams(t *testing.T) {
	onStore(t, ofParties(withGroupAlert(t, "upnl<0"), "p", "q", "other"), func(s *shown) {
		streams := s.Subscriptions()
		links := func(isStale bool) []model.Link {
			links := []model.Link{liveLink(streams[0]), liveLink(streams[1]), {Subscription: streams[2], Problem: new(model.Problem)}}
			if isStale {
				links[1].StaleSince = time.Now()
			}
			return links
		}
		first := snapshot(streams[0], holding("p", "btc", -5))
		first.Links = []model.Link{links(false)[0], {Subscription: streams[1]}, {Subscription: streams[2]}}
		s.publish(first)
		s.pass(15 * time.Second)
		if got := s.reported(); got != "" {
			t.Errorf("of a half of it, %q is reported", got)
		}
		second := snapshot(streams[1], holding("q", "btc", 5))
		second.Links = links(false)
		s.publish(second)
		s.pass(2 * time.Second)
		late := updates(streams[1], holding("q", "btc", 3))
		late.Links = links(true)
		s.publish(late)
		s.pass(3 * time.Second)
		if got := s.reported(); got != "" {
			t.Errorf("of a row that may be out of date, %q is reported", got)
		}
		s.publish(book.Delta{Links: links(false)})
		s.pass(3 * time.Second)
		if got, want := s.reported(), "loss: desk, 2 positions in USDT, uPnL -2"; got != want {
			t.Errorf("%q is reported, want %q", got, want)
		}
		if got := s.Alerts().Quiet(); got != "1 group in alert" {
			t.Errorf("the first line says %q", got)
		}
		event, _ := s.data.happening.log.Numbered(s.data.happening.log.Count())
		if event.HasPosition() || event.Alert.Group.Name != "desk" || event.Alert.About != "desk, 2 positions in USDT, uPnL -2" {
			t.Errorf("the event is %+v", event.Alert)
		}
	})
}

// TestAGroupOfStreamsThatAreBehindOrPartialSaysSo.
func TestAGroupOfStreamsThatAreBehindOrPartialSaysSo(t *testing.T) {
	onStore(t, withGroupAlert(t, "upnl<0"), func(s *shown) {
		delta := s.update(holding("p", "btc", -5))
		delta.Links[0] = s.behind(40 * time.Second)
		delta.Links[0].Committed, delta.Links[0].Partial = false, true
		s.publish(delta)
		s.pass(2 * time.Second)
		if got, want := s.reported(), "loss: desk, 1 position in USDT, uPnL -5, behind 40s, partial"; got != want {
			t.Errorf("it is reported as %q, want %q", got, want)
		}
	})
}

// TestARuleOfAGroupThatIsNotThereIsSaidOnce, and once more when the group is gone again.
func TestARuleOfAGroupThatIsNotThereIsSaidOnce(t *testing.T) {
	onStore(t, withGroupAlert(t, "upnl<0"), func(s *shown) {
		const gone = "Alert loss watches nothing: there is no group desk."
		with := s.Instruments()
		s.publish(s.snapshot(holding("p", "btc", -5)))
		s.pass(3 * time.Second)
		if got, want := s.reported(), "loss: desk, 1 position in USDT, uPnL -5"; got != want {
			t.Errorf("%q is reported, want %q", got, want)
		}
		for _, want := range []string{gone, gone} {
			s.do(s.SetInstruments(with.WithGroups(nil)))
			s.pass(3 * time.Second)
			if got := s.reported(); got != want {
				t.Errorf("%q is reported, want %q", got, want)
			}
			s.do(s.SetInstruments(with))
			s.pass(3 * time.Second)
			if got, want := s.reported(), "loss: desk, 1 position in USDT, uPnL -5"; got != want {
				t.Errorf("when it is there again, %q is reported, want %q", got, want)
			}
		}
	})
}
