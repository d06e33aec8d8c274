package columns

import (
	"slices"
	"testing"
)

// TestEveryPrintedColumnIsWhole: it has a key, a heading, a field, a meaning, and one kind of value.
func TestEveryPrintedColumnIsWhole(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range AllPrinted() {
		values := 0
		for _, has := range []bool{c.ID != nil, c.Number.Of != nil, c.Percent != nil, c.Text != nil, c.Amount != nil, c.Figure != nil} {
			if has {
				values++
			}
		}
		isWhole := c.Key != "" && c.Heading != "" && c.Field != "" && c.About != ""
		if values != 1 || !isWhole || seen[c.Key] || seen[c.Field] {
			t.Errorf("%+v has %d values", c, values)
		}
		seen[c.Key], seen[c.Field] = true, true
	}
}

// TestPrintedColumnsThatUseMargins are those of ratios, of distances, and of what is of a record.
func TestPrintedColumnsThatUseMargins(t *testing.T) {
	var keys []string
	for _, c := range AllPrinted() {
		if UsesMargins(c.Key) {
			keys = append(keys, c.Key)
		}
	}
	if want := []string{"m%", "to50", "to100", "maintenance", "leverage"}; !slices.Equal(keys, want) {
		t.Errorf("%q use margins, want %q", keys, want)
	}
}
