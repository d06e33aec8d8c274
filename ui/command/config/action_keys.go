package config

import (
	"errors"
	"fmt"
)

// keysSection is the section with the keys of actions. Package ui has the list of actions and keys.
const keysSection = "keys"

// readOpen stores the values of a section whose keys can have any name.
func (f *File) readOpen(s *section, value any) []problem {
	values, ok := value.(map[string]any)
	if !ok {
		return []problem{{s.name, fmt.Errorf("must be a section: [%s]", s.name)}}
	}
	var problems []problem
	for name, value := range values {
		key := s.name + "." + name
		f.places[key] = key
		if err := s.open(name, value); err != nil {
			problems = append(problems, problem{key, err})
		}
	}
	return problems
}

// setKey stores the keys of an action.
func (f *File) setKey(action string, value any) error {
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
}

// Line returns the line of a key that is in the file, such as keys.filter, and 0 if it is not there.
func (f *File) Line(key string) int {
	if !f.IsSet(key) {
		return 0
	}
	return linesOf(f.text).line(f.place(key))
}
