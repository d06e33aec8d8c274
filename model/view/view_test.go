package view

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
	"blotter/model/view/sorting"
)

// scenario is a view and the positions that it must show, while subscriptions start and end.
type scenario struct {
	*modeltest.World
	plain  modeltest.PlainBook
	levels plainMargins
	view   *View
	scope  model.Scope
	filter Filter
	order  Order
	groups Groups
	open   plainAssets
	whole  map[model.Subscription]bool // their tables have all rows

	updated func(model.Position) // is called with each row that an update has changed; may be nil
}

func newScenario(seed uint64, parties, markets int) *scenario {
	d := &scenario{World: modeltest.NewWorld(seed, parties, markets), plain: make(modeltest.PlainBook), levels: newPlainMargins(), whole: make(map[model.Subscription]bool)}
	d.rebuild(book.New(0))
	return d
}

func (d *scenario) rebuild(b *book.Book) {
	d.open = openOfAssets(d.Instruments, func(yield func(model.Position) bool) {
		for t, number := range b.AllRows {
			if p := t.Rows().Position(number); d.scope.Covers(p.Key) && !yield(p) {
				return
			}
		}
	})
	d.view = NewGrouped(b, d.scope, d.filter, d.order, d.groups, d.Instruments)
}

// merge merges p as an update of a subscription.
func (d *scenario) merge(s model.Subscription, p model.Position) {
	d.putPlainly(s, p)
	merge(d.view, updateOf(s, p))
}

// putPlainly does what merging updates does.
func (d *scenario) putPlainly(s model.Subscription, updates ...model.Position) {
	d.levels.begin(s, false)
	for i := range updates {
		p := &updates[i]
		_, isKnown := d.plain[s][p.Key]
		d.plain.Put(s, *p)
		if d.updated != nil {
			d.updated(d.plain[s][p.Key])
		}
		d.levels.noteSize(s, p.Key, p, isKnown || d.whole[s], !isKnown)
	}
	d.levels.tell(s, d.plain[s], updates)
}

// position returns a position of a subscription. Its time is often between those of margin records.
func (d *scenario) position(s model.Subscription) model.Position {
	p := d.Position(s)
	if d.IntN(4) > 0 {
		p.SetNumber(model.UpdatedAt, model.AmountOf((1+d.Int64N(20))*int64(time.Minute)))
	}
	return p
}

// changeProfits merges an update that changes the profits of a row, and sometimes its size or its entry price, if the
// subscription has a row.
func (d *scenario) changeProfits(s model.Subscription) {
	keys := slices.SortedFunc(maps.Keys(d.plain[s]), model.Key.Compare)
	if len(keys) == 0 {
		return
	}
	p := d.plain[s][keys[d.IntN(len(keys))]]
	numbers := []string{"0", "0", "7", "-7", "12", "1.5", strings.Repeat("9", model.PackedDigits)}
	for _, f := range []model.Field{model.UnrealisedPnl, model.RealisedPnl, model.OpenVolume, model.AverageEntryPrice} {
		if f.IsSummed() || d.IntN(4) == 0 {
			p.SetNumber(f, model.ParseAmount(numbers[d.IntN(len(numbers))]))
		}
	}
	d.merge(s, p)
}

// mergeAll merges up to n updates of a subscription at once.
func (d *scenario) mergeAll(s model.Subscription, n int) {
	positions := make([]model.Position, 1+d.IntN(n))
	for i := range positions {
		positions[i] = d.position(s)
	}
	d.putPlainly(s, positions...)
	merge(d.view, updateOf(s, positions...))
}

// removeByAudit makes an audit of a subscription that has only some of its rows.
func (d *scenario) removeByAudit(s model.Subscription) {
	page := book.AuditPage{Subscription: s, First: true, Last: true, IsBelieved: true}
	for _, key := range slices.SortedFunc(maps.Keys(d.plain[s]), model.Key.Compare) {
		if p := d.plain[s][key]; d.IntN(4) > 0 {
			page.Positions = append(page.Positions, p)
		} else {
			delete(d.plain[s], key)
			d.levels.noteSize(s, key, nil, true, false)
		}
	}
	if d.view.Book().Has(s) {
		d.levels.tell(s, d.plain[s], page.Positions)
	}
	compare(d.view, &page)
	d.whole[s] = d.view.Book().Has(s)
}

// replace replaces the rows of a subscription by a snapshot.
func (d *scenario) replace(s model.Subscription) {
	rows, before := book.NewRows(), maps.Clone(d.plain[s])
	d.plain.Replace(d.World, s, 20, func(p *model.Position) {
		if old, ok := before[p.Key]; ok && d.IntN(2) == 0 {
			*p = old
		}
		rows.Put(p)
	})
	for key := range before {
		if _, ok := d.plain[s][key]; !ok {
			d.levels.noteSize(s, key, nil, true, false)
		}
	}
	d.levels.begin(s, true)
	d.levels.tell(s, nil, slices.Collect(maps.Values(d.plain[s])))
	for key, p := range d.plain[s] {
		_, isKnown := before[key]
		d.levels.noteSize(s, key, &p, isKnown, true)
	}
	d.whole[s] = true
	d.rebuild(d.view.Book().Replaced(book.Snapshot{AsIs: true, Subscription: s, Rows: rows, NotAfter: math.MaxInt64}))
}

// narrow ends all but some subscriptions.
func (d *scenario) narrow() {
	to := d.Subscriptions[:d.IntN(len(d.Subscriptions)+1)]
	for s, rows := range d.plain {
		for key := range rows {
			if !slices.Contains(to, s) {
				d.levels.noteUnwatched(key)
			}
		}
	}
	for _, s := range d.Subscriptions {
		if !slices.Contains(to, s) {
			delete(d.levels.told, s.Key)
		}
	}
	maps.DeleteFunc(d.whole, func(s model.Subscription, _ bool) bool { return !slices.Contains(to, s) })
	d.plain.Narrow(to)
	d.rebuild(d.view.Book().Narrowed(to))
}

// takeBaseline takes a baseline, or drops it. In an order of changes there is none: the plain order knows no changes.
func (d *scenario) takeBaseline(isWanted bool) {
	b := d.view.Book()
	if b.Baselines().Drop(); isWanted && !d.order.Column.NeedsBaseline() {
		b.Baselines().Take(time.Time{})
	}
	d.rebuild(b)
}

// step makes one random change of what the view shows.
func (d *scenario) step() {
	s := d.Subscription()
	switch d.IntN(40) {
	case 0:
		d.replace(s)
	case 1:
		d.narrow()
	case 2, 3:
		d.filter = Filter{Text: filters[d.IntN(len(filters))], ShowClosed: d.IntN(2) == 0, Now: anyNow(d.Sample)}
		d.view = d.view.Refiltered(d.filter)
	case 4:
		d.order = Order{sortable[d.IntN(len(sortable))], d.IntN(2) == 0}
		d.takeBaseline(d.view.Book().Baselines().HasTaken())
	case 7: // some of the parties and markets
		d.scope = model.Scope{Parties: d.Parties[:d.IntN(len(d.Parties))], Markets: d.Markets[:d.IntN(len(d.Markets))]}
		d.rebuild(d.view.Book())
	case 16:
		d.groups = Groups{By: Grouping(d.IntN(int(groupings)))}
		d.rebuild(d.view.Book())
	case 17, 18:
		d.fold()
	case 5, 6:
		d.mergeAll(s, 3*matchedTogether)
	case 19:
		d.Rename()
		d.rebuild(d.view.Book())
	case 20, 21:
		d.removeByAudit(s)
	case 22:
		d.takeBaseline(d.IntN(4) > 0)
	case 8, 9, 10, 11, 12, 13, 14, 15:
		d.mergeMargins(1 + d.IntN(10))
	default:
		d.merge(s, d.position(s))
	}
}

// checkMatcher matches entries together, as for a new filter, and one by one, as for updates.
func (d *scenario) checkMatcher(t *testing.T) {
	t.Helper()
	for _, b := range d.view.index.Buckets {
		part := b.Entries[:min(len(b.Entries), matchedTogether)]
		all := d.view.matcher.matchAll(part)
		for i, e := range part {
			together := all>>i&1 != 0
			if alone := d.view.matcher.matches(e); alone != together {
				t.Fatalf("%+v: %v matches %v, together with others %v", d.filter, d.view.encoder.Key(e), alone, together)
			}
		}
	}
}

// check compares the view with the results of plain loops over all positions.
func (d *scenario) check(t *testing.T) {
	t.Helper()
	var shown []model.Position
	open, closedHidden, filtered := 0, 0, 0
	all := d.plain.All()
	maps.DeleteFunc(all, func(key model.Key, _ model.Position) bool { return !d.scope.Covers(key) })
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
	compare := func(p, q model.Position) int { return plainCompare(d.order, d.Instruments, d.open, d.levels, &p, &q) }
	slices.SortFunc(shown, compare)
	v := d.view
	d.checkMargins(t, all)
	if v.Filter != d.filter || v.Order != d.order || v.Instruments() != d.Instruments {
		t.Fatalf("the view is of %+v, %+v", v.Filter, v.Order)
	}
	if got, want := [...]int{v.Rows(), v.Open(), v.ClosedHidden(), v.Filtered(), v.Len()},
		[...]int{len(all), open, closedHidden, filtered, len(shown)}; got != want {
		t.Fatalf("%+v: rows, open, hidden, filtered and shown are %v, want %v", d.filter, got, want)
	}
	d.checkLines(t, shown, all)
	d.checkMatcher(t)
	if place, ok := v.Place(model.Key{Party: model.MakeID("nobody")}); place != -1 || ok {
		t.Fatal("a position that is not in the book has a place")
	}
	d.checkTotals(t, slices.Collect(maps.Values(all)))
}

func (d *scenario) checkTotals(t *testing.T, inScope []model.Position) {
	t.Helper()
	type plainTotal struct {
		rows int
		sums [model.SummedCount]plainSum
	}
	totals := make(map[model.ID]*plainTotal)
	for _, p := range inScope {
		asset := d.Instruments.Market(p.Market).Asset
		total := totals[asset]
		if total == nil {
			total = new(plainTotal)
			totals[asset] = total
		}
		total.rows++
		for i, f := range model.Summed() {
			total.sums[i].add(p.Number(f))
		}
	}
	got := d.view.Totals()
	if len(got) != len(totals) {
		t.Fatalf("%+v: there are totals for %d assets, want %d", d.filter, len(got), len(totals))
	}
	for _, total := range got {
		want := totals[total.Asset]
		if want == nil || total.Rows != want.rows || !sameSums(&total.Sums, &want.sums, d.Instruments.Asset(total.Asset).Decimals) {
			t.Fatalf("%+v: the total of %v is %+v, want %+v", d.filter, total.Asset, total, want)
		}
		d.checkChanges(t, total, inScope)
	}
	if !slices.IsSortedFunc(got, func(a, b *Total) int {
		return cmp.Or(cmp.Compare(b.Rows, a.Rows), a.Asset.Compare(b.Asset))
	}) {
		t.Fatalf("the totals are not in order")
	}
}

// sameSums reports whether sums in an asset with these decimals are as they should be.
func sameSums(got *Sums, want *[model.SummedCount]plainSum, decimals int) bool {
	allLeftOut := 0
	for i, f := range model.Summed() {
		_, leftOut := want[i].value(decimals)
		allLeftOut += leftOut
		if !want[i].is(got.Sum(f).Amount(decimals), decimals) || got.Sum(f).LeftOut(decimals) != leftOut {
			return false
		}
	}
	return got.LeftOut(decimals) == allLeftOut
}

// checkChanges compares the changes of a total since the baseline with those of its rows, which are of its asset.
func (d *scenario) checkChanges(t *testing.T, of *Total, rows []model.Position) {
	t.Helper()
	baseline := d.view.Book().Baselines().Taken()
	decimals := d.Instruments.Asset(of.Asset).Decimals
	isKnown, compared, unrealised, realised := true, 0, new(plainChange), new(plainChange)
	add := func(sum *plainChange, before *book.BaselineRow, p *model.Position, field model.Field) bool {
		sum.now.add(p.Number(field))
		sum.before.add(before.Number(field))
		return p.Number(field).IsAddable() && before.Number(field).IsAddable()
	}
	for _, p := range rows {
		if d.Instruments.Market(p.Market).Asset != of.Asset {
			continue
		}
		before, ok := baseline.Row(p.Key)
		if !ok { // it was not followed then
			continue
		}
		compared++
		isKnown = add(unrealised, &before, &p, model.UnrealisedPnl) && add(realised, &before, &p, model.RealisedPnl) && isKnown
	}
	isKnown = isKnown && compared > 0 && unrealised.isKnown(decimals) && realised.isKnown(decimals)
	if got := of.Compared(); got != compared {
		t.Fatalf("%+v: %d rows of %v are compared, want %d", d.filter, got, of.Asset, compared)
	}
	gotUnrealised, gotRealised, ok := of.Changes(decimals)
	if ok != isKnown || ok && !(unrealised.is(gotUnrealised, decimals) && realised.is(gotRealised, decimals)) {
		t.Fatalf("%+v: the changes of %v are %v and %v, %v; want %+v and %+v, %v", d.filter, of.Asset, gotUnrealised, gotRealised, ok, unrealised, realised, isKnown)
	}
}

// plainChange is the difference of two sums.
type plainChange struct{ now, before plainSum }

func (c *plainChange) isKnown(decimals int) bool {
	_, leftOut := c.now.value(decimals)
	_, wasLeftOut := c.before.value(decimals)
	isMixed := (c.now.decimalCount > 0) != (c.before.decimalCount > 0)
	needsUnit := c.now.decimalCount == 0 && c.now.integers.Sign() != 0 || c.before.decimalCount == 0 && c.before.integers.Sign() != 0
	return leftOut+wasLeftOut == 0 && !(isMixed && needsUnit && decimals == model.Unscaled)
}

// is reports whether an amount is the difference in an asset with these decimals.
func (c *plainChange) is(got model.Amount, decimals int) bool {
	inUnit := func(s *plainSum) *big.Rat {
		value, _ := s.value(decimals)
		if s.decimalCount == 0 {
			value = new(big.Rat).Mul(value, modeltest.Value(big.NewInt(1), decimals))
		}
		return value
	}
	return new(big.Rat).Sub(inUnit(&c.now), inUnit(&c.before)).Cmp(modeltest.ValueOf(got.String(), decimals)) == 0
}

// TestViewAgreesWithPlainLoops makes all kinds of changes in random order.
func TestViewAgreesWithPlainLoops(t *testing.T) {
	for seed := range uint64(modeltest.Times(20)) {
		d := newScenario(seed, 5, 4)
		for range 100 {
			d.step()
			d.check(t)
		}
	}
}

// TestLargeViewAgreesWithPlainLoops has enough rows for several buckets, and adds, moves and removes some.
func TestLargeViewAgreesWithPlainLoops(t *testing.T) {
	d := newScenario(1, 50, 50)
	d.order, d.filter = Order{UnrealisedColumn, true}, Filter{Text: "desk"}
	d.rebuild(d.view.Book())
	for range modeltest.Times(10_000) {
		s := d.Subscription()
		d.merge(s, d.Position(s))
	}
	d.check(t)
	for _, d.order = range []Order{{MarketColumn, false}, {PartyColumn, true}} { // whole buckets are shown or hidden
		d.rebuild(d.view.Book())
		for _, text := range []string{"desk", "party:desk-1", "!c1", "!c1 !c2 !c3"} {
			d.filter = Filter{Text: text, ShowClosed: true}
			d.view = d.view.Refiltered(d.filter)
			d.check(t)
		}
	}
}

// TestManyStatuses: a service sends more statuses than there are codes.
func TestManyStatuses(t *testing.T) {
	d := newScenario(6, 20, 10)
	d.filter = Filter{Text: "status:x7", ShowClosed: true}
	d.rebuild(d.view.Book())
	for i := range 2 * sorting.NoStatusCode {
		p := d.State(model.Key{Party: d.Parties[i%20], Market: d.Markets[i/20%10]}, 3)
		p.SetStatus(fmt.Appendf(nil, "X%d", 7*i))
		d.merge(d.Subscriptions[0], p)
	}
	d.check(t)
}

func TestRefilteredLeavesTheViewReadable(t *testing.T) {
	d := newScenario(3, 30, 30)
	for range 3000 {
		s := d.Subscription()
		d.merge(s, d.Position(s))
	}
	d.view.Refiltered(Filter{ShowClosed: true})
	d.view.Refiltered(Filter{Text: "nothing at all"})
	d.check(t)
}

func TestMergeInPlaceAllocatesNothing(t *testing.T) {
	s := modeltest.NewSample(4, 20, 20)
	book := bookOf(s, 400, 38)
	view := New(book, model.Scope{}, Filter{Text: "c1"}, Order{}, s.Instruments)
	first, _ := view.At(0)
	u := updateOf(model.Subscription{}, first)
	if n := testing.AllocsPerRun(100, func() {
		u.Positions[0].SetNumber(model.UnrealisedPnl, model.AmountOf(s.Int64()))
		merge(view, u)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestAmountsOfAMillionDigitsSortAfterNumbers: they are not in the totals either.
func TestAmountsOfAMillionDigitsSortAfterNumbers(t *testing.T) {
	market := func(name string, amount model.Amount) model.Position {
		p := model.Position{Key: model.Key{Market: model.MakeID(name)}}
		for f := range model.FieldCount {
			p.SetNumber(f, amount)
		}
		return p
	}
	million := strings.Repeat("9", 1_000_000)
	long, longNegative := market("long", model.ParseAmount(million)), market("negative", model.ParseAmount("-"+million))
	number := market("number", model.AmountOf(5))
	for _, column := range []Column{SizeColumn, EntryColumn, UnrealisedColumn, RealisedColumn} {
		view := New(book.New(0), model.Scope{}, Filter{}, Order{Column: column}, model.NewInstruments(nil, nil, nil))
		merge(view, updateOf(model.Subscription{}, long, number, longNegative))
		merge(view, updateOf(model.Subscription{}, long, longNegative)) // again, in place
		if first, _ := view.At(0); view.Len() != 3 || first.Market != number.Market {
			t.Errorf("by %s, the first of %d rows is %s", column.Key(), view.Len(), first.Market)
		}
		total := view.Totals()[0]
		if total.Sum(model.UnrealisedPnl).Amount(model.Unscaled) != model.AmountOf(5) || total.Sum(model.UnrealisedPnl).LeftOut(model.Unscaled) != 2 || total.Sum(model.RealisedPnl).LeftOut(model.Unscaled) != 2 {
			t.Errorf("the total is %s without %d", total.Sum(model.UnrealisedPnl).Amount(model.Unscaled), total.Sum(model.UnrealisedPnl).LeftOut(model.Unscaled))
		}
	}
}

// TestAFullBookAddsNoRow to its view, of an update or of an audit: what the book has left out has no line and no total.
func TestAFullBookAddsNoRow(t *testing.T) {
	for by := range groupings {
		s := modeltest.NewSample(1, 3, 2)
		v := NewGrouped(book.New(4), model.Scope{}, Filter{ShowClosed: true}, Order{Column: UnrealisedColumn}, Groups{By: by}, s.Instruments)
		for _, key := range s.Pairs(6) {
			merge(v, updateOf(model.Subscription{}, s.State(key, 3)))
		}
		page := book.AuditPage{First: true, Last: true, IsBelieved: true}
		for p := range v.Book().All {
			page.Positions = append(page.Positions, p)
		}
		page.Positions = append(page.Positions, s.State(s.Pairs(6)[5], 3))
		compare(v, &page)
		rows, counted := slices.Collect(v.Shown), 0
		for _, total := range v.Totals() {
			counted += total.Rows
		}
		lines := 4
		if by == GroupByOwn { // a row has a line in each of its groups
			lines = 0
			for _, p := range rows {
				lines += len(s.Instruments.GroupIDs(p.Key))
			}
		}
		if !v.Book().LeftOut() || v.Len() != 4 || v.Rows() != 4 || len(rows) != 4 || counted != 4 || v.Lines() != lines+v.GroupCount() {
			t.Errorf("by %v: %d rows are shown, %d are in scope, %d in the totals, in %d lines", by, v.Len(), v.Rows(), counted, v.Lines())
		}
	}
}
