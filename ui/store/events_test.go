package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/history"
)

// heldSize is a position of a size in a market, that changed the given number of seconds before now.
func heldSize(market string, size int64, ago time.Duration) model.Position {
	p := profit(market, 0)
	p.SetNumber(model.OpenVolume, model.AmountOf(size))
	p.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().Add(-ago).UnixNano()))
	return p
}

// logged are the events of the log: "btc flipped 5 > -3".
func (s *shown) logged() string {
	var events []string
	for number := s.Events().Oldest(); number <= s.Events().Count(); number++ {
		e, _ := s.Events().Numbered(number)
		was, is := e.Before(), e.After()
		events = append(events, fmt.Sprintf("%s %s %s > %s", e.Market, strings.Join(e.Kinds.Names(), " "), was.Number(model.OpenVolume), is.Number(model.OpenVolume)))
	}
	return strings.Join(events, ", ")
}

// TestAReconnectToAnOlderNodeMakesNoEvents, whether it is behind by more than a minute or less. What has happened
// meanwhile is found once, when a node is current again.
func TestAReconnectToAnOlderNodeMakesNoEvents(t *testing.T) {
	for _, by := range []time.Duration{40 * time.Second, time.Hour} {
		onStore(t, nil, func(s *shown) {
			btc, eth, sol := heldSize("btc", -3, time.Second), heldSize("eth", 8, 2*time.Hour), heldSize("sol", 1, time.Second)
			s.publish(s.snapshot(btc, eth, sol))
			older := s.snapshot(heldSize("btc", 5, 3*time.Hour), eth)
			older.Links = []model.Link{s.behind(by)}
			s.publish(older)
			update := s.update(heldSize("btc", 2, 2*time.Hour))
			update.Links = older.Links
			s.publish(update)
			if got := s.logged(); got != "" {
				t.Errorf("behind by %s: of an older node there are the events %s", by, got)
			}
			s.pass(5 * time.Second)
			s.publish(s.snapshot(btc, heldSize("eth", 0, 0), sol))
			s.pass(2 * time.Second)
			if got := s.logged(); got != "eth closed 8 > 0" {
				t.Errorf("behind by %s: the events are %q", by, got)
			}
		})
	}
}

// TestANodeThatCatchesUp makes the events of what has happened while its rows were out of date, without another change.
func TestANodeThatCatchesUp(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		s.publish(s.snapshot(heldSize("btc", 5, time.Second)))
		late := s.update(heldSize("btc", -3, 0))
		late.Links = []model.Link{s.behind(2 * time.Minute)}
		s.publish(late)
		if got := s.logged(); got != "" {
			t.Errorf("of a node that is behind there are the events %s", got)
		}
		s.publish(book.Delta{Links: []model.Link{s.link()}})
		s.publish(book.Delta{Links: []model.Link{s.link()}})
		if got := s.logged(); got != "btc flipped 5 > -3" {
			t.Errorf("the events are %q", got)
		}
	})
}

// TestAChartHasAGapWhileTheNodeIsBehind by a minute or more: that of a row and that of
// the totals.
func TestAChartHasAGapWhileTheNodeIsBehind(t *testing.T) {
	onStore(t, func(o *Options) { o.Instruments = settling("btc") }, func(s *shown) {
		sampled := func(link model.Link, unrealised int64) bool {
			delta := s.update(profit("btc", unrealised))
			delta.Links = []model.Link{link}
			s.publish(delta)
			selected, _ := s.View().At(0)
			time.Sleep(time.Second)
			s.do(s.Tick(&selected, NoSurveys))
			highest, _, _ := s.Moves().TrendOf(selected.Key).Profit.Highest()
			total, _, _ := s.Moves().Assets()[0].Totals[history.Unrealised].Highest()
			if total != highest {
				t.Errorf("the highest total is %s, that of its only row %s", total, highest)
			}
			return highest == model.AmountOf(unrealised)
		}
		s.publish(s.snapshot(profit("btc", 1)))
		if !sampled(s.link(), 10) || !sampled(s.behind(40*time.Second), 20) {
			t.Error("a current number is not in the trend")
		}
		if sampled(s.behind(time.Minute), 30) {
			t.Error("a number that is out of date is in the trend")
		}
		if !sampled(s.link(), 40) {
			t.Error("the trend does not go on")
		}
	})
}

// TestTheFirstBaselineHasNoRowsThatAreOutOfDate: changes count from the first rows that are not, also if no other
// snapshot comes.
func TestTheFirstBaselineHasNoRowsThatAreOutOfDate(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		old := s.snapshot(profit("btc", 5))
		old.Links = []model.Link{s.behind(time.Hour)}
		s.publish(old)
		s.pass(2 * time.Second)
		key := model.Key{Market: model.MakeID("btc")}
		if _, ok := s.Book().Baselines().Current().Row(key); ok {
			t.Error("there is a baseline of a row that is out of date")
		}
		s.publish(s.update(profit("btc", 7)))
		s.pass(2 * time.Second)
		row, ok := s.Book().Baselines().Current().Row(key)
		if !ok || row.Number(model.UnrealisedPnl) != model.AmountOf(7) {
			t.Errorf("the baseline is %+v, %v", row, ok)
		}
	})
}
