package follow

import (
	"fmt"
	"hash/maphash"
	"testing"

	"blotter/model"
)

// rowAt returns a row with a time; none if that is 0.
func rowAt(market string, at int64) model.Position {
	p := model.Position{Key: model.Key{Party: model.MakeID("network"), Market: model.MakeID(market)}}
	if at != 0 {
		p.SetNumber(model.UpdatedAt, model.AmountOf(at))
	}
	return p
}

// openAt returns an open row with a size and a time.
func openAt(market string, size, at int64) model.Position {
	p := rowAt(market, at)
	p.SetNumber(model.OpenVolume, model.AmountOf(size))
	return p
}

// TestTimesThatHaveMoved: a time counts if it is later than the one before of the same row.
func TestTimesThatHaveMoved(t *testing.T) {
	sent := newSentTimes(maphash.MakeSeed())
	for i, c := range []struct {
		market        string
		at            int64
		newest, moved int64
	}{
		{"a", 10, 10, 0}, {"a", 10, 10, 0}, {"a", 12, 12, 12}, {"a", 11, 11, 0}, {"b", 20, 20, 0},
		{"b", 0, 0, 0}, {"b", 25, 25, 0}, {"b", 26, 26, 26}, {"a", 900, 0, 0}, {"a", 13, 13, 0},
	} {
		newest, moved := sent.add([]model.Position{rowAt(c.market, c.at)}, 100)
		if newest != c.newest || moved != c.moved {
			t.Errorf("%d: %s at %d: %d and %d, want %d and %d", i, c.market, c.at, newest, moved, c.newest, c.moved)
		}
	}
}

// TestTwoStreamsAreComparedByTheSameRows, also if there are too many rows to keep all.
func TestTwoStreamsAreComparedByTheSameRows(t *testing.T) {
	for _, most := range []int{1000, 50} {
		seed := maphash.MakeSeed()
		active, standby := newSentTimes(seed), newSentTimes(seed)
		active.most, standby.most = most, 2*most
		for i := range 300 {
			row := rowAt(fmt.Sprint(i), 10)
			active.add([]model.Position{row}, 100)
			other := rowAt(fmt.Sprint(299-i), 10+int64(i%2)) // the even ones are newer
			standby.add([]model.Position{other}, 100)
		}
		if len(active.byRow) > most || len(standby.byRow) > 2*most || len(active.byRow) < most/8 {
			t.Errorf("%d and %d rows are kept, of at most %d", len(active.byRow), len(standby.byRow), most)
		}
		newer := standby.newerThan(active)
		if most == 1000 && len(newer) != 150 || len(newer) == 0 {
			t.Errorf("%d rows are newer", len(newer))
		}
		for key := range newer {
			if digits := key.Market.String(); (digits[len(digits)-1]-'0')%2 != 0 {
				t.Errorf("row %s is not newer", key.Market)
			}
		}
		if older := active.newerThan(standby); len(older) != 0 {
			t.Errorf("the other way round, %d rows are newer", len(older))
		}
	}
}
