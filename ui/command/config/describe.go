package config

import (
	"strings"

	"blotter/ui/topics"
)

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
