package store

import (
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/history"
)

var usdt = model.MakeID("usdt")

// settling has markets that settle in USDT.
func settling(markets ...string) *model.Instruments {
	var known []model.Market
	for _, name := range markets {
		known = append(known, model.Market{ID: model.MakeID(name), Asset: usdt, PriceDecimals: 1, SizeDecimals: 0})
	}
	return model.NewInstruments(nil, known, []model.Asset{{ID: usdt, Symbol: "USDT", Decimals: 2}})
}

// tick lets some seconds pass, with a tick each second.
func (s *shown) tick(seconds int) {
	for range seconds {
		time.Sleep(time.Second)
		s.do(s.Tick(nil, false))
	}
}

// TestATotalOfAPartialSnapshotIsNoTotal: the rest of it would be a profit of the session.
func TestATotalOfAPartialSnapshotIsNoTotal(t *testing.T) {
	onStore(t, func(o *Options) { o.Instruments = settling("btc", "eth") }, func(s *shown) {
		all := s.Subscriptions()[0]
		partial := updates(all, holding("p", "btc", 100))
		partial.Updates[0].BeginsPartial = true
		partial.Links = []model.Link{liveLink(all)}
		partial.Links[0].Committed, partial.Links[0].Partial = false, true
		s.publish(partial)
		s.tick(3)
		if n := len(s.History()); n != 0 {
			t.Errorf("%d assets have totals while the snapshot is partial", n)
		}
		page := book.AuditPage{Subscription: all, First: true, Last: true, Positions: []model.Position{holding("p", "btc", 100), holding("p", "eth", 1000)}}
		s.publish(book.Delta{Links: []model.Link{liveLink(all)}, Audits: []book.AuditPage{page}})
		s.tick(3)
		if of := s.History(); len(of) != 1 || of[0].Change(history.Both) != (model.Amount{}) {
			t.Fatalf("the profit of the session is %v", of[0].Change(history.Both))
		}
	})
}
