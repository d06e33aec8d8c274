package terminal

import (
	"regexp"
	"strings"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"blotter/ui/input"
)

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// maxPaste is how many bytes of a paste are kept. The rest is left out.
const maxPaste = 1 << 20

// sequenceInPaste is the beginning of a key that is sent as a sequence: tmux sends line breaks of a paste so, if
// modified keys have sequences.
var sequenceInPaste = regexp.MustCompile(`^\x1b(\[[0-9:;]{0,40}[u~]?)?$`)

// pasteText collects pasted text, without control characters except tab and line breaks. A paste whose end does not
// come ends at ctrl+c: all later keys would belong to it.
type pasteText struct {
	text  []byte
	begun []byte // bytes that may be the beginning of a sequence
}

// takeText returns the text, and makes p empty. Bytes that are not UTF-8 are left out.
func (p *pasteText) takeText() string {
	text := strings.ToValidUTF8(string(p.text), "")
	*p = pasteText{}
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, text)
}

// addByte takes a byte. At the end of the paste it returns the bytes that are to be read after it, which are not nil.
func (p *pasteText) addByte(b byte) (after []byte) {
	begun := append(p.begun, b)
	switch {
	case b == ansi.ETX:
		p.keepBegun()
		return []byte{b}
	case sequenceInPaste.Match(begun):
		p.begun = begun
	default:
		p.keepBegun()
		if b == ansi.ESC {
			p.begun = append(p.begun, b)
		} else {
			p.keep(b)
		}
	}
	switch {
	case b != '~' && b != 'u' || len(p.begun) == 0:
		return nil
	case string(begun) == pasteEnd:
		return []byte{}
	}
	return p.key()
}

// key takes the sequence of a key. It returns the sequence if it is ctrl+c, which ends the paste.
func (p *pasteText) key() (after []byte) {
	var pressed tea.KeyPressMsg
	decoder := new(uv.EventDecoder)
	event, isKitty := kittyKey(decoder, p.begun)
	if !isKitty {
		_, event = decoder.Decode(p.begun)
	}
	if key, ok := event.(uv.KeyPressEvent); ok {
		isKey := func(name string) bool { return name == "ctrl+c" }
		pressed, _ = new(input.Keyboard).Meant(tea.KeyPressMsg(key), true, isKey)
	}
	switch pressed.String() {
	case "ctrl+c":
		return p.begun
	case "ctrl+j", "ctrl+m", "enter":
		p.begun = append(p.begun[:0], '\n')
	case "ctrl+i", "tab":
		p.begun = append(p.begun[:0], '\t')
	}
	p.keepBegun()
	return nil
}

// keepBegun adds the bytes to the text that are no sequence.
func (p *pasteText) keepBegun() {
	for _, b := range p.begun {
		p.keep(b)
	}
	p.begun = p.begun[:0]
}

func (p *pasteText) keep(b byte) {
	if len(p.text) < maxPaste {
		p.text = append(p.text, b)
	}
}
