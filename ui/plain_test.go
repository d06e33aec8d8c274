package ui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/plain"
	"blotter/ui/store"
	"blotter/ui/uitest"
	"blotter/ui/views"
)

// reader gets the lines that are written.
type reader struct {
	t        *testing.T
	p        *plain.Program
	source   *fakeSource
	messages chan tea.Msg
	written  []string      // lines, since the last call of gets
	blocked  chan struct{} // nil: all is read at once; else nothing is until it is closed
	refuses  error
	quit     bool
	writes   int // that were begun
}

// onPlain runs a test in a bubble, at 14:02:07 CET.
func onPlain(t *testing.T, change func(*Options), test func(r *reader)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(13*time.Hour + 2*time.Minute + 7*time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		options := Options{Service: "mainnet", Extent: store.Whole(0), Instruments: deskInstruments(), Location: time.FixedZone("CET", 3600)}
		if change != nil {
			change(&options)
		}
		r := &reader{t: t, source: newFakeSource(), messages: make(chan tea.Msg, 1000)}
		r.p = NewPlain(ctx, r.source, options, r.write)
		uitest.Run(r.p.Init(), r.messages)
		r.drain()
		test(r)
		cancel()
		time.Sleep(time.Minute)
	})
}

func (r *reader) write(lines string) error {
	r.writes++
	if r.blocked != nil {
		<-r.blocked
	}
	r.written = append(r.written, strings.Split(strings.TrimSuffix(lines, "\n"), "\n")...)
	return r.refuses
}

func (r *reader) drain() {
	for {
		synctest.Wait()
		select {
		case msg := <-r.messages:
			if _, ok := msg.(tea.QuitMsg); ok {
				r.quit = true
				continue
			}
			_, cmd := r.p.Update(msg)
			uitest.Run(cmd, r.messages)
		default:
			return
		}
	}
}

func (r *reader) pass(d time.Duration) {
	for ; d > 0; d -= time.Second {
		time.Sleep(time.Second)
		r.drain()
	}
}

func (r *reader) publish(delta book.Delta) {
	r.source.publish(delta)
	r.drain()
}

// gets fails the test unless these lines were written since the last call, and no others.
func (r *reader) gets(want ...string) {
	r.t.Helper()
	if !slices.Equal(r.written, want) {
		r.t.Errorf("written\n%s\nwant\n%s", strings.Join(r.written, "\n"), strings.Join(want, "\n"))
	}
	r.written = nil
}

// begin publishes the desk's rows, and waits for their summary.
func (r *reader) begin() {
	r.publish(whole(all, deskRows()...))
	r.pass(7 * time.Second)
	r.written = nil
}

// updated sends an update of a position of the desk.
func (r *reader) updated(row int, change func(*model.Position)) {
	p := deskRows()[row]
	p.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().UnixNano()))
	change(&p)
	delta := updatesOf(all, p)
	delta.Links = whole(all).Links
	r.publish(delta)
}

func TestPlainBeginsWithASummary(t *testing.T) {
	onPlain(t, nil, func(r *reader) {
		r.pass(time.Second)
		r.gets("Connecting.")
		r.publish(whole(all, deskRows()...))
		r.pass(10 * time.Second)
		r.gets(
			"Live.",
			"mainnet, all parties: 6 open positions, 4 closed.",
			"USDT, 10 positions: unrealised PnL +201.08, realised PnL +125.59.",
			"The 5 worst:",
			"ETH/USDT desk-1: unrealised PnL -449.20, margin ratio -37.4 percent, DISTRESSED.",
			"SOL/USDT desk-1: unrealised PnL -132.30, margin ratio -4.3 percent.",
			"BTC/USDT network: unrealised PnL -12.65.",
			"DOGE/USDT a3f9…81c2: unrealised PnL +230.85.",
			"BTC/USDT desk-2: unrealised PnL +346.88, margin ratio +8.6 percent.",
		)
		r.pass(20 * time.Second)
		r.gets()
	})
}

// TestPlainBeginsWithTheWorst also if the configuration or a view has groups or another order.
func TestPlainBeginsWithTheWorst(t *testing.T) {
	byMarket := views.View{Number: 1, Shown: views.Shown{Settings: view.Settings{Order: view.Order{Column: view.MarketColumn}, Group: view.GroupByMarket}}}
	for name, change := range map[string]func(*Options){
		"groups":       func(o *Options) { o.Group = view.GroupByMarket },
		"a view":       func(o *Options) { o.Views, o.View = []views.View{byMarket}, 1 },
		"a saved view": func(o *Options) { o.SavedViews, o.View = []views.View{byMarket}, 1 },
	} {
		t.Run(name, func(t *testing.T) {
			onPlain(t, change, func(r *reader) {
				r.publish(whole(all, deskRows()...))
				r.pass(10 * time.Second)
				at := slices.Index(r.written, "The 5 worst:")
				for i, worst := range []string{"ETH/USDT desk-1", "SOL/USDT desk-1", "BTC/USDT network", "DOGE/USDT", "BTC/USDT desk-2"} {
					if line := r.written[at+1+i]; !strings.HasPrefix(line, worst) {
						t.Errorf("number %d is %q, want %s", i+1, line, worst)
					}
				}
			})
		})
	}
}

func TestPlainWritesWhatChanges(t *testing.T) {
	onPlain(t, nil, func(r *reader) {
		r.begin()
		r.updated(1, func(p *model.Position) { p.SetStatus([]byte("POSITION_STATUS_DISTRESSED")) })
		r.pass(time.Second)
		r.gets("Now DISTRESSED, SOL/USDT desk-1: unrealised PnL -132.30, margin ratio -4.3 percent, DISTRESSED.")
		r.updated(0, func(p *model.Position) { p.SetNumber(model.OpenVolume, model.ParseAmount("10000")) })
		r.pass(time.Second)
		r.gets("Flipped to long, ETH/USDT desk-1: size +10.000, unrealised PnL -449.20, margin ratio -37.4 percent, DISTRESSED.")
		r.updated(5, func(p *model.Position) { p.SetNumber(model.OpenVolume, model.Amount{}) })
		r.pass(time.Second)
		r.gets("Closed, BTC/USDT desk-2.")
		r.updated(5, func(p *model.Position) {})
		r.pass(time.Second)
		r.gets("Opened, BTC/USDT desk-2: size +1.250, unrealised PnL +346.88, margin ratio +8.6 percent.")
		r.pass(15 * time.Second)
		r.updated(3, func(p *model.Position) { p.SetNumber(model.UnrealisedPnl, model.ParseAmount("-1100")) })
		r.updated(4, func(p *model.Position) { p.SetNumber(model.UnrealisedPnl, model.ParseAmount("30000")) })
		r.pass(time.Second)
		r.gets(
			"Now a loss, LINK/USDT desk-3: unrealised PnL -11.00, margin ratio -0.6 percent, ORDERS CLOSED.",
			"DOGE/USDT a3f9…81c2: unrealised PnL +300.00, was +230.85.",
		)
	})
}

func TestPlainWritesHowFarRowsCanBeTrusted(t *testing.T) {
	onPlain(t, nil, func(r *reader) {
		r.begin()
		link := whole(all).Links[0]
		broken := link
		broken.Phase, broken.StaleSince = model.Waiting, time.Now().Add(-47*time.Second)
		broken.Problem, broken.Attempt, broken.RetryAt = &model.Problem{Words: "connection lost"}, 3, time.Now().Add(5*time.Second)
		r.publish(book.Delta{Links: []model.Link{broken}})
		r.pass(time.Second)
		r.gets("Stale since 14:01:27 CET: connection lost. Retry 3 in 4 seconds.")
		broken.Attempt = 4
		r.publish(book.Delta{Links: []model.Link{broken}})
		r.pass(30 * time.Second)
		r.gets()
		link.MessageAt = time.Now()
		r.publish(book.Delta{Links: []model.Link{link}})
		r.pass(time.Second)
		r.gets("Live.")
		r.pass(20 * time.Second) // quiet
		r.gets()
	})
}

// TestPlainWaitsForTheReader: one write waits, and then the newest values are written.
func TestPlainWaitsForTheReader(t *testing.T) {
	onPlain(t, nil, func(r *reader) {
		r.begin()
		r.blocked = make(chan struct{})
		before := r.writes
		r.updated(1, func(p *model.Position) { p.SetStatus([]byte("POSITION_STATUS_DISTRESSED")) })
		r.pass(time.Second)
		for range 1000 {
			r.updated(0, func(p *model.Position) { p.SetNumber(model.OpenVolume, model.ParseAmount("10000")) })
			r.updated(0, func(p *model.Position) {})
		}
		r.updated(2, func(p *model.Position) { p.SetNumber(model.OpenVolume, model.ParseAmount("7")) })
		r.pass(20 * time.Second)
		r.gets()
		if r.writes != before+1 {
			t.Errorf("%d writes wait for the reader", r.writes-before)
		}
		close(r.blocked)
		r.pass(2 * time.Second)
		r.gets(
			"Now DISTRESSED, SOL/USDT desk-1: unrealised PnL -132.30, margin ratio -4.3 percent, DISTRESSED.",
			"Flipped to long, BTC/USDT network: size +0.007, unrealised PnL -12.65.",
		)
	})
}

func TestPlainEndsIfNobodyReads(t *testing.T) {
	onPlain(t, nil, func(r *reader) {
		r.refuses = errors.New("broken pipe")
		r.pass(2 * time.Second)
		if !r.quit || r.p.Err() == nil {
			t.Errorf("quit %t, %v", r.quit, r.p.Err())
		}
	})
}

func TestPlainWithAFilter(t *testing.T) {
	onPlain(t, func(o *Options) { o.Filter = "status:distressed" }, func(r *reader) {
		r.publish(whole(all, deskRows()...))
		r.pass(7 * time.Second)
		if got := r.written[2:4]; got[0] != "1 position with the filter status:distressed." || !strings.HasPrefix(got[1], "USDT") {
			t.Errorf("written %q", r.written)
		}
		r.written = nil
		r.updated(0, func(p *model.Position) { p.SetStatus([]byte("POSITION_STATUS_UNSPECIFIED")) })
		r.pass(time.Second)
		r.gets("ETH/USDT desk-1 no longer matches the filter.")
	})
}

// TestPlainWithAFilterOfTime: each second has a new view.
func TestPlainWritesAllThatIsWrong(t *testing.T) {
	onPlain(t, func(o *Options) {
		o.Notices, o.Filter = []string{"Names are not used."}, "statis:d"
	}, func(r *reader) {
		r.pass(time.Second)
		for _, line := range []string{"Names are not used.", `Filter: unknown field "statis"`} {
			if !strings.Contains(strings.Join(r.written, "\n"), line) {
				t.Errorf("%q is not in %q", line, r.written)
			}
		}
	})
}

func TestPlainWithAFilterOfTime(t *testing.T) {
	onPlain(t, func(o *Options) { o.Filter = "age<1m" }, func(r *reader) {
		r.publish(whole(all, deskRows()...))
		r.pass(7 * time.Second)
		if text := strings.Join(r.written, "\n"); !strings.Contains(text, "5 positions with the filter age<1m.") {
			t.Errorf("written %q", r.written)
		}
		r.written = nil
		r.updated(1, func(p *model.Position) { p.SetStatus([]byte("POSITION_STATUS_DISTRESSED")) })
		r.pass(2 * time.Second)
		r.gets("Now DISTRESSED, SOL/USDT desk-1: unrealised PnL -132.30, margin ratio -4.3 percent, DISTRESSED.")
		r.pass(54 * time.Second) // nothing comes, and rows that are stale make no lines
		r.gets("Stale since 14:02:14 CET.")
		r.publish(book.Delta{Links: []model.Link{liveLink(all)}})
		r.pass(2 * time.Second)
		r.gets(
			"Live.",
			"ETH/USDT desk-1 no longer matches the filter.",
			"BTC/USDT desk-2 no longer matches the filter.",
			"LINK/USDT desk-3 no longer matches the filter.",
			"DOGE/USDT a3f9…81c2 no longer matches the filter.",
		)
	})
}

// TestPlainInASCII: also the names.
func TestPlainInASCII(t *testing.T) {
	onPlain(t, func(o *Options) { o.Appearance.ASCII = true }, func(r *reader) {
		r.publish(whole(all, deskRows()...))
		r.pass(7 * time.Second)
		text := strings.Join(r.written, "\n")
		if strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 }) || !strings.Contains(text, "The 5 worst") {
			t.Error(text)
		}
	})
}

// TestPlainOfVeryMany: only some are followed, and a line reports that.
func TestPlainOfVeryMany(t *testing.T) {
	onPlain(t, nil, func(r *reader) {
		r.publish(whole(all, manyRows(plain.MaxRows+1)...))
		r.pass(7 * time.Second)
		if last := r.written[len(r.written)-1]; !strings.HasPrefix(last, "Only the worst 10,000 positions are followed") {
			t.Error(last)
		}
	})
}

// TestPlainWritesNothingOfANodeThatIsBehind by a minute or more, but that it is.
func TestPlainWritesNothingOfANodeThatIsBehind(t *testing.T) {
	onPlain(t, nil, func(r *reader) {
		r.source.publish(whole(all, deskRows()...))
		r.pass(10 * time.Second)
		r.written = nil
		update := func(delta book.Delta, by time.Duration) {
			delta.Links = []model.Link{liveLink(all)}
			delta.Links[0].Lag = model.Lag{By: by, Shown: model.LagOfRows}
			r.source.publish(delta)
			r.pass(20 * time.Second)
		}
		flipped := position(desk2, btcMarket, "-1250", "641205", "34688", "1200", model.StatusUnspecified, 0)
		update(updatesOf(all, flipped), 2*time.Minute)
		if len(r.written) != 1 || !strings.HasPrefix(r.written[0], "Behind. ") {
			t.Errorf("of a node that is behind is written\n%s", strings.Join(r.written, "\n"))
		}
		r.written = nil
		update(book.Delta{}, 0)
		if text := strings.Join(r.written, "\n"); !strings.Contains(text, "Flipped to short, ") || strings.Count(text, "\n") != 1 {
			t.Errorf("then is written\n%s", text)
		}
	})
}

// TestATotalSaysWhatItLeavesOut: an amount that is no integer.
func TestATotalSaysWhatItLeavesOut(t *testing.T) {
	onPlain(t, nil, func(r *reader) {
		rows := deskRows()
		rows[0].SetNumber(model.UnrealisedPnl, model.ParseAmount("1k3"))
		r.publish(whole(all, rows...))
		r.pass(7 * time.Second)
		at := slices.IndexFunc(r.written, func(line string) bool { return strings.HasPrefix(line, "USDT, ") })
		if want := "USDT, 10 positions: unrealised PnL +650.28, realised PnL +125.59, without 1 number that cannot be added."; at < 0 || r.written[at] != want {
			t.Errorf("written\n%s\nwant %q", strings.Join(r.written, "\n"), want)
		}
	})
}

// TestPlainComparesRatios: a position with a margin ratio has changed much if its ratio has, not its profit.
func TestPlainComparesRatios(t *testing.T) {
	onPlain(t, nil, func(r *reader) {
		r.begin()
		r.pass(15 * time.Second)
		r.updated(0, func(p *model.Position) { p.SetNumber(model.UnrealisedPnl, model.ParseAmount("-38900")) })
		r.updated(1, func(p *model.Position) { p.SetNumber(model.UnrealisedPnl, model.ParseAmount("-17000")) })
		r.pass(time.Second)
		r.gets("ETH/USDT desk-1: unrealised PnL -389.00, was -449.20, margin ratio -32.4 percent, DISTRESSED.")
	})
}

// TestPlainOfARatioOfAnEarlierSize: the margin record is older than the size of the position.
func TestPlainOfARatioOfAnEarlierSize(t *testing.T) {
	onPlain(t, nil, func(r *reader) {
		r.begin()
		p := deskRows()[1]
		p.SetNumber(model.OpenVolume, model.ParseAmount("84000"))
		p.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().UnixNano()))
		p.SetStatus([]byte("POSITION_STATUS_DISTRESSED"))
		delta := updatesOf(all, p)
		delta.Updates[0].NotAfter = time.Now().Add(time.Hour).UnixNano()
		r.publish(delta)
		r.pass(time.Second)
		r.gets("Now DISTRESSED, SOL/USDT desk-1: unrealised PnL -132.30, margin ratio about -2.1 percent, estimated, DISTRESSED.")
	})
}

// TestPlainWritesManyChangesLater: those that can be read at once, and the number of the others.
func TestPlainWritesManyChangesLater(t *testing.T) {
	onPlain(t, nil, func(r *reader) {
		r.begin()
		for row := range 6 {
			r.updated(row, func(p *model.Position) { p.SetStatus([]byte("POSITION_STATUS_CLOSED_OUT")) })
		}
		r.pass(time.Second)
		if last := len(r.written) - 1; last != 5 || r.written[last] != "1 more change will follow." {
			t.Errorf("written\n%s", strings.Join(r.written, "\n"))
		}
		r.written = nil
		r.pass(10 * time.Second)
		if text := strings.Join(r.written, "\n"); len(r.written) != 1 || strings.Contains(text, "follow") {
			t.Errorf("later is written\n%s", text)
		}
	})
}
