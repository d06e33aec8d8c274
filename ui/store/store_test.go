package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/format"
	"blotter/ui/uitest"
)

// shown is a Store with a source that a test scripts, in a synctest bubble. Nothing of it needs a terminal.
type shown struct {
	*Store
	source   *scripted
	messages chan tea.Msg
}

// scripted is a source that sends what a test publishes.
type scripted struct {
	deltas  chan book.Delta
	links   chan book.Delta
	watched []model.Subscription
	audits  []model.Subscription
	resyncs int
	page    model.Page // the response to each request
	margins chan book.MarginsRead
	hurried []model.ID
	walked  []model.Scope // whose margin levels are read
	ended   error         // what Next returns, if it is not nil
	asked   int           // how often Next was called
}

func (s *scripted) Watch(to []model.Subscription)      { s.watched = slices.Clone(to) }
func (s *scripted) RequestAudit(of model.Subscription) { s.audits = append(s.audits, of) }
func (s *scripted) Resync()                            { s.resyncs++ }
func (s *scripted) Close()                             {}
func (s *scripted) publish(delta book.Delta)           { s.deltas <- delta }
func (s *scripted) publishLinks(links ...model.Link)   { s.links <- book.Delta{Links: links} }
func (s *scripted) WatchMargins(of model.Scope)        { s.walked = append(s.walked, of) }
func (s *scripted) HurryMargins(parties []model.ID)    { s.hurried = append(s.hurried, parties...) }
func (s *scripted) NextMargins(ctx context.Context) (book.MarginsRead, error) {
	select {
	case read := <-s.margins:
		return read, nil
	case <-ctx.Done():
		return book.MarginsRead{}, ctx.Err()
	}
}
func (s *scripted) Page(context.Context, model.PageRequest) (*model.Page, error) {
	page := s.page
	page.ReadAt = time.Now()
	return &page, nil
}

func (s *scripted) Next(ctx context.Context) (book.Delta, error) {
	if s.asked++; s.ended != nil {
		return book.Delta{}, s.ended
	}
	select {
	case delta := <-s.deltas:
		return delta, nil
	case delta := <-s.links:
		return delta, nil
	case <-ctx.Done():
		return book.Delta{}, ctx.Err()
	}
}

// onStore runs a test with a Store of everything, in a bubble.
func onStore(t *testing.T, change func(*Options), test func(s *shown)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		options := Options{
			Service: "mainnet", Instruments: model.NewInstruments(nil, nil, nil), Location: time.UTC, Now: time.Now, Extent: Whole(0),
			Settings: view.Settings{Order: view.Order{Column: view.MarketColumn}}, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
			Format: func(in *model.Instruments) *format.Formatter {
				return format.New(in, time.UTC, func(model.ID) int { return 2 }, false)
			},
		}
		if change != nil {
			change(&options)
		}
		source := &scripted{deltas: make(chan book.Delta, 10), links: make(chan book.Delta, 10), margins: make(chan book.MarginsRead, 10)}
		s := &shown{Store: New(ctx, source, options), source: source, messages: make(chan tea.Msg, 1000)}
		s.do(s.Start())
		test(s)
		cancel()
		time.Sleep(time.Second) // what waits ends
	})
}

// do runs a command of the Store, and what follows from it.
func (s *shown) do(cmd tea.Cmd) {
	s.start(cmd)
	s.start(s.Advance())
	for {
		synctest.Wait()
		select {
		case msg := <-s.messages:
			s.start(s.Handle(msg))
			s.start(s.Advance())
		default:
			return
		}
	}
}

// start runs a command beside.
func (s *shown) start(cmd tea.Cmd) { uitest.Run(cmd, s.messages) }

// publish makes the source send a Delta, and the Store take it.
func (s *shown) publish(delta book.Delta) {
	s.source.publish(delta)
	s.do(nil)
}

// rows are the markets and the profits of the rows that are shown, in their order: "btc 5".
func (s *shown) rows() []string {
	var rows []string
	for place := range s.View().Lines() {
		p, _ := s.View().At(place)
		rows = append(rows, p.Market.String()+" "+p.Number(model.UnrealisedPnl).String())
	}
	return rows
}

func (s *shown) want(t *testing.T, why string, rows ...string) {
	t.Helper()
	if got := s.rows(); !slices.Equal(got, rows) {
		t.Errorf("%s, the rows are %q, want %q", why, got, rows)
	}
}

// holding is an open position of a party.
func holding(party, market string, profit int64) model.Position {
	p := model.Position{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID(market)}}
	p.SetNumber(model.OpenVolume, model.AmountOf(1))
	p.SetNumber(model.UnrealisedPnl, model.AmountOf(profit))
	return p
}

// liveLink is the state of a stream whose rows are fresh.
func liveLink(of model.Subscription) model.Link {
	return model.Link{Subscription: of, Phase: model.Live, Committed: true, MessageAt: time.Now()}
}

// snapshot is a whole snapshot of a stream, which is live.
func snapshot(of model.Subscription, positions ...model.Position) book.Delta {
	rows := book.NewRows()
	for i := range positions {
		rows.Put(&positions[i])
	}
	return book.Delta{Links: []model.Link{liveLink(of)}, Snapshots: []book.Snapshot{{AsIs: true, Subscription: of, Rows: rows}}}
}

// updates are updates of a stream.
func updates(of model.Subscription, positions ...model.Position) book.Delta {
	return book.Delta{Updates: []book.Updates{{Subscription: of, Positions: positions}}}
}

// TestARowIsShownWhenItComes: in order, as a snapshot and then as an update.
func TestARowIsShownWhenItComes(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		all := s.Subscriptions()[0]
		s.publish(snapshot(all, holding("p", "eth", 1), holding("p", "btc", 2)))
		s.want(t, "after a snapshot", "btc 2", "eth 1")
		s.publish(updates(all, holding("p", "eth", 7), holding("p", "doge", 3)))
		s.want(t, "after an update", "btc 2", "doge 3", "eth 7")
		if n := s.Events().Len(); n != 1 {
			t.Errorf("%d events, want that doge was opened", n)
		}
	})
}

// TestSettings: each of them changes the rows, and the same again makes no view.
func TestSettings(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		closed := holding("q", "sol", 0)
		closed.SetNumber(model.OpenVolume, model.AmountOf(0))
		s.publish(snapshot(s.Subscriptions()[0], holding("p", "eth", 1), holding("p", "btc", 2), closed))
		set := func(change func(*view.Settings)) {
			settings := s.Settings()
			change(&settings)
			s.do(s.Set(settings))
			if again := s.Settings(); !again.Equal(&settings) || s.Set(settings) != nil {
				t.Errorf("the settings are %+v, want %+v", again, settings)
			}
		}
		set(func(to *view.Settings) { to.Order.Descending = true })
		s.want(t, "in descending order", "eth 1", "btc 2")
		set(func(to *view.Settings) { to.ShowClosed = true })
		s.want(t, "with closed rows", "sol 0", "eth 1", "btc 2")
		set(func(to *view.Settings) { to.Filter = "market:eth" })
		s.want(t, "filtered", "eth 1")
		set(func(to *view.Settings) { to.Filter, to.Group = "", view.GroupByParty })
		if n := s.View().GroupCount(); n != 2 {
			t.Errorf("%d groups, want 2", n)
		}
		set(func(to *view.Settings) { to.Group, to.Scope.Parties = view.Ungrouped, []model.ID{model.MakeID("p")} })
		s.want(t, "before the rows of another scope")
		if len(s.source.watched) != 1 || s.source.watched[0].Party != model.MakeID("p") {
			t.Errorf("watching %v", s.source.watched)
		}
		s.publish(snapshot(s.Subscriptions()[0], holding("p", "eth", 1)))
		s.want(t, "in the scope of p", "eth 1")
	})
}

// TestRowsOfAnotherScope, for each scope and each other one of two of the three parties and markets: rows that are not
// in it are no longer shown at once. All rows stay if they are in it, and the next view has the rows of the streams
// that stay.
func TestRowsOfAnotherScope(t *testing.T) {
	parties, markets := []model.ID{model.MakeID("p"), model.MakeID("q"), model.MakeID("r")}, []model.ID{model.MakeID("btc"), model.MakeID("eth"), model.MakeID("sol")}
	var scopes []model.Scope
	for i := range 16 {
		some := func(of []model.ID, i int) []model.ID { return [][]model.ID{nil, of[:1], of[1:2], of[:2]}[i] }
		scopes = append(scopes, model.Scope{Parties: some(parties, i/4), Markets: some(markets, i%4)})
	}
	rowsIn := func(streams []model.Subscription, scopes ...model.Scope) (rows []model.Position) {
		for _, market := range markets {
			for _, party := range parties {
				p := holding(party.String(), market.String(), 1)
				isIn := slices.ContainsFunc(streams, func(of model.Subscription) bool { return of.Covers(p.Key) })
				if isIn && !slices.ContainsFunc(scopes, func(s model.Scope) bool { return !s.Covers(p.Key) }) {
					rows = append(rows, p)
				}
			}
		}
		return rows
	}
	for _, from := range scopes {
		for _, to := range scopes {
			onStore(t, func(o *Options) { o.Settings.Scope = from }, func(s *shown) {
				for _, of := range s.Subscriptions() {
					s.publish(snapshot(of, rowsIn([]model.Subscription{of})...))
				}
				want := func(why string, rows []model.Position) {
					t.Helper()
					if got := slices.Collect(s.View().Shown); !slices.EqualFunc(got, rows, func(p, q model.Position) bool { return p.Equal(&q) }) {
						t.Errorf("from %v to %v, %s, the rows are %v, want %v", from, to, why, got, rows)
					}
				}
				before := s.Subscriptions()
				want("at first", rowsIn(before, from))
				if !slices.Equal(s.source.watched, before) || len(s.source.walked) != 1 || !s.source.walked[0].Equal(from) {
					t.Errorf("from %v: the streams are %v, and margin levels are read of %v", from, s.source.watched, s.source.walked)
				}
				settings := s.Settings()
				settings.Scope = to
				prepare := s.Set(settings)
				for _, link := range s.Flow().Links() {
					if !slices.Contains(s.Subscriptions(), link.Subscription) {
						t.Errorf("from %v to %v, the stream %v is shown", from, to, link.Subscription)
					}
				}
				var kept []model.Subscription
				for _, of := range before {
					if slices.Contains(s.Subscriptions(), of) {
						kept = append(kept, of)
					}
				}
				if stay := rowsIn(before, from); len(kept) == len(before) && len(rowsIn(before, from, to)) == len(stay) {
					want("at once", stay)
				} else {
					want("at once", nil)
				}
				s.do(prepare)
				want("after the next view", rowsIn(kept, to))
				if last := s.source.walked[len(s.source.walked)-1]; !slices.Equal(s.source.watched, s.Subscriptions()) || !last.Equal(to) {
					t.Errorf("to %v: the streams are %v, and margin levels are read of %v", to, s.source.watched, last)
				}
			})
		}
	}
}

// TestNothingChangesWhileAViewIsMade: an update waits, and is applied to the next view. Meanwhile no survey, no match
// of the alerts and no other baseline begins, although it is time for them.
func TestNothingChangesWhileAViewIsMade(t *testing.T) {
	onStore(t, withAlert(t, "age>30s"), func(s *shown) {
		old := s.snapshot(profit("eth", 1), profit("btc", 2))
		old.Links = []model.Link{s.behind(time.Hour)} // so the rows have no baseline yet
		s.publish(old)
		s.publish(s.update(profit("eth", 1), profit("btc", 2)))
		settings := s.Settings()
		settings.Order.Descending = true
		prepare := s.Set(settings)
		s.do(s.Baseline().Take())
		s.publish(s.update(profit("eth", 9)))
		s.source.margins <- book.MarginsRead{Page: levels(1)}
		for range 3 {
			time.Sleep(time.Second)
			s.do(s.Tick(nil, SurveysOfPage))
		}
		s.want(t, "while a view is made", "btc 2", "eth 1")
		if !s.MakesView() || !s.Baseline().IsRequested() || s.Book().Margins().Len() > 0 {
			t.Error("no view is being made, a baseline is not requested, or margin levels are taken")
		}
		s.do(prepare)
		s.want(t, "after the view", "eth 9", "btc 2")
		if !s.Book().Baselines().HasTaken() || s.Book().Margins().Len() == 0 {
			t.Error("the baseline or the margin levels were not taken")
		}
	})
}

// TestNothingChangesWhileRowsAreRead, by a survey or by a match of the alerts.
func TestNothingChangesWhileRowsAreRead(t *testing.T) {
	for name, read := range map[string]func(*shown) tea.Cmd{
		"survey": func(s *shown) tea.Cmd { return s.Surveys().Begin() },
		"match":  func(s *shown) tea.Cmd { return checkAlerts(s.Store) },
	} {
		onStore(t, withAlert(t, "age>30s"), func(s *shown) {
			s.publish(s.snapshot(profit("eth", 1), profit("btc", 2)))
			reading := read(s)
			s.publish(s.update(profit("eth", 9)))
			settings := s.Settings()
			settings.Order.Descending = true
			s.do(s.Set(settings))
			s.want(t, "during a "+name, "btc 2", "eth 1")
			if s.MakesView() {
				t.Errorf("a %s looks like a view that is made", name)
			}
			s.do(reading)
			s.want(t, "after a "+name, "eth 9", "btc 2")
		})
	}
}

// TestFrozenRowsWait, while the states of the streams do not.
func TestFrozenRowsWait(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		all := s.Subscriptions()[0]
		s.publish(snapshot(all, holding("p", "eth", 1)))
		s.Freeze(true)
		s.do(nil)
		s.publish(updates(all, holding("p", "eth", 9)))
		link := liveLink(all)
		link.StaleSince, link.Changes = time.Now(), 1
		s.source.publishLinks(link)
		s.do(nil)
		s.want(t, "frozen", "eth 1")
		if !s.Stale().All() || FrozenOf(s.Store).Waiting() != 1 {
			t.Errorf("frozen, the stream is stale: %v, and %d changes wait", s.Stale().All(), FrozenOf(s.Store).Waiting())
		}
		s.Freeze(false)
		s.do(nil)
		s.want(t, "no longer frozen", "eth 9")
	})
}

// TestManyRowsAreRemovedInSeveralSteps: the audit is reported once, and the changes that came with it are counted once.
func TestManyRowsAreRemovedInSeveralSteps(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		all := s.Subscriptions()[0]
		var rows []model.Position
		for i := range 5000 {
			rows = append(rows, holding("p", fmt.Sprint("m", i), 1))
		}
		s.publish(snapshot(all, rows...))
		page := book.AuditPage{Subscription: all, First: true, Last: true, IsBelieved: true, Positions: rows[:1]}
		s.publish(book.Delta{Links: []model.Link{liveLink(all)}, Audits: []book.AuditPage{page}, Missed: 3})
		s.want(t, "after the audit", "m0 1")
		if got := s.reported(); got != "A check corrected 4,999 rows: m1 p, m2 p, m3 p, …" || s.Events().Missed() != 3 {
			t.Errorf("%q is reported, and %d events are missing", got, s.Events().Missed())
		}
	})
}

// TestLateDataOfAnotherScopeIsDropped: each change of the scope begins another epoch. The state of a stream that is no
// longer watched is dropped too: with it the new scope would count as loaded, and each alert would be reported alone.
func TestLateDataOfAnotherScopeIsDropped(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		all := s.Subscriptions()[0]
		s.publish(snapshot(all, holding("p", "eth", 1), holding("q", "btc", 2)))
		settings := s.Settings()
		settings.Scope.Parties = []model.ID{model.MakeID("p")}
		s.do(s.Set(settings))
		late := snapshot(all, holding("q", "sol", 3))
		late.Links = []model.Link{{Subscription: all, Phase: model.Live, Committed: true, MessageAt: time.Now()}}
		s.publish(late)
		s.want(t, "after data of the scope before")
		if links := s.Flow().Links(); len(links) > 0 || !isLoading(s.Store) {
			t.Errorf("after data of the scope before, the streams are %v, and the scope is loading: %v", links, isLoading(s.Store))
		}
		s.publish(snapshot(s.Subscriptions()[0], holding("p", "eth", 4)))
		s.want(t, "after data of the scope", "eth 4")
		settings.Scope = model.Scope{}
		s.do(s.Set(settings))
		s.publish(snapshot(all, holding("q", "sol", 3))) // of the same scope, but before it was left
		s.want(t, "after data of the same scope before")
	})
}

// TestChangesSinceABaseline are known for rows that were there, also after another snapshot and in the totals, and if
// the baseline was taken of the past.
func TestChangesSinceABaseline(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		all := s.Subscriptions()[0]
		want := func(why string, was, is int64) {
			t.Helper()
			p, _ := s.View().At(0)
			if row, ok := s.View().BaselineOf(p.Key); !ok || row.Number(model.UnrealisedPnl) != model.AmountOf(was) {
				t.Errorf("%s, the row was %+v at the baseline, %v", why, row, ok)
			}
			if change, _, ok := s.View().Totals()[0].Changes(model.Unscaled); !ok || change != model.AmountOf(is-was) {
				t.Errorf("%s, the total has changed by %s, %v", why, change, ok)
			}
		}
		s.publish(snapshot(all, holding("p", "eth", 1)))
		if s.View().ShowsChanges() {
			t.Error("changes are shown without a baseline")
		}
		s.do(s.Baseline().Take())
		want("with a baseline", 1, 1)
		past := s.Book().Baselines().Taken()
		s.publish(snapshot(all, holding("p", "eth", 5)))
		want("after a snapshot", 1, 5)
		s.do(s.Baseline().Take())
		want("with another baseline", 5, 5)
		s.do(s.Baseline().Drop())
		if s.View().ShowsChanges() {
			t.Error("changes are shown after the baseline was dropped")
		}
		s.do(s.Baseline().Use(past))
		want("with the first baseline", 1, 5)
	})
}

// TestAnAlertIsReported in words, to the terminal and to its command if it has one, once.
func TestAnAlertIsReported(t *testing.T) {
	query, err := filter.Parse("upnl<0")
	if err != nil {
		t.Fatal(err)
	}
	var ran []view.AlertEvent
	rule := alerts.Rule{AlertRule: view.AlertRule{Name: "loss", Filter: query}, Bell: true, Run: true}
	onStore(t, func(o *Options) {
		o.Alerts = []alerts.Rule{rule, {AlertRule: view.AlertRule{Name: "quiet", Filter: query}}}
		o.Programs = uitest.NewPrograms(func(events []view.AlertEvent) error {
			ran = append(ran, events...)
			return errors.New("no such program")
		}, 0)
	}, func(s *shown) {
		all := s.Subscriptions()[0]
		s.publish(snapshot(all, holding("p", "eth", 1)))
		s.publish(updates(all, holding("p", "eth", -1)))
		time.Sleep(2 * time.Second)
		s.do(nil)
		notices := s.Notices()
		if len(notices) != 2 || notices[0].Text != "loss: eth p, size +1r, uPnL -1r; quiet: eth p, size +1r, uPnL -1r" || !slices.Equal(notices[0].Sequences, []string{"\a"}) {
			t.Errorf("the notices are %+v", notices)
		} else if notices[1].Text != "no such program: command of alert loss." {
			t.Errorf("the failure of the command is %q", notices[1].Text)
		}
		if len(ran) != 1 || s.Notices() != nil {
			t.Errorf("the command has got %d events", len(ran))
		}
		if words, _ := s.Alerts().Words(); words != "ALERT loss 1, quiet 1, 2 new" {
			t.Errorf("the first line has %q", words)
		}
		s.Alerts().SeeNewest()
		number, ok := s.Alerts().SeeNewest()
		if e, _ := s.Events().Numbered(number); !ok || e.Market != model.MakeID("eth") {
			t.Errorf("the newest alert is %d of the log", number)
		}
		if words, _ := s.Alerts().Words(); words != "" {
			t.Errorf("after it was seen, the first line has %q", words)
		}
	})
}

// TestNamesAreShownAtOnce, also while what is learned waits because views take long.
func TestNamesAreShownAtOnce(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		s.publish(snapshot(s.Subscriptions()[0], holding("p", "eth", 1)))
		s.data.job.applyLearnedAt = s.Now().Add(time.Hour)
		named := model.NewInstruments(nil, []model.Market{{ID: model.MakeID("eth"), Name: "ETH/USDT", PriceDecimals: 2, SizeDecimals: 3}}, nil)
		s.do(s.SetInstruments(named))
		if s.View().Instruments() != named || s.Format().Market(model.MakeID("eth")) != "ETH/USDT" {
			t.Error("the names are not those that were given")
		}
	})
}

func TestPartiesAndMarketsAreOfferedOnce(t *testing.T) {
	scope := model.Scope{Parties: []model.ID{model.MakeID("p")}}
	onStore(t, func(o *Options) { o.Settings.Scope = scope }, func(s *shown) {
		s.publish(snapshot(s.Subscriptions()[0], holding("p", "eth", 1), holding("p", "btc", 2), holding("p", "", 3)))
		parties, markets := WatchableOf(s.Store)
		if want := scope.Parties; !slices.Equal(parties.All, want) {
			t.Errorf("the parties are %v, not %v", parties.All, want)
		}
		if want := []model.ID{model.MakeID("btc"), model.MakeID("eth")}; !slices.Equal(markets.All, want) {
			t.Errorf("the markets are %v, not %v", markets.All, want)
		}
	})
}

// TestHoldings: the profit of a party that settles in several assets is of none.
func TestHoldings(t *testing.T) {
	eur := model.MakeID("eur")
	in := model.NewInstruments(nil, []model.Market{
		{ID: model.MakeID("btc"), Asset: usdt}, {ID: model.MakeID("eth"), Asset: usdt}, {ID: model.MakeID("sol"), Asset: eur},
	}, nil)
	onStore(t, func(o *Options) { o.Instruments = in }, func(s *shown) {
		closed := holding("p", "eth", 7)
		closed.SetNumber(model.OpenVolume, model.AmountOf(0))
		s.publish(snapshot(s.Subscriptions()[0], holding("p", "btc", 5), closed, holding("q", "btc", -1), holding("q", "sol", 3)))
		holdings := s.Holdings()
		for of, want := range map[string]Holding{
			"p": {Open: 1, Asset: usdt}, "q": {Open: 2}, "btc": {Open: 2, Asset: usdt}, "eth": {Asset: usdt}, "sol": {Open: 1, Asset: eur},
		} {
			got := holdings[model.MakeID(of)]
			if got == nil || got.Open != want.Open || got.Asset != want.Asset {
				t.Errorf("the holding of %s is %+v, want %+v", of, got, want)
			}
		}
		if total := holdings[model.MakeID("p")].Unrealised.Amount(model.Unscaled); total != model.AmountOf(12) {
			t.Errorf("the profit of p is %s", total)
		}
	})
}

// TestAnAgeIsCountedFromTheChangeOfTheFilter, not from the start of the program.
func TestAnAgeIsCountedFromTheChangeOfTheFilter(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		s.publish(s.snapshot(profit("btc", 5)))
		time.Sleep(time.Hour)
		settings := s.Settings()
		settings.Filter = "age>30m"
		s.do(s.Set(settings))
		s.want(t, "after an hour", "btc 5")
	})
}

// TestABaselineIsNotRequestedWhileRowsAreOnlyRead, as by a survey after it was taken.
func TestABaselineIsNotRequestedWhileRowsAreOnlyRead(t *testing.T) {
	onStore(t, nil, func(s *shown) {
		s.publish(snapshot(s.Subscriptions()[0], holding("p", "eth", 1)))
		s.do(s.Baseline().Take())
		if s.Baseline().IsRequested() || !s.Book().Baselines().HasTaken() {
			t.Fatal("the baseline is not taken")
		}
		survey := s.Surveys().Begin()
		if s.Baseline().IsRequested() {
			t.Error("a survey makes it look as if a baseline were requested")
		}
		s.do(survey)
	})
}
