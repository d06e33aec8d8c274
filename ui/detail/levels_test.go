package detail

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/ui/format"
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
		{"50", [4]int64{100, 90, 120, 200}, "|────────SM─I───────R"},
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

// TestLevelsOfIsolatedMargin: search and release are 0 there, and nothing is said of them.
func TestLevelsOfIsolatedMargin(t *testing.T) {
	f := format.New(model.NewInstruments(nil, nil, nil), time.UTC, func(model.ID) int { return 2 }, false)
	for _, c := range []struct {
		texts             model.MarginTexts
		facts, bar, means string
	}{
		{model.MarginTexts{"MARGIN_MODE_ISOLATED_MARGIN", "0.25", "7"},
			"maintenance 100, initial 200, margin mode isolated, margin factor 0.25, order margin 7", "─────────M─────────I", "no collateral is searched for or released"},
		{model.MarginTexts{"2", "0.25", "0"},
			"maintenance 100, initial 200, margin mode isolated, margin factor 0.25", "─────────M─────────I", "no collateral is searched for or released"},
		{model.MarginTexts{"MARGIN_MODE_CROSS_MARGIN", "0", "0"},
			"maintenance 100, search 0, initial 200, release 0, margin mode cross", "R────────M─────────I", "above release, collateral is released"},
		{model.MarginTexts{}, "maintenance 100, search 0, initial 200, release 0", "R────────M─────────I", "above release, collateral is released"},
	} {
		levels := model.MarginLevels{Maintenance: model.AmountOf(100), Initial: model.AmountOf(200), MarginTexts: c.texts}
		var facts []string
		for _, fact := range append(levelFacts(&levels, f.ExactAmount), textFacts(&levels, f.ExactAmount)...) {
			facts = append(facts, strings.TrimSuffix(fmt.Sprintf("%s %s", fact.Name, fact.Value), format.RawWord))
		}
		if got := strings.Join(facts, ", "); got != c.facts {
			t.Errorf("the facts of %q are %s, want %s", c.texts, got, c.facts)
		}
		if lost, left := lossBar(new(model.Position), &levels, 20); lost+left != c.bar {
			t.Errorf("the bar of %q is %s, want %s", c.texts, lost+left, c.bar)
		}
		if got := meaningOf(&levels); !strings.Contains(got, c.means) {
			t.Errorf("of %q the detail says: %s", c.texts, got)
		}
	}
}
