package delivery

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/export"
	"blotter/ui/format"
	"blotter/ui/store"
	"blotter/ui/uitest"
)

// walk is a Store with an alert whose program fails, hangs and comes back, through several runs. The rows of the
// service are changed at random.
type walk struct {
	*program
	*rand.Rand
	seed     uint64
	rows     map[model.Key]model.Position // of the service
	losses   map[string]int               // by position, how many times it has begun to lose
	store    *store.Store
	delivers *Delivery
	deltas   chan book.Delta
	messages chan tea.Msg
	end      func()
	watches  model.Scope // what the next run is started with
}

// silent is a source that sends what a walk publishes.
type silent struct{ deltas chan book.Delta }

func (silent) Watch([]model.Subscription)      {}
func (silent) WatchMargins(model.Scope)        {}
func (silent) HurryMargins([]model.ID)         {}
func (silent) RequestAudit(model.Subscription) {}
func (silent) Resync()                         {}
func (silent) Close()                          {}
func (silent) Page(ctx context.Context, _ model.PageRequest) (*model.Page, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func (silent) NextMargins(ctx context.Context) (book.MarginsRead, error) {
	<-ctx.Done()
	return book.MarginsRead{}, ctx.Err()
}

func (s silent) Next(ctx context.Context) (book.Delta, error) {
	select {
	case delta := <-s.deltas:
		return delta, nil
	case <-ctx.Done():
		return book.Delta{}, ctx.Err()
	}
}

// begin begins a run with what the last one has kept.
func (w *walk) begin() {
	w.reread()
	ctx, cancel := context.WithCancel(w.t.Context())
	w.end, w.delivers = cancel, w.start()
	w.deltas, w.messages = make(chan book.Delta, 100), make(chan tea.Msg, 1000)
	query, err := filter.Parse("upnl<0")
	if err != nil {
		w.t.Fatal(err)
	}
	loss := alerts.Rule{AlertRule: view.AlertRule{Name: rule, Filter: query}, FilterText: "upnl<0", Run: true}
	w.store = store.New(ctx, silent{w.deltas}, store.Options{
		Settings: view.Settings{Scope: w.watches},
		Service:  "mainnet", Instruments: model.NewInstruments(nil, nil, nil), Location: time.UTC, Now: time.Now, Extent: store.Whole(0),
		Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Alerts: []alerts.Rule{loss}, Programs: w.delivers,
		Format: func(in *model.Instruments) *format.Formatter {
			return format.New(in, time.UTC, func(model.ID) int { return 2 }, false)
		},
	})
	w.do(w.store.Start())
	w.snapshots()
}

func (w *walk) do(cmd tea.Cmd) {
	uitest.Run(cmd, w.messages)
	uitest.Run(w.store.Advance(), w.messages)
	for {
		synctest.Wait()
		select {
		case msg := <-w.messages:
			uitest.Run(w.store.Handle(msg), w.messages)
			uitest.Run(w.store.Advance(), w.messages)
		default:
			return
		}
	}
}

func (w *walk) publish(delta book.Delta) {
	for _, of := range w.store.Subscriptions() {
		delta.Links = append(delta.Links, model.Link{Subscription: of, Phase: model.Live, Committed: true, MessageAt: time.Now()})
	}
	w.deltas <- delta
	w.do(nil)
}

// snapshots sends the rows of each stream.
func (w *walk) snapshots() {
	var delta book.Delta
	for _, of := range w.store.Subscriptions() {
		rows := book.NewRows()
		for key, p := range w.rows {
			if of.Covers(key) {
				rows.Put(&p)
			}
		}
		delta.Snapshots = append(delta.Snapshots, book.Snapshot{AsIs: true, Subscription: of, Rows: rows})
	}
	w.publish(delta)
}

func (w *walk) pass(seconds int) {
	for range seconds {
		time.Sleep(time.Second)
		w.do(w.store.Tick(nil, store.NoSurveys))
		w.publish(book.Delta{})
	}
}

// change changes a row of the service, and sends it if a run watches it.
func (w *walk) change(isSent bool) {
	p := model.Position{Key: model.Key{Party: model.MakeID(fmt.Sprint("p", w.IntN(2))), Market: model.MakeID(fmt.Sprint("m", w.IntN(3)))}}
	p.SetNumber(model.OpenVolume, model.AmountOf(1))
	p.SetNumber(model.UnrealisedPnl, model.AmountOf(w.Int64N(9)-4))
	p.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().UnixNano()))
	if before := w.rows[p.Key]; loses(&p) && !loses(&before) {
		w.losses[nameOf(p.Key)]++
	}
	w.rows[p.Key] = p
	for _, of := range w.store.Subscriptions() {
		if isSent && of.Covers(p.Key) {
			w.publish(book.Delta{Updates: []book.Updates{{Subscription: of, Positions: []model.Position{p}}}})
		}
	}
}

func (w *walk) restart() {
	w.end()
	w.delivers.Close()
	for range w.IntN(3) {
		w.change(false)
	}
	time.Sleep(time.Duration(w.IntN(100)) * time.Second)
	w.begin()
}

// scope returns one of the parties, or all.
func (w *walk) scope() (scope model.Scope) {
	if n := w.IntN(3); n < 2 {
		scope.Parties = []model.ID{model.MakeID(fmt.Sprint("p", n))}
	}
	return scope
}

// show shows a scope.
func (w *walk) show(scope model.Scope) {
	to := w.store.Settings()
	to.Scope = scope
	w.do(w.store.Set(to))
	if w.IntN(2) == 0 {
		w.snapshots()
	}
}

func (w *walk) step() {
	switch w.IntN(12) {
	case 0:
		w.set(func() { w.fails = !w.fails })
	case 1:
		w.set(func() { w.hangs = time.Duration(w.IntN(2)) * 7 * time.Second })
	case 2:
		w.watches = w.scope()
		w.restart()
	case 3:
		w.show(w.scope())
	case 4:
		w.snapshots()
	default:
		w.change(true)
	}
	w.pass(w.IntN(8))
}

// TestAnyRunsEndWithWhatIs: whatever fails, hangs, restarts and is chosen, the program knows at the end which
// positions lose, and gets no more begins than there were.
func TestAnyRunsEndWithWhatIs(t *testing.T) {
	for seed := range uint64(8) {
		inBubble(t, func(p *program) {
			w := &walk{program: p, Rand: rand.New(rand.NewPCG(seed, 2)), seed: seed, rows: make(map[model.Key]model.Position), losses: make(map[string]int)}
			w.begin()
			for range 100 {
				w.step()
			}
			w.set(func() { w.fails, w.hangs = false, 0 })
			w.watches = model.Scope{}
			w.restart()
			w.pass(4 * 60)
			w.check()
			w.end()
			w.delivers.Close()
		})
	}
}

func (w *walk) check() {
	begins, seen, isActive := make(map[string]int), make(map[string]bool), make(map[string]bool)
	for _, m := range w.got {
		if seen[m.ID] {
			continue // a run has ended before it knew that this was delivered
		}
		seen[m.ID] = true
		for _, position := range m.Positions {
			key := position.PartyID + " " + position.MarketID
			if m.Direction == export.AlertBegins {
				begins[key]++
			}
			isActive[key] = m.Direction != export.AlertEnds
		}
	}
	for key, p := range w.rows {
		name := nameOf(key)
		if isActive[name] != loses(&p) {
			w.t.Errorf("seed %d: %s loses: %t; the program knows %t", w.seed, name, loses(&p), isActive[name])
		}
		if begins[name] > w.losses[name] {
			w.t.Errorf("seed %d: %s has begun to lose %d times; the program knows %d", w.seed, name, w.losses[name], begins[name])
		}
	}
}

func loses(p *model.Position) bool { return p.Number(model.UnrealisedPnl).Sign() < 0 }
