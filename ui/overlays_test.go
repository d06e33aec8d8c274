package ui

import (
	"testing"

	"blotter/ui/columns"
	"blotter/ui/dialog"
)

// TestAPromptCoversNothing: it is typed in the second line, and an overlay below it is not drawn.
func TestAPromptCoversNothing(t *testing.T) {
	list, prompt := dialog.NewColumnList(columns.Settings{}), dialog.NewWhatIfLine("")
	for _, c := range []struct {
		name string
		overlays
		top, covering any
	}{
		{"none", nil, nil, nil},
		{"a list", overlays{list}, list, list},
		{"a prompt over a list", overlays{list, prompt}, prompt, nil},
		{"a list over a prompt", overlays{prompt, list}, list, list},
	} {
		if top, covering := c.top, c.covering; any(c.overlays.top()) != top || any(c.overlays.covering()) != covering {
			t.Errorf("%s: %T is on top, and %T covers the panes", c.name, c.overlays.top(), c.overlays.covering())
		}
	}
}
