package keys

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"blotter/model/match"
	"blotter/ui/input"
)

// Settings are the keys that the configuration gives to actions, by the names of the actions. An action that is not
// there keeps its keys, except those that others get. An action with the same name in several groups has the same keys
// in all of them.
type Settings map[string][]string

// Setting is an action as the configuration names it.
type Setting struct {
	Name  string
	Place string   // where it works; of several places the first
	Help  string   // what it does there, and the keys that it has only in a later place
	Keys  []string // its keys without any settings
	// IsNumbered actions do something else with each of their keys, so that the number of keys must stay the same.
	IsNumbered bool
}

// Settings returns every action once, in the order of the help page.
func (k *Map) Settings() []Setting {
	var settings []Setting
	for g, a := range all(k.Groups) {
		keys := withoutKey(a.Keys, quickEsc)
		at := slices.IndexFunc(settings, func(each Setting) bool { return each.Name == a.Name })
		if at < 0 {
			settings = append(settings, Setting{a.Name, g.Title, a.Help, keys, a.IsNumbered})
			continue
		}
		for _, key := range keys {
			if !slices.Contains(settings[at].Keys, key) {
				settings[at].Keys = append(settings[at].Keys, key)
				settings[at].Help += fmt.Sprintf("; %s only in: %s", key, g.Title)
			}
		}
	}
	return settings
}

// Error is what is wrong with the keys of an action.
type Error struct {
	Action string
	Index  int    // of the key
	Other  string // the action that has the key too; empty if the error is another one
	Words  string // a sentence without its subject, the key
}

func (e *Error) Error() string { return "keys." + e.Action + ": " + e.Words }

// Check returns an error for a name that no action has, for a key that no terminal sends, and for a key that the
// settings give to two actions of one place. Every error is an *Error.
func (k *Map) Check(s Settings) error {
	actions := k.Settings()
	var names []string
	for _, a := range actions {
		names = append(names, a.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(s)) {
		at := slices.Index(names, name)
		if at < 0 {
			return &Error{Action: name, Words: "is not an action" + cmp.Or(match.Suggestion(name, names),
				"; blotter help keys lists the actions")}
		}
		if err := actions[at].check(s[name]); err != nil {
			return err
		}
	}
	return k.checkConflicts(s)
}

// check returns an error for keys that the action cannot have, whatever the other actions have.
func (a *Setting) check(keys []string) error {
	if len(keys) == 0 && len(a.Keys) > 0 {
		return &Error{Action: a.Name, Words: "must have a key"}
	}
	if a.IsNumbered && len(keys) != len(a.Keys) {
		return &Error{Action: a.Name, Words: fmt.Sprintf("must have %d keys, in the order of what they do", len(a.Keys))}
	}
	for i, key := range keys {
		words := ""
		switch {
		case !isKeyName(key):
			words = fmt.Sprintf("%q is not a key; %s", key, cmp.Or(shiftedName(key), keyNamesHelp))
		case slices.Contains(fixedKeys, key) && !slices.Contains(a.Keys, key):
			words = fmt.Sprintf("%q cannot be given to another action, nor can %s", key, strings.Join(withoutKey(fixedKeys, key), ", "))
		}
		if words != "" {
			return &Error{Action: a.Name, Index: i, Words: words}
		}
	}
	return nil
}

// checkConflicts returns an error for a key that the settings give to two actions that work at the same time.
func (k *Map) checkConflicts(s Settings) error {
	for _, groups := range k.Together {
		owners := make(map[string]string)
		for a, key := range s.uses(groups) {
			owner, taken := owners[key]
			at := slices.Index(s[a.Name], key)
			switch {
			case at < 0: // it has the key only by default
			case !taken:
				owners[key] = a.Name
			case a.Name != owner && !k.share(key, a.Name, owner):
				return &Error{Action: a.Name, Index: at, Other: owner, Words: fmt.Sprintf("%q is also a key of %s", key, owner)}
			}
		}
	}
	return nil
}

// fixedKeys always keep their actions, so that esc and ctrl+c can leave everything, and the arrows can move in a list.
var fixedKeys = []string{"esc", "ctrl+c", "enter", "up", "down", "left", "right"}

func withoutKey(keys []string, key string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(each string) bool { return each == key })
}

// Apply gives actions the keys of the settings, and takes these from the actions that have them only by default. It
// returns words about what was taken; none if nothing was.
func (k *Map) Apply(s Settings) string {
	lost := k.taken(s)
	for g, a := range all(k.Groups) {
		keys := s.keysOf(a.Name, a.Keys, g.typing)
		if !haveSameKeys(keys, a.Keys) || a.IsNumbered && !slices.Equal(keys, a.Keys) {
			a.Keys, a.Shown = keys, ""
		}
	}
	for _, t := range lost {
		t.lose()
	}
	return words(lost)
}

// keysOf returns the keys that an action with some usual keys has with the settings. Fixed keys stay. If text is typed,
// the action gets no key that types or edits text; if no other key is left, it has its usual keys.
func (s Settings) keysOf(action string, usual []string, typing bool) []string {
	keys := slices.Clone(s[action])
	if typing {
		keys = slices.DeleteFunc(keys, func(key string) bool { return typesText(key) || editsText(key) })
	}
	if len(keys) == 0 {
		return usual
	}
	for _, key := range usual {
		if (slices.Contains(fixedKeys, key) || key == quickEsc) && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// uses returns the actions of groups with each of the keys that they have with the settings.
func (s Settings) uses(groups []*Group) iter.Seq2[*Action[any], string] {
	return func(yield func(*Action[any], string) bool) {
		for g, a := range all(groups) {
			for _, key := range s.keysOf(a.Name, a.Keys, g.typing) {
				if !yield(a, key) {
					return
				}
			}
		}
	}
}

// haveSameKeys reports whether two actions have the same keys, in whatever order.
func haveSameKeys(a, b []string) bool {
	isMissing := func(key string) bool { return !slices.Contains(b, key) }
	return len(a) == len(b) && !slices.ContainsFunc(a, isMissing)
}

// typesText reports whether a key types a character.
func typesText(key string) bool { return key == "space" || utf8.RuneCountInString(key) == 1 }

// editsText reports whether a key of ctrl or alt and a letter edits a line of text that is typed.
func editsText(key string) bool {
	letter, isCtrl := strings.CutPrefix(key, "ctrl+")
	if isCtrl {
		return len(letter) == 1 && strings.Contains("abdefhkuw", letter)
	}
	letter, isAlt := strings.CutPrefix(key, "alt+")
	return isAlt && len(letter) == 1 && strings.Contains("bdf", letter)
}

// namedKeys are the keys that are not characters, and can be given to actions.
var namedKeys = []string{
	"tab", "space", "backspace", "delete", "insert", "home", "end", "pgup", "pgdown", "esc", "enter", "up", "down", "left", "right",
	"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
}

const keyNamesHelp = "a key is a character such as x, X or ?, ctrl+x, alt+x, alt+X, alt+?, or one of tab, space, backspace, delete, insert, home, end, " +
	"pgup, pgdown, f1 to f12, and shift+tab, ctrl+home and so on; terminals send ctrl+h, i, j and m for other keys"

// keyForm is a key that is not one character: modifiers in the order in which they are read, and a key.
var keyForm = regexp.MustCompile(`^(ctrl\+)?(alt\+)?(shift\+)?(.+)$`)

// shiftedName returns how a key is written that is a character with shift; empty if the name is not of such a key.
func shiftedName(name string) string {
	parts := keyForm.FindStringSubmatch(name)
	if parts == nil || parts[1] != "" || parts[3] == "" || utf8.RuneCountInString(parts[4]) != 1 {
		return ""
	}
	if shifted := strings.ToUpper(parts[4]); shifted != parts[4] {
		return "write " + parts[2] + shifted
	}
	return "write the character that shift types there, as in " + parts[2] + "?"
}

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
