//go:build unix

package terminaltest

import (
	"strings"
	"testing"

	"blotter/ui/command/cli"
)

// TestHostileTerminal: whatever the terminal sends, the dashboard goes on, and leaves the terminal as it was.
func TestHostileTerminal(t *testing.T) {
	for name, sent := range map[string]string{
		"33 parameters":         "\x1b[" + strings.Repeat("1;", 32) + "1m",
		"33 parameters of DCS":  "\x1bP" + strings.Repeat("1;", 32) + "1q\x1b\\",
		"an unterminated DCS":   "\x1bPq" + strings.Repeat("1;", 18_000),
		"an unterminated OSC":   "\x1b]52;c;" + strings.Repeat("a", 36_000),
		"a size of the window":  "\x1b[8;2000000000;2000000000t\x1b[48;2000000000;2000000000;1;1t",
		"clicks far away":       "\x1b[<0;9999999;9999999M\x1b[<0;0;0M\x1b[<64;9999999;1M\x1b[<35;0;9999999M\x1b[M\x20\x20\x20",
		"a cursor far away":     "\x1b[9999999;9999999R\x1b[?9999999;9999999R",
		"modes and attributes":  "\x1b[?9999999;9999999$y\x1b[?9999999;1c\x1b[>9999999c\x1b[?9999999u\x1b[>4;9999999m",
		"characters of no kind": "\x1b[1114112u\x1b[55296;1u\x1b[0u\x1b[27;9;9999999~\x1b[9999999;1;9999999_\xff\xfe\x9b\x90\xc2",
	} {
		t.Run(name, func(t *testing.T) {
			y := onTerminal(t, "main", "--demo", "--mouse").shows("LIVE").types(sent).types("\x03")
			y.shows("ctrl+c again quits").types("\x03").exits(cli.ExitDone).isReset()
		})
	}
}
