package theme

import "testing"

// TestHeatOfATable: gains and losses of a table differ in their backgrounds, the larger losses more; small ones have
// none. With 16 colours, the largest losses are reversed.
func TestHeatOfATable(t *testing.T) {
	all := new(Set).New(Dark, Terminal{IsDark: true, Colours: AllColours})
	few := new(Set).New(Dark, Terminal{IsDark: true, Colours: FewColours})
	seen := make(map[string]bool)
	for step := range HeatSteps + 1 {
		style := string(all.Heat(-1, step))
		if seen[style] || (step == 0) != (style == string(all.Profit(-1))) {
			t.Errorf("a loss of step %d has the style %q", step, style)
		}
		seen[style] = true
	}
	if gain := all.Heat(+1, 1); seen[string(gain)] || gain == all.Profit(+1) {
		t.Errorf("a gain has the style %q", gain)
	}
	if few.Heat(-1, HeatSteps) != few.Loss+few.Reverse || few.Heat(+1, HeatSteps) != few.Profit(+1) {
		t.Errorf("with 16 colours the styles are %q and %q", few.Heat(-1, HeatSteps), few.Heat(+1, HeatSteps))
	}
}
