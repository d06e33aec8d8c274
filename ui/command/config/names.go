package config

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// Names are the names and decimals that were given on the screen: sections [[party]], [[market]] and [[asset]] of a
// file beside the configuration. What the configuration sets comes before them.
type Names struct{ file *File }

// NamesPath returns the path of the names beside the configuration at a path.
func NamesPath(path string) string { return strings.TrimSuffix(path, ".toml") + ".names.toml" }

// ParseNames reads the text of a file with names. Every error is an *Error.
func ParseNames(path string, text []byte) (*Names, error) {
	file, err := Parse(path, text)
	if err != nil {
		return nil, err
	}
	words := errors.New("is not a setting of this file: it has only sections [[party]], [[market]] and [[asset]]")
	var problems []problem
	for key := range file.places {
		if !slices.Contains(instrumentSections(), key) {
			problems = append(problems, problem{key, words})
		}
	}
	if len(file.profiles) > 0 {
		problems = append(problems, problem{profileSection, words})
	}
	if err := file.first(problems); err != nil {
		return nil, err
	}
	return &Names{file}, nil
}

// Path returns the path of the file.
func (n *Names) Path() string { return n.file.Path }

// Count returns how many parties, markets and assets the file has.
func (n *Names) Count() (count int) {
	for _, section := range n.file.instruments {
		count += len(section)
	}
	return count
}

// AddNames adds names to the instruments, but for what the file sets. A name that means something else in the file is
// left out; the error is for the first of these. With another error nothing is added.
func (f *File) AddNames(n *Names) error {
	all, err := f.resolve(nil)
	if err != nil {
		return err
	}
	more, err := n.file.resolve(all[assetSection])
	if err != nil {
		return err
	}
	var problem error
	for _, section := range instrumentSections() {
		problem = cmp.Or(problem, all.merge(section, n.file, more[section], f.Path))
	}
	f.Instruments, f.names = all.model(), n
	return problem
}

// Names returns the names that were added, or nil if none were.
func (f *File) Names() *Names { return f.names }
