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
)

// plainRowGroup is a group and its rows, found by plain loops.
type plainRowGroup struct {
	id                            model.ID
	label                         string
	rows                          []model.Position // shown, in order
	closed, distressed, closedOut int
	totals                        map[model.ID]*plainSubtotal
	main                          *plainSubtotal // nil if no asset is known
}

// plainTotal is a subtotal.
type plainSubtotal struct {
	asset                 model.ID
	rows, open, withRatio int
	sums                  [model.SummedCount]plainSum
	profit, maintenance   plainSum
	isEstimate            bool      // a ratio of a row is
	oldest                time.Time // of the margin records; zero if none has a time
}

func summed() []model.Field {
	all := model.Summed()
	return all[:]
}

// plainSum is what model.Sum is, with fractions. The zero value is 0.
type plainSum struct {
	integers, decimals                  big.Rat
	integerCount, decimalCount, leftOut int
}

func (s *plainSum) add(a model.Amount) {
	switch text := a.String(); {
	case !modeltest.IsAddable(text):
		s.leftOut++
	case modeltest.IsDecimal(text):
		s.decimals.Add(&s.decimals, modeltest.ValueOf(text, 0))
		s.decimalCount++
	default:
		s.integers.Add(&s.integers, modeltest.ValueOf(text, 0))
		if !a.IsZero() {
			s.integerCount++
		}
	}
}

// value returns the sum in an asset with these decimals, and how many amounts are left out. Without decimals it is in
// units of the asset.
func (s *plainSum) value(decimals int) (*big.Rat, int) {
	switch {
	case s.decimalCount == 0, s.isRaw(decimals):
		return &s.integers, s.leftOut
	case decimals == model.Unscaled && s.integers.Sign() != 0:
		return &s.decimals, s.leftOut + s.integerCount
	case decimals == model.Unscaled:
		return &s.decimals, s.leftOut
	}
	unit := modeltest.Value(big.NewInt(1), decimals)
	return unit.Add(unit.Mul(unit, &s.integers), &s.decimals), s.leftOut
}

// isRaw reports whether only integers are in the sum, and zeros with a point, whose decimals are not known.
func (s *plainSum) isRaw(decimals int) bool {
	return decimals == model.Unscaled && s.decimals.Sign() == 0 && s.integers.Sign() != 0
}

// is reports whether an amount is the sum in an asset with these decimals.
func (s *plainSum) is(got model.Amount, decimals int) bool {
	value, _ := s.value(decimals)
	return value.Cmp(modeltest.ValueOf(got.String(), 0)) == 0 && got.IsDecimal() == (s.decimalCount > 0 && !s.isRaw(decimals))
}

func (d *scenario) matches(p *model.Position) bool {
	return plainMatch(d.filter, d.Instruments, d.levels, p)
}

// groupsOf returns the groups of a position: one, or if they are own groups all that it is in.
func (d *scenario) groupsOf(key model.Key) []model.ID {
	if d.groups.By != GroupByOwn {
		id, _ := d.groupOf(key)
		return []model.ID{id}
	}
	var ids []model.ID
	for _, name := range plainGroupsOf(d.Instruments, key) {
		ids = append(ids, model.MakeID(name))
	}
	if len(ids) == 0 {
		ids = append(ids, model.ID{})
	}
	return ids
}

// labelOf returns the name of a group, from one of its positions.
func (d *scenario) labelOf(id model.ID, key model.Key) string {
	if d.groups.By == GroupByOwn {
		return cmp.Or(id.String(), "\U0010ffff") // no group is last
	}
	_, label := d.groupOf(key)
	return label
}

// groupOf returns the group of a position, and its name: the first of several.
func (d *scenario) groupOf(key model.Key) (id model.ID, label string) {
	switch d.groups.By {
	case GroupByOwn:
		id := d.groupsOf(key)[0]
		return id, d.labelOf(id, key)
	case GroupByParty:
		return key.Party, d.Instruments.Party(key.Party).Label()
	case GroupByMarket:
		return key.Market, d.Instruments.Market(key.Market).Label()
	}
	asset := d.Instruments.Market(key.Market).Asset
	return asset, d.Instruments.Asset(asset).Label()
}

// fold folds or unfolds a group, or all of them.
func (d *scenario) fold() {
	switch d.IntN(6) {
	case 0:
		d.groups.Folding = FoldAll()
	case 1:
		d.groups.Folding = Folding{}
	default:
		id, _ := d.groupOf(model.Key{Party: d.Parties[d.IntN(len(d.Parties))], Market: d.Markets[d.IntN(len(d.Markets))]})
		d.groups.Folding = d.groups.Folding.Toggled(id)
	}
	d.view = d.view.Folded(d.groups.Folding)
}

// plainGroups groups rows that are in order, and all positions in scope that the filter matches.
func (d *scenario) plainGroups(shown []model.Position, all map[model.Key]model.Position) []*plainRowGroup {
	groups := make(map[model.ID]*plainRowGroup)
	for _, p := range shown {
		for _, id := range d.groupsOf(p.Key) {
			if groups[id] == nil {
				groups[id] = &plainRowGroup{id: id, label: d.labelOf(id, p.Key), totals: make(map[model.ID]*plainSubtotal)}
			}
			groups[id].rows = append(groups[id].rows, p)
		}
	}
	for _, p := range all {
		for _, id := range d.groupsOf(p.Key) {
			if g := groups[id]; g != nil && d.matches(&p) {
				d.addPlainly(g, &p)
			}
		}
	}
	for _, g := range groups {
		for asset, total := range g.totals {
			if m := g.main; !asset.IsZero() && (m == nil || total.rows > m.rows || total.rows == m.rows && asset.String() < m.asset.String()) {
				g.main = total
			}
		}
	}
	return slices.SortedFunc(maps.Values(groups), d.compareGroups)
}

func (d *scenario) addPlainly(g *plainRowGroup, p *model.Position) {
	switch isHidden := !p.IsOpen() && !d.filter.ShowClosed; {
	case isHidden:
		g.closed++
	case p.StatusName() == "POSITION_STATUS_DISTRESSED":
		g.distressed++
	case p.StatusName() == "POSITION_STATUS_CLOSED_OUT":
		g.closedOut++
	}
	asset := d.Instruments.Market(p.Market).Asset
	total := g.totals[asset]
	if total == nil {
		total = &plainSubtotal{asset: asset}
		g.totals[asset] = total
	}
	total.rows++
	if p.IsOpen() {
		total.open++
	}
	for i, f := range model.Summed() {
		total.sums[i].add(p.Number(f))
	}
	levels, _ := d.levels.find(d.Instruments, p.Key)
	pair, isEstimate := d.levels.pair(d.Instruments, p)
	ratio, _ := d.view.Margins().Ratio(p) // checkMargins compares it
	isAddable := modeltest.IsAddable(ratio.Profit.String()) && modeltest.IsAddable(ratio.Maintenance.String())
	if pair.ratio(d.Instruments.Asset(asset).Decimals) != nil && (isEstimate || !d.ratioHasEnded(p)) && isAddable && !asset.IsZero() {
		total.withRatio++
		total.isEstimate = total.isEstimate || isEstimate
		total.profit.add(ratio.Profit)
		total.maintenance.add(ratio.Maintenance)
		if at, ok := levels.Timestamp.Time(); ok && (total.oldest.IsZero() || at.Before(total.oldest)) {
			total.oldest = at
		}
	}
}

func (g *plainRowGroup) ratio(in *model.Instruments) *big.Rat {
	if g.main == nil {
		return nil
	}
	return g.main.ratio(in.Asset(g.main.asset).Decimals)
}

// ratio returns the ratio of the sums in an asset with these decimals; nil if there is none.
func (s *plainSubtotal) ratio(decimals int) *big.Rat {
	profit, leftOut := s.profit.value(decimals)
	maintenance, alsoLeftOut := s.maintenance.value(decimals)
	if s.withRatio == 0 || s.withRatio < s.open || leftOut+alsoLeftOut > 0 {
		return nil
	}
	isMixed := (s.profit.decimalCount > 0) != (s.maintenance.decimalCount > 0)
	if isMixed {
		panic("the view makes no such ratios: see MarginRatio.In")
	}
	return new(big.Rat).Quo(profit, maintenance)
}

// compareGroups orders groups by subtotals or by first rows, then by name.
func (d *scenario) compareGroups(a, b *plainRowGroup) int {
	order := 0
	field, isSummed := d.order.sorter().Summed()
	switch {
	case isSummed:
		sum := slices.Index(summed(), field)
		order = d.compareSubtotals(a, b, func(t *plainSubtotal) *big.Rat {
			decimals := d.Instruments.Asset(t.asset).Decimals
			value, _ := t.sums[sum].value(decimals)
			if t.sums[sum].decimalCount == 0 {
				value = new(big.Rat).Mul(value, modeltest.Value(big.NewInt(1), decimals))
			}
			return value
		})
	case d.order.Column == MarginRatioColumn:
		order = d.urgencyOf(a).compare(d.urgencyOf(b))
	default:
		order = plainCompare(d.order, d.Instruments, d.open, d.levels, &a.rows[0], &b.rows[0])
		return cmp.Or(order, d.compareNames(a, b))
	}
	if d.order.Descending {
		order = -order
	}
	return cmp.Or(order, d.compareNames(a, b))
}

// compareNames orders groups by name. The one of an asset that is not known is last.
func (d *scenario) compareNames(a, b *plainRowGroup) int {
	if isLast := b.id.IsZero(); d.groups.By == GroupByAsset && a.id.IsZero() != isLast {
		if isLast {
			return -1
		}
		return +1
	}
	return cmp.Or(plainNames(a.label, b.label), strings.Compare(a.id.String(), b.id.String()))
}

func (d *scenario) urgencyOf(g *plainRowGroup) plainUrgency {
	if g.main == nil || g.main.open == 0 {
		return plainUrgency{}
	}
	decimals := d.Instruments.Asset(g.main.asset).Decimals
	sum := &g.main.sums[slices.Index(summed(), model.UnrealisedPnl)]
	profit, _ := sum.value(decimals)
	return urgencyOf(g.ratio(d.Instruments), profit, sum.decimalCount > 0 && !sum.isRaw(decimals), decimals)
}

func (d *scenario) compareSubtotals(a, b *plainRowGroup, of func(*plainSubtotal) *big.Rat) int {
	switch { // groups without a subtotal are last
	case a.main == nil && b.main == nil:
		return 0
	case a.main == nil:
		return +1
	case b.main == nil:
		return -1
	}
	return cmp.Or(d.open.compare(d.Instruments, a.main.asset, b.main.asset, d.order.Descending), of(a.main).Cmp(of(b.main)))
}

// checkLines compares the lines of the view with the rows shown, which are in order, and all positions in scope.
func (d *scenario) checkLines(t *testing.T, shown []model.Position, all map[model.Key]model.Position) {
	t.Helper()
	rows, lines, groups := shown, []LineKey(nil), []*plainRowGroup(nil)
	if d.groups.By == Ungrouped {
		for _, p := range shown {
			lines = append(lines, LineKey{Position: p.Key})
		}
	} else {
		groups, rows = d.plainGroups(shown, all), nil
		for _, g := range groups {
			lines = append(lines, LineKey{IsHeading: true, Group: g.id})
			rows = append(rows, g.rows...)
			for _, p := range g.rows {
				if !d.groups.Folding.IsFolded(g.id) {
					key := LineKey{Position: p.Key}
					if d.groups.By == GroupByOwn {
						key.Group = g.id
					}
					lines = append(lines, key)
				}
			}
		}
	}
	v := d.view
	if v.Groups != d.groups || v.Lines() != len(lines) {
		t.Fatalf("%+v %+v: %d lines of %+v, want %d of %+v", d.filter, d.order, v.Lines(), v.Groups, len(lines), d.groups)
	}
	for i, want := range lines {
		if got, ok := v.LineKey(i); got != want || !ok {
			t.Fatalf("%+v %+v: line %d is %+v, want %+v", d.order, d.groups, i, got, want)
		}
		if got, ok := v.Line(want); got != i || !ok {
			t.Fatalf("%+v %+v: %+v is at line %d, %v; want %d", d.order, d.groups, want, got, ok, i)
		}
		got, isRow := v.At(i)
		if p := all[want.Position]; isRow == want.IsHeading || isRow && !got.Equal(&p) {
			t.Fatalf("line %d is %+v, want %+v", i, got, p)
		}
	}
	if d.groups.By == GroupByOwn {
		rows = shown // each once
	}
	if got := slices.Collect(v.Shown); !slices.EqualFunc(got, rows, func(p, q model.Position) bool { return p.Equal(&q) }) {
		t.Fatalf("%+v %+v: the rows are %v, want %v", d.order, d.groups, got, rows)
	}
	for key, p := range all {
		d.checkPlace(t, &p, shown, groups)
		if id, ok := v.GroupOf(key); ok != (groups != nil || d.groups.By != Ungrouped) || ok && id != firstOf(d.groupOf(key)) {
			t.Fatalf("%v is in group %v, %v", key, id, ok)
		}
	}
	d.checkGroups(t, groups)
}

func firstOf[A, B any](a A, _ B) A { return a }

// checkPlace checks the line of a position, or where it would be.
func (d *scenario) checkPlace(t *testing.T, p *model.Position, shown []model.Position, groups []*plainRowGroup) {
	t.Helper()
	compare := func(p, q model.Position) int { return plainCompare(d.order, d.Instruments, d.open, d.levels, &p, &q) }
	want, isShown := slices.BinarySearchFunc(shown, *p, compare)
	if d.groups.By == GroupByOwn {
		d.checkPlaceInOwnGroups(t, p, isShown, groups)
		return
	}
	if d.groups.By != Ungrouped {
		id, _ := d.groupOf(p.Key)
		at := slices.IndexFunc(groups, func(g *plainRowGroup) bool { return g.id == id })
		if at < 0 {
			if got, ok := d.view.Place(p.Key); ok || got < 0 || got > d.view.Lines() {
				t.Fatalf("%v of a group that is not shown is at %d, %v", p.Key, got, ok)
			}
			return
		}
		want = 0
		for _, g := range groups[:at] {
			want++
			if !d.groups.Folding.IsFolded(g.id) {
				want += len(g.rows)
			}
		}
		if isShown = isShown && !d.groups.Folding.IsFolded(id); !d.groups.Folding.IsFolded(id) {
			place, _ := slices.BinarySearchFunc(groups[at].rows, *p, compare)
			want += 1 + place
		}
	}
	if got, ok := d.view.Place(p.Key); got != want || ok != isShown {
		t.Fatalf("%+v %+v %+v: %v is at %d, shown %v; want %d, %v", d.filter, d.order, d.groups, p.Key, got, ok, want, isShown)
	}
}

// checkPlaceInOwnGroups checks that a position that is shown has its first line, in a group that is not folded.
func (d *scenario) checkPlaceInOwnGroups(t *testing.T, p *model.Position, isShown bool, groups []*plainRowGroup) {
	t.Helper()
	got, ok := d.view.Place(p.Key)
	line := 0
	for _, g := range groups {
		line++
		if d.groups.Folding.IsFolded(g.id) {
			continue
		}
		for _, row := range g.rows {
			if row.Key == p.Key {
				if got != line || !ok {
					t.Fatalf("%v is at %d, %v; want %d", p.Key, got, ok, line)
				}
				return
			}
			line++
		}
	}
	if ok || isShown && got < 0 || got > d.view.Lines() {
		t.Fatalf("%v, which has no line, is at %d, %v", p.Key, got, ok)
	}
}

func (d *scenario) checkGroups(t *testing.T, groups []*plainRowGroup) {
	t.Helper()
	got := slices.Collect(d.view.GroupsShown)
	if len(got) != len(groups) || d.view.GroupCount() != len(groups) {
		t.Fatalf("there are %d groups, counted as %d, want %d", len(got), d.view.GroupCount(), len(groups))
	}
	matched := make(map[model.ID][]model.Position)
	for p := range d.view.InScope {
		for _, id := range d.groupsOf(p.Key) {
			if d.matches(&p) {
				matched[id] = append(matched[id], p)
			}
		}
	}
	for i, want := range groups {
		g := got[i]
		if g.ID != want.id || g.Rows != len(want.rows) || g.ClosedHidden != want.closed || g.Distressed != want.distressed ||
			g.ClosedOut != want.closedOut || g.IsFolded != d.groups.Folding.IsFolded(want.id) || len(g.Totals) != len(want.totals) {
			t.Fatalf("%+v: the group is %+v, want %+v", d.filter, g, want)
		}
		if total, ok := g.Total(); ok != (want.main != nil) || ok && total.Asset != want.main.asset {
			t.Fatalf("the total of %+v is %+v, want that of %+v", g, total, want.main)
		}
		for _, total := range g.Totals {
			checkGroupTotal(t, &total, want.totals[total.Asset], d.Instruments.Asset(total.Asset).Decimals)
			d.checkChanges(t, &total.Total, matched[g.ID])
			d.checkNotional(t, &total, matched[g.ID])
		}
		d.checkSizes(t, g, matched[g.ID])
		if rows := slices.Collect(d.view.RowsOf(g.ID)); !slices.EqualFunc(rows, want.rows, func(p, q model.Position) bool { return p.Equal(&q) }) {
			t.Fatalf("the rows of a group are %v, want %v", rows, want.rows)
		}
		if again, ok := d.view.Group(g.ID); !ok || again.Rows != g.Rows {
			t.Fatalf("the group is %+v, %v", again, ok)
		}
	}
}

// checkNotional compares the net notional of a total with a plain sum of fractions, rounded once.
func (d *scenario) checkNotional(t *testing.T, total *GroupTotal, matched []model.Position) {
	t.Helper()
	if total.Asset.IsZero() {
		return
	}
	sum, open, isKnown := new(big.Rat), 0, true
	for _, p := range matched {
		if !p.IsOpen() || d.Instruments.Market(p.Market).Asset != total.Asset {
			continue
		}
		open++
		isKnown = isKnown && (d.Instruments.Asset(total.Asset).Decimals != model.Unscaled || p.HasDecimalNotional())
		number := func(f model.Field) *big.Rat {
			n, places, ok := p.Number(f).Value(d.Instruments.Decimals(f, p.Market))
			if isKnown = isKnown && ok && p.Number(f).IsAddable(); !ok {
				return new(big.Rat)
			}
			return modeltest.Value(n, places)
		}
		value := number(model.OpenVolume)
		value.Mul(value, number(model.AverageEntryPrice)).Add(value, number(model.UnrealisedPnl))
		sum.Add(sum, value)
	}
	decimals := d.Instruments.Asset(total.Asset).Decimals
	got, ok := total.NetNotional(decimals)
	if ok != (isKnown && open > 0) {
		t.Fatalf("%+v: the net notional of %d rows is known: %t", d.groups, open, ok)
	}
	if !ok {
		return
	}
	n, places, _ := got.Value(decimals)
	diff := new(big.Rat).Sub(modeltest.Value(n, places), sum)
	if diff.Abs(diff).Mul(diff, big.NewRat(2, 1)).Cmp(modeltest.Value(big.NewInt(1), places)) > 0 {
		t.Fatalf("%+v: the net notional is %s, want %s", d.groups, got, sum.FloatString(max(decimals, 0)+3))
	}
}

// checkSizes compares the sizes of a group with plain sums: only groups of a market have them.
func (d *scenario) checkSizes(t *testing.T, g *Group, matched []model.Position) {
	t.Helper()
	var net, gross plainSum
	open, canBeAdded := 0, true
	for _, p := range matched {
		if size := p.Number(model.OpenVolume); p.IsOpen() && d.groups.By == GroupByMarket {
			open++
			canBeAdded = canBeAdded && size.IsAddable()
			net.add(size)
			gross.add(magnitude(size))
		}
	}
	decimals := d.Instruments.Decimals(model.OpenVolume, g.ID)
	gotNet, gotGross, ok := g.Sizes(decimals)
	isMixed := decimals == model.Unscaled && gross.integerCount > 0 && gross.decimalCount > 0
	if want := open > 0 && canBeAdded && !isMixed; ok != want {
		t.Fatalf("%+v: the group of %v has sizes: %t, want %t", d.groups, g.ID, ok, want)
	}
	if ok && (!net.is(gotNet, decimals) || !gross.is(gotGross, decimals)) {
		t.Fatalf("the sizes are %s and %s of %v", gotNet, gotGross, matched)
	}
}

// magnitude returns an amount without its sign.
func magnitude(a model.Amount) model.Amount {
	return model.ParseAmount(strings.TrimPrefix(a.String(), "-"))
}

func checkGroupTotal(t *testing.T, got *GroupTotal, want *plainSubtotal, decimals int) {
	t.Helper()
	if want == nil || got.Rows != want.rows || got.Open != want.open || !sameSums(&got.Sums, &want.sums, decimals) ||
		!want.maintenance.is(got.Maintenance(decimals), decimals) || got.WithoutRatio() != want.open-want.withRatio {
		t.Fatalf("the subtotal is %+v, want %+v", got, want)
	}
	ratio, ok := got.MarginRatio(decimals)
	if plain := want.ratio(decimals); ok != (plain != nil) || ok && (ratOfRatio(ratio).Cmp(plain) != 0 || ratio.IsEstimate != want.isEstimate) {
		t.Fatalf("the ratio is %v, %v; want %s", ratio, ok, plain)
	}
	minute := want.oldest.Truncate(time.Minute)
	if want.oldest.IsZero() {
		minute = time.Unix(1<<32, 0)
	}
	earlier := minute.Add(-1)
	later := minute.Add(time.Minute - 1)
	if last := time.Unix(0, math.MaxInt64); later.After(last) && !want.oldest.IsZero() {
		later = last
	}
	isNanoseconds := time.Unix(0, earlier.UnixNano()).Equal(earlier) // not before the first time in 64 bits
	if isNanoseconds && got.HasRecordUpTo(earlier) || got.HasRecordUpTo(later) != !want.oldest.IsZero() {
		t.Fatalf("the oldest record is of %+v, want %v", got.margin.times, want.oldest)
	}
}

// TestGroupsAgreeWithPlainLoops changes positions and margin records in each order and grouping.
func TestGroupsAgreeWithPlainLoops(t *testing.T) {
	seed := uint64(0)
	for by := GroupByParty; by < groupings; by++ {
		for _, column := range sortable {
			seed++
			d := newScenario(seed, 12, 8)
			d.groups.By = by
			d.order = Order{column, seed%2 == 0}
			d.rebuild(d.view.Book())
			for range modeltest.Times(15) {
				for range 5 {
					s := d.Subscription()
					d.merge(s, d.Position(s))
					d.mergeMargins(2)
					d.changeProfits(s)
					d.changeProfits(s)
				}
				switch d.IntN(6) {
				case 0:
					d.fold()
				case 2:
					d.takeBaseline(true)
				case 1:
					d.filter = Filter{Text: filters[d.IntN(len(filters))], ShowClosed: d.IntN(2) == 0, Now: anyNow(d.Sample)}
					d.view = d.view.Refiltered(d.filter)
				}
				d.check(t)
			}
		}
	}
}

// TestGroupsOfRawNumbers: the decimals of some assets are not known.
func TestGroupsOfRawNumbers(t *testing.T) {
	for seed := range uint64(modeltest.Times(15)) {
		d := newScenario(seed, 10, 12)
		assets := []model.Asset{{ID: model.MakeID("b"), Symbol: "B", Decimals: model.Unscaled}, {ID: model.MakeID("a"), Symbol: "", Decimals: model.Unscaled}, {ID: model.MakeID("c"), Symbol: "C", Decimals: 6}}
		var markets []model.Market
		for i, id := range d.Markets {
			markets = append(markets, model.Market{ID: id, Asset: assets[i%3].ID})
		}
		d.Instruments = model.NewInstruments(nil, markets, assets)
		d.groups.By = GroupByMarket
		if seed%2 == 0 {
			d.groups.By = GroupByAsset
		}
		d.order = Order{[]Column{UnrealisedColumn, RealisedColumn, MarginRatioColumn}[seed%3], seed%4 < 2}
		d.rebuild(book.New(0))
		for range 8 {
			s := d.Subscription()
			d.mergeAll(s, 5)
			d.mergeMargins(2)
			for range 5 {
				d.changeProfits(s)
				d.check(t)
			}
		}
	}
}

// TestARatioThatOnlySomeProfitsHave: a decimal as the maintenance margin makes the profit a decimal too. For that, an
// integer other than 0 needs the decimals of the asset, and one that is too long cannot be added.
func TestARatioThatOnlySomeProfitsHave(t *testing.T) {
	usdt, btc := model.MakeID("usdt"), model.MakeID("btc")
	row := model.Position{Key: model.Key{Party: model.MakeID("a"), Market: btc}}
	row.SetNumber(model.OpenVolume, model.AmountOf(1))
	for decimals, withoutRatio := range map[int]string{model.Unscaled: "7", 6: strings.Repeat("7", model.PackedDigits)} {
		in := model.NewInstruments(nil, []model.Market{{ID: btc, Asset: usdt}}, []model.Asset{{ID: usdt, Decimals: decimals}})
		b := book.New(0)
		b.Merge(updateOf(model.Subscription{}, row))
		putRecord(b.Margins(), model.MarginLevels{MarginKey: model.MarginKey{Key: row.Key, Asset: usdt}, Maintenance: model.ParseAmount("10.25")})
		v := NewGrouped(b, model.Scope{}, Filter{}, Order{}, Groups{By: GroupByParty}, in)
		for _, profit := range []string{"0", withoutRatio, "0"} {
			row.SetNumber(model.UnrealisedPnl, model.ParseAmount(profit))
			merge(v, updateOf(model.Subscription{}, row))
			group, _ := v.Group(row.Party)
			if n := group.Totals[0].WithoutRatio(); (n == 0) != (profit == "0") {
				t.Errorf("with a profit of %s, %d rows have no ratio", profit, n)
			}
		}
	}
}

// TestManyGroups has enough groups for several buckets of headings, and adds and removes some.
func TestManyGroups(t *testing.T) {
	for _, column := range []Column{UnrealisedColumn, TroubleColumn} {
		d := newScenario(3, 800, 3)
		d.groups.By, d.order = GroupByParty, Order{Column: column}
		d.rebuild(d.view.Book())
		for range modeltest.Times(3000) {
			s := d.Subscription()
			d.merge(s, d.Position(s))
		}
		d.check(t)
		d.groups.Folding = FoldAll().Toggled(d.Parties[7])
		d.view = d.view.Folded(d.groups.Folding)
		d.check(t)
		d.filter = Filter{Text: "status:distressed"}
		d.view = d.view.Refiltered(d.filter)
		for range modeltest.Times(1000) {
			s := d.Subscription()
			d.merge(s, d.Position(s))
		}
		d.check(t)
	}
}

func TestMergeIntoAGroupAllocatesNothing(t *testing.T) {
	s := modeltest.NewSample(4, 20, 20)
	for _, order := range []Order{{}, {Column: UnrealisedColumn}} {
		view := NewGrouped(bookOf(s, 400, 12), model.Scope{}, Filter{Text: "c1"}, order, Groups{By: GroupByParty}, s.Instruments)
		row, _ := view.At(1)
		u := updateOf(model.Subscription{}, row)
		if n := testing.AllocsPerRun(100, func() {
			u.Positions[0].SetNumber(model.UnrealisedPnl, model.AmountOf(s.Int64N(1e12)))
			merge(view, u)
		}); n != 0 {
			t.Errorf("%+v: %v allocations", order, n)
		}
	}
}

// TestGroupsWhoseFirstRowIsHidden, or shown again, by an update that changes its profit alone: groups are in the order
// of their first rows that are shown.
func TestGroupsWhoseFirstRowIsHidden(t *testing.T) {
	for seed := range uint64(modeltest.Times(10)) {
		d := newScenario(seed, 5, 4)
		d.order = Order{[]Column{MarketColumn, PartyColumn, StatusColumn}[seed%3], seed%2 == 0}
		d.groups.By, d.filter = Grouping(1+seed%3), Filter{Text: "upnl<0", ShowClosed: true}
		d.rebuild(d.view.Book())
		s := d.Subscriptions[0]
		for range 20 {
			d.merge(s, d.position(s))
		}
		for range 40 {
			rows := slices.SortedFunc(maps.Values(d.plain[s]), func(p, q model.Position) int { return p.Key.Compare(q.Key) })
			p := rows[d.IntN(len(rows))]
			p.SetNumber(model.UnrealisedPnl, model.AmountOf(d.Int64N(3)-1))
			d.merge(s, p)
			d.check(t)
		}
	}
}

// TestGroupsWithNearlyTheSameSubtotal are in order also if they have the same rank.
func TestGroupsWithNearlyTheSameSubtotal(t *testing.T) {
	usdt, eur := model.MakeID("usdt"), model.MakeID("eur")
	markets := []model.Market{{ID: model.MakeID("btc"), Asset: usdt}, {ID: model.MakeID("eth"), Asset: eur}}
	in := model.NewInstruments(nil, markets, []model.Asset{{ID: usdt, Decimals: model.Unscaled}, {ID: eur, Decimals: model.Unscaled}})
	for _, column := range []Column{UnrealisedColumn, RealisedColumn, MarginRatioColumn} {
		b := book.New(0)
		for _, i := range []int64{4, 1, 3, 0, 2} {
			for _, market := range markets {
				p := model.Position{Key: model.Key{Party: model.MakeID(fmt.Sprint(9-i, market.Asset)), Market: market.ID}} // not in order by name
				for _, field := range []model.Field{model.OpenVolume, model.UnrealisedPnl, model.RealisedPnl} {
					p.SetNumber(field, model.AmountOf(5e17+i))
				}
				b.Merge(updateOf(model.Subscription{}, p))
				putRecord(b.Margins(), model.MarginLevels{MarginKey: model.MarginKey{Key: p.Key, Asset: market.Asset}, Maintenance: model.AmountOf(1e18)})
			}
		}
		for _, descending := range []bool{false, true} {
			v := NewGrouped(b, model.Scope{}, Filter{}, Order{column, descending}, Groups{By: GroupByParty}, in)
			last := make(map[model.ID]model.Amount)
			for g := range v.GroupsShown {
				total, _ := g.Total()
				before, after := last[total.Asset], total.Sum(model.UnrealisedPnl).Amount(model.Unscaled)
				if _, ok := last[total.Asset]; ok && (before.Compare(after) > 0) != descending {
					t.Errorf("by %s, descending %t: %s comes before %s", column.Key(), descending, before, after)
				}
				last[total.Asset] = after
			}
		}
	}
}

// TestTheLineOfARowThatHasNone: that of the heading if its group is folded, else where the row would be, also if its
// whole group is hidden.
func TestTheLineOfARowThatHasNone(t *testing.T) {
	for _, column := range []Column{PartyColumn, StatusColumn} {
		b := book.New(0)
		row := func(party string, profit int64) model.Position {
			p := model.Position{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID("m")}}
			p.SetNumber(model.OpenVolume, model.AmountOf(1))
			p.SetNumber(model.UnrealisedPnl, model.AmountOf(profit))
			b.Merge(updateOf(model.Subscription{}, p))
			return p
		}
		first, hidden, last := row("a", 1), row("b", 2), row("c", 3)
		in := model.NewInstruments(nil, []model.Market{{ID: first.Market, Asset: model.MakeID("usdt")}}, nil)
		v := NewGrouped(b, model.Scope{}, Filter{Text: "!party:=b"}, Order{Column: column}, Groups{By: GroupByParty}, in)
		want := func(p model.Position, line int, isThere, isFolded bool) {
			t.Helper()
			got, ok := v.Line(LineKey{Position: p.Key})
			if got != line || ok != isThere || v.IsFolded(p.Key) != isFolded {
				t.Errorf("by %s, the row of %s has line %d, %v, folded %v", column.Key(), p.Party, got, ok, v.IsFolded(p.Key))
			}
		}
		want(first, 1, true, false)
		want(hidden, 2, false, false)
		want(last, 3, true, false)
		v = v.Folded(Folding{}.Toggled(first.Party))
		want(first, 0, true, true)
		want(hidden, 1, false, false)
		want(last, 2, true, false)
	}
}
