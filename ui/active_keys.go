package ui

import (
	"slices"

	"blotter/ui/keys"
	"blotter/ui/pane"
)

// activeKeys are the keys that work now.
type activeKeys struct {
	replayed   []*keys.Group // of a recording; none if the service is shown
	ofPart     []*keys.Group // of the part that keys act on
	everywhere []*keys.Group
	isOverlay  bool // the part is an overlay: no others work
	isPage     bool // the part is a page that covers the panes
}

func (m *Model) activeKeys() activeKeys {
	a := activeKeys{
		ofPart: m.keys.Of(m.focused()), everywhere: m.keys.Of(m), isOverlay: m.overlays.top() != nil,
		isPage: m.steps.topPage().opened != nil,
	}
	slices.Reverse(a.ofPart) // those of the session are before those of all pages of text
	if m.controls.Clock != nil {
		a.replayed = m.keys.Of(m.controls)
	}
	return a
}

// groups returns the groups of keys; those of earlier groups come first.
func (a activeKeys) groups() []*keys.Group {
	if a.isOverlay {
		return a.ofPart
	}
	return slices.Concat(a.replayed, a.ofPart, a.everywhere)
}

// nextPaneHint is replaced by the name of the next pane.
const nextPaneHint = "pane"

// quitHint is replaced by another word while the key does something else: something covers the panes, or the past is
// shown.
const quitHint = "quit"

// hinted returns the actions of the parts that have a word for the last line. On a page, those that work everywhere
// are left out, except those that can be pinned or are only for some places, and everywhere those whose key the part
// has for another action. The hints nextPaneHint and quitHint are replaced by these words.
func (a activeKeys) hinted(parts []any, c *pane.Context, nextPane, quit string) []keys.Hint {
	hinted := make([]keys.Hint, 0, keys.UsualHints)
	if !a.isOverlay {
		everywhere := *a.everywhere[0]
		if a.isPage {
			everywhere.Actions = slices.DeleteFunc(slices.Clone(everywhere.Actions), func(each keys.Action[any]) bool {
				return each.PinnedFrom == 0 && each.HintIf == nil
			})
		}
		hinted = keys.AppendHinted(hinted, parts, c, nil, a.replayed...)
		hinted = keys.AppendHinted(hinted, parts, c, slices.Concat(a.replayed, a.ofPart), &everywhere)
	}
	hinted = keys.AppendHinted(hinted, parts, c, a.replayed, a.ofPart...)
	for i := range hinted {
		switch hint := &hinted[i].Text; *hint {
		case nextPaneHint:
			*hint = nextPane
		case quitHint:
			*hint = quit
		}
	}
	return hinted
}
