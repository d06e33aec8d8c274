package view

import (
	"testing"

	"blotter/model"
)

func TestGroupingNames(t *testing.T) {
	for _, name := range []string{"", "party", "market", "asset", "own"} {
		if g, err := ParseGrouping(name); err != nil || g.String() != name {
			t.Errorf("%q is %q, %v", name, g, err)
		}
	}
	if _, err := ParseGrouping("desk"); err == nil || err.Error() != "must be one of party, market, asset, own, or empty" {
		t.Errorf("a name of no grouping: %v", err)
	}
}

// TestNextGrouping: Next returns all groupings in turn, then none. Own groups take part only if there are some.
func TestNextGrouping(t *testing.T) {
	none := model.NewInstruments(nil, nil, nil)
	some := none.WithGroups([]model.Group{{Name: "majors"}})
	for want, in := range map[string]*model.Instruments{"party market asset  party ": none, "party market asset own  ": some} {
		g, seen := Ungrouped, ""
		for range 5 {
			g = g.Next(in)
			seen += g.String() + " "
		}
		if seen != want {
			t.Errorf("the groupings are %q, want %q", seen, want)
		}
	}
}
