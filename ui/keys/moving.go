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

// Move has the words of a key that moves by one line, and why it does nothing now.
type Move struct {
	Help, Hint string
	Priority   int // of the hint, see Action
	WhyNot     func(part any, c *pane.Context) string
}

// action returns the action of a key that moves by rows.
func (m Move) action(name string, pressed []string, rows int) Action[pane.Lister] {
	a := Action[pane.Lister]{Name: name, Keys: pressed, Help: m.Help, Hint: m.Hint, Priority: m.Priority}
	a.Do = moves(func(l pane.List) { l.MoveBy(rows) })
	if m.WhyNot != nil {
		a.WhyNot = func(on pane.Lister, c *pane.Context) string { return m.WhyNot(on, c) }
	}
	return a
}

// Moving returns the actions that move in a list. If typing is true, text is typed beside the list: then no action has
// a key that types or edits text.
func Moving(typing bool) []Action[any] { return MovingAs(typing, Move{Help: "up"}, Move{Help: "down"}) }

// MovingAs returns the actions of Moving, with other words for the keys that move by one line.
func MovingAs(typing bool, byUp, byDown Move) []Action[any] {
	up, down, pageUp, pageDown := []string{"up", "k"}, []string{"down", "j"}, []string{"pgup", "ctrl+b"}, []string{"pgdown", "ctrl+f"}
	if typing {
		up, down, pageUp, pageDown = up[:1], down[:1], pageUp[:1], pageDown[:1]
	}
	actions := For(
		byUp.action("up", up, -1),
		byDown.action("down", down, +1),
		Action[pane.Lister]{Name: "half_screen_up", Keys: []string{"ctrl+u"}, Help: "half a screen up",
			Do: moves(func(l pane.List) { pane.HalfPage(l, -1) })},
		Action[pane.Lister]{Name: "half_screen_down", Keys: []string{"ctrl+d"}, Help: "half a screen down",
			Do: moves(func(l pane.List) { pane.HalfPage(l, +1) })},
		Action[pane.Lister]{Name: "screen_up", Keys: pageUp, Help: "a screen up", Do: moves(func(l pane.List) { l.PageBy(-1) })},
		Action[pane.Lister]{Name: "screen_down", Keys: pageDown, Help: "a screen down", Do: moves(func(l pane.List) { l.PageBy(+1) })},
	)
	if typing {
		actions = slices.DeleteFunc(actions, func(a Action[any]) bool { return editsText(a.Keys[0]) })
	}
	return actions
}

// form is a part of the screen with fields.
type form interface{ Move(step int) }

// InForm returns the actions that move from field to field.
func InForm() []Action[any] {
	move := func(step int) func(form, *pane.Context) []pane.Effect {
		return func(on form, _ *pane.Context) []pane.Effect { on.Move(step); return nil }
	}
	return For(
		Action[form]{Name: "next_field", Keys: []string{"tab", "down"}, Help: "next field", Hint: "next field", Priority: 2, Do: move(+1)},
		Action[form]{Name: "previous_field", Keys: []string{"shift+tab", "up"}, Help: "previous field", Do: move(-1)},
	)
}

// Ends returns the actions that move to the ends of a list, with their help. If typing is true, text is typed beside
// the list: then no action has a key that types text.
func Ends(typing bool, first, last string) []Action[any] {
	home, end := []string{"home", "g"}, []string{"end", "G"}
	if typing {
		home, end = home[:1], end[:1]
	}
	return For(
		Action[pane.Lister]{Name: "first", Keys: home, Help: first, Do: moves(pane.List.First)},
		Action[pane.Lister]{Name: "last", Keys: end, Help: last, Do: moves(pane.List.Last)},
	)
}
