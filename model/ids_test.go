package model

import (
	"fmt"
	"strings"
	"testing"
)

func TestIDIsItsText(t *testing.T) {
	for _, text := range []string{"", "a", "A", "network", "\x00", "\xff", strings.Repeat("f", 64)} {
		id := MakeID(text)
		if id.String() != text || id != MakeID(strings.Clone(text)) || id.IsZero() != (text == "") {
			t.Errorf("%q becomes %q", text, id)
		}
	}
	if MakeID("a") == MakeID("A") {
		t.Error("two identifiers became one")
	}
}

func TestCanonicalID(t *testing.T) {
	hex := strings.Repeat("aB3f", 16)
	for text, want := range map[string]string{
		" " + hex + "\n": strings.ToLower(hex),
		hex[1:]:          hex[1:],
		hex + "0":        hex + "0",
		hex[1:] + "G":    hex[1:] + "G",
		" Network ":      "Network",
		"":               "",
	} {
		if got := CanonicalID(text).String(); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestInternerBeyondItsLimit(t *testing.T) {
	var in Interner
	for i := range 2*maxInterned + 1 {
		text := fmt.Sprint(i % (maxInterned + 1))
		if got := in.ID([]byte(text)); got != MakeID(text) {
			t.Fatalf("%q becomes %q", text, got)
		}
		if len(in.seen) > maxInterned {
			t.Fatalf("%d identifiers are kept", len(in.seen))
		}
	}
	if !in.ID(nil).IsZero() {
		t.Error("no text is not the zero ID")
	}
}

func TestInternerCopiesTheText(t *testing.T) {
	var in Interner
	text := []byte("abc")
	id := in.ID(text)
	copy(text, "xyz")
	if id.String() != "abc" || in.ID([]byte("abc")) != id || in.ID(text) == id {
		t.Errorf("the identifier has become %q", id)
	}
}

func TestInternerAllocatesNothingForKnownTexts(t *testing.T) {
	var in Interner
	text := []byte(strings.Repeat("f", 64))
	in.ID(text)
	if n := testing.AllocsPerRun(100, func() { in.ID(text) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
