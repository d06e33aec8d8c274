package model

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"
)

// scenario is a view and the positions that it must show, while subscriptions start and end.
type scenario struct {
	*world
	truth  plainBook
	levels plainMargins
	view   *View
	scope  Scope
	filter Filter
	order  Order
	groups Groups
}

func newScenario(seed uint64, parties, markets int) *scenario {
	d := &scenario{world: newWorld(seed, parties, markets), truth: make(plainBook), levels: make(plainMargins)}
	d.rebuild(NewBook(0))
	return d
}

func (d *scenario) rebuild(book *Book) {
	d.view = NewGroupedView(book, d.scope, d.filter, d.order, d.groups, d.instruments)
}

// merge merges p as an update of a subscription.
func (d *scenario) merge(s Subscription, p Position) {
	if d.truth[s] == nil {
		d.truth[s] = make(map[Key]Position)
	}
	d.truth[s][p.Key] = p
	d.view.Merge(updatesOf(s, p))
}

// mergeAll merges up to n updates of a subscription at once.
func (d *scenario) mergeAll(s Subscription, n int) {
	if d.truth[s] == nil {
		d.truth[s] = make(map[Key]Position)
	}
	positions := make([]Position, 1+d.IntN(n))
	for i := range positions {
		positions[i] = d.position(s)
		d.truth[s][positions[i].Key] = positions[i]
	}
	d.view.Merge(updatesOf(s, positions...))
}

// step does one of all the things that change what the view shows.
func (d *scenario) step() {
	s := d.subscription()
	switch d.IntN(40) {
	case 0:
		rows, plain := rowsOf(d.world, s, 20)
		d.truth[s] = plain
		d.rebuild(d.view.Book().Replaced(Snapshot{Subscription: s, Rows: rows}))
	case 1:
		to := d.subscriptions[:d.IntN(len(d.subscriptions)+1)]
		maps.DeleteFunc(d.truth, func(s Subscription, _ map[Key]Position) bool { return !slices.Contains(to, s) })
		d.rebuild(d.view.Book().Narrowed(to))
	case 2, 3:
		d.filter = Filter{filters[d.IntN(len(filters))], d.IntN(2) == 0, anyNow(d.sample)}
		d.view = d.view.Refiltered(d.filter)
	case 4:
		d.order = Order{sortable[d.IntN(len(sortable))], d.IntN(2) == 0}
		d.rebuild(d.view.Book())
	case 7: // some of the parties and markets
		d.scope = Scope{d.parties[:d.IntN(len(d.parties))], d.markets[:d.IntN(len(d.markets))]}
		d.rebuild(d.view.Book())
	case 16:
		d.groups = Groups{By: Grouping(d.IntN(int(groupings)))}
		d.rebuild(d.view.Book())
	case 17, 18:
		d.fold()
	case 5, 6:
		d.mergeAll(s, 3*matchedTogether)
	case 8, 9, 10, 11, 12, 13, 14, 15:
		d.mergeMargins(1 + d.IntN(10))
	default:
		d.merge(s, d.position(s))
	}
}

// checkMatcher matches entries together, as a new filter does, and one by one, as updates do.
func (d *scenario) checkMatcher(t *testing.T) {
	t.Helper()
	for _, b := range d.view.index.buckets {
		part := b.entries[:min(len(b.entries), matchedTogether)]
		var together [matchedTogether]bool
		d.view.matcher.matchAll(part, &together)
		for i, e := range part {
			if alone := d.view.matcher.matches(e); alone != together[i] {
				t.Fatalf("%+v: %v matches %v, together with others %v", d.filter, d.view.encoder.key(e), alone, together[i])
			}
		}
	}
}

// check compares the view with what plain loops over all positions find.
func (d *scenario) check(t *testing.T) {
	t.Helper()
	var shown []Position
	open, closedHidden, filtered := 0, 0, 0
	all := d.truth.all()
	maps.DeleteFunc(all, func(key Key, _ Position) bool { return !d.scope.Covers(key) })
	for _, p := range all {
		if p.IsOpen() {
			open++
		}
		switch {
		case !d.matches(&p):
			filtered++
		case !p.IsOpen() && !d.filter.ShowClosed:
			closedHidden++
		default:
			shown = append(shown, p)
		}
	}
	compare := func(p, q Position) int { return plainCompare(d.order, d.instruments, d.levels, &p, &q) }
	slices.SortFunc(shown, compare)
	v := d.view
	d.checkMargins(t, all)
	if v.Filter != d.filter || v.Order != d.order || v.Instruments() != d.instruments {
		t.Fatalf("the view is of %+v, %+v", v.Filter, v.Order)
	}
	if got, want := [...]int{v.Rows(), v.Open(), v.ClosedHidden(), v.Filtered(), v.Len()},
		[...]int{len(all), open, closedHidden, filtered, len(shown)}; got != want {
		t.Fatalf("%+v: rows, open, hidden, filtered and shown are %v, want %v", d.filter, got, want)
	}
	d.checkLines(t, shown, all)
	d.checkMatcher(t)
	if place, ok := v.Place(Key{Party: MakeID("nobody")}); place != 0 || ok {
		t.Fatal("a position that is not there has a place")
	}
	d.checkTotals(t, slices.Collect(maps.Values(all)))
}

func (d *scenario) checkTotals(t *testing.T, inScope []Position) {
	t.Helper()
	type plainTotal struct {
		rows, leftOut        int
		unrealised, realised big.Int
	}
	totals := make(map[ID]*plainTotal)
	add := func(total *plainTotal, sum *big.Int, a Amount) {
		if n := bigOf(a.String()); n != nil && len(new(big.Int).Abs(n).String()) <= packedDigits {
			sum.Add(sum, n)
		} else {
			total.leftOut++
		}
	}
	for _, p := range inScope {
		asset := d.instruments.Market(p.Market).Asset
		total := totals[asset]
		if total == nil {
			total = new(plainTotal)
			totals[asset] = total
		}
		total.rows++
		add(total, &total.unrealised, p.Number(UnrealisedPnl))
		add(total, &total.realised, p.Number(RealisedPnl))
	}
	got := d.view.Totals()
	if len(got) != len(totals) {
		t.Fatalf("%+v: there are totals for %d assets, want %d", d.filter, len(got), len(totals))
	}
	for _, total := range got {
		want := totals[total.Asset]
		if want == nil || total.Rows != want.rows || total.Unrealised.LeftOut()+total.Realised.LeftOut() != want.leftOut ||
			total.Unrealised.Amount().String() != want.unrealised.String() || total.Realised.Amount().String() != want.realised.String() {
			t.Fatalf("%+v: the total of %v is %+v, want %+v", d.filter, total.Asset, total, want)
		}
	}
	if !slices.IsSortedFunc(got, func(a, b *Total) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), a.Asset.Compare(b.Asset))
	}) {
		t.Fatalf("the totals are not in order")
	}
}

// TestViewShowsTheTruth does everything in random order.
func TestViewShowsTheTruth(t *testing.T) {
	for seed := range uint64(20) {
		d := newScenario(seed, 5, 4)
		for range 100 {
			d.step()
			d.check(t)
		}
	}
}

// TestLargeViewShowsTheTruth has enough rows for several buckets, of which some move, come and go.
func TestLargeViewShowsTheTruth(t *testing.T) {
	d := newScenario(1, 50, 50)
	d.order, d.filter = Order{UnrealisedColumn, true}, Filter{Text: "desk"}
	d.rebuild(d.view.Book())
	for range 10_000 {
		s := d.subscription()
		d.merge(s, d.position(s))
	}
	d.check(t)
	for _, d.order = range []Order{{MarketColumn, false}, {PartyColumn, true}} { // whole buckets are shown or are not
		d.rebuild(d.view.Book())
		for _, text := range []string{"desk", "party:desk-1", "!c1", "!c1 !c2 !c3"} {
			d.filter = Filter{Text: text, ShowClosed: true}
			d.view = d.view.Refiltered(d.filter)
			d.check(t)
		}
	}
}

// TestEndlessStatuses: a service invents more statuses than there are codes.
func TestEndlessStatuses(t *testing.T) {
	d := newScenario(6, 20, 10)
	d.filter = Filter{Text: "status:x7", ShowClosed: true}
	d.rebuild(d.view.Book())
	for i := range 2 * noStatusCode {
		p := d.state(Key{d.parties[i%20], d.markets[i/20%10]}, 3)
		p.SetStatus(fmt.Appendf(nil, "X%d", 7*i))
		d.merge(d.subscriptions[0], p)
	}
	d.check(t)
}

func TestRefilteredLeavesTheViewReadable(t *testing.T) {
	d := newScenario(3, 30, 30)
	for range 3000 {
		s := d.subscription()
		d.merge(s, d.position(s))
	}
	d.view.Refiltered(Filter{ShowClosed: true})
	d.view.Refiltered(Filter{Text: "nothing at all"})
	d.check(t)
}

func TestMergeInPlaceAllocatesNothing(t *testing.T) {
	s := newSample(4, 20, 20)
	book := bookOf(s, 400, 38)
	view := NewView(book, Scope{}, Filter{Text: "c1"}, Order{}, s.instruments)
	first, _ := view.At(0)
	u := updatesOf(Subscription{}, first)
	if n := testing.AllocsPerRun(100, func() {
		u.Positions[0].SetNumber(UnrealisedPnl, AmountOf(s.Int64()))
		view.Merge(u)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestAmountsOfAMillionDigitsSortAfterNumbers: they are left out of the totals too.
func TestAmountsOfAMillionDigitsSortAfterNumbers(t *testing.T) {
	market := func(name string, amount Amount) Position {
		p := Position{Key: Key{Market: MakeID(name)}}
		for f := range fields {
			p.SetNumber(f, amount)
		}
		return p
	}
	million := strings.Repeat("9", 1_000_000)
	long, longNegative := market("long", ParseAmount(million)), market("negative", ParseAmount("-"+million))
	number := market("number", AmountOf(5))
	for _, column := range []Column{SizeColumn, EntryColumn, UnrealisedColumn, RealisedColumn} {
		view := NewView(NewBook(0), Scope{}, Filter{}, Order{Column: column}, NewInstruments(nil, nil, nil))
		view.Merge(updatesOf(Subscription{}, long, number, longNegative))
		view.Merge(updatesOf(Subscription{}, long, longNegative)) // again, in place
		if first, _ := view.At(0); view.Len() != 3 || first.Market != number.Market {
			t.Errorf("by %s, the first of %d rows is %s", column.Key(), view.Len(), first.Market)
		}
		total := view.Totals()[0]
		if total.Unrealised.Amount() != AmountOf(5) || total.Unrealised.LeftOut() != 2 || total.Realised.LeftOut() != 2 {
			t.Errorf("the total is %s without %d", total.Unrealised.Amount(), total.Unrealised.LeftOut())
		}
	}
}
