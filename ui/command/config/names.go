package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"blotter/model"
	"blotter/ui/persist"
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
	for key := range file.inEffect {
		if !slices.Contains(instrumentSections(), key) {
			problems = append(problems, problem{key, words})
		}
	}
	if len(file.profiles) > 0 {
		problems = append(problems, problem{profileSection, words})
	}
	if err := file.firstError(problems); err != nil {
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

// AddNames adds names to the instruments, except what the file sets. A name that means something else in the file is
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
		problem = cmp.Or(problem, all.merge(section, n.file, more[section], cmp.Or(f.Path, "the configuration")))
	}
	f.Instruments, f.names = f.WithGroups(all.model()), n
	return problem
}

// Names returns the names that were added, or nil if none were.
func (f *File) Names() *Names { return f.names }

// NamesMark is how every file with names begins that the screen writes.
const NamesMark = "# Written by blotter: names and decimals that were given on the screen, with the key that names a row.\n"

const namesHead = NamesMark + "# What the configuration sets comes before them. The screen writes this file anew: comments in it are lost.\n"

// Set sets a key to a value, which is as in the file but without quotes; an empty value removes the key. The error is
// for an unknown key, and for a value that the key cannot have.
func (n *Names) Set(at persist.NameField, value string) error {
	keys := n.section(at.Section, at.ID)
	i := slices.IndexFunc(keys, func(k key) bool { return k.name == at.Key })
	if i < 0 {
		return fmt.Errorf("%s.%s: is not a setting", at.Section, at.Key)
	}
	kind := keys[i].kind
	if value == "" {
		kind.reset()
		return nil
	}
	err := kind.set(value)
	if number, notNumber := strconv.ParseInt(value, 10, 64); err != nil && notNumber == nil {
		err = kind.set(number)
	}
	if err != nil {
		return fmt.Errorf("%s.%s: %w", at.Section, at.Key, err)
	}
	return nil
}

// section returns the keys of a party, a market or an asset, which is added if it is not there. It returns nil if there
// is no section of that name.
func (n *Names) section(name string, id model.ID) keys {
	if !slices.Contains(instrumentSections(), name) {
		return nil
	}
	list := n.file.instruments[name]
	if i := slices.IndexFunc(list, func(n instrument) bool { return model.CanonicalID(n.id) == id }); i >= 0 {
		return list[i].keys(name)
	}
	added := n.file.instruments.addInstrument(name)
	_ = added[0].kind.set(id.String()) // only an identifier that is empty is refused
	return added
}

// Text returns the file as the screen writes it. A party, market or asset with an identifier only is left out.
func (n *Names) Text() []byte {
	var text strings.Builder
	text.WriteString(namesHead)
	for _, section := range instrumentSections() {
		for i := range n.file.instruments[section] {
			if lines := n.file.instruments[section][i].keys(section).lines(); len(lines) > 1 {
				text.WriteString("\n[[" + section + "]]\n" + strings.Join(lines, ""))
			}
		}
	}
	return []byte(text.String())
}

// nameSettings returns each key of a party, a market or an asset in effect, also those in the file with names.
func (f *File) nameSettings() []Setting {
	named := f.named()
	if f.names != nil {
		named = append(named, f.names.file.named()...)
	}
	set := make(map[persist.NameField]bool)
	var settings []Setting
	for _, n := range named {
		if !set[n.NameField] {
			set[n.NameField] = true
			settings = append(settings, Setting{n.Section + "." + quote(n.ID.String()) + "." + n.Key, n.value, n.from})
		}
	}
	return settings
}

// NamePlaces returns where each key of a party, a market or an asset is that the configuration sets: FILE:LINE.
func (f *File) NamePlaces() map[persist.NameField]string {
	places := make(map[persist.NameField]string)
	for _, n := range f.named() {
		places[n.NameField] = n.from
	}
	return places
}

// named is a key of a party, a market or an asset in a file.
type named struct {
	persist.NameField
	value, from string // as in Setting
}

// named returns each key of a party, a market or an asset that the file sets, except their identifiers.
func (f *File) named() []named {
	var all []named
	for _, section := range instrumentSections() {
		list := f.instruments[section]
		for i := range list {
			for _, key := range list[i].keys(section)[1:] {
				if value := key.kind.written(); value != "" {
					at := persist.NameField{Section: section, ID: model.CanonicalID(list[i].id), Key: key.name}
					all = append(all, named{at, value, f.at(fmt.Sprintf("%s[%d].%s", section, i, key.name))})
				}
			}
		}
	}
	return all
}
