package config

import (
	"strings"

	"blotter/ui/format"
	"blotter/ui/topics"
)

// Setting is a key with its value.
type Setting struct {
	Key   string // service.base_urls
	Value string // as a file would have it, empty if there is none; without the values of headers
	From  string // FILE:LINE of the key in the file, or "default"
}

// Settings returns all keys in the order of config.example.toml. Of [[party]] and other lists of sections it returns
// how many there are, and at the end each name and number of a party, market or asset.
func (f *File) Settings() []Setting {
	var settings []Setting
	for _, section := range f.sections() {
		if section.count > 0 {
			settings = append(settings, Setting{section.name, format.Counted(section.count, "section"), f.at(section.name + "[0]")})
		}
		for _, key := range section.keys {
			name := section.name + "." + key.name
			settings = append(settings, Setting{name, key.kind.written(), f.From(name)})
		}
	}
	return append(settings, f.nameSettings()...)
}

// Describe returns every setting with what it is for, its range and its default, by the sections of the file. Of the
// section of keys and of the profiles it returns what they are for.
func Describe() []topics.Entry {
	var entries []topics.Entry
	for _, section := range Default().sections() {
		name := "[" + section.name + "]"
		settings := section.keys
		if section.list != nil {
			name, settings = "["+name+"]", section.list()
		}
		entries = append(entries, topics.Entry{Name: name, Text: section.help, IsHeading: true})
		for _, key := range settings {
			entries = append(entries, topics.Entry{Name: key.name, Text: key.describe()})
		}
	}
	return entries
}

// describe returns what a key is for, its range, and its default or else a sample.
func (k *key) describe() string {
	text := k.help
	if bounds := k.kind.bounds; bounds != "" {
		text += " " + strings.ToUpper(bounds[:1]) + bounds[1:] + "."
	}
	if k.sample != "" {
		return strings.TrimSpace(text + " Such as " + k.sample)
	}
	return strings.TrimSpace(text + " Default: " + k.kind.usual)
}
