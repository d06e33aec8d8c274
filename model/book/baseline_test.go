package book

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/modeltest"
)

var baselineAt = time.Date(2026, 3, 4, 13, 0, 0, 0, time.UTC)

// TestCompactAmounts writes amounts at the edges of each length, and reads them back.
func TestCompactAmounts(t *testing.T) {
	texts := []string{"0", "007", "-0", strings.Repeat("9", model.MaxDigits), "-" + strings.Repeat("9", model.MaxDigits)}
	for bit := range 127 {
		n := new(big.Int).Lsh(big.NewInt(1), uint(bit))
		for _, off := range []int64{-1, 0, +1} {
			m := new(big.Int).Add(n, big.NewInt(off))
			texts = append(texts, m.String(), m.Neg(m).String())
		}
	}
	var written []byte
	for _, text := range texts {
		written = appendCompact(written, model.ParseAmount(text))
	}
	for _, text := range texts {
		var a model.Amount
		if a, written = readCompact(written); a != model.ParseAmount(text) {
			t.Errorf("%s is read as %s", text, a)
		}
	}
	for _, text := range []string{"", "1e3", "1.5", strings.Repeat("9", model.MaxDigits+1)} {
		if a, rest := readCompact(appendCompact(nil, model.ParseAmount(text))); a.IsInteger() || len(rest) > 0 {
			t.Errorf("%q is read as %s", text, a)
		}
	}
	for n, length := range map[int64]int{0: 1, 1: 2, -1: 2, 127: 2, 128: 3, -128: 2, -129: 3} {
		if written := appendCompact(nil, model.AmountOf(n)); len(written) != length {
			t.Errorf("%d takes %d bytes, want %d", n, len(written), length)
		}
	}
}

// plainChange computes a change without the code under test.
func plainChange(before, after model.Amount) (*big.Rat, bool) {
	x, y := modeltest.ValueOf(after.String(), 0), modeltest.ValueOf(before.String(), 0)
	isMixed := modeltest.IsDecimal(after.String()) != modeltest.IsDecimal(before.String())
	if x == nil || y == nil || isMixed && x.Sign() != 0 && y.Sign() != 0 {
		return nil, false
	}
	return x.Sub(x, y), true
}

// checkChanges compares the changes of all rows of a book since what they were before.
func checkChanges(t *testing.T, book *Book, baseline *Baseline, before map[model.Key]model.Position, at time.Time) {
	t.Helper()
	for p := range book.All {
		row, ok := baseline.Row(p.Key)
		was, existed := before[p.Key]
		if !ok || row.IsNew == existed || !row.At.Equal(at) {
			t.Fatalf("%v: the baseline has %+v, %v; it existed: %v", p.Key, row, ok, existed)
		}
		for _, field := range baselineFields {
			want, has := plainChange(was.Number(field), p.Number(field))
			if got, ok := row.Change(&p, field, model.Unscaled); ok != has || ok && modeltest.ValueOf(got.String(), 0).Cmp(want) != 0 {
				t.Fatalf("%v: field %d changed by %s, %v; want %s, %v", p.Key, field, got, ok, want, has)
			}
		}
		if _, ok := row.Change(&p, model.AverageEntryPrice, model.Unscaled); ok {
			t.Fatal("the entry price has a change")
		}
	}
}

// TestChangesAreExact changes, adds and removes rows of numbers of all lengths after a baseline was taken.
func TestChangesAreExact(t *testing.T) {
	for _, digits := range []int{1, 5, 18, 19, 37, 38, 39, 60} {
		s := modeltest.NewSample(uint64(digits), 20, 20)
		book := filledBook(s, 300, digits)
		book.Merge(updateOf(model.Subscription{}, oddPosition(s.Parties[0], s.Markets[0], "1e3"), oddPosition(s.Parties[1], s.Markets[1], "007")))
		book.tables.byKey[model.Key{}].partial = false // as after a snapshot
		before := make(map[model.Key]model.Position)
		for p := range book.All {
			before[p.Key] = p
		}
		book.Baselines().Extend(usable, baselineAt.Add(-time.Hour))
		book.Baselines().Take(baselineAt)
		for range 300 {
			key := model.Key{Party: s.Parties[s.IntN(20)], Market: s.Markets[s.IntN(20)]}
			book.Merge(updateOf(model.Subscription{}, s.State(key, 1+s.IntN(2*digits))))
		}
		gone := slices.MinFunc(slices.Collect(maps.Keys(before)), model.Key.Compare)
		book.tables.byKey[model.Key{}].rows.delete(book.tables.byKey[model.Key{}].rows.number(gone))
		checkChanges(t, book, book.Baselines().Current(), before, baselineAt)
		book.Merge(updateOf(model.Subscription{}, s.State(gone, digits)))
		checkChanges(t, book, book.Baselines().Current(), before, baselineAt)
		book.Baselines().Drop()
		checkChanges(t, book, book.Baselines().Current(), before, baselineAt.Add(-time.Hour))
	}
}

func oddPosition(party, market model.ID, number string) model.Position {
	p := model.Position{Key: model.Key{Party: party, Market: market}}
	for _, field := range baselineFields {
		p.SetNumber(field, model.ParseAmount(number))
	}
	return p
}

// TestEachSubscriptionHasItsBaseline: a later subscription counts from its own first rows, even if another scope has
// covered a part of it before.
func TestEachSubscriptionHasItsBaseline(t *testing.T) {
	a, b := model.MakeID("a"), model.MakeID("b")
	rowsOf := func(party model.ID, size string) *Rows {
		rows, p := NewRows(), oddPosition(party, model.MakeID("m"), size)
		rows.Put(&p)
		return rows
	}
	later, last := baselineAt.Add(time.Hour), baselineAt.Add(2*time.Hour)
	ofA, ofB := model.Subscription{Key: model.Key{Party: a}}, model.Subscription{Key: model.Key{Party: b}}
	book := New(0).Replaced(Snapshot{Subscription: ofA, Rows: rowsOf(a, "1")})
	book.Baselines().Extend(usable, baselineAt)
	book = book.Replaced(Snapshot{Subscription: ofB, Rows: rowsOf(b, "10")})
	if _, ok := book.Baselines().Current().Row(model.Key{Party: b, Market: model.MakeID("m")}); ok {
		t.Error("the baseline covers rows that came after it")
	}
	book.Baselines().Extend(usable, later)
	book = book.Replaced(Snapshot{Subscription: ofA, Rows: rowsOf(a, "3")}).Replaced(Snapshot{Subscription: ofB, Rows: rowsOf(b, "15")}) // streams that were opened again
	book.Baselines().Extend(usable, last)
	book = book.Narrowed([]model.Subscription{ofA, ofB})
	check := func(when string, want string) {
		t.Helper()
		var got []string
		for p := range book.All {
			row, _ := book.Baselines().Current().Row(p.Key)
			change, _ := row.Change(&p, model.OpenVolume, model.Unscaled)
			got = append(got, fmt.Sprintf("%s %s since %s", p.Party, change, row.At.Format("15:04")))
		}
		slices.Sort(got)
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %s, want %s", when, strings.Join(got, ", "), want)
		}
	}
	check("each its own", "a 2 since 13:00, b 5 since 14:00")
	book = book.Narrowed(nil).Replaced(Snapshot{Subscription: model.Subscription{Epoch: 2}, Rows: rowsOf(a, "8")})
	book.Baselines().Extend(usable, last)
	check("everything in one stream", "a 7 since 13:00")
	if at, ok := book.Baselines().Current().At(); !ok || !at.Equal(baselineAt) {
		t.Errorf("the baseline is of %s, %v", at, ok)
	}
	if book.Baselines().HasTaken() || book.Baselines().Current() != book.Baselines().First() {
		t.Error("no baseline was taken")
	}
	book.Baselines().Take(last)
	book.Merge(updateOf(model.Subscription{Epoch: 2}, oddPosition(a, model.MakeID("m"), "6")))
	check("taken again", "a -2 since 15:00")
	if !book.Baselines().HasTaken() || book.Baselines().Current() == book.Baselines().First() {
		t.Error("the baseline was not taken")
	}
	book = book.Narrowed(nil).Replaced(Snapshot{Subscription: ofA, Rows: rowsOf(a, "3")})
	book.Baselines().Take(baselineAt)
	book = book.Replaced(Snapshot{Subscription: ofB, Rows: rowsOf(b, "15")})
	book.Baselines().Extend(usable, later)
	check("after one was taken", "a 0 since 13:00, b 0 since 14:00")
}

// TestAPartialBaselineIsCompletedLater: a position that a snapshot lacked may have existed, so it is not new.
func TestAPartialBaselineIsCompletedLater(t *testing.T) {
	a, s := model.MakeID("a"), model.Subscription{}
	row := func(market, size string) model.Position { return oddPosition(a, model.MakeID(market), size) }
	rows, p := NewRows(), row("m", "1")
	rows.Put(&p)
	book := New(0).Replaced(Snapshot{Subscription: s, Rows: rows})
	book.Merge(&Updates{Subscription: s, BeginsPartial: true})
	book.Baselines().Extend(usable, baselineAt)
	book.Baselines().Extend(usable, baselineAt)
	if n := len(book.baselines.first.parts); n != 1 {
		t.Errorf("there are %d parts, want 1", n)
	}
	book.Merge(updateOf(s, row("m", "5"), row("late", "10")))
	if _, ok := book.Baselines().Current().Row(row("late", "").Key); ok {
		t.Error("the baseline covers a position that may have existed")
	}
	book.Compare(&AuditPage{Subscription: s, Positions: []model.Position{row("m", "5"), row("late", "10")}, First: true, Last: true})
	for range 2 {
		book.Baselines().Extend(usable, baselineAt.Add(time.Hour))
	}
	if n := len(book.baselines.first.parts); n != 2 {
		t.Errorf("there are %d parts, want 2", n)
	}
	book.Merge(updateOf(s, row("late", "12"), row("opened", "1")))
	for market, want := range map[string]string{"m": "4 13:00 false", "late": "2 14:00 false", "opened": "1 14:00 true"} {
		p, _ := book.Find(row(market, "").Key)
		before, ok := book.Baselines().Current().Row(p.Key)
		change, _ := before.Change(&p, model.OpenVolume, model.Unscaled)
		if got := fmt.Sprint(change, before.At.Format(" 15:04 "), before.IsNew); !ok || got != want {
			t.Errorf("%s: %s, %v; want %s", market, got, ok, want)
		}
	}
}

// TestABaselineThatWasTakenOfAPartialTableLacksTheRest, also if the first one has the table of the time before.
func TestABaselineThatWasTakenOfAPartialTableLacksTheRest(t *testing.T) {
	s := model.Subscription{}
	book := New(0).Replaced(Snapshot{Subscription: s, Rows: NewRows()})
	book.Baselines().Extend(usable, baselineAt)
	book.Merge(&Updates{Subscription: s, BeginsPartial: true})
	book.Baselines().Take(baselineAt)
	if book.Baselines().LacksAny(usable) {
		t.Error("a baseline is lacked while rows may be missing")
	}
	book.Compare(&AuditPage{Subscription: s, First: true, Last: true})
	if !book.Baselines().LacksAny(usable) {
		t.Error("no baseline is lacked when no row is missing any more")
	}
	book.Baselines().Extend(usable, baselineAt.Add(time.Hour))
	if book.Baselines().LacksAny(usable) {
		t.Error("a baseline is lacked that was taken")
	}
}

func TestNoBaseline(t *testing.T) {
	var none *Baseline
	if _, ok := none.Row(model.Key{}); ok {
		t.Error("no baseline has a row")
	}
	if _, ok := none.At(); ok {
		t.Error("no baseline has a time")
	}
	if (&Book{}).Baselines().HasTaken() || (&Book{}).Baselines().Current() != nil {
		t.Error("a new book has a baseline")
	}
}

// usable is for tables whose rows are not out of date.
func usable(model.Subscription) bool { return true }

// TestABaselineHasNoRowsThatAreOutOfDate: it is taken when they no longer are.
func TestABaselineHasNoRowsThatAreOutOfDate(t *testing.T) {
	book, key := New(0), modeltest.Position("b 5").Key
	book.Merge(&Updates{Positions: modeltest.Positions("b 5 @10"), NotAfter: modeltest.NotAfter})
	outOfDate := func(model.Subscription) bool { return false }
	book.Baselines().Extend(outOfDate, baselineAt)
	if _, ok := book.Baselines().Current().Row(key); ok || !book.Baselines().LacksAny(usable) || book.Baselines().LacksAny(outOfDate) {
		t.Error("there is a baseline of a row that is out of date")
	}
	book.Baselines().Extend(usable, baselineAt.Add(time.Hour))
	if row, ok := book.Baselines().Current().Row(key); !ok || !row.At.Equal(baselineAt.Add(time.Hour)) || book.Baselines().LacksAny(usable) {
		t.Errorf("the baseline is %+v, %v", row, ok)
	}
}

// TestBaselineOfItsParts: a baseline that is made of the parts of another one has the same numbers of all positions.
func TestBaselineOfItsParts(t *testing.T) {
	b := New(0)
	numbers := []string{"0", "-1", "9223372036854775808", strings.Repeat("9", model.MaxDigits), "1.5", ""}
	for part, of := range []model.Subscription{{Key: model.Key{Party: model.MakeID("p1")}}, {Key: model.Key{Party: model.MakeID("p2")}}} {
		rows := NewRows()
		for i, number := range numbers {
			p := model.Position{Key: model.Key{Party: of.Party, Market: model.MakeID(fmt.Sprint("m", i))}}
			p.SetNumber(model.OpenVolume, model.ParseAmount(number))
			p.SetNumber(model.UnrealisedPnl, model.ParseAmount(numbers[(i+part)%len(numbers)]))
			rows.Put(&p)
		}
		b.tables.put(NewTable(of, uint32(part+1), rows))
	}
	b.tables.byKey[model.Key{Party: model.MakeID("p2")}].partial = true
	b.Baselines().Take(baselineAt)
	taken := b.Baselines().Taken()
	kept := NewBaseline(taken.Parts())
	if at, _ := kept.At(); !at.Equal(baselineAt) || kept.Len() != 2*len(numbers) {
		t.Errorf("it is of %s, with %d positions", at, kept.Len())
	}
	for _, key := range []model.Key{{Party: model.MakeID("p1"), Market: model.MakeID("new")}, {Party: model.MakeID("p2"), Market: model.MakeID("new")}, {Party: model.MakeID("p3")}} {
		was, had := taken.Row(key)
		if is, has := kept.Row(key); is != was || has != had {
			t.Errorf("%v is %v, %v, and was %v, %v", key, is, has, was, had)
		}
	}
	for of := range b.tables.all {
		for row := range of.rows.All {
			was, had := taken.Row(row.Key)
			if is, has := kept.Row(row.Key); is != was || !has || !had {
				t.Errorf("%v is %v, %v, and was %v, %v", row.Key, is, has, was, had)
			}
		}
	}
}
