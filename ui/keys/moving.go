package keys

import (
	"slices"

	"blotter/ui/pane"
)

// moves returns what a key does that moves the list of a part.
func moves(move func(pane.List)) func(pane.Lister, *pane.Context) []pane.Effect {
	return func(on pane.Lister, _ *pane.Context) []pane.Effect {
		move(on.List())
		return nil
	}
}

// Lists returns the keys that move in every list. If typing is true, they are those of lists beside which text is
// typed: none of them types or edits text.
func Lists(title string, typing bool) *Group {
	moving := []struct {
		name, help string
		keys       []string
		move       func(pane.List)
	}{
		{"up", "up", []string{"up", "k"}, func(l pane.List) { l.MoveBy(-1) }},
		{"down", "down", []string{"down", "j"}, func(l pane.List) { l.MoveBy(+1) }},
		{"half_screen_up", "half a screen up", []string{"ctrl+u"}, func(l pane.List) { pane.HalfPage(l, -1) }},
		{"half_screen_down", "half a screen down", []string{"ctrl+d"}, func(l pane.List) { pane.HalfPage(l, +1) }},
		{"screen_up", "a screen up", []string{"pgup", "ctrl+b"}, func(l pane.List) { l.PageBy(-1) }},
		{"screen_down", "a screen down", []string{"pgdown", "ctrl+f"}, func(l pane.List) { l.PageBy(+1) }},
		{"first", "first line", []string{"home", "g"}, pane.List.First},
		{"last", "last line", []string{"end", "G"}, pane.List.Last},
	}
	var actions []Action[pane.Lister]
	for _, each := range moving {
		if typing {
			each.keys = slices.DeleteFunc(each.keys, func(key string) bool { return typesText(key) || editsText(key) })
		}
		if len(each.keys) > 0 {
			actions = append(actions, Action[pane.Lister]{Name: each.name, Keys: each.keys, Help: each.help, Do: moves(each.move)})
		}
	}
	return &Group{Title: title, Actions: For(actions...), typing: typing, belongs: func(part any) bool {
		_, isTyping := part.(pane.Typing)
		_, isOverlay := part.(pane.Overlay)
		_, hasList := part.(pane.Listing)
		_, isLister := part.(pane.Lister)
		return isTyping == typing && (hasList || isLister && !isOverlay)
	}}
}

// Form is a part of the screen with fields.
type Form interface{ Move(step int) }

// Forms returns the keys that move from field to field.
func Forms(title string) *Group {
	move := func(step int) func(Form, *pane.Context) []pane.Effect {
		return func(on Form, _ *pane.Context) []pane.Effect { on.Move(step); return nil }
	}
	return GroupOf[Form](title, For(
		Action[Form]{Name: "next_field", Keys: []string{"tab", "down"}, Help: "next field", Hint: "next field", Priority: 2, Do: move(+1)},
		Action[Form]{Name: "previous_field", Keys: []string{"shift+tab", "up"}, Help: "previous field", Do: move(-1)},
	)).BesideText()
}
