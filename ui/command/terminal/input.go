package terminal

import (
	"bytes"
	"os"
	"slices"
)

// Input is the terminal's input as the screen reads it.
type Input struct {
	*os.File
	closed func()
	pastes pasteFilter
}

// NewInput returns the input of the screen. It calls closed when the terminal is closed.
func NewInput(file *os.File, closed func()) *Input { return &Input{File: file, closed: closed} }

// Read reads fewer bytes than p has room for, because the filter may add a few.
func (s *Input) Read(p []byte) (int, error) {
	chunk := make([]byte, max(1, len(p)/2-len(pasteEnd)))
	n, err := s.File.Read(chunk)
	if err != nil {
		s.closed()
	}
	return copy(p, s.pastes.filter(chunk[:n])), err
}

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// ctrlC is what terminals send for ctrl+c: in the usual form, or by Kitty's protocol, also with caps lock and num lock
// on.
var ctrlC = []string{"\x03", "\x1b[99;5u", "\x1b[99;69u", "\x1b[99;133u", "\x1b[99;197u"}

// pasteFilter makes sure that a paste ends. Bubble Tea decodes an escape sequence in pasted text as it does outside. An
// unterminated one includes the end of the paste, and all later keys would be read as pasted text. So the filter
// removes all control characters but tab and line breaks from the text, and ends the paste at ctrl+c.
type pasteFilter struct {
	inside bool
	begun  []byte // bytes that may be the beginning of one of the sequences above
	rest   int    // bytes that are missing of a UTF-8 character
}

// filter returns what is left of the next chunk of input.
func (f *pasteFilter) filter(chunk []byte) []byte {
	out := make([]byte, 0, len(chunk)+len(pasteEnd))
	for _, b := range chunk {
		if f.inside {
			out = f.pasted(out, b)
		} else {
			out = f.typed(out, b)
		}
	}
	return out
}

// typed appends each byte at once: a key must not wait for the next.
func (f *pasteFilter) typed(out []byte, b byte) []byte {
	f.begun = append(f.begun, b)
	if !bytes.HasPrefix([]byte(pasteStart), f.begun) {
		f.begun = append(f.begun[:0], b)
	}
	if string(f.begun) == pasteStart {
		f.inside, f.begun, f.rest = true, nil, 0
	}
	return append(out, b)
}

func (f *pasteFilter) pasted(out []byte, b byte) []byte {
	f.begun = append(f.begun, b)
	text := string(f.begun)
	switch {
	case text == pasteEnd:
		f.inside, f.begun = false, nil
		return append(out, pasteEnd...)
	case slices.Contains(ctrlC, text):
		f.inside, f.begun = false, nil
		return append(append(out, pasteEnd...), text...)
	case f.begins(text):
		return out
	case len(text) == 1:
		f.begun = f.begun[:0]
		return f.text(out, b)
	}
	// It is no such sequence, so its beginning is text.
	for _, held := range f.begun[:len(f.begun)-1] {
		out = f.text(out, held)
	}
	f.begun = f.begun[:0]
	return f.pasted(out, b)
}

// begins reports whether one of the sequences that end a paste begins with the text.
func (f *pasteFilter) begins(text string) bool {
	hasPrefix := func(sequence string) bool { return len(text) < len(sequence) && sequence[:len(text)] == text }
	return hasPrefix(pasteEnd) || slices.ContainsFunc(ctrlC, hasPrefix)
}

// text appends a byte of pasted text, unless it is a control character (C0, DEL or C1) or no UTF-8.
func (f *pasteFilter) text(out []byte, b byte) []byte {
	switch {
	case b < 0x80:
		f.rest = 0
		if b < ' ' && b != '\t' && b != '\n' && b != '\r' || b == 0x7f {
			return out
		}
	case b < 0xc0: // the rest of a character
		if f.rest == 0 {
			return out
		}
		f.rest--
	default: // its first byte, which has the length
		f.rest = 1
		if b >= 0xe0 {
			f.rest++
		}
		if b >= 0xf0 {
			f.rest++
		}
	}
	return append(out, b)
}
