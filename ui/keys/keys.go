// Package keys has what keys do: actions in groups, with their names, keys and words. They define which action a key
// runs, the help page, the last line of the screen, the keys in other texts, and the settings of [keys] in the
// configuration.
//
// Each part of the screen declares its actions for its own type, without an instance.
//
//	keys                 actions, groups, and the map of all keys
//	settings, taken      the keys that the configuration gives to actions, and those that other actions lose by that
//	moving               the keys that move in lists and forms
//	help, listed, draw   the actions on the help page, in the palette and on the last line
package keys

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/input"
	"blotter/ui/pane"
)

// Action is what a key does in a part P of the screen.
type Action[P any] struct {
	Name     string   // what the configuration calls it; an action of several groups has one name
	Keys     []string // the names of the key presses; empty if settings have taken all of them
	Shown    string   // the keys as people read them, if that is not simply their names
	Help     string   // what it does, for the help page
	Hint     string   // what it does in a word, for the last line; empty: it is not there
	Priority int      // on the last line, from 1 on: if it is too short, the action with the highest is left out first
	OnlyLive bool     // it requests data, or changes names: it does nothing while the past is shown
	// PinnedFrom is the width from which on it is at the end of the last line, and is never left out; 0 is no width.
	PinnedFrom int
	// HintIf reports whether the last line has it; nil: always. It depends on what the trader has chosen, not on data:
	// the line must not change while data comes.
	HintIf func(P, *pane.Context) bool
	// IsNumbered is true if each of the keys does something else: Number of the context is the place of the key among
	// them.
	IsNumbered bool
	// Do returns the effects of the key, and Effect is its effect if that is always the same: an action has one of
	// them.
	Do     func(P, *pane.Context) []pane.Effect
	Effect pane.Effect
	// WhyNot returns why the key does nothing now, in a few words without a full stop; empty if it does something.
	// Without the function, the key always does something.
	WhyNot func(P, *pane.Context) string

	belongs func(part any) bool // of Action[any]: the part is one of the type that the action was declared for
	inWords bool                // the keys have words, not arrows
}

// For returns actions of parts of type P as actions that find their part among all parts of the screen.
func For[P any](actions ...Action[P]) []Action[any] {
	var of []Action[any]
	for _, a := range actions {
		each := Action[any]{
			Name: a.Name, Keys: a.Keys, Shown: a.Shown, Help: a.Help, Hint: a.Hint, Priority: a.Priority,
			PinnedFrom: a.PinnedFrom, OnlyLive: a.OnlyLive,
			IsNumbered: a.IsNumbered, belongs: isA[P],
			Do: func(part any, c *pane.Context) []pane.Effect { return a.Do(part.(P), c) },
		}
		if a.Effect != nil {
			each.Do = func(any, *pane.Context) []pane.Effect { return []pane.Effect{a.Effect} }
		}
		if a.HintIf != nil {
			each.HintIf = func(part any, c *pane.Context) bool { return a.HintIf(part.(P), c) }
		}
		if a.WhyNot != nil {
			each.WhyNot = func(part any, c *pane.Context) string { return a.WhyNot(part.(P), c) }
		}
		of = append(of, each)
	}
	return of
}

func isA[P any](part any) bool { _, ok := part.(P); return ok }

// Reason returns why the key does nothing now; empty if it does something, or if its part is not on the screen.
func Reason(a *Action[any], parts []any, c *pane.Context) string {
	at := slices.IndexFunc(parts, a.belongs)
	switch {
	case at < 0:
		return ""
	case a.OnlyLive && c.WhyNotLive != "":
		return c.Keys.Fill(c.WhyNotLive)
	case a.WhyNot != nil:
		return a.WhyNot(parts[at], c)
	}
	return ""
}

// ReasonIf returns a reason if it holds, and else an empty text, for a WhyNot.
func ReasonIf(holds bool, reason string) string {
	if holds {
		return reason
	}
	return ""
}

// Press does what a key does in the first group that has it, in the first of the parts that the action is for. If it
// does nothing now, it says why. It returns false if no group has the key.
func Press(key string, parts []any, c *pane.Context, groups ...*Group) (effects []pane.Effect, ok bool) {
	a, number := find(key, groups...)
	if a == nil {
		return nil, false
	}
	return run(a, number, parts, c), true
}

// Meant returns the key press that is meant where groups work, and false for a modifier alone: see input.Keyboard.
func (k *Map) Meant(pressed tea.KeyPressMsg, isTyping bool, groups ...*Group) (tea.KeyPressMsg, bool) {
	return k.keyboard.Meant(pressed, isTyping, func(name string) bool {
		a, _ := find(name, groups...)
		return a != nil
	})
}

// run does what an action does with its key of a number, or says why it does nothing now.
func run(a *Action[any], number int, parts []any, c *pane.Context) []pane.Effect {
	if reason := Reason(a, parts, c); reason != "" {
		return pane.Refusing(reason)
	}
	pressed := *c
	pressed.Number = number
	return a.Do(parts[slices.IndexFunc(parts, a.belongs)], &pressed)
}

// quickEsc is the key that is read if esc is pressed twice very quickly.
const quickEsc = "alt+esc"

// Esc are the keys of actions that esc runs.
var Esc = []string{"esc", quickEsc}

// keyNames are the names for people of key presses that have another name here.
var keyNames = map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}

// ShownKeys returns the keys of the action as people read them.
func (a *Action[P]) ShownKeys() string {
	if a.Shown != "" {
		return a.Shown
	}
	var names []string
	for _, key := range a.Keys {
		if key != quickEsc && key != "" {
			names = append(names, a.shownKey(key))
		}
	}
	return strings.Join(names, "/")
}

// shownKey returns a key as people read it.
func (a *Action[P]) shownKey(key string) string {
	if a.inWords {
		return key
	}
	return cmp.Or(keyNames[key], key)
}

// Group is the actions that work in one place of the screen.
type Group struct {
	Title   string
	Actions []Action[any]
	typing  bool // other keys type text there, or in some of the places
	part    any  // of the type that the group is for, without an instance; nil if that is an interface
	belongs func(part any) bool
}

// GroupOf returns the actions that work in the parts P.
func GroupOf[P any](title string, actions ...[]Action[any]) *Group {
	var part P
	_, isTyping := any(part).(pane.Typing)
	return &Group{Title: title, Actions: slices.Concat(actions...), typing: isTyping, part: any(part), belongs: isA[P]}
}

// BesideText makes the group one that also works where text is typed: settings give it no key that types or edits text.
func (g *Group) BesideText() *Group {
	g.typing = true
	return g
}

// WorksIn reports whether the keys of the group also work where those of another one do.
func (g *Group) WorksIn(other *Group) bool { return g != other && g.belongs(other.part) }

// find returns the action of a key in the first group that has the key, and the place of the key among the keys of the
// action; nil if no group has it.
func find(key string, groups ...*Group) (action *Action[any], number int) {
	for _, a := range all(groups) {
		if number := slices.Index(a.Keys, key); number >= 0 {
			return a, number
		}
	}
	return nil, 0
}

// named returns the first action of a name, nil if no group has it.
func named(name string, groups []*Group) *Action[any] {
	for _, a := range all(groups) {
		if a.Name == name {
			return a
		}
	}
	return nil
}

// all returns the actions of groups, with their groups.
func all(groups []*Group) iter.Seq2[*Group, *Action[any]] {
	return func(yield func(*Group, *Action[any]) bool) {
		for _, g := range groups {
			for i := range g.Actions {
				if !yield(g, &g.Actions[i]) {
					return
				}
			}
		}
	}
}

// Map is every key of a screen.
type Map struct {
	Groups   []*Group   // in the order of the help page
	Day      []string   // the names of the actions that a trader needs most; the help page begins with them
	Together [][]*Group // the groups that work at the same time, once for each place of the screen
	Pressed  int        // counts the keys that were pressed
	keyboard input.Keyboard
	hints    hints
}

// Of returns the groups that work in a part.
func (k *Map) Of(part any) []*Group {
	var of []*Group
	for _, g := range k.Groups {
		if g.belongs(part) {
			of = append(of, g)
		}
	}
	return of
}

// NameInWords makes the keys be shown by names in words, without arrows.
func (k *Map) NameInWords() {
	for _, a := range all(k.Groups) {
		a.inWords = true
	}
}

// Key returns the first key of an action, as people read it. Of an action without a key, it is what is typed in the
// palette.
func (k *Map) Key(name string) string {
	if keys := k.KeysOf(name); len(keys) > 0 {
		return keys[0]
	}
	if opening := k.KeysOf(Palette); len(opening) > 0 {
		return opening[0] + titleOf(name)
	}
	return ""
}

// Palette is the name of the action that opens the list of all actions by name.
const Palette = "palette"

// KeysOf returns the keys of an action, each as people read it.
func (k *Map) KeysOf(name string) []string {
	a := named(name, k.Groups)
	if a == nil {
		return nil
	}
	var keys []string
	for _, key := range a.Keys {
		keys = append(keys, a.shownKey(key))
	}
	return keys
}

// Has reports whether a key is one of an action.
func (k *Map) Has(name, key string) bool {
	for _, a := range all(k.Groups) {
		if a.Name == name && slices.Contains(a.Keys, key) {
			return true
		}
	}
	return false
}

// HasKey reports whether a key is one of an action, wherever that works.
func (k *Map) HasKey(key string) bool { return HasKey(key, k.Groups...) }

// HasKey reports whether a key is one of an action of groups.
func HasKey(key string, groups ...*Group) bool {
	a, _ := find(key, groups...)
	return a != nil
}

// placeholder is replaced by the key of an action: {resync}.
var placeholder = regexp.MustCompile(`\{[a-z_]+\}`)

// Fill puts the keys of actions in a text: of {resync}, the key that resyncs.
func (k *Map) Fill(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string { return k.Key(name[1 : len(name)-1]) })
}
