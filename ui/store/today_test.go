package store

import (
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/model/modeltest"
	"blotter/ui/history"
)

// profits is a position of a party with these profits, which the service has changed at a time; the zero time is none.
func profits(party, market, unrealised, realised string, at time.Time) model.Position {
	p := holding(party, market, 0)
	p.SetNumber(model.UnrealisedPnl, model.ParseAmount(unrealised))
	p.SetNumber(model.RealisedPnl, model.ParseAmount(realised))
	if !at.IsZero() {
		p.SetNumber(model.UpdatedAt, model.ParseAmount(strconv.FormatInt(at.UnixNano(), 10)))
	}
	return p
}

// wantToday checks the PnL of the day, and how many positions it leaves out.
func (s *shown) wantToday(t *testing.T, why, pnl, realised string, leftOut int) {
	t.Helper()
	got, ok := TodayOf(s.Store, usdt)
	if !ok || got.PnL.String() != pnl || got.Realised.String() != realised || got.LeftOut != leftOut {
		t.Errorf("%s, the PnL of the day is %s, realised %s, without %d positions (known: %t); want %s, %s, %d",
			why, got.PnL, got.Realised, got.LeftOut, ok, pnl, realised, leftOut)
	}
}

// TestPnLOfTheDayKeepsPositionsThatLeave: a position that is no longer listed, flat or open, keeps what it had
// changed, and goes on from its last numbers when it comes back. One that is new counts from 0, unless the service has
// changed it last before the day was counted: then it begins with what it has.
func TestPnLOfTheDayKeepsPositionsThatLeave(t *testing.T) {
	onStore(t, func(o *Options) { o.Instruments = settling("btc", "eth", "sol") }, func(s *shown) {
		all, began := s.Subscriptions()[0], time.Now()
		btc := profits("p", "btc", "100", "500000", began.Add(-time.Hour))
		s.publish(snapshot(all, btc, profits("p", "eth", "-300", "0", began.Add(-time.Hour))))
		s.tick(4)
		s.wantToday(t, "at first", "0", "0", 0)
		s.publish(updates(all, profits("p", "eth", "-250", "20", time.Now())))
		s.wantToday(t, "at once", "70", "20", 0)
		s.publish(snapshot(all, profits("p", "eth", "-250", "20", time.Now())))
		s.tick(4)
		s.wantToday(t, "without btc", "70", "20", 0)
		s.publish(snapshot(all, profits("p", "btc", "130", "500000", time.Now())))
		s.tick(4)
		s.wantToday(t, "without eth, with btc", "100", "20", 0)
		s.publish(updates(all, profits("p", "sol", "-7", "-7000", began.Add(-time.Minute)), profits("q", "sol", "3", "4", time.Now())))
		s.tick(4)
		s.wantToday(t, "with an old position of p and a new one of q", "107", "24", 0)
		s.publish(updates(all, profits("p", "sol", "-8", "-7002", time.Now())))
		s.wantToday(t, "when the old position changes", "104", "22", 0)
	})
}

// TestPnLOfTheDayBeginsAgain at the time of the configuration, from what all positions have then, also those that are
// not listed.
func TestPnLOfTheDayBeginsAgain(t *testing.T) {
	days := history.NewDays(history.Kept{}, 15*time.Second) // the clock of a bubble begins at midnight
	onStore(t, func(o *Options) { o.Instruments, o.Days = settling("btc", "eth"), days }, func(s *shown) {
		all := s.Subscriptions()[0]
		s.publish(snapshot(all, profits("p", "btc", "10", "0", time.Time{}), profits("p", "eth", "1", "0", time.Time{})))
		s.tick(4)
		s.publish(snapshot(all, profits("p", "btc", "12", "0", time.Time{})))
		s.tick(4)
		s.publish(updates(all, profits("p", "btc", "25", "0", time.Time{})))
		s.tick(4)
		s.wantToday(t, "before the day", "15", "0", 0)
		if today, _ := TodayOf(s.Store, usdt); today.IsWhole || !today.Since.Before(time.Date(2000, 1, 1, 0, 0, 15, 0, time.UTC)) {
			t.Errorf("it counts from the begin of the day: %+v", today)
		}
		s.tick(6)
		s.wantToday(t, "after its begin", "0", "0", 0)
		if today, _ := TodayOf(s.Store, usdt); !today.IsWhole {
			t.Errorf("it does not count from the begin of the day: %+v", today)
		}
		s.publish(updates(all, profits("p", "btc", "26", "0", time.Time{}), profits("p", "eth", "3", "0", time.Time{})))
		s.tick(4)
		s.wantToday(t, "with a position that was not listed at its begin", "3", "0", 0)
	})
}

// TestPnLOfTheDayOfAFilter: of the positions that match it.
func TestPnLOfTheDayOfAFilter(t *testing.T) {
	onStore(t, func(o *Options) { o.Instruments = settling("btc", "eth") }, func(s *shown) {
		all := s.Subscriptions()[0]
		s.publish(snapshot(all, holding("p", "btc", 10), holding("p", "eth", 1)))
		s.publish(updates(all, holding("p", "btc", 12), holding("p", "eth", 5)))
		s.tick(4)
		s.wantToday(t, "without a filter", "6", "0", 0)
		settings := s.Settings()
		settings.Filter = "market:eth"
		s.do(s.Set(settings))
		if _, ok := TodayOf(s.Store, usdt); ok {
			t.Error("that of all is shown under the filter")
		}
		s.tick(1)
		s.wantToday(t, "under the filter", "4", "0", 0)
		closed := holding("p", "eth", 0)
		closed.SetNumber(model.OpenVolume, model.AmountOf(0))
		closed.SetNumber(model.RealisedPnl, model.AmountOf(9))
		s.publish(updates(all, closed))
		s.tick(4)
		s.wantToday(t, "when its position is closed", "8", "9", 0)
		today, _ := TodayOf(s.Store, usdt)
		settings.Filter = "market:sol"
		s.do(s.Set(settings))
		s.tick(1)
		s.wantToday(t, "under a filter that nothing matches", "0", "0", 0)
		if none, _ := TodayOf(s.Store, usdt); today.Since.IsZero() || none.Since != today.Since {
			t.Errorf("it counts from %v, want %v", none.Since, today.Since)
		}
	})
}

// TestRowsThatAreOutOfDateCountLater: from when they are current, and until then they are left out.
func TestRowsThatAreOutOfDateCountLater(t *testing.T) {
	scope := model.Scope{Parties: []model.ID{model.MakeID("p"), model.MakeID("q")}}
	onStore(t, func(o *Options) { o.Instruments, o.Settings.Scope = settling("btc"), scope }, func(s *shown) {
		p, q := s.Subscriptions()[0], s.Subscriptions()[1]
		stale := liveLink(q)
		stale.Phase, stale.StaleSince = model.Waiting, time.Now()
		both := func(of model.Link) []model.Link { return []model.Link{liveLink(p), of} }
		first, second := snapshot(p, holding("p", "btc", 10)), snapshot(q, holding("q", "btc", 100))
		first.Links, first.Snapshots = both(stale), append(first.Snapshots, second.Snapshots...)
		s.publish(first)
		s.publish(updates(p, holding("p", "btc", 11)))
		s.tick(4)
		s.wantToday(t, "while q is stale", "1", "0", 1)
		s.publish(book.Delta{Links: both(liveLink(q))})
		s.tick(4)
		s.publish(updates(q, holding("q", "btc", 150)))
		s.tick(4)
		s.wantToday(t, "when q is live", "51", "0", 0)
	})
}

// TestPnLOfTheDayOverARestart: positions go on from their numbers of the earlier run. One that is not listed any more
// has kept what it had changed until then. On the next day, the last numbers of the day before count.
func TestPnLOfTheDayOverARestart(t *testing.T) {
	var kept *book.DayNumbers
	run := func(days int, test func(s *shown)) {
		t.Helper()
		with := func(o *Options) {
			o.Instruments = settling("btc", "eth", "sol")
			earlier := kept
			if kept != nil {
				earlier = &book.DayNumbers{Began: kept.Began.AddDate(0, 0, -days), Day: kept.Day, Last: kept.Last}
			}
			o.Days = history.NewDays(history.Kept{Numbers: earlier}, 0)
		}
		onStore(t, with, test)
	}
	run(0, func(s *shown) {
		all := s.Subscriptions()[0]
		s.publish(snapshot(all, holding("p", "btc", 10), holding("p", "eth", 100), holding("p", "sol", 1000)))
		s.publish(snapshot(all, holding("p", "btc", 10), holding("p", "eth", 100)))
		s.publish(updates(all, holding("p", "btc", 13), holding("p", "eth", 150)))
		s.tick(4)
		s.wantToday(t, "in the first run", "53", "0", 0)
		kept = DayNumbers(s.Store)()
	})
	again := func(s *shown) {
		s.publish(snapshot(s.Subscriptions()[0], holding("p", "btc", 14), holding("p", "sol", 1001)))
		s.tick(4)
	}
	run(0, func(s *shown) {
		again(s)
		s.wantToday(t, "in a second run", "55", "0", 0)
	})
	run(1, func(s *shown) {
		again(s)
		s.wantToday(t, "on the next day", "2", "0", 0)
		if today, _ := TodayOf(s.Store, usdt); !today.IsWhole || today.Since.IsZero() {
			t.Errorf("it counts from %s", today.Since)
		}
	})
	run(2, func(s *shown) {
		again(s)
		s.wantToday(t, "a day later", "0", "0", 0)
	})
}

// TestAPositionThatLeftWhileItWasNotWatched is left out.
func TestAPositionThatLeftWhileItWasNotWatched(t *testing.T) {
	p, q := model.Scope{Parties: []model.ID{model.MakeID("p")}}, model.Scope{Parties: []model.ID{model.MakeID("q")}}
	onStore(t, func(o *Options) { o.Instruments, o.Settings.Scope = settling("btc", "eth"), p }, func(s *shown) {
		watch := func(scope model.Scope, rows ...model.Position) {
			settings := s.Settings()
			settings.Scope = scope
			s.do(s.Set(settings))
			s.publish(snapshot(s.Subscriptions()[0], rows...))
			s.tick(4)
		}
		watch(p, holding("p", "btc", 10), holding("p", "eth", 20))
		watch(q, holding("q", "btc", 5))
		s.wantToday(t, "of q", "0", "0", 0)
		watch(p, holding("p", "btc", 13))
		s.wantToday(t, "of p again", "3", "0", 1)
	})
}

// TestARecordingHasNoPnLOfTheDay.
func TestARecordingHasNoPnLOfTheDay(t *testing.T) {
	onStore(t, asReplay, func(s *shown) {
		s.publish(snapshot(s.Subscriptions()[0], holding("p", "btc", 10)))
		s.tick(4)
		if _, ok := TodayOf(s.Store, usdt); ok {
			t.Error("there is one")
		}
	})
}

// wantParties checks the PnL of the day, and the total, of each party: from the last PnL of each position, also of
// those that are no longer listed, and the one with which it began.
func (s *shown) wantParties(t *testing.T, last, base map[model.Key]*big.Rat) {
	t.Helper()
	pnl, total := make(map[model.ID]*big.Rat), make(map[model.ID]*big.Rat)
	for key, value := range last {
		if total[key.Party] == nil {
			pnl[key.Party], total[key.Party] = new(big.Rat), new(big.Rat)
		}
		total[key.Party].Add(total[key.Party], value)
		pnl[key.Party].Add(pnl[key.Party], value).Sub(pnl[key.Party], base[key])
	}
	parties := s.surveys.read.Today.Parties
	if len(parties) != len(total) {
		t.Errorf("%d parties were counted, want %d", len(parties), len(total))
	}
	for key, of := range parties {
		gotPnL, gotTotal := of.PnL.Amount(2), of.Total.Amount(2)
		if modeltest.ValueOf(gotPnL.String(), 2).Cmp(pnl[key.Party]) != 0 || modeltest.ValueOf(gotTotal.String(), 2).Cmp(total[key.Party]) != 0 {
			t.Errorf("party %s has %s of %s, want %s of %s", key.Party, gotPnL, gotTotal, pnl[key.Party], total[key.Party])
		}
	}
}

// TestDaysOfManyParties are those of all together, and of at most MaxParties each one has its own.
func TestDaysOfManyParties(t *testing.T) {
	for _, parties := range []int{analysis.MaxParties, analysis.MaxParties + 1} {
		onStore(t, func(o *Options) { o.Instruments = settling("btc") }, func(s *shown) {
			var rows []model.Position
			for i := range parties {
				rows = append(rows, holding(fmt.Sprint("p", i), "btc", 10))
			}
			s.publish(snapshot(s.Subscriptions()[0], rows...))
			s.tick(8)
			lines := DaysIn(s.Store).Clone()
			isOfAll := len(lines) == 1 && lines[0].Party.IsZero() && lines[0].Days[0].Last.Total.String() == fmt.Sprint(10*parties)
			if isOfAll != (parties > analysis.MaxParties) || !isOfAll && len(lines) != parties {
				t.Errorf("%d parties have %d lines, for all together: %t", parties, len(lines), isOfAll)
			}
			if changes := DaysOf(s.Store, usdt); len(changes) != 1 || changes[0].Change.String() != "0" || changes[0].Missing != 0 {
				t.Errorf("%d parties have the changes %+v", parties, changes)
			}
		})
	}
}

// TestADayKeepsPositionsThatLeave: a closed position that is no longer listed is no loss of the day.
func TestADayKeepsPositionsThatLeave(t *testing.T) {
	onStore(t, func(o *Options) { o.Instruments = settling("btc", "eth") }, func(s *shown) {
		all := s.Subscriptions()[0]
		s.publish(snapshot(all, holding("p", "btc", 10), holding("p", "eth", 5000)))
		s.tick(4)
		s.publish(snapshot(all, holding("p", "btc", 12)))
		s.tick(4)
		if changes := DaysOf(s.Store, usdt); len(changes) != 1 || changes[0].Change.String() != "2" {
			t.Errorf("the day is %+v, want 2", changes)
		}
	})
}

// TestPnLOfTheDayOfAnyFlow: positions that change, leave and come back by updates, snapshots and audits, and a change
// of the scope. The sum is that of an independent calculation, also between two counts.
func TestPnLOfTheDayOfAnyFlow(t *testing.T) {
	for seed := range uint64(modeltest.Times(6)) {
		onStore(t, func(o *Options) { o.Instruments = settling("a", "b", "c", "d") }, func(s *shown) {
			random, all, began := rand.New(rand.NewPCG(seed, 58)), s.Subscriptions()[0], time.Now()
			listed, last, base := make(map[model.Key]model.Position), make(map[model.Key]*big.Rat), make(map[model.Key]*big.Rat)
			amount := func() string {
				if random.IntN(2) == 0 {
					return strconv.Itoa(random.IntN(2_000_000) - 1_000_000)
				}
				return fmt.Sprintf("%d.%03d", random.IntN(2000)-1000, random.IntN(1000))
			}
			value := func(p *model.Position) *big.Rat {
				of := func(f model.Field) *big.Rat { return modeltest.ValueOf(p.Number(f).String(), 2) }
				return new(big.Rat).Add(of(model.UnrealisedPnl), of(model.RealisedPnl))
			}
			next := func() model.Position {
				party, market := string(rune('p'+random.IntN(3))), string(rune('a'+random.IntN(4)))
				at := time.Now()
				if random.IntN(4) == 0 {
					at = began.Add(-time.Minute)
				}
				return profits(party, market, amount(), amount(), at)
			}
			put := func(p model.Position) {
				listed[p.Key], last[p.Key] = p, value(&p)
				if base[p.Key] != nil {
					return
				}
				base[p.Key] = new(big.Rat)
				if at, _ := p.Number(model.UpdatedAt).Time(); at.Before(began) {
					base[p.Key] = value(&p)
				}
			}
			for range 6 {
				p := next()
				put(p)
				base[p.Key] = value(&p)
			}
			s.publish(snapshot(all, slices.Collect(maps.Values(listed))...))
			s.tick(4)
			for step := range 60 {
				switch random.IntN(6) {
				case 0: // a snapshot that lacks some and has others
					for key := range listed {
						if random.IntN(2) == 0 {
							delete(listed, key)
						}
					}
					put(next())
					s.publish(snapshot(all, slices.Collect(maps.Values(listed))...))
				case 1: // an audit that lacks some
					for key := range listed {
						if random.IntN(3) == 0 {
							delete(listed, key)
						}
					}
					time.Sleep(time.Second)
					page := book.AuditPage{Subscription: all, First: true, Last: true, Positions: slices.Collect(maps.Values(listed))}
					page.Positions = append(page.Positions, profits("z", "a", "0", "0", time.Now())) // the newest of all
					put(page.Positions[len(page.Positions)-1])
					s.publish(book.Delta{Links: []model.Link{liveLink(all)}, Audits: []book.AuditPage{page}})
				default:
					p := next()
					put(p)
					s.publish(updates(all, p))
				}
				if random.IntN(2) == 0 {
					s.tick(3)
				} else if step < 59 {
					continue // not counted yet
				}
				s.tick(3)
				want := new(big.Rat)
				for key, value := range last {
					want.Add(want, value).Sub(want, base[key])
				}
				s.wantParties(t, last, base)
				today, ok := TodayOf(s.Store, usdt)
				if !ok || modeltest.ValueOf(today.PnL.String(), 2).Cmp(want) != 0 || today.LeftOut != 0 {
					t.Fatalf("seed %d, step %d: %s without %d positions, want %s", seed, step, today.PnL, today.LeftOut, want.FloatString(5))
				}
			}
		})
	}
}
