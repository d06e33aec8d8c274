package terminal

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"blotter/ui/input"
)

// script sends inputs with pauses between them through the decoder, and returns what the screen gets.
func script(t *testing.T, pause time.Duration, inputs ...string) (got []string) {
	t.Helper()
	return scriptWithin(t, LocalKeyTime, pause, inputs...)
}

// scriptWithin is script with the time that a key waits.
func scriptWithin(t *testing.T, keyTime, pause time.Duration, inputs ...string) (got []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		reader := NewInput(nil, keyTime, func() {})
		ctx, cancel := context.WithCancel(t.Context())
		go reader.Run(ctx, func(message tea.Msg) {
			if text := words(message); text != "" {
				got = append(got, text)
			}
		})
		for _, chunk := range inputs {
			reader.chunks <- []byte(chunk)
			time.Sleep(pause)
		}
		time.Sleep(2 * sequenceTimeout)
		cancel()
		<-reader.ended
	})
	return got
}

// words returns a message as a test writes it.
func words(message tea.Msg) string {
	switch message := message.(type) {
	case uv.KeyPressEvent:
		meant, isKey := new(input.Keyboard).Meant(tea.KeyPressMsg(message), false, isCommand)
		if !isKey {
			return ""
		}
		if _, may := input.AfterEsc(tea.KeyPressMsg(message)); may {
			return meant.String() + "?" // or esc and the key
		}
		return meant.String()
	case uv.PasteEvent:
		return fmt.Sprintf("paste %q", message.Content)
	case uv.MouseEvent:
		return "mouse " + message.String()
	}
	return fmt.Sprintf("%T", message)
}

// isCommand is true for the keys that the tests below send on other layouts.
func isCommand(key string) bool {
	return slices.Contains([]string{"q", "T", "/", "ctrl+c", "alt+t", "alt+T", "alt+?"}, key)
}

var inputs = map[string]struct {
	input string
	want  string // separated by two spaces
}{
	"keys":                    {"aÄ😀\r\x03\x7f\t", "a  Ä  😀  enter  ctrl+c  backspace  tab"},
	"arrows":                  {"\x1b[A\x1bOB\x1b[1;5C", "up  down  ctrl+right"},
	"esc":                     {"\x1b", "esc"},
	"ctrl+[":                  {"\x1b[91;5u\x1b[91;133u\x1b[91::91;5u\x1b[27;5;91~\x1b[91;6u", "esc  esc  esc  esc  ctrl+shift+["},
	"esc twice":               {"\x1b\x1b", "esc  esc"},
	"esc three times":         {"\x1b\x1b\x1b", "esc  esc  esc"},
	"alt":                     {"\x1bx\x1b\r\x1bä", "alt+x?  alt+enter?  alt+ä?"},
	"alt with an arrow":       {"\x1b\x1b[A\x1b\x1bOB", "alt+up?  alt+down?"},
	"alt with [":              {"\x1b[", "alt+[?"},
	"alt with ]":              {"\x1b]", "alt+]?"},
	"alt with O":              {"\x1bO", "alt+O?"},
	"function keys":           {"\x1bOP\x1b[15~\x1b[24;2~", "f1  f5  shift+f12"},
	"urxvt":                   {"\x1b[2$", "shift+insert"},
	"Kitty":                   {"\x1b[99;5u\x1b[97::65;2u", "ctrl+c  A"},
	"Kitty's shifted keys":    {"\x1b[47:63;4u\x1b[223:63:45;4u\x1b[1077:1045:116;4u", "alt+?  alt+?  alt+T"},
	"Kitty on a US layout":    {"\x1b[113;;113u\x1b[116:84;2;84u\x1b[27u\x1b[13u", "q  T  esc  enter"},
	"Kitty's layouts":         {"\x1b[1081::113;;1081u\x1b[1077:1045:116;2;1045u\x1b[1077:1045:116;2u\x1b[1089::99;5u\x1b[46::47;;46u", "q  T  T  ctrl+c  /"},
	"layouts without Kitty":   {"йЕ\x1b[27;5;1089~\x1b[1089;5u\x1bе", "q  T  ctrl+c  ctrl+c  alt+t?"},
	"alt, not esc":            {"\x1b[113;3u\x1b[27;3;113~\x1b[1;3A", "alt+q  alt+q  alt+up"},
	"shift alone":             {"\x1b[57441;2ua", "a"},
	"alt and shift":           {"\x1b?\x1bT\x1b[27;4;63~\x1b[27;4;84~", "alt+??  alt+T?  alt+?  alt+T"},
	"mouse":                   {"\x1b[<0;5;6M\x1b[<0;5;6m\x1b[M #$x", "mouse left  mouse left  mouse left  x"},
	"responses":               {"\x1b]11;rgb:0000/0000/0000\x1b\\\x1b]11;rgb:1/1/1\x07\x1b[?2026;2$y\x1bP>|xterm(1)\x1b\\", "uv.BackgroundColorEvent  uv.BackgroundColorEvent  uv.ModeReportEvent  uv.TerminalVersionEvent"},
	"esc and a response":      {"\x1b\x1b[?2026;2$yq", "esc  uv.ModeReportEvent  q"},
	"32 parameters":           {"\x1b[" + strings.Repeat("1;", 31) + "1mq", "uv.UnknownCsiEvent  q"},
	"33 parameters":           {"\x1b[" + strings.Repeat("1;", 32) + "1mq", "q"},
	"33 with colons":          {"\x1b[" + strings.Repeat("1:", 32) + "1uq", "q"},
	"257 bytes":               {"\x1b[" + strings.Repeat(" ", 257) + "mq", "q"},
	"a large parameter":       {"\x1b[99999999;5uq", "q"},
	"a size of the window":    {"\x1b[8;99999;99999tq\x1b[48;1;1;1;1t", "q"},
	"a long DCS":              {"\x1bP" + strings.Repeat("1;", 20000) + "\x1b\\q", "q"},
	"a long OSC":              {"\x1b]52;c;" + strings.Repeat("a", 20000) + "\x07q", "q"},
	"a cancelled OSC":         {"\x1b]52;c;\x18q\x1b[1;\x1aw", "q  w"},
	"an OSC before a key":     {"\x1b]52;c;\x1b[Aq", "up  q"},
	"ctrl+c in a DCS":         {"\x1bP1\x03q", "ctrl+c  q"},
	"APC, PM and SOS":         {"\x1b_a\x1b\\\x1b^b\x1b\\\x1bXc\x1b\\q", "uv.UnknownApcEvent  uv.UnknownPmEvent  uv.UnknownSosEvent  q"},
	"C1":                      {"\x9b" + strings.Repeat("1;", 40) + "m\x90q", strings.Repeat("1  ;  ", 40) + "m  q"},
	"no UTF-8":                {"\xc3(\x80\xff\xf8a\xe2\x82b", "(  a  b"},
	"paste":                   {"a\x1b[200~b\tä😀\r\nc\x1b[201~d", `a  paste "b\tä😀\r\nc"  d`},
	"two pastes":              {"\x1b[200~a\x1b[201~\x1b[200~b\x1b[201~", `paste "a"  paste "b"`},
	"esc and a paste":         {"\x1b\x1b[200~a\x1b[201~", `esc  paste "a"`},
	"OSC in a paste":          {"\x1b[200~\x1b]52;c;\x1b[201~q", `paste "]52;c;"  q`},
	"C1 in a paste":           {"\x1b[200~\x9d52;c;\xc2\x9b\x1b[201~q", `paste "52;c;"  q`},
	"half an end":             {"\x1b[200~\x1b[20\x1b[201~q", `paste "[20"  q`},
	"a start in a paste":      {"\x1b[200~a\x1b[200~b\x1b[201~q", `paste "a[200~b"  q`},
	"esc before the end":      {"\x1b[200~a\x1b\x1b[201~q", `paste "a"  q`},
	"ctrl+c in a paste":       {"\x1b[200~\x1b]52;c;\x03q", `paste "]52;c;"  ctrl+c  q`},
	"Kitty's in a paste":      {"\x1b[200~a\x1b[99;5uq", `paste "a"  ctrl+c  q`},
	"with caps lock":          {"\x1b[200~a\x1b[99;69uq", `paste "a"  ctrl+c  q`},
	"with a layout":           {"\x1b[200~a\x1b[1089::99;5uq", `paste "a"  ctrl+c  q`},
	"line breaks in a paste":  {"\x1b[200~a\x1b[27;5;106~b\x1b[27;5;109~c\x1b[106;5ud\x1b[27;5;105~e\x1b[201~", `paste "a\nb\nc\nd\te"`},
	"other keys in a paste":   {"\x1b[200~a\x1b[27;5;107~b\x1b[27;5;u\x1b[x\x1b[201~", `paste "a[27;5;107~b[27;5;u[x"`},
	"no UTF-8 in a paste":     {"\x1b[200~\xc3\x28\x80\xffa\x1b[201~", `paste "(a"`},
	"a sequence that is over": {"\x1b[1;", ""},
}

// TestInputSplitAnywhere sends each input as one chunk, byte by byte, and split in two at each byte with a pause that
// is shorter than that for a key.
func TestInputSplitAnywhere(t *testing.T) {
	for name, test := range inputs {
		t.Run(name, func(t *testing.T) {
			check := func(how string, chunks ...string) {
				if got := strings.Join(script(t, LocalKeyTime/2, chunks...), "  "); got != test.want {
					t.Errorf("%s: got %s, not %s", how, got, test.want)
				}
			}
			check("whole", test.input)
			for at := range min(len(test.input), 300) {
				check(fmt.Sprintf("split at %d", at), test.input[:at], test.input[at:])
			}
			if len(test.input) <= 30 { // a sequence ends within these pauses
				check("byte by byte", strings.Split(test.input, "")...)
			}
		})
	}
}

// TestKeysAfterAnUnterminatedSequence: they are keys again when the terminal has been silent.
func TestKeysAfterAnUnterminatedSequence(t *testing.T) {
	for _, begun := range []string{
		"\x1b[1;", "\x1bP" + strings.Repeat("1;", 18000), "\x1b]52;c;" + strings.Repeat("a", 36000), "\x1b_G", "\x1bX1", "\x1b^1", "\xe2\x82", "\x1b[M ",
	} {
		if got := script(t, 2*sequenceTimeout, begun, "q"); !slices.Equal(got, []string{"q"}) {
			t.Errorf("%.9q: %q", begun, got)
		}
	}
	if got := script(t, 0, "\x1b]52;c;a", "jjjjjj\x03"); !slices.Equal(got, []string{"ctrl+c"}) {
		t.Errorf("ctrl+c at once: %q", got)
	}
}

func TestLargePaste(t *testing.T) {
	text := strings.Repeat("pärty-1\n", 50_000)
	if got := script(t, 0, pasteStart+text+pasteEnd, "q"); len(got) != 2 || got[0] != words(uv.PasteEvent{Content: text}) {
		t.Errorf("%d messages: %.50q", len(got), got)
	}
	long := script(t, 0, pasteStart+strings.Repeat("a", 3*maxPaste)+pasteEnd, "q")
	if len(long) != 2 || len(long[0]) > maxPaste+20 || long[1] != "q" {
		t.Errorf("%d messages: %.50q", len(long), long)
	}
}

// TestReadSendsTheInput through a pipe in place of a terminal.
func TestReadSendsTheInput(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	closed := make(chan struct{})
	input := NewInput(read, LocalKeyTime, func() { close(closed) })
	ctx, cancel := context.WithCancel(t.Context())
	messages := make(chan tea.Msg, 9)
	go input.Run(ctx, func(message tea.Msg) { messages <- message })
	if _, err := write.WriteString("q"); err != nil {
		t.Fatal(err)
	}
	if n, err := input.Read(make([]byte, 99)); n != 0 || err != nil {
		t.Errorf("Bubble Tea gets %d bytes, %v", n, err)
	}
	if got := words(<-messages); got != "q" {
		t.Errorf("got %s", got)
	}
	write.Close()
	if _, err := input.Read(make([]byte, 99)); err == nil {
		t.Error("no error at the end")
	}
	<-closed
	cancel()
	<-input.ended
}

// FuzzInput sends anything, split anywhere, through the decoder and the library: nothing fails, and what the library
// gets is bounded. Then keys are keys again.
func FuzzInput(f *testing.F) {
	for _, test := range inputs {
		f.Add([]byte(test.input), len(test.input)/2)
	}
	f.Add([]byte("\x1b[1;2;3;4;5;6M\x1b[Mabc\x1bPq\x1b\x1b\\"), 7)
	f.Fuzz(func(t *testing.T, input []byte, at int) {
		var last tea.Msg
		d := decoder{send: func(message tea.Msg) { last = message }}
		for i, b := range input {
			if i == at && d.held != nil {
				d.expire()
			}
			d.addByte(b)
			if len(d.held) > maxString+2 || len(d.paste.text) > maxPaste {
				t.Fatalf("%d bytes are held", len(d.held))
			}
		}
		for _, b := range []byte("\x03\x03") { // ends whatever has begun
			d.addByte(b)
		}
		if key, ok := last.(uv.KeyPressEvent); !ok || key.String() != "ctrl+c" {
			t.Errorf("%q: the last key is %v", input, last)
		}
	})
}

// TestAnArrowThatComesApart is an arrow, if its parts come within the time of the connection, and with Kitty's protocol
// within a second.
func TestAnArrowThatComesApart(t *testing.T) {
	const kitty = "\x1b[?5u"
	for _, test := range []struct {
		keyTime, pause time.Duration
		inputs         []string
		want           string
	}{
		{RemoteKeyTime, 80 * time.Millisecond, []string{"\x1b", "[B"}, "down"},
		{RemoteKeyTime, 120 * time.Millisecond, []string{"\x1b", "[B"}, "esc  [  B"},
		{LocalKeyTime, 80 * time.Millisecond, []string{"\x1b", "[B"}, "esc  [  B"},
		{LocalKeyTime, 900 * time.Millisecond, []string{kitty, "\x1b", "[B"}, "uv.KeyboardEnhancementsEvent  down"},
		{RemoteKeyTime, 1100 * time.Millisecond, []string{kitty, "\x1b", "[B"}, "uv.KeyboardEnhancementsEvent  esc  [  B"},
		{RemoteKeyTime, 80 * time.Millisecond, []string{kitty, "\x1b[27u", "[B"}, "uv.KeyboardEnhancementsEvent  esc  [  B"},
		{RemoteKeyTime, 120 * time.Millisecond, []string{kitty, "\x1b[?0u", "\x1b", "[B"}, "uv.KeyboardEnhancementsEvent  uv.KeyboardEnhancementsEvent  esc  [  B"},
	} {
		if got := strings.Join(scriptWithin(t, test.keyTime, test.pause, test.inputs...), "  "); got != test.want {
			t.Errorf("%q with pauses of %s: %s, not %s", test.inputs, test.pause, got, test.want)
		}
	}
}
