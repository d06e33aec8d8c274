package analysis

import (
	"testing"

	"blotter/model"
)

// TestTradesInOtherDecimals: what trades were estimated to have changed with wrong decimals does not count any more.
// What needed no decimals stays.
func TestTradesInOtherDecimals(t *testing.T) {
	right, wrong := instruments(), instruments().WithAsset(model.Asset{ID: asset, Decimals: 1})
	unknown := instruments().WithAsset(model.Asset{ID: asset, Decimals: model.Unscaled})
	held, more := state(10, 10, 10, 0, 0), state(20, 15, 20, 0, 0) // price +100, trading 0
	for _, c := range []struct {
		first  *model.Position
		before *model.Instruments
		want   string
	}{
		{held, right, "price 100 trading 0 loss 0"},
		{held, wrong, "price 0 trading 0 loss 0 unsplit 100"},
		{held, unknown, "price 0 trading 0 loss 0 unsplit 100"},
		{nil, unknown, "price 0 trading 100 loss 0"},
	} {
		l := NewLog()
		l.Note(c.first, more, c.before, start)
		l.Relearn(c.before, right)
		l.Relearn(right, right)
		if got := words(l.Of(more, baselineOf(t, c.first), model.Unscaled)); got != c.want {
			t.Errorf("the change is %s, want %s", got, c.want)
		}
	}
}
