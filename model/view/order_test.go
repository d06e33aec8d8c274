package view

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
	"blotter/model/view/sorting"
)

// sortable are the columns that rows can be sorted by.
var sortable = slices.DeleteFunc(append(Columns(), TroubleColumn), func(c Column) bool { return !c.IsSortable() })

// plainNames compares two names in their natural order: it writes all numbers with the same number of digits, and
// compares texts.
func plainNames(a, b string) int { return strings.Compare(withLongNumbers(a), withLongNumbers(b)) }

func withLongNumbers(name string) string {
	const digits = 70 // more than any number in the names of these tests has
	var b strings.Builder
	number := ""
	for _, c := range []byte(strings.ToLower(name) + "\x00") {
		if '0' <= c && c <= '9' {
			number += string(c)
			continue
		}
		if number != "" {
			number = strings.TrimLeft(number, "0")
			b.WriteString(strings.Repeat("0", digits-len(number)) + number)
			number = ""
		}
		b.WriteByte(c)
	}
	return b.String()
}

// plainGroup returns the name of the group of a number, or "" if it compares by value, as a size with a point does.
// Other numbers are compared only inside a group, and the groups are in the order of these names.
func plainGroup(in *model.Instruments, f model.Field, p *model.Position) string {
	market := in.Market(p.Market)
	switch {
	case f.IsAmount() && market.Asset.String() != "":
		return "1 " + withLongNumbers(in.Asset(market.Asset).Label()) + " " + market.Asset.String()
	case in.Decimals(f, p.Market) == model.Unscaled && (f.IsAmount() || !modeltest.IsDecimal(p.Number(f).String())):
		return "2 " + withLongNumbers(market.Label()) + " " + p.Market.String()
	}
	return ""
}

// plainAsset returns a text that orders assets: unknown ones last.
func plainAsset(in *model.Instruments, p *model.Position) string {
	if asset := in.Market(p.Market).Asset; asset.String() != "" {
		return plainGroup(in, model.UnrealisedPnl, p)
	}
	return "2"
}

// plainAssets is how many open rows each asset had when the view was made.
type plainAssets map[model.ID]int

func openOfAssets(in *model.Instruments, rows iter.Seq[model.Position]) plainAssets {
	open := make(plainAssets)
	for p := range rows {
		if plainSide(p.Number(model.OpenVolume)) != 0 {
			open[in.Market(p.Market).Asset]++
		}
	}
	return open
}

// compare orders two assets: the one with the most open rows first, then by name. It is the opposite for a descending
// order, all of which is reversed.
func (a plainAssets) compare(in *model.Instruments, x, y model.ID, isReversed bool) int {
	c := cmp.Or(cmp.Compare(a[y], a[x]), plainNames(in.Asset(x).Label(), in.Asset(y).Label()), strings.Compare(x.String(), y.String()))
	if isReversed {
		return -c
	}
	return c
}

// plainCompare compares two positions without the code under test.
func plainCompare(o Order, in *model.Instruments, assets plainAssets, margins plainMargins, p, q *model.Position) int {
	number := func(f model.Field) int {
		if modeltest.ValueOf(p.Number(f).String(), 0) != nil && modeltest.ValueOf(q.Number(f).String(), 0) != nil {
			x, y := in.Market(p.Market).Asset, in.Market(q.Market).Asset
			if f.IsAmount() && x.String() != "" && y.String() != "" && x != y {
				return assets.compare(in, x, y, o.Descending)
			}
			if c := strings.Compare(plainGroup(in, f, p), plainGroup(in, f, q)); c != 0 {
				return c
			}
		}
		return modeltest.CompareTexts(p.Number(f).String(), in.Decimals(f, p.Market), q.Number(f).String(), in.Decimals(f, q.Market))
	}
	c := 0
	switch o.Column {
	case MarketColumn:
		c = cmp.Or(plainNames(in.Market(p.Market).Label(), in.Market(q.Market).Label()), strings.Compare(p.Market.String(), q.Market.String()))
	case PartyColumn:
		c = cmp.Or(plainNames(in.Party(p.Party).Label(), in.Party(q.Party).Label()), strings.Compare(p.Party.String(), q.Party.String()))
	case AssetColumn:
		c = strings.Compare(plainAsset(in, p), plainAsset(in, q))
	case SizeColumn:
		c = number(model.OpenVolume)
	case EntryColumn:
		c = number(model.AverageEntryPrice)
	case UnrealisedColumn:
		c = number(model.UnrealisedPnl)
	case RealisedColumn:
		c = number(model.RealisedPnl)
	case StatusColumn:
		c = strings.Compare(p.StatusName(), q.StatusName())
	case AgeColumn:
		c = -modeltest.CompareTexts(plainTime(p), 0, plainTime(q), 0)
	case MarginRatioColumn:
		c = margins.compareUrgencies(in, p, q)
	case ToHalfColumn:
		c = compareRatios(margins.distance(in, p, model.HalfLost), margins.distance(in, q, model.HalfLost))
	case ToAllColumn:
		c = compareRatios(margins.distance(in, p, model.AllLost), margins.distance(in, q, model.AllLost))
	case MaintenanceColumn:
		x, y := margins.maintenance(in, p), margins.maintenance(in, q)
		switch ofX, ofY := in.Market(p.Market).Asset, in.Market(q.Market).Asset; {
		case x != "" && y != "" && ofX != ofY:
			c = assets.compare(in, ofX, ofY, o.Descending)
		default:
			c = modeltest.CompareTexts(x, in.Decimals(model.UnrealisedPnl, p.Market), y, in.Decimals(model.UnrealisedPnl, q.Market))
		}
	case PartOfEntryColumn:
		c = compareRatios(margins.figure(in, p, model.PartOfEntry), margins.figure(in, q, model.PartOfEntry))
	case LeverageColumn:
		c = compareRatios(margins.figure(in, p, model.Leverage), margins.figure(in, q, model.Leverage))
	case DayColumn: // equal without a baseline of the day: see TestOrderByDay
	case SizeChangeColumn, UnrealisedChangeColumn, RealisedChangeColumn: // equal without a baseline: see TestOrderByChange
	case TroubleColumn:
		if c = cmp.Compare(plainTier(p), plainTier(q)); c != 0 && max(plainTier(p), plainTier(q)) == 3 {
			return c // closed ones are last in both directions
		}
		c = cmp.Or(c, margins.compareUrgencies(in, p, q))
	default:
		field := model.Field(o.Column - numberColumns)
		if field >= model.FieldCount {
			panic("this switch needs a case for the column " + o.Column.Key())
		}
		c = number(field)
	}
	if o.Descending {
		c = -c
	}
	if c != 0 {
		return c
	}
	return cmp.Or(
		plainNames(in.Party(p.Party).Label(), in.Party(q.Party).Label()), strings.Compare(p.Party.String(), q.Party.String()),
		plainNames(in.Market(p.Market).Label(), in.Market(q.Market).Label()), strings.Compare(p.Market.String(), q.Market.String()))
}

func TestOrderComparesNumbersByValue(t *testing.T) {
	asset := model.MakeID("asset")
	in := model.NewInstruments(nil, []model.Market{
		{ID: model.MakeID("two"), Name: "2", Asset: asset, PriceDecimals: 0, SizeDecimals: 2},
		{ID: model.MakeID("five"), Name: "5", Asset: asset, PriceDecimals: 0, SizeDecimals: 5},
	}, nil)
	row := func(market, size string) *model.Position {
		p := &model.Position{Key: model.Key{Market: model.MakeID(market)}}
		p.SetNumber(model.OpenVolume, model.ParseAmount(size))
		return p
	}
	ascending := []*model.Position{
		row("two", "-200"),     // -2
		row("five", "-125000"), // -1.25
		row("two", "125"),      // 1.25
		row("five", "130000"),  // 1.3
		row("two", "200"),      // 2
		row("raw", "0"),        // its decimals are not known
		row("raw", "3"),
		row("raw2", "1"),
		row("two", "12x"),
	}
	c := sorting.NewEncoder(book.New(0), in, nil)
	compare := Order{Column: SizeColumn}.sorter().Comparer(c)
	var entries []sorting.Entry
	for i, p := range ascending {
		entries = append(entries, entryOf(c, i, p))
	}
	for i, p := range ascending {
		for j, q := range ascending {
			if got := compare(entries[i], entries[j]); got != cmp.Compare(i, j) {
				t.Errorf("%s and %s compare as %d", p.Number(model.OpenVolume), q.Number(model.OpenVolume), got)
			}
		}
	}
}

func TestComparersAgreeWithPlainOnes(t *testing.T) {
	w := modeltest.NewWorld(10, 4, 4)
	bare := model.NewInstruments(nil, nil, nil)
	plain, all := newPlainMargins(), book.New(0)
	for range 20 {
		levels := w.Record()
		plain.records[levels.MarginKey] = levels
		putRecord(all.Margins(), levels)
	}
	for range modeltest.Times(20_000) {
		p, q := w.Position(model.Subscription{}), w.Position(model.Subscription{})
		o := Order{sortable[w.IntN(len(sortable))], w.IntN(2) == 0}
		for _, in := range []*model.Instruments{w.Instruments, bare} {
			c, by := sorting.NewEncoder(all, in, nil), o.sorter()
			by.Sort(nil, c)
			if got, want := by.Comparer(c)(entryOf(c, 0, &p), entryOf(c, 1, &q)), plainCompare(o, in, nil, plain, &p, &q); got != want {
				t.Fatalf("%+v: %+v and %+v compare as %d, want %d", o, p, q, got, want)
			}
		}
	}
}

// TestOrderByManyStatuses: rows move also if there are more statuses than codes.
func TestOrderByManyStatuses(t *testing.T) {
	const statuses = sorting.NoStatusCode + 50
	position := func(market, status int) model.Position {
		p := model.Position{Key: model.Key{Market: model.MakeID(fmt.Sprint(market))}}
		p.SetStatus(fmt.Appendf(nil, "X%04d", status))
		return p
	}
	view := New(book.New(0), model.Scope{}, Filter{ShowClosed: true}, Order{Column: StatusColumn}, model.NewInstruments(nil, nil, nil))
	for i := range statuses {
		merge(view, updateOf(model.Subscription{}, position(i, i)))
	}
	for i := sorting.NoStatusCode; i < statuses; i++ {
		merge(view, updateOf(model.Subscription{}, position(i, sorting.NoStatusCode+statuses-1-i)))
	}
	var names []string
	for p := range view.Shown {
		names = append(names, p.StatusName())
	}
	if len(names) != statuses || !slices.IsSorted(names) {
		t.Errorf("the order of %d rows is %q", len(names), names)
	}
}

// TestSortAgreesWithComparers sorts rows of few values by their ranks.
func TestSortAgreesWithComparers(t *testing.T) {
	for seed := range uint64(10) {
		w := modeltest.NewWorld(seed, 20, 10)
		b := book.New(0)
		for range 300 {
			p := w.Position(model.Subscription{})
			b.Merge(updateOf(model.Subscription{}, p))
		}
		for range 100 {
			levels := w.Record()
			putRecord(b.Margins(), levels)
		}
		for _, column := range sortable {
			for _, descending := range []bool{false, true} {
				order := Order{column, descending}
				d, by := sorting.NewEncoder(b, w.Instruments, nil), order.sorter()
				entries := d.Entries(&model.Scope{})
				by.Sort(entries, d)
				for i := range entries {
					entries[i].Rank = 0
				}
				if !slices.IsSortedFunc(entries, by.Comparer(d)) {
					t.Fatalf("%+v is not the order of the rows", order)
				}
				if len(entries) != b.Len() {
					t.Fatalf("%d entries of %d rows", len(entries), b.Len())
				}
			}
		}
	}
}

// plainTime returns the time of a position in nanoseconds, or the text that it has in place of a time.
func plainTime(p *model.Position) string {
	text := p.Number(model.UpdatedAt).String()
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return strconv.FormatInt(at.UnixNano(), 10)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return text
	}
	for unit := int64(1e9); unit > 0; unit /= 1000 { // of a year from 1990 to 2099
		if 631_152_000*unit <= n && n < 4_102_444_800*unit {
			return strconv.FormatInt(n*(1e9/unit), 10)
		}
	}
	return text
}

// TestTimesAreOrderedAsTimes: whether a service writes nanoseconds, milliseconds or RFC 3339, with and without
// fractions and offsets.
func TestTimesAreOrderedAsTimes(t *testing.T) {
	times := []string{ // the latest first
		"2026-01-02T09:00:03.5Z", "2026-01-02T10:00:03+01:00", "1767344402000", "2026-01-02T08:00:01.25-01:00", "1767344401000000000",
		"1767344400", "2026-01-02T08:59:59Z",
	}
	rows := book.NewRows()
	for i, at := range times {
		p := model.Position{Key: model.Key{Party: model.MakeID("a1"), Market: model.MakeID(fmt.Sprint("b", i))}}
		p.SetNumber(model.OpenVolume, model.AmountOf(1))
		p.SetNumber(model.UpdatedAt, model.ParseAmount(at))
		rows.Put(&p)
	}
	b := book.New(0).Replaced(book.Snapshot{Rows: rows})
	v := New(b, model.Scope{}, Filter{}, Order{Column: AgeColumn}, model.NewInstruments(nil, nil, nil))
	var got []string
	for p := range v.Shown {
		got = append(got, p.Number(model.UpdatedAt).String())
	}
	if !slices.Equal(got, times) {
		t.Errorf("%q, want %q", got, times)
	}
}
