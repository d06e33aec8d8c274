package model

import (
	"strings"
	"unique"
)

// ID is the identifier of a party, a market or an asset, exactly as the service wrote it. IDs are
// interned: equal texts are one word in memory, comparing two is comparing two pointers, and a text that
// no row uses any longer is let go by the garbage collector. The zero ID is the empty identifier.
type ID struct{ handle unique.Handle[string] }

// MakeID interns text.
func MakeID(text string) ID {
	if text == "" {
		return ID{}
	}
	return ID{unique.Make(text)}
}

// IsZero tells whether the identifier is empty.
func (id ID) IsZero() bool { return id == ID{} }

// String is the identifier as the service wrote it.
func (id ID) String() string {
	if id.IsZero() {
		return ""
	}
	return id.handle.Value()
}

// Label is the identifier for people, to whom an empty one would look like nothing at all.
func (id ID) Label() string {
	if id.IsZero() {
		return "(none)"
	}
	return id.String()
}

// Compare orders identifiers by their text.
func (id ID) Compare(other ID) int {
	if id == other {
		return 0
	}
	return strings.Compare(id.String(), other.String())
}

// CanonicalID is the identifier that is asked for when a person names text: surrounding space is dropped,
// and 64 hexadecimal digits are put in lower case, because a service may answer an upper-case identifier
// with a right snapshot and then never send it an update.
func CanonicalID(text string) ID {
	text = strings.TrimSpace(text)
	if len(text) == 64 && isHex(text) {
		text = strings.ToLower(text)
	}
	return MakeID(text)
}

func isHex(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case '0' <= c && c <= '9', 'a' <= c && c <= 'f', 'A' <= c && c <= 'F':
		default:
			return false
		}
	}
	return true
}

// identifiersKept bounds what an Interner remembers. It is a cache: what it forgets is interned again.
const identifiersKept = 1 << 14

// Interner makes IDs from bytes, without allocating for those that it has lately seen. It is for one
// goroutine: a session has its own.
type Interner struct{ seen map[string]ID }

// ID interns text.
func (in *Interner) ID(text []byte) ID {
	if id, ok := in.seen[string(text)]; ok {
		return id
	}
	if in.seen == nil || len(in.seen) >= identifiersKept {
		in.seen = make(map[string]ID)
	}
	id := MakeID(string(text))
	in.seen[id.String()] = id
	return id
}
