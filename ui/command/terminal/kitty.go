package terminal

import (
	"regexp"
	"strconv"

	uv "github.com/charmbracelet/ultraviolet"
)

// withBaseKey is a sequence of Kitty's keyboard protocol with the key of the US layout in it: the key, the key with
// shift if that is pressed, the key of the US layout, and the rest.
var withBaseKey = regexp.MustCompile(`^(\x1b+\[[0-9]+:[0-9]*):([0-9]+)((?:;[0-9:;]*)?u)$`)

// kittyKey returns the event of a sequence with the key of the US layout. The library would take this key for the key
// with shift too, so it gets the sequence without it.
func kittyKey(library *uv.EventDecoder, sequence []byte) (uv.Event, bool) {
	parts := withBaseKey.FindSubmatch(sequence)
	if parts == nil {
		return nil, false
	}
	base, err := strconv.Atoi(string(parts[2]))
	if err != nil {
		return nil, false
	}
	_, event := library.Decode(append(parts[1][:len(parts[1]):len(parts[1])], parts[3]...))
	switch key := event.(type) {
	case uv.KeyPressEvent:
		key.BaseCode = rune(base)
		return key, true
	case uv.KeyReleaseEvent:
		key.BaseCode = rune(base)
		return key, true
	}
	return event, event != nil
}
