package attribution

import (
	"testing"

	"blotter/model"
)

// TestTradesInOtherDecimals: what trades were estimated to have changed with wrong decimals does not count any more.
// What needed no decimals stays.
func TestTradesInOtherDecimals(t *testing.T) {
	right, wrong := instruments(), instruments().WithAsset(model.Asset{ID: asset, Decimals: 1})
	unknown := instruments().WithAsset(model.Asset{ID: asset, Decimals: model.Unscaled})
	states := []*model.Position{state(10, 10, 10, 0, 0), state(20, 15, 20, 0, 0)} // price +100, trading 0
	for _, c := range []struct {
		before *model.Instruments
		want   string
	}{
		{right, "price 100 trading 0 loss 0"},
		{wrong, "price 0 trading 0 loss 0 unsplit 100"},
		{unknown, "price 0 trading 0 loss 0 unsplit 100"},
	} {
		l := NewLog(start)
		l.Note(states[0], states[1], c.before, start)
		l.Relearn(c.before, right)
		if got := words(l.Of(states[1], baselineOf(t, states[0]))); got != c.want {
			t.Errorf("the change is %s, want %s", got, c.want)
		}
	}
}
