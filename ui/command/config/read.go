package config

import (
	"fmt"
	"slices"

	"blotter/model/match"
)

// problem is what is wrong with a key, such as market[2].price_decimals.
type problem struct {
	key string
	err error
}

// readSections stores the values of all sections that are at a place of the file: none, or profile.NAME and a point.
func (f *File) readSections(at string, values map[string]any, inProfile bool) []problem {
	var problems []problem
	var names []string
	for _, section := range f.sections() {
		if inProfile && !section.inProfiles {
			continue
		}
		names = append(names, section.name)
		if value, ok := values[section.name]; ok {
			problems = append(problems, f.readSection(&section, at+section.name, value)...)
		}
	}
	return append(problems, unknown(at, values, names)...)
}

// unknown returns a problem for each name that is not known.
func unknown(at string, values map[string]any, known []string) []problem {
	var problems []problem
	for name := range values {
		if !slices.Contains(known, name) {
			problems = append(problems, problem{at + name, unknownError{name, known}})
		}
	}
	return problems
}

// readSection stores the values of a section that is at a place of the file: its name, or for that of a profile
// profile.NAME.name.
func (f *File) readSection(s *section, at string, value any) []problem {
	switch {
	case s.list != nil:
		f.inEffect[s.name] = at
		return s.readList(at, value)
	case s.name == profileSection:
		return f.readProfiles(value)
	}
	values, ok := value.(map[string]any)
	if !ok {
		return []problem{{at, fmt.Errorf("must be a section: [%s]", at)}}
	}
	for name := range values {
		f.inEffect[s.name+"."+name] = at + "." + name
		if s.open != nil {
			s.keys = append(s.keys, key{name: name, kind: s.open(name)})
		}
	}
	return s.keys.read(at, values)
}

// readList stores the values of a list of sections that is at a place of the file.
func (s *section) readList(list string, value any) []problem {
	mustBe := fmt.Errorf("must be sections: [[%s]]", list)
	elements, ok := value.([]any)
	if !ok {
		return []problem{{list, mustBe}}
	}
	var problems []problem
	for i, element := range elements {
		at := fmt.Sprintf("%s[%d]", list, i)
		values, ok := element.(map[string]any)
		if !ok {
			return append(problems, problem{at, mustBe})
		}
		problems = append(problems, s.list().read(at, values)...)
	}
	return problems
}

func (k keys) reset() {
	for _, key := range k {
		key.kind.reset()
	}
}

// read stores the values of a section that is at a place of the file.
func (k keys) read(at string, values map[string]any) []problem {
	var problems []problem
	var names []string
	for _, key := range k {
		names = append(names, key.name)
		if value, ok := values[key.name]; ok {
			if err := key.kind.set(value); err != nil {
				problems = append(problems, problem{at + "." + key.name, err})
			}
		}
	}
	return append(problems, unknown(at+".", values, names)...)
}

// unknownError is the error for a key that does not exist. A similar name is searched only for the error that is shown.
type unknownError struct {
	name  string
	known []string
}

// Error names a key with a similar name, if there is one.
func (e unknownError) Error() string { return "is not a setting" + match.Suggestion(e.name, e.known) }

// Error is what is wrong with a file.
type Error struct {
	Path string
	Line int    // 0 if it is not known
	Key  string // as people write it: market.price_decimals
	Err  error
}

func (e *Error) Error() string {
	where := e.Place()
	if e.Key != "" {
		where += ": " + e.Key
	}
	return where + ": " + e.Err.Error()
}

// Place returns the path and the line, with which the text of the error begins.
func (e *Error) Place() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d", e.Path, e.Line)
	}
	return e.Path
}

// Unwrap returns the error without the place.
func (e *Error) Unwrap() error { return e.Err }
