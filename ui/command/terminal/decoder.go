package terminal

import (
	"bytes"
	"time"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

// The limits of what a terminal sends. A longer key or sequence is dropped. All keys, and all responses that the screen
// requests, are much shorter.
const (
	maxControl   = 256  // bytes of a control sequence
	maxSeparated = 31   // separators in it: one less than its parameters
	maxDigits    = 7    // of a parameter: the longest is a Unicode code point
	maxString    = 1024 // bytes of an OSC, DCS, APC, PM or SOS
)

// How long the decoder waits for the rest of a key or sequence. After esc, or alt and [, there may be none: these keys
// are also the beginning of a sequence. With Kitty's protocol they have sequences of their own, so the rest is late.
const (
	LocalKeyTime    = 50 * time.Millisecond  // since the last byte, if the bytes so far may be a key
	RemoteKeyTime   = 100 * time.Millisecond // the same, if the bytes come over a network
	sequenceTimeout = time.Second            // since the first byte, if they cannot be a key
)

// decoder decodes what a terminal sends. The library decodes one key or sequence at a time, never a part of one, and
// never two.
type decoder struct {
	send    func(tea.Msg)
	keyTime time.Duration
	isKitty bool // the terminal follows Kitty's protocol
	library uv.EventDecoder
	held    []byte                   // the bytes of the key or sequence that is read
	reading func(d *decoder, b byte) // takes its next byte; nil if none is read
	begun   time.Time                // when its first byte came
	tooLong bool                     // it is dropped at its end
	paste   pasteText
	inPaste bool

	separators, digits int // of a control sequence
	missing            int // bytes of a click
}

// addByte takes the next byte.
func (d *decoder) addByte(b byte) {
	switch {
	case d.inPaste:
		if end := d.paste.addByte(b); end != nil {
			d.inPaste = false
			d.send(uv.PasteEvent{Content: d.paste.takeText()})
			for _, b := range end {
				d.addByte(b)
			}
		}
	case d.reading != nil:
		d.reading(d, b)
	default:
		d.beginKey(b)
	}
}

// beginKey takes the first byte of a key or sequence.
func (d *decoder) beginKey(b byte) {
	d.begun = time.Now()
	switch {
	case b == ansi.ESC:
		d.hold(b, (*decoder).escape)
	case b < utf8.RuneSelf:
		d.end(b)
	default:
		d.character(b)
	}
}

// hold adds a byte to the key or sequence, and sets the function that takes the next byte.
func (d *decoder) hold(b byte, next func(*decoder, byte)) {
	if !d.tooLong {
		d.held = append(d.held, b)
	}
	d.reading = next
}

// end adds the last byte of the key or sequence, and decodes it.
func (d *decoder) end(b byte) {
	d.hold(b, nil)
	d.decode()
}

func (d *decoder) drop() {
	d.held, d.reading, d.tooLong = nil, nil, false
	d.separators, d.digits, d.missing = 0, 0, 0
}

// decode sends the event of the key or sequence, which is complete.
func (d *decoder) decode() {
	held := d.held
	tooLong := d.tooLong
	d.drop()
	if tooLong {
		return
	}
	if key, isKitty := kittyKey(&d.library, held); isKitty {
		d.send(withEsc(key))
		return
	}
	n, event := d.library.Decode(held)
	if n == 1 && len(held) > 1 { // esc, and then what cannot be pressed together with alt
		d.send(event)
		_, event = d.library.Decode(held[1:])
	}
	switch event := event.(type) {
	case nil:
	case uv.MultiEvent:
		for _, one := range event {
			d.send(one)
		}
	case uv.KeyPressEvent:
		if event.Mod.Contains(uv.ModAlt) && event.BaseCode == 0 && !mayBeEscAndKey(held) {
			event.BaseCode = event.Code // so that it is not taken for esc and a key: see input.AfterEsc
		}
		d.send(withEsc(event))
	case uv.KeyboardEnhancementsEvent:
		d.isKitty = event.Flags != 0
		d.send(event)
	default:
		d.send(event)
	}
}

// withEsc returns esc in place of ctrl+[, which is the same key: a terminal without a protocol sends the same for both.
func withEsc(event uv.Event) uv.Event {
	const locks = uv.ModCapsLock | uv.ModNumLock | uv.ModScrollLock
	if key, ok := event.(uv.KeyPressEvent); ok && key.Code == '[' && key.Mod&^locks == uv.ModCtrl {
		return uv.KeyPressEvent{Code: uv.KeyEscape}
	}
	return event
}

// mayBeEscAndKey reports whether the bytes of a key with alt are those of esc and of the key.
func mayBeEscAndKey(held []byte) bool {
	return len(held) == 2 || held[1] == ansi.ESC || held[1] >= utf8.RuneSelf
}

// character takes a byte of a UTF-8 character outside ASCII, perhaps after ESC. A byte that cannot be in one is
// dropped: the library could take it for a C1 control, which begins a sequence.
func (d *decoder) character(b byte) {
	d.hold(b, (*decoder).character)
	text := bytes.TrimLeft(d.held, "\x1b")
	switch r, size := utf8.DecodeRune(text); {
	case !utf8.FullRune(text):
	case r != utf8.RuneError || size > 1:
		d.decode()
	default:
		d.drop()
		if len(text) > 1 && (b < utf8.RuneSelf || utf8.RuneStart(b)) {
			d.beginKey(b)
		}
	}
}

// escape takes the byte after ESC. Some terminals send ESC and the sequence of a key if alt is pressed with it.
func (d *decoder) escape(b byte) {
	switch b {
	case ansi.ESC:
		if len(d.held) == 2 {
			d.sendFirstEscape()
		}
		d.hold(b, (*decoder).escape)
		return
	case '[':
		d.hold(b, (*decoder).control)
		return
	case 'O':
		d.hold(b, (*decoder).function)
		return
	}
	if len(d.held) == 2 {
		d.sendFirstEscape()
	}
	switch {
	case b == 'P' || b == ']' || b == '_' || b == '^' || b == 'X':
		d.hold(b, (*decoder).text)
	case b < utf8.RuneSelf:
		d.end(b)
	default:
		d.character(b)
	}
}

// sendFirstEscape sends the first of two ESC as a key.
func (d *decoder) sendFirstEscape() {
	d.held = d.held[:1]
	d.decode()
	d.held = []byte{ansi.ESC}
}

// function takes what follows ESC O: perhaps digits, and a letter.
func (d *decoder) function(b byte) {
	switch {
	case b <= ' ' || b >= ansi.DEL:
		d.interrupt(b)
	case b >= '0' && b <= '9' && len(d.held) < 5:
		d.hold(b, (*decoder).function)
	default:
		d.end(b)
	}
}

// control takes what follows ESC [: parameters, and a byte that ends the sequence.
func (d *decoder) control(b byte) {
	first := d.held[len(d.held)-1] == '['
	switch {
	case b < ' ' || b >= ansi.DEL:
		d.interrupt(b)
		return
	case b == 'M' && first:
		d.missing = 3
		d.hold(b, (*decoder).mouse)
		return
	case b == 't':
		d.drop() // a size of the window, which the system reports
		return
	case b >= '@':
		if d.hold(b, nil); !bytes.HasSuffix(d.held, []byte(pasteStart)) {
			d.decode()
			return
		}
		if len(d.held) > len(pasteStart) {
			d.sendFirstEscape()
		}
		d.drop()
		d.inPaste = true
		return
	case b >= '0' && b <= '9':
		d.digits++
	case b == ';' || b == ':':
		d.separators++
		d.digits = 0
	}
	d.tooLong = d.tooLong || d.separators > maxSeparated || d.digits > maxDigits || len(d.held) >= maxControl
	d.hold(b, (*decoder).control)
}

// mouse takes the three bytes after ESC [ M, which are a button, a column and a row. Far to the right the column is not
// ASCII: such a click is dropped, because the screen requests another form.
func (d *decoder) mouse(b byte) {
	if b < ' ' || b >= ansi.DEL {
		d.interrupt(b)
		return
	}
	d.hold(b, (*decoder).mouse)
	if d.missing--; d.missing == 0 {
		d.decode()
	}
}

// text takes a string of the terminal, to ESC \ or BEL.
func (d *decoder) text(b byte) {
	switch {
	case b == ansi.ESC:
		d.hold(b, (*decoder).textEnd)
	case b == ansi.BEL && d.held[1] == ']':
		d.end(b)
	case b < ' ' || b == ansi.DEL:
		d.interrupt(b)
	default:
		d.tooLong = d.tooLong || len(d.held) >= maxString
		d.hold(b, (*decoder).text)
	}
}

// textEnd takes the byte after ESC in a string. If it is not \, the string was cut off, and the ESC begins another
// sequence.
func (d *decoder) textEnd(b byte) {
	if b == '\\' {
		d.end(b)
		return
	}
	d.drop()
	d.beginKey(ansi.ESC)
	d.addByte(b)
}

// interrupt drops a sequence at a byte that cannot be in it. The byte begins another one, except CAN and SUB, which
// only end a sequence (ECMA-48).
func (d *decoder) interrupt(b byte) {
	d.drop()
	if b != ansi.CAN && b != ansi.SUB {
		d.beginKey(b)
	}
}

// timeout returns how long to wait for the next byte of the key or sequence.
func (d *decoder) timeout() time.Duration {
	if d.mayBeKey() && !d.isKitty {
		return d.keyTime
	}
	return max(0, sequenceTimeout-time.Since(d.begun))
}

// mayBeKey reports whether the bytes so far are a key if nothing follows: esc, alt with a character that begins a
// sequence, or shift with a key, for which the terminal urxvt sends a sequence that ends in $.
func (d *decoder) mayBeKey() bool {
	held := d.held
	if len(held) > 1 && held[1] == ansi.ESC {
		held = held[1:]
	}
	isWhole := d.missing == 0 && held[len(held)-1] < utf8.RuneSelf // no click or character of which bytes are missing
	return !d.tooLong && isWhole && (len(held) <= 2 || held[1] == '[' && held[len(held)-1] == '$')
}

// expire ends the key or sequence after its timeout: a key is decoded, anything else is dropped.
func (d *decoder) expire() {
	switch {
	case !d.mayBeKey():
		d.drop()
	case string(d.held) == "\x1b\x1b":
		d.sendFirstEscape()
		d.decode()
	default:
		d.decode()
	}
}
