package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sortable are the columns that rows can be sorted by.
var sortable = []Column{MarketColumn, PartyColumn, SizeColumn, SizeChangeColumn, EntryColumn, UnrealisedColumn,
	UnrealisedChangeColumn, MarginRatioColumn, RealisedColumn, RealisedChangeColumn, StatusColumn, AgeColumn, TroubleColumn}

// plainNames compares two names in their natural order: it writes all numbers with as many digits, and compares texts.
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

// plainGroup names what raw numbers must have in common to be compared; in the order of the names.
func plainGroup(in *Instruments, f Field, p *Position) string {
	market := in.Market(p.Market)
	if f != OpenVolume && f != AverageEntryPrice && f != UpdatedAt && market.Asset.String() != "" {
		return "1 " + withLongNumbers(in.Asset(market.Asset).Label()) + " " + market.Asset.String()
	}
	return "2 " + withLongNumbers(market.Label()) + " " + p.Market.String()
}

// plainCompare compares two positions without the code under test.
func plainCompare(o Order, in *Instruments, margins plainMargins, p, q *Position) int {
	number := func(f Field) int {
		pDecimals, qDecimals := in.Decimals(f, p.Market), in.Decimals(f, q.Market)
		bothIntegers := p.Number(f).IsInteger() && q.Number(f).IsInteger()
		if bothIntegers && (pDecimals == Unscaled) != (qDecimals == Unscaled) {
			return cmp.Compare(qDecimals, pDecimals) // raw numbers are last
		}
		if bothIntegers && pDecimals == Unscaled {
			if c := strings.Compare(plainGroup(in, f, p), plainGroup(in, f, q)); c != 0 {
				return c
			}
		}
		return compareTexts(p.Number(f).String(), max(0, pDecimals), q.Number(f).String(), max(0, qDecimals))
	}
	c := 0
	switch o.Column {
	case MarketColumn:
		c = cmp.Or(plainNames(in.Market(p.Market).Label(), in.Market(q.Market).Label()), strings.Compare(p.Market.String(), q.Market.String()))
	case PartyColumn:
		c = cmp.Or(plainNames(in.Party(p.Party).Label(), in.Party(q.Party).Label()), strings.Compare(p.Party.String(), q.Party.String()))
	case SizeColumn:
		c = number(OpenVolume)
	case EntryColumn:
		c = number(AverageEntryPrice)
	case UnrealisedColumn:
		c = number(UnrealisedPnl)
	case RealisedColumn:
		c = number(RealisedPnl)
	case StatusColumn:
		c = strings.Compare(p.StatusName(), q.StatusName())
	case AgeColumn:
		c = -number(UpdatedAt)
	case MarginRatioColumn:
		c = compareRatios(margins.ratio(in, p), margins.ratio(in, q))
	case SizeChangeColumn, UnrealisedChangeColumn, RealisedChangeColumn: // equal without a baseline: see TestOrderByChange
	case TroubleColumn:
		c = cmp.Or(cmp.Compare(plainTier(p), plainTier(q)), compareRatios(margins.ratio(in, p), margins.ratio(in, q)))
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
	asset := MakeID("asset")
	in := NewInstruments(nil, []Market{
		{MakeID("two"), "2", asset, 0, 2},
		{MakeID("five"), "5", asset, 0, 5},
	}, nil)
	row := func(market, size string) *Position {
		p := &Position{Key: Key{Market: MakeID(market)}}
		p.SetNumber(OpenVolume, ParseAmount(size))
		return p
	}
	ascending := []*Position{
		row("two", "-200"),     // -2
		row("five", "-125000"), // -1.25
		row("two", "125"),      // 1.25
		row("five", "130000"),  // 1.3
		row("two", "200"),      // 2
		row("raw", "0"),        // its decimals are not known
		row("raw", "3"),
		row("raw2", "1"),
		row("two", "1e3"),
	}
	c := &encoder{instruments: in}
	compare := Order{Column: SizeColumn}.comparer(c)
	for i, p := range ascending {
		for j, q := range ascending {
			if got := compare(c.entryOf(p), c.entryOf(q)); got != cmp.Compare(i, j) {
				t.Errorf("%s and %s compare as %d", p.Number(OpenVolume), q.Number(OpenVolume), got)
			}
		}
	}
}

func TestComparersAgreeWithPlainOnes(t *testing.T) {
	w := newWorld(10, 4, 4)
	bare := NewInstruments(nil, nil, nil)
	plain, margins := make(plainMargins), NewBook(0).Margins()
	for range 20 {
		levels := w.record()
		plain[levels.MarginKey] = levels
		putRecord(margins, levels)
	}
	for range 20_000 {
		p, q := w.position(Subscription{}), w.position(Subscription{})
		o := Order{sortable[w.IntN(len(sortable))], w.IntN(2) == 0}
		for _, in := range []*Instruments{w.instruments, bare} {
			c := &encoder{instruments: in, margins: margins}
			if got, want := o.comparer(c)(c.entryOf(&p), c.entryOf(&q)), plainCompare(o, in, plain, &p, &q); got != want {
				t.Fatalf("%+v: %+v and %+v compare as %d, want %d", o, p, q, got, want)
			}
		}
	}
}

// TestOrderByEndlessStatuses: rows move also where there are more statuses than codes.
func TestOrderByEndlessStatuses(t *testing.T) {
	const statuses = noStatusCode + 50
	position := func(market, status int) Position {
		p := Position{Key: Key{Market: MakeID(fmt.Sprint(market))}}
		p.SetStatus(fmt.Appendf(nil, "X%04d", status))
		return p
	}
	view := NewView(NewBook(0), Scope{}, Filter{ShowClosed: true}, Order{Column: StatusColumn}, NewInstruments(nil, nil, nil))
	for i := range statuses {
		view.Merge(updatesOf(Subscription{}, position(i, i)))
	}
	for i := noStatusCode; i < statuses; i++ {
		view.Merge(updatesOf(Subscription{}, position(i, noStatusCode+statuses-1-i)))
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
		w := newWorld(seed, 20, 10)
		book := NewBook(0)
		for range 300 {
			p := w.position(Subscription{})
			book.Merge(updatesOf(Subscription{}, p))
		}
		for range 100 {
			levels := w.record()
			putRecord(book.Margins(), levels)
		}
		for _, column := range sortable {
			for _, descending := range []bool{false, true} {
				order := Order{column, descending}
				d := &encoder{instruments: w.instruments, margins: book.Margins()}
				entries := d.entries(book, &Scope{})
				order.sort(entries, d)
				for i := range entries {
					entries[i].rank = 0
				}
				if !slices.IsSortedFunc(entries, order.comparer(d)) {
					t.Fatalf("%+v is not the order of the rows", order)
				}
				if len(entries) != book.Len() {
					t.Fatalf("%d entries of %d rows", len(entries), book.Len())
				}
			}
		}
	}
}
