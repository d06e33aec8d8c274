package columns

import (
	"testing"

	"blotter/model/view"
)

// TestEveryColumnHasALayout: a column of the model without a title, or without cells, is an empty column on the screen.
func TestEveryColumnHasALayout(t *testing.T) {
	titles := make(map[string]bool)
	for _, c := range view.Columns() {
		l := layouts[c]
		if l.title == "" || l.cell == nil || l.min == 0 || titles[l.title] {
			t.Errorf("the column %s has the title %q, the width %d, and cells: %t", c.Key(), l.title, l.min, l.cell != nil)
		}
		titles[l.title] = true
		if l.perUnit != "" && !c.IsSortable() {
			t.Errorf("the column %s says how it is sorted, and is not", c.Key())
		}
	}
}
