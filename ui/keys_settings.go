package ui

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"blotter/ui/input"
)

// KeySettings are the keys that the configuration gives to actions, by the names of the actions. An action that is not
// there keeps its keys. An action with the same name in several groups has the same keys in all of them.
type KeySettings map[string][]string

// KeyAction is an action as the configuration knows it.
type KeyAction struct {
	Name  string
	Place string   // where it works; of several places the first
	Help  string   // what it does there
	Keys  []string // its keys without any settings
	// IsNumbered actions do something else with each of their keys, so that they must have as many.
	IsNumbered bool
}

// KeyActions returns every action once, in the order of the help page.
func KeyActions() []KeyAction {
	var actions []KeyAction
	for _, g := range newKeyMap(true, nil).groups() {
		for _, a := range g.actions {
			keys := slices.DeleteFunc(slices.Clone(a.keys), func(key string) bool { return key == quickEsc })
			at := slices.IndexFunc(actions, func(each KeyAction) bool { return each.Name == a.name })
			if at < 0 {
				actions = append(actions, KeyAction{a.name, g.title, a.help, keys, a.doNumber != nil})
				continue
			}
			for _, key := range keys {
				if !slices.Contains(actions[at].Keys, key) {
					actions[at].Keys = append(actions[at].Keys, key)
				}
			}
		}
	}
	return actions
}

// KeyError is what is wrong with the keys of an action.
type KeyError struct {
	Action string
	Index  int    // of the key
	Other  string // the action that has the key too; empty where the error is another one
	Words  string // a sentence without its subject, the key
}

func (e *KeyError) Error() string { return "keys." + e.Action + ": " + e.Words }

// Check returns an error for a name that no action has, for a key that no terminal sends, and for a key that two
// actions of one place would have. Every error is a *KeyError.
func (s KeySettings) Check() error {
	actions := KeyActions()
	var names []string
	for _, a := range actions {
		names = append(names, a.Name)
	}
	for _, name := range s.names() {
		if !slices.Contains(names, name) {
			return &KeyError{Action: name, Words: "is not an action; the actions are " + strings.Join(names, ", ")}
		}
		if len(s[name]) == 0 {
			return &KeyError{Action: name, Words: "must have a key"}
		}
		action := actions[slices.Index(names, name)]
		if action.IsNumbered && len(s[name]) != len(action.Keys) {
			return &KeyError{Action: name, Words: fmt.Sprintf("must have %d keys, in the order of what they do", len(action.Keys))}
		}
		for i, key := range s[name] {
			words := ""
			switch {
			case !isKeyName(key):
				words = fmt.Sprintf("%q is not a key; %s", key, keyNamesHelp)
			case slices.Contains(fixedKeys, key) && !slices.Contains(action.Keys, key):
				words = fmt.Sprintf("%q cannot be given to another action, nor can %s", key, strings.Join(withoutKey(fixedKeys, key), ", "))
			}
			if words != "" {
				return &KeyError{Action: name, Index: i, Words: words}
			}
		}
	}
	return s.checkConflicts()
}

// names returns the names of the actions, sorted.
func (s KeySettings) names() []string {
	var names []string
	for name := range s {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// checkConflicts returns an error for a key that the settings give to an action, and that another has where both work.
func (s KeySettings) checkConflicts() error {
	k := newKeyMap(true, s)
	for _, groups := range k.inEffectTogether() {
		owners := make(map[string]string)
		for _, g := range groups {
			for _, a := range g.actions {
				for _, key := range a.keys {
					owner, taken := owners[key]
					if !taken {
						owners[key] = a.name
					} else if err := s.conflict(key, a.name, owner); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// conflict returns the error for a key that two actions have, nil where they are one, or where both have it by default:
// in a replay some keys mean something else.
func (s KeySettings) conflict(key, name, other string) error {
	usual := newKeyMap(true, nil)
	if name == other || usual.has(name, key) && usual.has(other, key) {
		return nil
	}
	at := slices.Index(s[name], key)
	if at < 0 {
		name, other = other, name
		at = slices.Index(s[name], key)
	}
	return &KeyError{Action: name, Index: at, Other: other, Words: fmt.Sprintf("%q is also a key of %s", key, other)}
}

// inEffectTogether returns the groups that work at the same time, once for each place of the screen.
func (k *keyMap) inEffectTogether() [][]*group {
	var together [][]*group
	modal := k.modal()
	for _, g := range k.groups() {
		switch {
		case slices.Contains(modal, g):
			together = append(together, []*group{g})
		case g == &k.session:
			together = append(together, []*group{&k.replay, g, &k.reading, &k.everywhere})
		case g != &k.everywhere && g != &k.replay:
			together = append(together, []*group{&k.replay, g, &k.everywhere})
		}
	}
	return together
}

// modal returns the groups in which no keys of other groups work.
func (k *keyMap) modal() []*group { return append(k.typing(), &k.columns, &k.views, &k.baseline) }

// typing returns the groups in which other keys type text.
func (k *keyMap) typing() []*group { return []*group{&k.filter, &k.picker, &k.viewName, &k.naming} }

// fixedKeys always keep their actions, so that everything can be left and quit, and a list can be walked.
var fixedKeys = []string{"esc", "ctrl+c", "enter", "up", "down", "left", "right"}

func withoutKey(keys []string, key string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(each string) bool { return each == key })
}

// apply gives actions the keys of the settings. Fixed keys stay. Where text is typed, a key that types stays text; an
// action that would have no other key there keeps the keys that it has.
func (k *keyMap) apply(settings KeySettings) {
	typing := k.typing()
	for _, g := range k.groups() {
		for i := range g.actions {
			a := &g.actions[i]
			keys := slices.Clone(settings[a.name])
			if slices.Contains(typing, g) {
				keys = slices.DeleteFunc(keys, typesText)
			}
			if len(keys) == 0 || len(settings[a.name]) == 0 {
				continue
			}
			for _, key := range a.keys {
				if (slices.Contains(fixedKeys, key) || key == quickEsc) && !slices.Contains(keys, key) {
					keys = append(keys, key)
				}
			}
			if !sameKeys(keys, a.keys) || a.doNumber != nil && !slices.Equal(keys, a.keys) {
				a.keys, a.shown = keys, ""
			}
		}
	}
}

// sameKeys reports whether two actions have the same keys, in whatever order.
func sameKeys(a, b []string) bool {
	isMissing := func(key string) bool { return !slices.Contains(b, key) }
	return len(a) == len(b) && !slices.ContainsFunc(a, isMissing)
}

// typesText reports whether a key types a character.
func typesText(key string) bool { return key == "space" || utf8.RuneCountInString(key) == 1 }

// namedKeys are the keys that are not characters, and can be given to actions.
var namedKeys = []string{
	"tab", "space", "backspace", "delete", "insert", "home", "end", "pgup", "pgdown", "esc", "enter", "up", "down", "left", "right",
	"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
}

const keyNamesHelp = "a key is a character such as x or X, ctrl+x, alt+x, or one of tab, space, backspace, delete, insert, home, end, " +
	"pgup, pgdown, f1 to f12, and shift+tab, ctrl+home and so on; terminals send ctrl+h, i, j and m for other keys"

// keyForm is a key that is not one character: modifiers in the order in which they are read, and a key.
var keyForm = regexp.MustCompile(`^(ctrl\+)?(alt\+)?(shift\+)?(.+)$`)

// isKeyName reports whether a terminal can send a key of this name. A letter with shift is the capital letter, and
// with ctrl some letters are tab, enter and esc.
func isKeyName(name string) bool {
	parts := keyForm.FindStringSubmatch(name)
	if parts == nil {
		return false
	}
	ctrl, alt, shift, key := parts[1] != "", parts[2] != "", parts[3] != "", parts[4]
	character, size := utf8.DecodeRuneInString(key)
	switch {
	case slices.Contains(namedKeys, key):
		return true
	case size != len(key) || shift || input.Typeable(key) != key || key == " ":
		return false
	case ctrl:
		return 'a' <= character && character <= 'z' && !strings.ContainsRune("ijmh", character) || strings.ContainsRune(`\]_^`, character)
	}
	return !alt || character <= '~'
}

// key returns the first key of an action, as people read it.
func (k *keyMap) key(name string) string {
	for _, g := range k.groups() {
		for i := range g.actions {
			if g.actions[i].name == name {
				return g.actions[i].shownKey(g.actions[i].keys[0])
			}
		}
	}
	return ""
}

// has reports whether a key is one of an action.
func (k *keyMap) has(name, key string) bool {
	for _, g := range k.groups() {
		for i := range g.actions {
			if g.actions[i].name == name && slices.Contains(g.actions[i].keys, key) {
				return true
			}
		}
	}
	return false
}

// placeholder is replaced by the key of an action: {resync}.
var placeholder = regexp.MustCompile(`\{[a-z_]+\}`)

// fill puts the keys of actions in a text: of {resync}, the key that resyncs.
func (k *keyMap) fill(text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(name string) string { return k.key(name[1 : len(name)-1]) })
}
