package detail

import (
	"testing"

	"blotter/model"
)

// TestTheBarOfTheLoss has the loss in its first part, the levels at their places, and no bar if these make none.
func TestTheBarOfTheLoss(t *testing.T) {
	for _, c := range []struct {
		profit string
		levels [4]int64
		want   string
	}{
		{"-50", [4]int64{100, 110, 120, 200}, "▇▇▇▇▇|────MSI───────R"},
		{"-150", [4]int64{100, 110, 120, 200}, "▇▇▇▇▇▇▇▇▇MSI▇▇▇|────R"},
		{"-900", [4]int64{100, 110, 120, 200}, "▇▇▇▇▇▇▇▇▇MSI▇▇▇▇▇▇▇R|"},
		{"50", [4]int64{100, 110, 120, 200}, "|─────────MSI───────R"},
		{"-1.50", [4]int64{100, 110, 120, 200}, "|"},
		{"50", [4]int64{100, 90, 120, 200}, "|"},
		{"50", [4]int64{0, 0, 0, 0}, "|"},
		{"50", [4]int64{-5, 1, 2, 3}, "|"},
	} {
		var p model.Position
		p.SetNumber(model.UnrealisedPnl, model.ParseAmount(c.profit))
		levels := model.MarginLevels{
			Maintenance: model.AmountOf(c.levels[0]), Search: model.AmountOf(c.levels[1]),
			Initial: model.AmountOf(c.levels[2]), Release: model.AmountOf(c.levels[3]),
		}
		if lost, left := lossBar(&p, &levels, 20); lost+"|"+left != c.want {
			t.Errorf("%s of %v: %s|%s, want %s", c.profit, c.levels, lost, left, c.want)
		}
	}
}
