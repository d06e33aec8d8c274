package format

import (
	"errors"
	"strings"
)

// Error returns an error in one line for the screen: what is wrong first, and the places of files, which can be long,
// last.
func Error(err error) string {
	text, places := err.Error(), []string(nil)
	for ; err != nil; err = errors.Unwrap(err) {
		at, hasPlace := err.(interface{ Place() string })
		if !hasPlace {
			continue
		}
		before, after, found := strings.Cut(text, at.Place())
		if !found {
			continue
		}
		if strings.HasPrefix(after, " ") { // the place is the subject
			before += "the file "
		}
		text = before + strings.TrimLeft(after, ": ")
		places = append(places, at.Place())
	}
	if len(places) > 0 {
		text += " (" + strings.Join(places, ", ") + ")"
	}
	return OneLine(text)
}
