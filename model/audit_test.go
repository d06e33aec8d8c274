package model

import (
	"slices"
	"testing"
	"time"
)

func TestAuditNamesWhatTheBookHadWrong(t *testing.T) {
	watched := Subscription{Epoch: 1}
	held := func(market, volume string) *Position {
		p := &Position{Key: Key{MakeID("a"), MakeID(market)}}
		p.SetNumber(OpenVolume, ParseAmount(volume))
		return p
	}
	known, seen := NewRows(), NewRows()
	for _, p := range []*Position{held("same", "1"), held("other", "2"), held("gone", "3"), held("long", "0001")} {
		known.Put(p)
	}
	for _, p := range []*Position{held("same", "1"), held("other", "5"), held("new", "4"), held("long", "0001")} {
		seen.Put(p)
	}
	book := NewBook().Replaced(watched, known)
	var markets []string
	for _, key := range book.Audit(watched, seen) {
		markets = append(markets, key.Market.String())
	}
	slices.Sort(markets)
	if want := []string{"gone", "new", "other"}; !slices.Equal(markets, want) {
		t.Errorf("corrected are %v, want %v", markets, want)
	}
	if corrected := book.Audit(Subscription{Epoch: 2}, seen); corrected != nil {
		t.Errorf("of what was never told, %v counts as wrong", corrected)
	}
}

func TestDoubtedIsWhoseRowIsOlderThanItsMarginRecord(t *testing.T) {
	watched := Subscription{Epoch: 1}
	p := &Position{Key: Key{MakeID("a"), MakeID("b")}}
	p.SetNumber(UpdatedAt, AmountOf(int64(time.Hour)))
	rows := NewRows()
	rows.Put(p)
	book := NewBook().Replaced(watched, rows)
	for _, c := range []struct {
		market, timestamp string
		later             time.Duration // the record was read after that
		doubted           bool
	}{
		{"b", "3600000000000", time.Hour, false}, {"b", "3609999999999", time.Hour, false}, {"b", "3610000000000", time.Hour, true},
		{"b", "3610000000000", 10 * time.Second, true}, {"b", "3610000000000", 9 * time.Second, false},
		{"b", "soon", time.Hour, false}, {"b", "0", time.Hour, false}, {"other", "3610000000000", time.Hour, false},
	} {
		record := &MarginLevels{MarginKey: MarginKey{Key: Key{MakeID("a"), MakeID(c.market)}}, Timestamp: ParseAmount(c.timestamp)}
		at, _ := record.Timestamp.Int64()
		if got := slices.Contains(book.Doubted(record, time.Unix(0, at).Add(c.later)), watched); got != c.doubted {
			t.Errorf("a record of %s at %s casts doubt %s later: %t, want %t", c.market, c.timestamp, c.later, got, c.doubted)
		}
	}
}

func TestAuditKeepsWhatIsNewer(t *testing.T) {
	watched := Subscription{Epoch: 1}
	held := func(market, volume, updated string) *Position {
		p := &Position{Key: Key{MakeID("a"), MakeID(market)}}
		p.SetNumber(OpenVolume, ParseAmount(volume))
		p.SetNumber(UpdatedAt, ParseAmount(updated))
		return p
	}
	known, seen := NewRows(), NewRows()
	for _, p := range []*Position{held("newer", "1", "20"), held("older", "1", "10"), held("tied", "1", "10"), held("word", "1", "soon")} {
		known.Put(p)
	}
	for _, p := range []*Position{held("newer", "2", "10"), held("older", "2", "20"), held("tied", "2", "10"), held("word", "2", "10")} {
		seen.Put(p)
	}
	corrected := NewBook().Replaced(watched, known).Audit(watched, seen)
	if len(corrected) != 3 {
		t.Errorf("%d rows were corrected, want all but the newer one", len(corrected))
	}
	for market, want := range map[string]string{"newer": "1", "older": "2", "tied": "2", "word": "2"} {
		if got := seen.Get(Key{MakeID("a"), MakeID(market)}).Number(OpenVolume).String(); got != want {
			t.Errorf("the %s row is %s, want %s", market, got, want)
		}
	}
}
