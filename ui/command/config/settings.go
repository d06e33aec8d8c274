package config

import (
	"fmt"
	"regexp"
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

// IsSet reports whether the file has a key, such as screen.order.
func (f *File) IsSet(key string) bool { return f.places[key] != "" }

// From returns FILE:LINE of a key in the file, such as keys.filter, and "default" if it is not there.
func (f *File) From(key string) string {
	if !f.IsSet(key) {
		return "default"
	}
	return f.at(key)
}

// at returns FILE:LINE of a key.
func (f *File) at(key string) string { return fmt.Sprintf("%s:%d", f.Path, f.Line(key)) }

// Line returns the line of a key, such as keys.filter or market[2].name. For a key that the file does not have, it is
// that of the nearest section around it; 0 if the file does not have that either.
func (f *File) Line(key string) int { return f.lines.line(f.place(key)) }

var settingOf = regexp.MustCompile(`^[a-z_]+(\.[a-z_]+)?`)

// place returns where a key, such as service.base_urls[1] or view[0].name, is in the file: the key itself, or that of
// the profile in use.
func (f *File) place(key string) string {
	setting := settingOf.FindString(key)
	if at, given := f.places[setting]; given {
		return at + strings.TrimPrefix(key, setting)
	}
	return key
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
