package views

import (
	"cmp"
	"slices"

	"blotter/ui/format"
)

// ProfileSwitch is the state of the change to another profile.
type ProfileSwitch struct {
	Names       []string // of all profiles; the empty one is the configuration without a profile
	Current     string   // the one that is shown
	Unavailable string   // why profiles cannot be switched, in a few words without a full stop; empty if they can

	isOpening bool   // a profile is being opened
	isClosing bool   // the previous source is being closed
	refused   string // the last profile that could not be used
	problem   string // why it could not be used
}

// Begin begins to open a profile, and returns words about it. It returns false if it cannot be opened now.
func (s *ProfileSwitch) Begin(name string) (words string, ok bool) {
	switch {
	case s.Unavailable != "":
		return "Profiles cannot be switched: " + s.Unavailable + ".", false
	case s.isOpening || s.isClosing:
		return "A profile is being opened already.", false
	case name == s.Current:
		return "This is " + profileTitle(name) + ".", false
	}
	s.isOpening = true
	return "Opening " + profileTitle(name) + "...", true
}

// Refuse ends the change to a profile that cannot be used, and returns words about it.
func (s *ProfileSwitch) Refuse(name string, err error) (words string) {
	s.isOpening, s.refused, s.problem = false, name, format.Error(err)
	return "Not " + profileTitle(name) + ": " + s.problem
}

// Follow notes that the source of the previous profile is being closed, and returns words about the profile that is
// shown now.
func (s *ProfileSwitch) Follow(name, service string) (words string) {
	s.isClosing = true
	return "This is " + profileTitle(name) + ", with " + format.OneLine(service) + "."
}

// Closed notes that the source of the previous profile is closed.
func (s *ProfileSwitch) Closed() { s.isClosing = false }

// IsClosing reports whether the source of the previous profile is still being closed. The new one gets no request until
// then.
func (s *ProfileSwitch) IsClosing() bool { return s.isClosing }

// profileTitle returns a profile as it is written within a sentence.
func profileTitle(name string) string {
	if name == "" {
		return "the configuration without a profile"
	}
	return "profile " + format.OneLine(name)
}

// Note returns why profiles cannot be switched, for the title of their list.
func (s *ProfileSwitch) Note() string {
	if slices.ContainsFunc(s.Names, func(name string) bool { return name != "" }) {
		return s.Unavailable
	}
	return "none in the configuration"
}

// Words returns what enter does with a profile.
func (s *ProfileSwitch) Words(name string) string {
	switch {
	case name == s.Current:
		return cmp.Or(format.OneLine(name), profileTitle(name)) + " is shown"
	case s.Unavailable != "":
		return "profiles cannot be switched: " + s.Unavailable
	case name == s.refused && s.problem != "":
		return "not used: " + s.problem
	}
	return "enter shows " + profileTitle(name)
}
