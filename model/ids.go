package model

import (
	"strings"
	"unique"
)

// ID is the identifier of a party, a market or an asset, exactly as the service wrote it. IDs are interned: equal texts
// are kept in memory once, and comparing two IDs is comparing two pointers. The garbage collector frees a text that is
// no longer used. The zero ID is the empty identifier.
type ID struct{ handle unique.Handle[string] }

// MakeID returns the identifier with the given text.
func MakeID(text string) ID {
	if text == "" {
		return ID{}
	}
	return ID{unique.Make(text)}
}

// IsZero reports whether the identifier is empty.
func (id ID) IsZero() bool { return id == ID{} }

// String returns the identifier as the service wrote it.
func (id ID) String() string {
	if id.IsZero() {
		return ""
	}
	return id.handle.Value()
}

// MarshalText returns what String does. It implements encoding.TextMarshaler.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText sets the identifier to the one with the given text. It implements encoding.TextUnmarshaler.
func (id *ID) UnmarshalText(text []byte) error {
	*id = MakeID(string(text))
	return nil
}

// Label returns the identifier for the screen: "(none)" for the empty one, which would be invisible.
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

// CanonicalID returns the identifier that a person means by text. Space around it is removed. 64 hexadecimal digits are
// converted to lower case: a service may send a correct snapshot for an upper-case identifier, and then never send
// an update for it.
func CanonicalID(text string) ID {
	text = strings.TrimSpace(text)
	if len(text) == 64 && isHex(text) {
		text = strings.ToLower(text)
	}
	return MakeID(text)
}

// IsWellFormed reports whether the identifier has the form that services use: 64 hexadecimal digits, or "network" for
// the party of the network itself.
func (id ID) IsWellFormed() bool {
	text := id.String()
	return len(text) == 64 && isHex(text) || text == "network"
}

// LooksLikeOtherID reports whether a name of id could be taken for another identifier: it has the form of one, or of
// its two ends as the screen shows them: a3f9…81c2, and a3f9~81c2 without Unicode.
func LooksLikeOtherID(name string, id ID) bool {
	first, last, isCut := strings.Cut(strings.ReplaceAll(name, "~", "…"), "…")
	isEnds := isCut && min(len(first), len(last)) >= 4 && isHex(first+last)
	return (isEnds || CanonicalID(name).IsWellFormed()) && CanonicalID(name) != id
}

func isHex(text string) bool { return strings.Trim(text, "0123456789abcdefABCDEF") == "" }

// maxInterned is how many identifiers an Interner keeps. When it has that many, it drops all of them.
const maxInterned = 1 << 14

// Interner makes IDs from bytes. It does not allocate for an identifier that it has made before, as MakeID would. It
// must not be used by several goroutines at once. The zero Interner is ready for use.
type Interner struct{ seen map[string]ID }

// ID returns the identifier with the given text.
func (in *Interner) ID(text []byte) ID {
	if id, ok := in.seen[string(text)]; ok {
		return id
	}
	if in.seen == nil || len(in.seen) >= maxInterned {
		in.seen = make(map[string]ID)
	}
	id := MakeID(string(text))
	in.seen[id.String()] = id
	return id
}
