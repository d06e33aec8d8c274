package keys

import (
	"fmt"
	"slices"
	"strings"
)

// taken is a key that the settings give to one action, and that another action has by default in the same place.
type taken struct {
	from *Action[any]
	key  string
	by   string
}

// taken returns the keys that the settings take from actions. Actions that share a key by default keep sharing it: in a
// replay some keys mean something else.
func (k *Map) taken(s Settings) []taken {
	var all []taken
	for _, groups := range k.Together {
		owners := s.owners(groups)
		for a, key := range s.uses(groups) {
			one := taken{a, key, owners[key]}
			isOwn := one.by == "" || one.by == a.Name || slices.Contains(s[a.Name], key)
			if !isOwn && !k.share(key, a.Name, one.by) && !slices.Contains(all, one) {
				all = append(all, one)
			}
		}
	}
	return all
}

// owners returns the actions to which the settings give keys, by these keys.
func (s Settings) owners(groups []*Group) map[string]string {
	owners := make(map[string]string)
	for a, key := range s.uses(groups) {
		if slices.Contains(s[a.Name], key) {
			owners[key] = a.Name
		}
	}
	return owners
}

// share reports whether two actions both have a key by default.
func (k *Map) share(key, name, other string) bool { return k.Has(name, key) && k.Has(other, key) }

// lose takes a key from the action. If each key does something else, the others keep their places.
func (t *taken) lose() {
	keys := slices.Clone(t.from.Keys)
	for i := range keys {
		if keys[i] == t.key {
			keys[i] = ""
		}
	}
	if !t.from.IsNumbered {
		keys = withoutKey(keys, "")
	}
	t.from.Keys, t.from.Shown = keys, ""
}

// words returns a sentence for each key that the settings took from an action, each once.
func words(all []taken) string {
	var sentences []string
	for _, t := range all {
		has := t.from.ShownKeys()
		if has == "" {
			has = "no key"
		}
		sentence := fmt.Sprintf("%s has %s now; %s has %s.", titleOf(t.by), t.from.shownKey(t.key), titleOf(t.from.Name), has)
		if !slices.Contains(sentences, sentence) {
			sentences = append(sentences, sentence)
		}
	}
	return strings.Join(sentences, " ")
}

func titleOf(name string) string { return strings.ReplaceAll(name, "_", " ") }
