package store

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/format"
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
		s.do(s.Tick(nil, NoSurveys))
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
		if n := len(s.Moves().Assets()); n != 0 {
			t.Errorf("%d assets have totals while the snapshot is partial", n)
		}
		page := book.AuditPage{Subscription: all, First: true, Last: true, IsBelieved: true, Positions: []model.Position{holding("p", "btc", 100), holding("p", "eth", 1000)}}
		s.publish(book.Delta{Links: []model.Link{liveLink(all)}, Audits: []book.AuditPage{page}})
		s.tick(3)
		if of := s.Moves().Assets(); len(of) != 1 || of[0].Change(history.Both, model.Unscaled) != (model.Amount{}) {
			t.Fatalf("the profit of the session is %v", of[0].Change(history.Both, model.Unscaled))
		}
	})
}

// TestAnAssetThatIsLearnedIsNoProfit: a total that has more positions only because their asset is known now is not a
// profit of the session.
func TestAnAssetThatIsLearnedIsNoProfit(t *testing.T) {
	onStore(t, func(o *Options) { o.Instruments = settling("btc") }, func(s *shown) {
		all := s.Subscriptions()[0]
		want := func(why string, profit int64) {
			t.Helper()
			of := s.Moves().Assets()
			if len(of) != 1 || of[0].Change(history.Both, model.Unscaled) != model.AmountOf(profit) || of[0].Change(history.Unrealised, model.Unscaled) != model.AmountOf(profit) {
				t.Errorf("%s, the profit of the session is %v, want %d", why, of[0].Change(history.Both, model.Unscaled), profit)
			}
		}
		s.publish(snapshot(all, holding("p", "btc", 100), holding("p", "eth", 1000)))
		s.tick(2)
		s.publish(updates(all, holding("p", "btc", 107), holding("p", "eth", 1500)))
		s.tick(2)
		want("before eth is known", 7)
		before := time.Now()
		page := &model.Page{Rows: []model.MarginLevels{{MarginKey: model.MarginKey{Key: holding("p", "eth", 0).Key, Asset: usdt}}}, ReadAt: time.Now()}
		s.source.margins <- book.MarginsRead{Page: page, Ended: true, Whole: true}
		s.tick(4)
		if totals := s.View().Totals(); len(totals) != 1 || totals[0].Sum(model.UnrealisedPnl).Amount(model.Unscaled) != model.AmountOf(1607) {
			t.Fatalf("eth was not learned: %d totals", len(totals))
		}
		want("after eth is known", 7)
		s.publish(updates(all, holding("p", "eth", 1502)))
		s.tick(2)
		want("after a change", 9)
		if lowest, _, _ := s.Moves().Assets()[0].Totals[history.Unrealised].Lowest(); lowest != model.AmountOf(1600) {
			t.Errorf("the lowest total is %s: one without eth", lowest)
		}
		if past := s.moves.history.Until(s.data.scope, before, nil); past[0].Change(history.Both, model.Unscaled) != model.AmountOf(7) {
			t.Errorf("in the past, the profit of the session is %v, want 7", past[0].Change(history.Both, model.Unscaled))
		}
		s.do(s.SetInstruments(settling()))
		s.tick(2)
		s.do(s.SetInstruments(settling("eth")))
		s.tick(2)
		want("after btc is no longer known", 9)
	})
}

// TestAnAssetThatIsLearnedInAnotherScopeIsNoProfit: whether or not the scope before had rows of the market.
func TestAnAssetThatIsLearnedInAnotherScopeIsNoProfit(t *testing.T) {
	for _, isEarly := range []bool{true, false} {
		onStore(t, func(o *Options) { o.Instruments = settling("btc") }, func(s *shown) {
			scope := func(party string, rows ...model.Position) {
				settings := s.Settings()
				settings.Scope = model.Scope{Parties: []model.ID{model.MakeID(party)}}
				s.do(s.Set(settings))
				if len(rows) > 0 {
					s.publish(snapshot(s.Subscriptions()[0], rows...))
				}
				s.tick(2)
			}
			scope("p", holding("p", "btc", 100), holding("p", "eth", 1000))
			if isEarly {
				scope("q")
			} else {
				scope("q", holding("q", "btc", 1))
			}
			page := &model.Page{Rows: []model.MarginLevels{{MarginKey: model.MarginKey{Key: holding("q", "eth", 0).Key, Asset: usdt}}}, ReadAt: time.Now()}
			s.source.margins <- book.MarginsRead{Page: page, Ended: true, Whole: true}
			s.tick(4)
			scope("p", holding("p", "btc", 100), holding("p", "eth", 1000))
			if of := s.Moves().Assets(); len(of) != 1 || of[0].Change(history.Both, model.Unscaled) != (model.Amount{}) {
				t.Errorf("before rows %t: the profit of the session is %s", isEarly, of[0].Change(history.Both, model.Unscaled))
			}
		})
	}
}

// TestASurveyInOtherDecimalsIsNotShown: its notional values are in the decimals that the asset had. Nor is one of
// another scope.
func TestASurveyInOtherDecimalsIsNotShown(t *testing.T) {
	in := func(decimals int) *model.Instruments {
		return model.NewInstruments(nil, []model.Market{{ID: model.MakeID("btc"), Asset: usdt}}, []model.Asset{{ID: usdt, Decimals: decimals}})
	}
	onStore(t, func(o *Options) { o.Instruments = in(2) }, func(s *shown) {
		position := holding("p", "btc", 0)
		position.SetNumber(model.AverageEntryPrice, model.AmountOf(50))
		s.publish(snapshot(s.Subscriptions()[0], position))
		notional := func() string {
			latest, _ := s.Surveys().Latest()
			if latest == nil {
				return "none"
			}
			return s.Format().ExactAmount(latest.Asset(usdt).Total.Net.Amount, usdt, false)
		}
		s.do(s.Surveys().Begin())
		if got := notional(); got != "50.00" {
			t.Errorf("the notional is %s", got)
		}
		s.do(s.SetInstruments(in(4)))
		if got := notional(); got != "none" {
			t.Errorf("in other decimals, the notional is %s", got)
		}
		s.do(s.Surveys().Begin())
		if got := notional(); got != "50.0000" {
			t.Errorf("after a survey, the notional is %s", got)
		}
		survey, set := s.Surveys().Begin(), s.SetInstruments(in(6))
		s.do(survey)
		s.do(set)
		if got := notional(); got != "none" {
			t.Errorf("after a survey that began before, the notional is %s", got)
		}
		s.do(s.Surveys().Begin())
		settings := s.Settings()
		settings.Scope.Parties = []model.ID{model.MakeID("q")}
		s.do(s.Set(settings))
		if got := notional(); got != "none" {
			t.Errorf("in another scope, the notional is %s", got)
		}
	})
}

// TestTradesInOtherDecimalsAreNotSplit any longer, after the decimals of the asset were corrected.
func TestTradesInOtherDecimalsAreNotSplit(t *testing.T) {
	in := func(decimals int) *model.Instruments {
		return model.NewInstruments(nil, []model.Market{{ID: model.MakeID("btc"), Asset: usdt}}, []model.Asset{{ID: usdt, Decimals: decimals}})
	}
	onStore(t, func(o *Options) { o.Instruments = in(2) }, func(s *shown) {
		all, traded := s.Subscriptions()[0], holding("p", "btc", 100)
		s.publish(snapshot(all, holding("p", "btc", 0)))
		traded.SetNumber(model.OpenVolume, model.AmountOf(2))
		time.Sleep(time.Second)
		s.publish(updates(all, traded))
		parts := func() string {
			row, _ := s.Book().Baselines().Current().Row(traded.Key)
			change, _ := s.Baseline().Trades().Of(&traded, &row, model.Unscaled)
			return format.PnLParts(&change, model.Unscaled, format.EveryDigit, model.Amount.String)
		}
		if got := parts(); got != "≈ price 50, ≈ trading 50" {
			t.Errorf("the parts are %q", got)
		}
		s.do(s.SetInstruments(in(3)))
		if got := parts(); got != "" {
			t.Errorf("in other decimals, the parts are %q", got)
		}
	})
}

// TestTheSessionOfAScopeBeginsWithAllItsPositions: no total of fewer is in it, of the scope before or of a part of the
// streams. The rest would be a profit of the session.
func TestTheSessionOfAScopeBeginsWithAllItsPositions(t *testing.T) {
	p, q, btc, eth := model.MakeID("p"), model.MakeID("q"), model.MakeID("btc"), model.MakeID("eth")
	for name, scopes := range map[string][2]model.Scope{
		"another market":  {{Parties: []model.ID{p}, Markets: []model.ID{btc}}, {Parties: []model.ID{p}, Markets: []model.ID{eth}}},
		"one more market": {{Parties: []model.ID{p}, Markets: []model.ID{btc}}, {Parties: []model.ID{p}, Markets: []model.ID{btc, eth}}},
		"all markets":     {{Parties: []model.ID{p}, Markets: []model.ID{btc}}, {Parties: []model.ID{p}}},
		"one more party":  {{Parties: []model.ID{p}}, {Parties: []model.ID{p, q}}},
	} {
		onStore(t, func(o *Options) { o.Instruments = settling("btc", "eth") }, func(s *shown) {
			set := func(scope model.Scope) tea.Cmd {
				settings := s.Settings()
				settings.Scope = scope
				return s.Set(settings)
			}
			s.do(set(scopes[0]))
			s.publish(snapshot(s.Subscriptions()[0], holding("p", "btc", 100), holding("p", "eth", 1000)))
			s.tick(2)
			prepare := set(scopes[1])
			s.tick(2)
			s.do(prepare)
			s.tick(2)
			if streams := s.Subscriptions(); len(streams) > 1 {
				second := snapshot(streams[1], holding("q", "btc", 5000))
				second.Links = append(second.Links, liveLink(streams[0]))
				s.publish(second)
				s.tick(2)
			}
			if of := s.Moves().Assets(); len(of) != 1 || of[0].Change(history.Both, model.Unscaled) != (model.Amount{}) {
				t.Errorf("%s: the profit of the session is %s", name, of[0].Change(history.Both, model.Unscaled))
			}
		})
	}
}

// TestATrendEndsAtTheTimeThatIsShown of a recording: after a jump back it has nothing that is later, and after one that
// has failed it is as it was. While the rows of another time are awaited and sorted, it has no numbers of the old ones.
func TestATrendEndsAtTheTimeThatIsShown(t *testing.T) {
	var back time.Duration
	clocked := func(o *Options) {
		asReplay(o)
		o.Now = func() time.Time { return time.Now().Add(-back) }
	}
	onStore(t, clocked, func(s *shown) {
		all, began := s.Subscriptions()[0], time.Now()
		var row model.Position
		for n := range int64(200) {
			row = holding("p", "btc", n)
			s.publish(snapshot(all, row))
			s.do(s.Tick(&row, NoSurveys))
			time.Sleep(time.Second)
		}
		jump := func(isStep bool, to, arrivesAt int64) {
			now := func(second int64) { back = time.Since(began.Add(time.Duration(second) * time.Second)) }
			if now(to); !isStep {
				s.Jump()
				s.do(s.Tick(&row, NoSurveys))
			}
			now(arrivesAt)
			there := holding("p", "btc", arrivesAt)
			jumped := snapshot(all, there)
			jumped.Restart = true
			s.flow.held = &jumped
			s.start(s.Tick(&row, NoSurveys)) // as if a command read the rows
			prepare := s.Advance()
			s.do(s.Tick(&row, NoSurveys))
			s.do(prepare)
			row = there
			s.do(s.Tick(&row, NoSurveys))
		}
		for _, c := range []struct {
			why         string
			isStep      bool
			to, arrives int64
		}{{"a jump back to second 20 that has failed", false, 20, 199}, {"a jump back to second 140", false, 140, 140}, {"a step back to second 10", true, 10, 10}} {
			jump(c.isStep, c.to, c.arrives)
			highest, _, _ := s.Moves().TrendOf(row.Key).Profit.Highest()
			lowest, at, _ := s.Moves().TrendOf(row.Key).Profit.Lowest()
			if highest != model.AmountOf(c.arrives) || lowest != model.AmountOf(0) || !at.Equal(began) {
				t.Errorf("after %s, the trend is from %s to %s, the lowest at %s", c.why, lowest, highest, at)
			}
		}
	})
}

// TestAPositionInTroubleIsFollowed although it was never selected, from an update that changes only its status.
func TestAPositionInTroubleIsFollowed(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		all := s.Subscriptions()[0]
		calm, other := holding("p", "btc", 1), holding("p", "eth", 1)
		s.publish(snapshot(all, calm, other))
		distressed := calm
		distressed.SetStatus([]byte("POSITION_STATUS_DISTRESSED"))
		s.publish(updates(all, distressed, other))
		if s.Moves().TrendOf(calm.Key) == nil || s.Moves().TrendOf(other.Key) != nil {
			t.Errorf("the distressed position is followed: %t, the other: %t",
				s.Moves().TrendOf(calm.Key) != nil, s.Moves().TrendOf(other.Key) != nil)
		}
	})
}

// TestTradesAreSplit also if a snapshot shows them, since the baseline that counts.
func TestTradesAreSplit(t *testing.T) {
	onStore(t, func(o *Options) { o.Instruments = settling("btc") }, func(s *shown) {
		all := s.Subscriptions()[0]
		sized := func(size, unrealised int64) model.Position {
			time.Sleep(time.Second)
			p := holding("p", "btc", unrealised)
			p.SetNumber(model.OpenVolume, model.AmountOf(size))
			return p
		}
		want := func(why, want string) {
			t.Helper()
			p, _ := s.View().At(0)
			row, _ := s.Book().Baselines().Current().Row(p.Key)
			change, _ := s.Baseline().Trades().Of(&p, &row, model.Unscaled)
			if got := format.PnLParts(&change, model.Unscaled, format.EveryDigit, model.Amount.String); got != want {
				t.Errorf("%s, the parts are %q, want %q", why, got, want)
			}
		}
		s.publish(snapshot(all, sized(1, 0)))
		s.publish(snapshot(all, sized(2, 100)))
		want("after a snapshot", "≈ price 50, ≈ trading 50")
		s.do(s.Baseline().Take())
		s.publish(snapshot(all, sized(4, 160)))
		want("since a baseline", "≈ price -20, ≈ trading 80")
		s.do(s.Baseline().Drop())
		want("without it", "≈ price 30, ≈ trading 130")
	})
}

// TestAPositionThatLeavesIsNoProfitOfTheSession, nor is one that comes back, or that the service lists later though it
// is older than the session. What they had changed before stays.
func TestAPositionThatLeavesIsNoProfitOfTheSession(t *testing.T) {
	onStore(t, func(o *Options) { o.Instruments = settling("btc", "eth", "sol") }, func(s *shown) {
		all, began := s.Subscriptions()[0], time.Now()
		want := func(why string, realised, both string) {
			t.Helper()
			s.tick(2)
			of := s.Moves().Assets()[0]
			if r, b := of.Change(history.Realised, 2), of.Change(history.Both, 2); r.String() != realised || b.String() != both {
				t.Errorf("%s, the session has %s, realised %s; want %s, realised %s", why, b, r, both, realised)
			}
		}
		btc, eth := profits("p", "btc", "0", "500000", began.Add(-time.Hour)), profits("p", "eth", "-300", "7", began.Add(-time.Hour))
		s.publish(snapshot(all, btc, eth))
		want("at first", "0", "0")
		btc = profits("p", "btc", "0", "500100", time.Now())
		s.publish(updates(all, btc))
		want("after a profit", "100", "100")
		s.publish(snapshot(all, eth))
		want("when the closed position has left", "100", "100")
		time.Sleep(time.Second)
		newest := profits("q", "eth", "1", "2", time.Now())
		page := book.AuditPage{Subscription: all, First: true, Last: true, Positions: []model.Position{newest}}
		s.publish(book.Delta{Links: []model.Link{liveLink(all)}, Audits: []book.AuditPage{page}})
		want("when an audit has removed an open one and found a new one", "102", "103")
		s.publish(updates(all, profits("p", "btc", "5", "500090", time.Now()), profits("p", "sol", "-40", "-9000", began.Add(-time.Minute))))
		want("when one is back, and an old one is listed", "92", "98")
		s.publish(snapshot(all, eth, profits("p", "sol", "-41", "-9001", time.Now())))
		want("after another snapshot", "91", "96")
	})
}
