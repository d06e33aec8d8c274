package view

import "testing"

func TestGroupingNames(t *testing.T) {
	for _, name := range []string{"", "party", "market", "asset"} {
		if g, err := ParseGrouping(name); err != nil || g.String() != name {
			t.Errorf("%q is %q, %v", name, g, err)
		}
	}
	if _, err := ParseGrouping("desk"); err == nil || err.Error() != "must be one of party, market, asset, or empty" {
		t.Errorf("a name of no grouping: %v", err)
	}
}

// TestNextGrouping: Next returns all groupings in turn, then none.
func TestNextGrouping(t *testing.T) {
	g, seen := Ungrouped, ""
	for range 4 {
		g = g.Next()
		seen += g.String() + " "
	}
	if seen != "party market asset  " {
		t.Errorf("the groupings are %q", seen)
	}
}
