package view

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// BenchmarkMillion measures what a trader would notice with a million positions: 2,000 parties in 500 markets with
// identifiers of 64 digits and amounts of 38. Times depend on the machine, so it also reports how many times as long a
// plain solution takes.
func BenchmarkMillion(b *testing.B) {
	b.Run("memory", func(b *testing.B) {
		for _, digits := range []int{18, 38} {
			b.Run(fmt.Sprintf("digits=%d", digits), func(b *testing.B) {
				benchmarkMemory(b, func(s *modeltest.Sample) *book.Book { return bookOf(s, million, digits) })
			})
		}
		b.Run("decimals", func(b *testing.B) { benchmarkMemory(b, decimalBook) })
	})
	s := modeltest.NewSample(1, 2000, 500)
	book := bookOf(s, million, 38)
	view := New(book, model.Scope{}, Filter{}, Order{Column: UnrealisedColumn}, s.Instruments)
	b.Run("view", func(b *testing.B) { benchmarkViews(b, s, book) })
	b.Run("narrow", func(b *testing.B) { benchmarkNarrowing(b, s, view) })
	b.Run("update", func(b *testing.B) { benchmarkUpdates(b, s, book) })
	b.Run("screen", func(b *testing.B) { benchmarkScreen(b, view) })
	b.Run("margins", func(b *testing.B) { benchmarkMargins(b, s, book) })
}

const million = 1_000_000

// decimalBook returns a book with a million rows, whose amounts have 18 digits and a decimal point.
func decimalBook(s *modeltest.Sample) *book.Book {
	b := book.New(0)
	for _, key := range s.Pairs(million) {
		p := s.State(key, 18)
		for f := range model.FieldCount {
			if text := p.Number(f).String(); !f.IsTime() {
				p.SetNumber(f, model.ParseAmount(text+".25"))
			}
		}
		b.Merge(updateOf(model.Subscription{}, p))
	}
	return b
}

// benchmarkMemory measures the memory of the positions of a book, their index and order, and how long the garbage
// collector takes with them. Integers of 18 digits fit in 64 bits.
func benchmarkMemory(b *testing.B, bookOf func(*modeltest.Sample) *book.Book) {
	before := heap()
	s := modeltest.NewSample(1, 2000, 500)
	view := New(bookOf(s), model.Scope{}, Filter{}, Order{Column: UnrealisedColumn}, s.Instruments)
	used := heap() - before
	for b.Loop() {
		runtime.GC()
	}
	b.ReportMetric(float64(used)/million, "B/position")
	runtime.KeepAlive(view)
}

// benchmarkMargins measures the order by trouble, with a margin record of 38 digits for each position.
func benchmarkMargins(b *testing.B, s *modeltest.Sample, all *book.Book) {
	order := Order{Column: TroubleColumn}
	view := New(all, model.Scope{}, Filter{}, Order{}, s.Instruments)
	before := heap()
	page := &model.Page{ReadAt: time.Unix(0, math.MaxInt64/2), Rows: make([]model.MarginLevels, 1)}
	for row := range all.All {
		page.Rows[0] = recordOf(s, &row)
		view.MergeMargins(page)
	}
	used := heap() - before
	records := make([]model.MarginLevels, 100_000)
	for i := range records {
		row, _ := view.At(s.IntN(view.Len()))
		records[i] = recordOf(s, &row)
	}
	b.Run("memory", func(b *testing.B) {
		for b.Loop() {
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(float64(used)/float64(all.Margins().Len()), "B/record")
	})
	b.Run("view", func(b *testing.B) {
		for b.Loop() {
			view = New(all, model.Scope{}, Filter{}, order, s.Instruments)
		}
		reportFaster(b, timed(1, func() { sortAll(all, order, s.Instruments) }), "x-faster-than-SortFunc")
	})
	b.Run("position", func(b *testing.B) {
		update := updater(s, view)
		b.ReportAllocs()
		for b.Loop() {
			update()
		}
	})
	b.Run("record", func(b *testing.B) {
		i := 0
		b.ReportAllocs()
		for b.Loop() {
			record := &records[i%len(records)]
			record.Maintenance = model.Packed{High: s.Int64() >> 1, Low: s.Uint64()}.Amount()
			page.Rows = records[i%len(records) : i%len(records)+1]
			view.MergeMargins(page)
			i++
		}
	})
}

// recordOf makes a margin record for a position.
func recordOf(s *modeltest.Sample, p *model.Position) model.MarginLevels {
	level := func() model.Amount { return model.Packed{High: s.Int64() >> 1, Low: s.Uint64()}.Amount() }
	return model.MarginLevels{
		MarginKey:   model.MarginKey{Key: p.Key, Asset: s.Instruments.Market(p.Market).Asset},
		Maintenance: level(), Search: level(), Initial: level(), Release: level(), Timestamp: model.AmountOf(1 + s.Int64N(1e18)),
	}
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// timed returns how long one call takes on average.
func timed(calls int, f func()) time.Duration {
	start := time.Now()
	for range calls {
		f()
	}
	return time.Since(start) / time.Duration(calls)
}

func perOp(b *testing.B) time.Duration { return b.Elapsed() / time.Duration(b.N) }

// reportFaster reports how many times as long the plain solution takes.
func reportFaster(b *testing.B, plain time.Duration, unit string) {
	b.ReportMetric(float64(plain)/float64(perOp(b)), unit)
}

// sortAll sorts the rows of a book without a view.
func sortAll(b *book.Book, order Order, instruments *model.Instruments) {
	var rows []*model.Position
	for row := range b.All {
		rows = append(rows, &row)
	}
	slices.SortFunc(rows, func(p, q *model.Position) int {
		c := compareRows(order.Column, instruments, b, p, q)
		if order.Descending {
			c = -c
		}
		return cmp.Or(c, instruments.CompareParties(p.Party, q.Party), instruments.CompareMarkets(p.Market, q.Market))
	})
}

// compareRows compares two rows by a column.
func compareRows(column Column, in *model.Instruments, b *book.Book, p, q *model.Position) int {
	switch column {
	case StatusColumn:
		return strings.Compare(p.StatusName(), q.StatusName())
	case AgeColumn:
		return q.Number(model.UpdatedAt).Compare(p.Number(model.UpdatedAt))
	case UnrealisedColumn:
		x, y := p.Number(model.UnrealisedPnl), q.Number(model.UnrealisedPnl)
		return in.CompareInUnits(x, in.Unit(model.UnrealisedPnl, p.Market), y, in.Unit(model.UnrealisedPnl, q.Market))
	case TroubleColumn:
		x, hasX := b.RatioOf(p, in.Market(p.Market).Asset)
		y, hasY := b.RatioOf(q, in.Market(q.Market).Asset)
		if hasX != hasY {
			return map[bool]int{true: -1, false: +1}[hasX]
		}
		return x.Compare(y)
	}
	return in.CompareMarkets(p.Market, q.Market)
}

// benchmarkViews measures a first view. A change of the order is the same work.
func benchmarkViews(b *testing.B, s *modeltest.Sample, all *book.Book) {
	for name, order := range map[string]Order{
		"market":     {Column: MarketColumn},
		"unrealised": {Column: UnrealisedColumn, Descending: true},
		"status":     {Column: StatusColumn},
		"age":        {Column: AgeColumn},
	} {
		b.Run("by="+name, func(b *testing.B) {
			for b.Loop() {
				New(all, model.Scope{}, Filter{}, order, s.Instruments)
			}
			reportFaster(b, timed(1, func() { sortAll(all, order, s.Instruments) }), "x-faster-than-SortFunc")
		})
	}
}

// benchmarkNarrowing measures a filter after each key that is typed.
func benchmarkNarrowing(b *testing.B, s *modeltest.Sample, view *View) {
	for _, typed := range []string{"e", "ed", "edge", "c1", "c12", "desk-7", "status:distressed", "side:long", ""} {
		b.Run("typed="+typed, func(b *testing.B) {
			var narrowed *View
			for b.Loop() {
				narrowed = view.Refiltered(Filter{Text: typed})
			}
			b.ReportMetric(float64(narrowed.Len()), "rows")
			if typed != "" && !strings.Contains(typed, ":") {
				reportFaster(b, timed(1, func() { matchEach(view.book, typed, s.Instruments) }), "x-faster-than-each-row")
			}
		})
	}
}

// BenchmarkComparisons measures a filter of three comparisons after each of the last keys that are typed, with a
// million positions of 12 digits, half of them with a margin record, in the order of trouble and in another one.
func BenchmarkComparisons(b *testing.B) {
	s := modeltest.NewSample(1, 2000, 500)
	book := bookOf(s, 1_000_000, 12)
	for i, key := range s.Pairs(500_000) {
		levels := model.MarginLevels{MarginKey: model.MarginKey{Key: key, Asset: s.Instruments.Market(key.Market).Asset}, Maintenance: model.AmountOf(1 + s.Int64N(1e12)), Timestamp: model.AmountOf(int64(i))}
		putRecord(book.Margins(), levels)
	}
	for name, order := range map[string]Order{"trouble": {Column: TroubleColumn}, "market": {Column: MarketColumn}} {
		view := New(book, model.Scope{}, Filter{}, order, s.Instruments)
		for _, typed := range []string{"size>0", "upnl<-1000", "m%<-20", "side:long upnl<-1000 m%<-20", "age>5m"} {
			b.Run("by="+name+"/typed="+typed, func(b *testing.B) {
				var narrowed *View
				for b.Loop() {
					narrowed = view.Refiltered(Filter{Text: typed, Now: time.Unix(1_795_240_400, 0)})
				}
				b.ReportMetric(float64(narrowed.Len()), "rows")
				b.ReportMetric(float64(perOp(b).Microseconds())/1000, "ms/key")
			})
		}
	}
}

// matchEach collects the rows that have word in them, without a view.
func matchEach(b *book.Book, word string, in *model.Instruments) (rows []model.Position) {
	has := func(text string) bool { return strings.Contains(strings.ToLower(text), word) }
	for row := range b.All {
		if row.IsOpen() && (has(in.Market(row.Market).Name) || has(row.Market.String()) ||
			has(in.Party(row.Party).Name) || has(row.Party.String())) {
			rows = append(rows, row)
		}
	}
	return rows
}

// benchmarkUpdates measures one update with a thousand and with all rows, those that move and those that do not.
func benchmarkUpdates(b *testing.B, s *modeltest.Sample, all *book.Book) {
	thousand := bookOf(s, 1000, 38)
	for name, order := range map[string]Order{"in-place": {Column: MarketColumn}, "moving": {Column: UnrealisedColumn}} {
		for _, filter := range []Filter{{}, {Text: "c1 !desk-7"}} {
			b.Run(fmt.Sprintf("%s/filter=%s", name, filter.Text), func(b *testing.B) {
				small, large := updater(s, New(thousand, model.Scope{}, filter, order, s.Instruments)), updater(s, New(all, model.Scope{}, filter, order, s.Instruments))
				b.ReportAllocs()
				for b.Loop() {
					large()
				}
				b.ReportMetric(float64(perOp(b))/float64(timed(1_000_000, small)), "x-of-1000-rows")
				reportFaster(b, timed(1, func() { sortAll(all, order, s.Instruments) }), "x-faster-than-SortFunc")
			})
		}
	}
}

// updater returns a function that merges a new profit into the next row of the view at each call.
func updater(s *modeltest.Sample, view *View) func() {
	var states []model.Position
	for row := range view.book.All {
		states = append(states, row)
	}
	s.Shuffle(len(states), func(i, j int) { states[i], states[j] = states[j], states[i] })
	i, u := 0, book.Updates{NotAfter: math.MaxInt64}
	return func() {
		p := &states[i]
		p.SetNumber(model.UnrealisedPnl, model.Packed{High: s.Int64() >> 1, Low: s.Uint64()}.Amount())
		u.Positions = states[i : i+1]
		i = (i + 1) % len(states)
		merge(view, &u)
	}
}

// benchmarkScreen measures what each frame reads: the place of the cursor's row and 50 rows from there.
func benchmarkScreen(b *testing.B, view *View) {
	middle, _ := view.At(view.Len() / 2)
	for b.Loop() {
		place, _ := view.Place(middle.Key)
		for i := range 50 {
			view.At(place + i)
		}
	}
}
