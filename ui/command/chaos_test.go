package command

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/feed"
	"blotter/feed/sim"
	"blotter/feed/sim/faulty"
	"blotter/model"
	"blotter/model/event"
	"blotter/model/filter"
	"blotter/model/modeltest"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/format"
	"blotter/ui/store"
	"blotter/ui/uitest"
)

// TestEventsAndAlertsOfTenMinutesOfChaos: a service has all faults, and the trader freezes rows and takes baselines.
// Each event of a position begins where the one before it has ended, and the last one ends with the row. No alert
// begins or ends twice, and in the end the rows that match have one.
func TestEventsAndAlertsOfTenMinutesOfChaos(t *testing.T) {
	for seed := range uint64(modeltest.Times(10)) {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			chaos, listener, served := faulty.New(seed+1, nil), sim.Listen(), make(chan error, 1)
			node := sim.New(sim.Config{Seed: 1, Parties: 10, Markets: 8, Rate: 40, Faults: chaos})
			go func() { served <- node.Serve(ctx, listener) }()
			defer func() { stop(); <-served }()
			var config feed.Config
			config.BaseURLs, config.Dial = []string{"http://sim.test"}, listener.DialContext
			source, err := feed.New(config)
			if err != nil {
				t.Fatal(err)
			}
			defer source.Close()
			loss, err := filter.Parse("upnl<0")
			if err != nil {
				t.Fatal(err)
			}
			s := newStoreOf(ctx, source, store.Options{
				Settings: view.Settings{Order: view.Order{Column: view.MarketColumn}},
				Alerts:   []alerts.Rule{{AlertRule: view.AlertRule{Name: "loss", Filter: loss}}},
			})
			s.Start()
			random := rand.New(rand.NewPCG(seed, 1))
			for range 60 {
				s.pass(time.Duration(random.IntN(20)) * time.Second)
				if s.Freeze(random.IntN(3) == 0); random.IntN(3) == 0 {
					s.start(s.Baseline().Take())
				}
			}
			s.Freeze(false)
			chaos.Stop()
			s.pass(7 * time.Minute)
			s.checkEvents(t)
			s.checkAlerts(t)
			stop()
			time.Sleep(time.Minute) // what waits ends
		})
	}
}

// storeOf is a store whose commands a test runs.
type storeOf struct {
	*store.Store
	messages chan tea.Msg
}

// newStoreOf returns a store whose other options are those of a service without names.
func newStoreOf(ctx context.Context, source store.Source, options store.Options) *storeOf {
	options.Instruments, options.Location, options.Now = model.NewInstruments(nil, nil, nil), time.UTC, time.Now
	options.Log, options.Extent = slog.New(slog.DiscardHandler), store.Whole(0)
	options.Format = func(in *model.Instruments) *format.Formatter {
		return format.New(in, time.UTC, func(model.ID) int { return 2 }, false)
	}
	return &storeOf{store.New(ctx, source, options), make(chan tea.Msg, 1000)}
}

// start runs a command beside.
func (s *storeOf) start(cmd tea.Cmd) { uitest.Run(cmd, s.messages) }

// pass handles messages for a time, with a tick each second.
func (s *storeOf) pass(d time.Duration) {
	end, tick := time.After(d), time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		s.start(s.Advance())
		select {
		case msg := <-s.messages:
			s.start(s.Handle(msg))
		case <-tick.C:
			s.start(s.Tick(nil, store.NoSurveys))
		case <-end:
			select {
			case <-tick.C: // at the same moment: a program that gets no ticks for some time resyncs, as after a sleep
				s.start(s.Tick(nil, store.NoSurveys))
			default:
			}
			return
		}
	}
}

func (s *storeOf) checkEvents(t *testing.T) {
	holding := func(p *model.Position) string { return p.Number(model.OpenVolume).String() + " " + p.StatusName() }
	type change struct{ before, after string }
	last, n := make(map[model.Key]change), 0
	for number := s.Events().Oldest(); number <= s.Events().Count(); number++ {
		e, _ := s.Events().Numbered(number)
		if e.Alert != nil {
			continue
		}
		shown := change{holding(e.Before()), holding(e.After())}
		isSecond := e.Kinds == event.TroubleBegan && shown == last[e.Key] // the flip before it has ended a story, and this begins one
		if before, known := last[e.Key]; known && before.after != shown.before && !isSecond {
			t.Errorf("event %d of %v begins with %s, and the one before has ended with %s", number, e.Key, shown.before, before.after)
		}
		last[e.Key] = shown
		n++
	}
	for key, shown := range last {
		if row, _ := s.Book().Find(key); holding(&row) != shown.after {
			t.Errorf("%v is %s, and its last event has ended with %s", key, holding(&row), shown.after)
		}
	}
	if missed := s.Events().Missed(); n < 1000 || missed > 0 {
		t.Errorf("%d events, and %d missed", n, missed)
	}
}

func (s *storeOf) checkAlerts(t *testing.T) {
	active := make(map[string]bool)
	for _, e := range s.Alerts().Log() {
		key := fmt.Sprint(e.Key)
		if active[key] == e.Alert.Begins {
			t.Errorf("%s begins (%t) twice", key, e.Alert.Begins)
		}
		active[key] = e.Alert.Begins
	}
	for p := range s.View().InScope {
		if key := fmt.Sprint(p.Key); active[key] != (p.Number(model.UnrealisedPnl).Sign() < 0) || active[key] != s.Alerts().IsActive(p.Key) {
			t.Errorf("%s with a uPnL of %s has an alert: %t", key, p.Number(model.UnrealisedPnl), active[key])
		}
	}
}
