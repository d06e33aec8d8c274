package store

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
	"blotter/model/modeltest"
	"blotter/model/view"
	"blotter/ui/alerts"
)

// TestAlertsInAnyOrder: rules are made, changed, removed, and turned off and on, in any order with what
// TestAnyOrderEndsWithTheSameView does, and streams are stale for a time. For each position a rule begins and ends in
// turn, never while the row is stale or outside of the scope of the start, whatever scope is shown, also while the rows
// are frozen: these do not change. At rest it is active for the rows that match it.
func TestAlertsInAnyOrder(t *testing.T) {
	for seed := range *orderSeeds {
		world := modeltest.NewWorld(3*seed, 3, 3)
		onStore(t, func(o *Options) { o.Settings.Scope = scopeOf(world, seed) }, func(s *shown) {
			w := &alertsInOrder{active: make(map[string]map[model.Key]bool)}
			w.anyOrder = &anyOrder{world: world, shown: s, t: t, seed: seed, plain: book.New(0)}
			for range 500 {
				w.step()
				w.check()
			}
			if seed%2 == 0 {
				w.Freeze(true)
				w.settle()
				w.checkActive()
			}
			w.rest()
			w.checkActive()
			w.checkView()
		})
	}
}

// alertsInOrder has what the log says of the alerts.
type alertsInOrder struct {
	*anyOrder
	checked uint64 // the number of the last line of the log that was checked
	active  map[string]map[model.Key]bool
	frozen  *Frozen
	rows    []string // that are frozen
}

func (w *alertsInOrder) step() {
	switch w.world.IntN(24) {
	case 0:
		w.edit()
		w.begin(nil)
	case 1:
		if len(w.links) > 0 && len(w.source.deltas) < cap(w.source.deltas) {
			link := &w.links[w.world.IntN(len(w.links))]
			if link.StaleSince = time.Now(); w.world.IntN(3) > 0 {
				link.StaleSince = time.Time{}
			}
			w.publishLive(book.Delta{})
		}
	case 2:
		w.begin(w.set())
	case 3:
		w.Freeze(w.world.IntN(4) == 0)
		w.begin(nil)
	case 4, 5, 6, 7:
		time.Sleep(time.Second)
		w.begin(w.Tick(nil, SurveysOfPage))
	case 8, 9, 10, 11, 12, 13:
		w.send()
	default:
		w.takeLate(1)
	}
}

// edit changes the rules.
func (w *alertsInOrder) edit() {
	all := slices.Clone(w.Alerts().Rules())
	name := fmt.Sprint("rule ", w.world.IntN(4))
	switch at := alerts.Index(all, name); {
	case at < 0:
		all = append(all, w.rule(name))
	case w.world.IntN(3) == 0:
		all = slices.Delete(all, at, at+1)
	case w.world.IntN(2) == 0:
		all[at].IsOff = !all[at].IsOff
	default:
		all[at] = w.rule(name)
	}
	w.begin(SetRules(w.Store, all))
	w.plain = w.plain.Narrowed(w.Subscriptions())
	for _, e := range w.Alerts().Log() {
		switch {
		case e.Number <= w.checked:
		case e.Alert.Rule != name || e.Alert.Begins || !w.active[name][e.Key]:
			w.t.Fatalf("seed %d: %s was changed, and there is a line of %s, begins %v", w.seed, name, e.Alert.Rule, e.Alert.Begins)
		default:
			delete(w.active[name], e.Key)
		}
	}
	if w.checked = w.Events().Count(); len(w.active[name]) > 0 {
		w.t.Fatalf("seed %d: %s was changed, and has not ended for %v", w.seed, name, w.active[name])
	}
}

func (w *alertsInOrder) rule(name string) alerts.Rule {
	text := []string{"upnl<0", "side:short", "status:distressed", "age>5m side:long", "size>0r"}[w.world.IntN(5)]
	query, err := filter.Parse(text)
	if err != nil {
		w.t.Fatal(err)
	}
	return alerts.Rule{AlertRule: view.AlertRule{Name: name, Filter: query}, FilterText: text}
}

// check checks the new lines of the log.
func (w *alertsInOrder) check() {
	w.t.Helper()
	start, stale := &w.data.judged.start, judgedStale(w.Store)
	for _, e := range w.Alerts().Log() {
		key := e.Key
		switch active := w.active[e.Alert.Rule]; {
		case e.Number <= w.checked:
			continue
		case active[key] == e.Alert.Begins, stale.HasRow(key), !start.Covers(key):
			w.t.Fatalf("seed %d: %s, begins %v, for %v; is active %v, stale %v, watched %v", w.seed, e.Alert.Rule, e.Alert.Begins, key,
				active[key], stale.HasRow(key), start.Covers(key))
		case active == nil:
			w.active[e.Alert.Rule] = make(map[model.Key]bool)
		}
		w.active[e.Alert.Rule][key] = e.Alert.Begins
	}
	w.checked = w.Events().Count()
	for _, keys := range w.active {
		maps.DeleteFunc(keys, func(_ model.Key, begun bool) bool { return !begun })
	}
	w.checkFrozen()
}

// checkFrozen checks that frozen rows do not change, in whatever order they are.
func (w *alertsInOrder) checkFrozen() {
	w.t.Helper()
	if !w.data.keepsView() || !w.data.isApart() {
		return
	}
	var rows []string
	for p := range w.View().InScope {
		rows = append(rows, fmt.Sprint(p.Key, p.Number(model.OpenVolume), p.Number(model.UnrealisedPnl), p.Number(model.UpdatedAt), p.StatusName()))
	}
	slices.Sort(rows)
	if w.frozen != FrozenOf(w.Store) {
		if w.data.job.running { // the view of an earlier release may come
			return
		}
		w.frozen, w.rows = FrozenOf(w.Store), rows
	}
	if !slices.Equal(rows, w.rows) {
		w.t.Fatalf("seed %d: the frozen rows are\n%s\nand were\n%s", w.seed, rows, w.rows)
	}
}

// rest takes everything, until nothing comes any more and all rows were matched. A match may be as late as all that was
// taken late before it, ten times.
func (w *alertsInOrder) rest() {
	w.Freeze(false)
	w.settle()
}

// settle does what rest does, and leaves the rows frozen.
func (w *alertsInOrder) settle() {
	for i := range w.links {
		w.links[i].StaleSince = time.Time{}
	}
	w.begin(nil)
	for range 150 {
		for w.check(); len(w.late) > 0; w.check() {
			w.takeLate(1)
		}
		w.publishLive(book.Delta{})
		w.check()
		time.Sleep(time.Second)
		w.begin(w.Tick(nil, NoSurveys))
	}
	w.check()
}

// checkActive checks for which rows the rules are active. Those of rows that may be missing stay active.
func (w *alertsInOrder) checkActive() {
	start, stale := w.data.judged.start, judgedStale(w.Store)
	for i, rule := range w.Alerts().Rules() {
		active, matching := w.active[rule.Name], make(map[model.Key]bool)
		if !rule.IsOff && w.data.isJudged() {
			filter := view.Filter{Text: rule.FilterText, ShowClosed: true, Now: time.Now()}
			for p := range view.New(w.plain, start, filter, view.Order{}, w.Instruments()).Shown {
				matching[p.Key] = true
			}
		}
		for key := range matching {
			if !active[key] && !stale.HasRow(key) {
				w.t.Errorf("seed %d: %s, %s, is not active for %v", w.seed, rule.Name, rule.FilterText, key)
			}
		}
		isPartial := func(of model.Subscription) bool { return !w.plain.Has(of) || w.plain.IsPartial(of) }
		for key := range active {
			_, row := w.plain.Row(key)
			isNotSent := row == 0 && w.Alerts().State(i).NotSent > 0
			if !matching[key] && !isNotSent && w.data.isJudged() && !slices.ContainsFunc(w.Subscriptions(), isPartial) {
				w.t.Errorf("seed %d: %s, %s, is active for %v", w.seed, rule.Name, rule.FilterText, key)
			}
		}
		if n := w.Alerts().State(i).Now; n != len(active) {
			w.t.Errorf("seed %d: %s is active for %d positions, and by its log for %d", w.seed, rule.Name, n, len(active))
		}
	}
}
