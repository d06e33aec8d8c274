package keys

import (
	"slices"

	"blotter/ui/pane"
)

// lister is a part of the screen with a list.
type lister interface{ List() pane.List }

// moves returns what a key does that moves the list of a part.
func moves(move func(pane.List)) func(lister, *pane.Context) []pane.Effect {
	return func(on lister, _ *pane.Context) []pane.Effect {
		move(on.List())
		return nil
	}
}

// Moving returns the actions that move in a list. If text is typed beside it, letters type, and ctrl and a letter edit.
func Moving(typing bool) []Action[any] {
	up, down, pageUp, pageDown := []string{"up", "k"}, []string{"down", "j"}, []string{"pgup", "ctrl+b"}, []string{"pgdown", "ctrl+f"}
	if typing {
		up, down, pageUp, pageDown = up[:1], down[:1], pageUp[:1], pageDown[:1]
	}
	by := func(rows int) func(lister, *pane.Context) []pane.Effect {
		return moves(func(l pane.List) { l.MoveBy(rows) })
	}
	half := func(to int) func(lister, *pane.Context) []pane.Effect {
		return moves(func(l pane.List) { pane.HalfPage(l, to) })
	}
	page := func(to int) func(lister, *pane.Context) []pane.Effect {
		return moves(func(l pane.List) { l.PageBy(to) })
	}
	actions := For(
		Action[lister]{Name: "up", Keys: up, Help: "up", Do: by(-1)},
		Action[lister]{Name: "down", Keys: down, Help: "down", Do: by(+1)},
		Action[lister]{Name: "half_screen_up", Keys: []string{"ctrl+u"}, Help: "half a screen up", Do: half(-1)},
		Action[lister]{Name: "half_screen_down", Keys: []string{"ctrl+d"}, Help: "half a screen down", Do: half(+1)},
		Action[lister]{Name: "screen_up", Keys: pageUp, Help: "a screen up", Do: page(-1)},
		Action[lister]{Name: "screen_down", Keys: pageDown, Help: "a screen down", Do: page(+1)},
	)
	if typing {
		actions = slices.DeleteFunc(actions, func(a Action[any]) bool { return editsText(a.Keys[0]) })
	}
	return actions
}

// Ends returns the actions that move to the ends of a list. If text is typed beside it, letters type.
func Ends(typing bool, first, last string) []Action[any] {
	home, end := []string{"home", "g"}, []string{"end", "G"}
	if typing {
		home, end = home[:1], end[:1]
	}
	return For(
		Action[lister]{Name: "first", Keys: home, Help: first, Do: moves(pane.List.First)},
		Action[lister]{Name: "last", Keys: end, Help: last, Do: moves(pane.List.Last)},
	)
}
