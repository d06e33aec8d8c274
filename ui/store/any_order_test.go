package store

import (
	"flag"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/model/modeltest"
	"blotter/model/view"
)

var orderSeeds = flag.Uint64("order-seeds", 50, "how many seeds TestAnyOrderEndsWithTheSameView has")

// TestAnyOrderEndsWithTheSameView: data and settings come while views are made, rows are frozen and surveyed, and what
// commands bring comes late and in another order. Rows outside of the scope are never shown. At rest, the view is that
// of a book which got the same data at once, and the alert is active for the rows that match it.
func TestAnyOrderEndsWithTheSameView(t *testing.T) {
	for seed := range *orderSeeds {
		world := modeltest.NewWorld(3*seed, 3, 3)
		set := func(o *Options) {
			withAlert(t, "upnl<0")(o)
			o.Settings.Scope = scopeOf(world, seed)
			var markets []model.Market
			for _, id := range world.Markets {
				markets = append(markets, model.Market{ID: id, Asset: usdt})
			}
			o.Instruments = model.NewInstruments(nil, markets, []model.Asset{{ID: usdt}})
		}
		onStore(t, set, func(s *shown) {
			w := &anyOrder{world: world, shown: s, t: t, seed: seed, plain: book.New(0)}
			for range 200 {
				w.step()
				w.checkScope()
				w.checkSurvey()
			}
			w.rest()
			w.check()
		})
	}
}

// scopeOf returns one of several scopes.
func scopeOf(w *modeltest.World, n uint64) model.Scope {
	parties, markets := w.Parties[1:], w.Markets[1:]
	return []model.Scope{{}, {Parties: parties}, {Parties: parties[1:]}, {Markets: markets}, {Parties: parties[1:], Markets: markets},
		{Parties: parties[:1]}}[n%6]
}

// anyOrder gives a Store what comes in any order, and a plain book the same at once.
type anyOrder struct {
	world *modeltest.World
	*shown
	t     *testing.T
	seed  uint64
	late  []tea.Msg // what commands have brought
	plain *book.Book
	links []model.Link
}

func (w *anyOrder) step() {
	switch w.world.IntN(12) {
	case 0, 1, 2:
		w.send()
	case 3, 4:
		w.begin(w.set())
	case 5:
		w.Freeze(FrozenOf(w.Store) == nil)
		w.begin(nil)
	case 6:
		time.Sleep(time.Second)
		w.begin(w.Tick(nil, SurveysOfPage))
	case 7:
		if w.world.IntN(4) == 0 {
			w.rest()
			w.check()
		}
	default:
		w.takeLate(w.world.IntN(6))
	}
}

// begin runs a command, and keeps what commands have brought by now.
func (w *anyOrder) begin(cmd tea.Cmd) {
	w.start(cmd)
	w.start(w.Advance())
	for synctest.Wait(); len(w.messages) > 0; synctest.Wait() {
		w.late = append(w.late, <-w.messages)
	}
}

// takeLate takes some of what commands have brought.
func (w *anyOrder) takeLate(n int) {
	for ; n > 0 && len(w.late) > 0; n-- {
		i := w.world.IntN(len(w.late))
		msg := w.late[i]
		w.late = slices.Delete(w.late, i, i+1)
		w.begin(w.Handle(msg))
	}
}

// rest takes everything, until nothing comes any more, and the rows of closed-out positions are hidden. Rows are
// matched with the alert at most a tenth of the time.
func (w *anyOrder) rest() {
	w.Freeze(false)
	w.begin(nil)
	for range 30 + int(event.KeptFor.Seconds()) {
		for len(w.late) > 0 {
			w.takeLate(1)
		}
		w.publishLive(book.Delta{})
		time.Sleep(time.Second)
		w.begin(w.Tick(nil, NoSurveys))
	}
}

// publishLive publishes a Delta with the states of the streams, which have just sent something.
func (w *anyOrder) publishLive(delta book.Delta) {
	for i := range w.links {
		w.links[i].MessageAt = time.Now()
	}
	delta.Links = slices.Clone(w.links)
	w.source.publish(delta)
	w.begin(nil)
}

// send sends a snapshot, updates, a page that is late or one of an audit of one stream.
func (w *anyOrder) send() {
	if len(w.source.deltas) == cap(w.source.deltas) {
		return
	}
	subscriptions := w.Subscriptions()
	w.links = slices.DeleteFunc(w.links, func(l model.Link) bool { return !slices.Contains(subscriptions, l.Subscription) })
	of := subscriptions[w.world.IntN(len(subscriptions))]
	link := model.LinkOfSubscription(w.links, of)
	if link == nil {
		w.links = append(w.links, model.Link{Subscription: of, Phase: model.Live})
		link = &w.links[len(w.links)-1]
	}
	var positions []model.Position
	for range w.world.IntN(5) {
		positions = append(positions, w.world.Position(of))
	}
	delta, has := book.Delta{}, w.plain.Has(of)
	switch w.world.IntN(5) {
	case 0:
		rows := book.NewRows()
		rows.PutPage(positions, modeltest.NotAfter)
		delta.Snapshots = []book.Snapshot{{AsIs: true, Subscription: of, Rows: rows, NotAfter: modeltest.NotAfter}}
		link.Committed, link.Partial = true, false
	case 1:
		delta.Updates = []book.Updates{{Subscription: of, Positions: positions, NotAfter: modeltest.NotAfter, BeginsPartial: true, LatePage: true}}
		link.Partial = true
	default:
		if !has {
			return
		}
		delta.Updates = []book.Updates{{Subscription: of, Positions: positions, NotAfter: modeltest.NotAfter, LatePage: w.world.IntN(4) == 0}}
		if w.world.IntN(2) == 0 {
			page := book.AuditPage{Subscription: of, Positions: positions, NotAfter: modeltest.NotAfter}
			page.First, page.Last = w.world.IntN(2) == 0, w.world.IntN(2) == 0
			page.IsBelieved = page.Last // rows that were left out are known longer than their table
			delta.Audits = []book.AuditPage{page}
		}
	}
	same := book.Delta{Updates: slices.Clone(delta.Updates), Audits: slices.Clone(delta.Audits)}
	for _, snapshot := range delta.Snapshots {
		snapshot.Rows = snapshot.Rows.Clone()
		w.plain = w.plain.Replaced(snapshot)
	}
	for _, ok := same.ApplyTo(w.plain); ok; _, ok = same.ApplyTo(w.plain) {
	}
	w.publishLive(delta)
}

// set changes one of the settings.
func (w *anyOrder) set() tea.Cmd {
	to := w.Settings()
	switch w.world.IntN(5) {
	case 0:
		to.Filter = []string{"", "upnl>0", "side:short", "status:distressed"}[w.world.IntN(4)]
	case 1:
		to.ShowClosed = !to.ShowClosed
	case 2:
		column := []view.Column{view.MarketColumn, view.SizeColumn, view.UnrealisedColumn, view.TroubleColumn}[w.world.IntN(4)]
		to.Order = view.Order{Column: column, Descending: w.world.IntN(2) == 0}
	case 3:
		to.Group = []view.Grouping{view.Ungrouped, view.GroupByParty, view.GroupByMarket}[w.world.IntN(3)]
	case 4:
		to.Scope = scopeOf(w.world, w.world.Uint64())
	}
	cmd := w.Set(to)
	w.plain = w.plain.Narrowed(w.Subscriptions())
	return cmd
}

func (w *anyOrder) checkScope() {
	scope := w.Settings().Scope
	for p := range w.View().InScope {
		if !scope.Covers(p.Key) {
			w.t.Fatalf("seed %d: %v is shown, and is not in the scope %v", w.seed, p.Key, scope)
		}
	}
}

// checkSurvey checks that a survey which is not made again, because nothing has changed, is what it would be now.
func (w *anyOrder) checkSurvey() {
	u, v := &w.surveys, w.View()
	if !u.read.isOf(v) || !u.latest.isOf(v) {
		return
	}
	survey, today := *analysis.SurveyOf(v, w.data.trades.sinceBaseline(), u.latest.Survey.At), analysis.TodayOf(v, time.Time{})
	if !reflect.DeepEqual(survey, *u.latest.Survey) {
		w.t.Fatalf("seed %d: the survey is %+v, and was %+v", w.seed, survey, u.latest.Survey)
	}
	if was := u.read.Today; was != nil {
		if today.At = was.At; !reflect.DeepEqual(today, was) {
			w.t.Fatalf("seed %d: the PnL of the day is %+v, and was %+v", w.seed, today, was)
		}
	}
}

func (w *anyOrder) checkView() {
	w.t.Helper()
	settings := w.Settings()
	filter := view.Filter{Text: settings.Filter, ShowClosed: settings.ShowClosed}
	want := view.NewGrouped(w.plain, settings.Scope, filter, settings.Order, view.Groups{By: settings.Group}, w.Instruments())
	if got, want := lines(w.View()), lines(want); got != want {
		w.t.Fatalf("seed %d, with %+v:\n%s\nwant\n%s", w.seed, settings, got, want)
	}
}

func (w *anyOrder) check() {
	w.checkView()
	isPartial := slices.ContainsFunc(w.Subscriptions(), func(of model.Subscription) bool { return !w.plain.Has(of) || w.plain.IsPartial(of) })
	losing := view.New(w.plain, w.data.judged.start, view.Filter{Text: "upnl<0", ShowClosed: true}, view.Order{}, w.Instruments())
	state := w.Alerts().State(0) // alerts of rows that went together with many others stay, and those of rows that may be missing
	if n := state.Now - state.NotSent; n != losing.Len() && !isPartial && w.data.isJudged() {
		w.t.Fatalf("seed %d: the alert is active for %d positions, want %d", w.seed, n, losing.Len())
	}
}

// lines is what a view shows, as text.
func lines(v *view.View) string {
	text := fmt.Sprintln(v.Rows(), v.Open(), v.ClosedHidden(), v.Filtered())
	for i := range v.Lines() {
		key, _ := v.LineKey(i)
		p, _ := v.At(i)
		text += fmt.Sprintln(key, p.Number(model.OpenVolume), p.Number(model.UnrealisedPnl), p.Number(model.UpdatedAt), p.StatusName())
	}
	for _, total := range v.Totals() {
		text += fmt.Sprintln(total.Asset, total.Rows, total.Sum(model.UnrealisedPnl).Amount(model.Unscaled), total.Sum(model.RealisedPnl).Amount(model.Unscaled))
	}
	return text
}
