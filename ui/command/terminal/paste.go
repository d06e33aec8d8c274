package terminal

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// maxPaste is how many bytes of a paste are kept. The rest is left out.
const maxPaste = 1 << 20

// ctrlC is what terminals send for ctrl+c: in the usual form, or by Kitty's protocol, also with caps lock and num lock
// on.
var ctrlC = []string{"\x03", "\x1b[99;5u", "\x1b[99;69u", "\x1b[99;133u", "\x1b[99;197u"}

// pasteText collects pasted text, without control characters except tab and line breaks. A paste whose end does not
// come ends at ctrl+c: all later keys would belong to it.
type pasteText struct {
	text  []byte
	begun []byte // bytes that may be the beginning of one of the sequences above
}

// take returns the text, and makes p empty. Bytes that are not UTF-8 are left out.
func (p *pasteText) take() string {
	text := strings.ToValidUTF8(string(p.text), "")
	*p = pasteText{}
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, text)
}

// add takes a byte. At the end of the paste it returns the bytes that are to be read after it, which are not nil.
func (p *pasteText) add(b byte) (after []byte) {
	if len(p.begun) == 0 && b != ansi.ESC && b != ansi.ETX {
		p.keep(b)
		return nil
	}
	p.begun = append(p.begun, b)
	text := string(p.begun)
	switch {
	case text == pasteEnd:
		return []byte{}
	case slices.Contains(ctrlC, text):
		return p.begun
	case p.begins(text):
		return nil
	case len(text) == 1:
		p.begun = p.begun[:0]
		p.keep(b)
		return nil
	}
	// It is no such sequence, so its beginning is text.
	for _, held := range p.begun[:len(p.begun)-1] {
		p.keep(held)
	}
	p.begun = p.begun[:0]
	return p.add(b)
}

func (p *pasteText) keep(b byte) {
	if len(p.text) < maxPaste {
		p.text = append(p.text, b)
	}
}

// begins reports whether one of the sequences that end a paste begins with the text.
func (p *pasteText) begins(text string) bool {
	hasPrefix := func(sequence string) bool { return len(text) < len(sequence) && sequence[:len(text)] == text }
	return hasPrefix(pasteEnd) || slices.ContainsFunc(ctrlC, hasPrefix)
}
