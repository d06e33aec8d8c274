package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"blotter/model"
)

// NamesMark is how every file with names begins that the screen writes.
const NamesMark = "# Written by blotter: names and decimals that were given on the screen, with the key that names a row.\n"

const namesHead = NamesMark + "# What the configuration sets comes before them. The screen writes this file anew: comments in it are lost.\n"

// NameKey is a key in the section of a party, a market or an asset.
type NameKey struct {
	Section string // party, market or asset
	ID      model.ID
	Key     string
}

// Set sets a key as the file would have it without quotes; an empty value removes it. The error is for a key that there
// is not, and for a value that it cannot have.
func (n *Names) Set(at NameKey, value string) error {
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
	list := n.file.list(name)
	if list == nil {
		return nil
	}
	if i := slices.IndexFunc(*list, func(n instrument) bool { return model.CanonicalID(n.id) == id }); i >= 0 {
		return (*list)[i].keys(name)
	}
	added := add(list)
	found := added.keys(name)
	found.reset()
	added.id = id.String()
	return found
}

// eachName calls a function for each party, market and asset of a file, with its place in its list.
func eachName(f *File, do func(section, id string, place int, k keys)) {
	for _, section := range []string{partySection, marketSection, assetSection} {
		list := *f.list(section)
		for i := range list {
			do(section, list[i].id, i, list[i].keys(section))
		}
	}
}

// Text returns the file as the screen writes it. A party, market or asset with an identifier only is left out.
func (n *Names) Text() []byte {
	var text strings.Builder
	text.WriteString(namesHead)
	eachName(n.file, func(section, _ string, _ int, k keys) {
		var lines []string
		for _, key := range k {
			if written := key.kind.written(); written != "" {
				lines = append(lines, key.name+" = "+written+"\n")
			}
		}
		if len(lines) > 1 {
			text.WriteString("\n[[" + section + "]]\n" + strings.Join(lines, ""))
		}
	})
	return []byte(text.String())
}

// nameSettings returns each key of a party, a market or an asset in effect, also those in the file with names.
func (f *File) nameSettings() []Setting {
	set := make(map[string]bool)
	var settings []Setting
	for _, file := range []*File{f, f.namesFile()} {
		eachName(file, func(section, id string, place int, k keys) {
			for _, key := range k[1:] { // without the identifier
				name := section + "." + Quote(model.CanonicalID(id).String()) + "." + key.name
				if value := key.kind.written(); value != "" && !set[name] {
					set[name] = true
					settings = append(settings, Setting{name, value, file.at(fmt.Sprintf("%s[%d].%s", section, place, key.name))})
				}
			}
		})
	}
	return settings
}

// namesFile returns the file with names that was added, an empty one if none was.
func (f *File) namesFile() *File {
	if f.names == nil {
		return new(File)
	}
	return f.names.file
}

// NamePlaces returns where each key of a party, a market or an asset is that the configuration sets: FILE:LINE.
func (f *File) NamePlaces() map[NameKey]string {
	places := make(map[NameKey]string)
	eachName(f, func(section, text string, place int, k keys) {
		id := model.CanonicalID(text)
		for _, key := range k {
			if key.name != "id" && key.kind.written() != "" {
				places[NameKey{section, id, key.name}] = f.at(fmt.Sprintf("%s[%d].%s", section, place, key.name))
			}
		}
	})
	return places
}
