package detail

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/theme"
)

// TestTheGauge grows from its middle: a loss to the left, a gain to the right, each up to the whole maintenance margin.
// A mark is at -50%.
func TestTheGauge(t *testing.T) {
	styles := new(theme.Set).New("", theme.Terminal{IsDark: true})
	for _, c := range []struct {
		profit string
		width  int
		want   string
	}{
		{"0", 35, "-100% ─────┊────│────────── +100%"},
		{"-50", 35, "-100% ─────┊▇▇▇▇│────────── +100%"},
		{"-100", 35, "-100% ▇▇▇▇▇┊▇▇▇▇│────────── +100%"},
		{"-900", 35, "-100% ▇▇▇▇▇┊▇▇▇▇│────────── +100%"},
		{"-99999999999999999999999", 35, "-100% ▇▇▇▇▇┊▇▇▇▇│────────── +100%"},
		{"-1", 35, "-100% ─────┊───▇│────────── +100%"},
		{"30", 35, "-100% ─────┊────│▇▇▇─────── +100%"},
		{"170", 35, "-100% ─────┊────│▇▇▇▇▇▇▇▇▇▇ +100%"},
		{"-50", 18, ""},
		{"-50", 200, "-100% " + strings.Repeat("─", 15) + "┊" + strings.Repeat("▇", 14) + "│" + strings.Repeat("─", 30) + " +100%"},
	} {
		p := Position{Styles: &styles, HasRatio: true, Ratio: model.MarginRatio{Profit: model.ParseAmount(c.profit), Maintenance: model.AmountOf(100)}}
		if got := ansi.Strip(p.gauge(draw.NewLine(c.width).Space(1)).String()); strings.TrimSpace(got) != c.want {
			t.Errorf("%s of 100 in %d cells: %s, want %s", c.profit, c.width, got, c.want)
		}
	}
	ended := Position{Styles: &styles, HasRatio: true, Ratio: model.MarginRatio{Profit: model.AmountOf(-50), Maintenance: model.AmountOf(100), EndedAt: 1}}
	if got := ended.gauge(draw.NewLine(60)).String(); got != "" {
		t.Errorf("a ratio of an earlier size has the gauge %q", got)
	}
}

// TestLevelsOfIsolatedMargin: search and release are 0 there, and nothing is said of them.
func TestLevelsOfIsolatedMargin(t *testing.T) {
	f := format.New(model.NewInstruments(nil, nil, nil), time.UTC, func(model.ID) int { return 2 }, false)
	for _, c := range []struct {
		texts        model.MarginTexts
		facts, means string
	}{
		{model.MarginTexts{"MARGIN_MODE_ISOLATED_MARGIN", "0.25", "7"},
			"maintenance 100, initial 200, margin mode isolated, margin factor 0.25, order margin 7", "no collateral is searched for or released"},
		{model.MarginTexts{"2", "0.25", "0"},
			"maintenance 100, initial 200, margin mode isolated, margin factor 0.25", "no collateral is searched for or released"},
		{model.MarginTexts{"MARGIN_MODE_CROSS_MARGIN", "0", "0"},
			"maintenance 100, search 0, initial 200, release 0, margin mode cross", "above release, collateral is released"},
		{model.MarginTexts{}, "maintenance 100, search 0, initial 200, release 0", "above release, collateral is released"},
	} {
		levels := model.MarginLevels{Maintenance: model.AmountOf(100), Initial: model.AmountOf(200), MarginTexts: c.texts}
		var facts []string
		for _, fact := range append(levelFacts(&levels, f.ExactAmount), textFacts(&levels, f.ExactAmount)...) {
			facts = append(facts, strings.TrimSuffix(fmt.Sprintf("%s %s", fact.Name, fact.Value), format.RawWord))
		}
		if got := strings.Join(facts, ", "); got != c.facts {
			t.Errorf("the facts of %q are %s, want %s", c.texts, got, c.facts)
		}
		if got := meaningOf(&levels); !strings.Contains(got, c.means) {
			t.Errorf("of %q the detail says: %s", c.texts, got)
		}
	}
}
