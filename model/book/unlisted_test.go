package book

import (
	"testing"
	"time"

	"blotter/model"
)

// TestOfTooManyUnlistedPositionsOnlySumsAreKept: by market. If one of them comes back, it counts from its numbers then.
func TestOfTooManyUnlistedPositionsOnlySumsAreKept(t *testing.T) {
	position := func(party string, unrealised, realised int64) *model.Position {
		p := &model.Position{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID("btc")}}
		p.SetNumber(model.UnrealisedPnl, model.AmountOf(unrealised))
		p.SetNumber(model.RealisedPnl, model.AmountOf(realised))
		return p
	}
	rows := NewRows()
	for _, party := range []string{"p", "q", "r"} {
		rows.Put(position(party, 10, 20))
	}
	b := New(0).Replaced(Snapshot{Rows: rows})
	l := b.Baselines()
	l.unlisted.limit = 1
	l.BeginDay()
	l.Extend(usable, baselineAt)
	l.NoteListing(position("p", 11, 22), nil, 0)
	l.NoteListing(position("q", 13, 24), nil, 0)
	l.NoteListing(position("r", 17, 28), nil, 0)
	sum := l.unlisted.more[model.MakeID("btc")]
	if n := l.Unlisted().Len(); n != 1 || sum == nil || sum.Unrealised.Amount(0) != model.AmountOf(3+7) || sum.Realised.Amount(0) != model.AmountOf(4+8) {
		t.Fatalf("%d positions are kept, and the sum of others is %+v", n, sum)
	}
	l.NoteListing(nil, position("p", 18, 30), 0)
	l.NoteListing(nil, position("q", 19, 31), 0)
	for party, want := range map[string]int64{"p": 10, "q": 19} {
		if row, ok := l.Day().Row(position(party, 0, 0).Key); !ok || row.Number(model.UnrealisedPnl) != model.AmountOf(want) {
			t.Errorf("%s counts from %s, want %d", party, row.Number(model.UnrealisedPnl), want)
		}
	}
}

// TestABookThatIsReplacedKeepsItsUnlistedPositions: what changes in the new one does not change those of the old one.
func TestABookThatIsReplacedKeepsItsUnlistedPositions(t *testing.T) {
	p := &model.Position{Key: model.Key{Party: model.MakeID("p"), Market: model.MakeID("btc")}}
	p.SetNumber(model.UpdatedAt, model.AmountOf(baselineAt.Add(-time.Hour).UnixNano()))
	before := New(0).Replaced(Snapshot{Rows: NewRows()})
	before.Baselines().BeginDay()
	before.Baselines().Extend(usable, baselineAt)
	after := before.Replaced(Snapshot{Rows: NewRows()})
	after.Baselines().NoteListing(nil, p, 0)
	after.Baselines().NoteListing(p, nil, 0)
	row, _ := before.Baselines().First().Row(p.Key)
	if joined, _ := after.Baselines().First().Row(p.Key); joined.IsNew || !row.IsNew {
		t.Errorf("it is new in the old book: %t, and in the new one: %t", row.IsNew, joined.IsNew)
	}
	if old, new := before.Baselines().Unlisted().Len(), after.Baselines().Unlisted().Len(); old != 0 || new != 1 {
		t.Errorf("%d are unlisted in the old book, and %d in the new one", old, new)
	}
}

// TestTheDayOfPositionsThatWereNotWatchedAtTheEnd: on the same day they go on from their last numbers. On the next one,
// these are too old to begin with.
func TestTheDayOfPositionsThatWereNotWatchedAtTheEnd(t *testing.T) {
	position := func(party string, profit int64) *model.Position {
		p := &model.Position{Key: model.Key{Party: model.MakeID(party), Market: model.MakeID("btc")}}
		p.SetNumber(model.UnrealisedPnl, model.AmountOf(profit))
		return p
	}
	day, end := baselineAt, baselineAt.Add(9*time.Hour)
	bookOf := func(kept *DayNumbers, isSameDay bool, all ...*model.Position) *Baselines {
		b := New(0)
		if kept != nil {
			b.Baselines().Resume(kept, isSameDay)
		}
		for _, p := range all {
			rows := NewRows()
			rows.Put(p)
			b = b.Replaced(Snapshot{Subscription: model.Subscription{Key: model.Key{Party: p.Party}}, Rows: rows})
			b.Baselines().NoteListing(nil, p, 0)
		}
		if kept == nil {
			b.Baselines().BeginDay()
		}
		b.Baselines().Extend(usable, end)
		return b.Baselines()
	}
	first := bookOf(nil, true, position("p", 1), position("q", 2)).Numbers(day, end)
	second := bookOf(first, true, position("q", 3)).Numbers(day, end)
	if unlisted := bookOf(second, true, position("q", 3)).Unlisted(); unlisted.Len() != 1 {
		t.Errorf("on the same day %d positions are known beside those that are listed", unlisted.Len())
	}
	next := bookOf(second, false, position("q", 4))
	if _, has := next.Day().Row(position("p", 0).Key); has || next.Unlisted().Len() != 0 {
		t.Error("the next day begins with numbers of an earlier time")
	}
	if row, has := next.Day().Row(position("q", 0).Key); !has || row.Number(model.UnrealisedPnl) != model.AmountOf(3) {
		t.Errorf("the next day begins with %s, not with the last number", row.Number(model.UnrealisedPnl))
	}
}
