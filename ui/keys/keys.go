// Package keys has what keys do: actions in groups, with their names, keys and words. They define which action a key
// runs, the help page, the last line of the screen, the keys in other texts, and the settings of [keys] in the
// configuration.
//
// A screen declares its actions, each with the function that runs it. S is the type of the screen. The package does not
// depend on it.
package keys

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// Action is what a key does.
type Action[S any] struct {
	Name     string   // what the configuration calls it; an action of several groups has one name
	Keys     []string // the names of the key presses
	Shown    string   // the keys as people read them, if that is not simply their names
	Help     string   // what it does, for the help page
	Hint     string   // what it does in a word, for the last line; empty: it is not there
	Priority int      // on the last line, from 1 on: if it is too short, the action with the highest is left out first
	Pinned   bool     // it is at the end of the last line, whatever its priority, and is never left out
	Do       func(S) tea.Cmd
	// DoNumber is in place of Do if each of the keys does something else. It gets the place of the key among the
	// keys.
	DoNumber func(screen S, number int) tea.Cmd
	// Unavailable returns why the key does nothing now, in a few words without a full stop; empty if it does
	// something. Without the function, the key always does something.
	Unavailable func(S) string

	inWords bool // the keys have words, not arrows
}

// Run does what the key with a place among the keys of the action does.
func (a *Action[S]) Run(screen S, number int) tea.Cmd {
	if a.DoNumber != nil {
		return a.DoNumber(screen, number)
	}
	return a.Do(screen)
}

// Reason returns why the key does nothing now; empty if it does something.
func (a *Action[S]) Reason(screen S) string {
	if a.Unavailable == nil {
		return ""
	}
	return a.Unavailable(screen)
}

// QuickEsc is the key that esc is read as if it is pressed twice very quickly.
const QuickEsc = "alt+esc"

// Esc are the keys of actions that esc runs.
var Esc = []string{"esc", QuickEsc}

// keyNames are the names for people of key presses that have another name here.
var keyNames = map[string]string{"up": "↑", "down": "↓", "left": "←", "right": "→", "pgdown": "pgdn"}

// ShownKeys returns the keys of the action as people read them.
func (a *Action[S]) ShownKeys() string {
	if a.Shown != "" {
		return a.Shown
	}
	var names []string
	for _, key := range a.Keys {
		if key != QuickEsc {
			names = append(names, a.shownKey(key))
		}
	}
	return strings.Join(names, "/")
}

// shownKey returns a key as people read it.
func (a *Action[S]) shownKey(key string) string {
	if a.inWords {
		return key
	}
	return cmp.Or(keyNames[key], key)
}

// Group is the actions that work in one place of the screen.
type Group[S any] struct {
	Title   string
	Actions []Action[S]
	Typing  bool // other keys type text there
}

// Find returns the action of a key in the first group that has the key, and the place of the key among the keys of the
// action; nil if no group has it.
func Find[S any](key string, groups ...*Group[S]) (action *Action[S], number int) {
	for _, g := range groups {
		for i := range g.Actions {
			if number := slices.Index(g.Actions[i].Keys, key); number >= 0 {
				return &g.Actions[i], number
			}
		}
	}
	return nil, 0
}

// Map is every key of a screen.
type Map[S any] struct {
	Groups   []*Group[S]   // in the order of the help page
	Together [][]*Group[S] // the groups that work at the same time, once for each place of the screen
	hints    hints
}

// NameInWords lets the keys have their names in words, without arrows.
func (k *Map[S]) NameInWords() {
	for _, g := range k.Groups {
		for i := range g.Actions {
			g.Actions[i].inWords = true
		}
	}
}

// Key returns the first key of an action, as people read it.
func (k *Map[S]) Key(name string) string {
	for _, g := range k.Groups {
		for i := range g.Actions {
			if g.Actions[i].Name == name {
				return g.Actions[i].shownKey(g.Actions[i].Keys[0])
			}
		}
	}
	return ""
}

// Has reports whether a key is one of an action.
func (k *Map[S]) Has(name, key string) bool {
	for _, g := range k.Groups {
		for i := range g.Actions {
			if g.Actions[i].Name == name && slices.Contains(g.Actions[i].Keys, key) {
				return true
			}
		}
	}
	return false
}

// placeholder is replaced by the key of an action: {resync}.
var placeholder = regexp.MustCompile(`\{[a-z_]+\}`)

// Fill puts the keys of actions in a text: of {resync}, the key that resyncs.
func (k *Map[S]) Fill(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string { return k.Key(name[1 : len(name)-1]) })
}
