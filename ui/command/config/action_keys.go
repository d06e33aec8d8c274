package config

import "errors"

// keysSection is the section with the keys of actions. Package ui has the list of actions and keys.
const keysSection = "keys"

// actionKeys are the keys of an action: a text, or a list of texts.
func (f *File) actionKeys(action string) kind {
	return kind{set: func(value any) error {
		keys, ok := texts(value)
		if one, isText := value.(string); isText {
			keys, ok = []string{one}, true
		}
		if !ok {
			return errors.New(`must be a key, or a list of keys, each in quotes: ["r", "f5"]`)
		}
		if f.Keys == nil {
			f.Keys = make(map[string][]string)
		}
		f.Keys[action] = keys
		return nil
	}}
}
