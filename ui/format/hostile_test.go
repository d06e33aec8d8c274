package format

import (
	"flag"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"

	"blotter/model"
	"blotter/ui/draw"
)

var hostileStrings = flag.Int("strings", 20_000, "how many strings TestHostileStringsOnATerminal makes")

// hostilePieces are texts that a service could send to control a terminal, or to move its columns.
var hostilePieces = []string{
	"\x1b[2J", "\x1b[31m", "\x1b]8;;http://x\x1b\\", "\x1b]52;c;eA==\a", "\x1b]0;title\a", "\x1bP$q\x1b\\", "\x1b[?1049l", "\x9b2J", "\u009b2J", "\u0090", "\x1bc",
	"\r", "\n", "\r\n", "\t", "\b", "\a", "\v", "\f", "\x00", "\x7f", "\u0085", "\u2028", "\u2029", "\u202e", "\u202a", "\u2066", "\u2069", "\u200f", "\u061c",
	"\u200d", "\u200b", "\u200c", "\ufeff", "\u00ad", "\ufe0f", "e\u0301\u0301\u0301", "\u20dd", "\u0e33", "\u1160", "\u115f", "\u3164", "\uffa0", "\u034f",
	"👩\u200d👩\u200d👧", "🇩🇪", "👍🏽", "漢", "ｗ", "한", "a", "desk", "é", "ß", "\xff", "\xc3", "\ufffd", "\ue000", "\u2800", "ﷺ", "א", "ب", "𓀀", "\U000e0041", "%n", "$(x)",
}

// TestHostileStringsOnATerminal puts texts of a service on an emulated terminal as labels of a table, and checks that
// only their cells change.
func TestHostileStringsOnATerminal(t *testing.T) {
	const width, height, label = 60, 50, 24
	random := rand.New(rand.NewPCG(1, 2))
	terminal := vt.NewEmulator(width, height)
	terminal.SetCallbacks(vt.Callbacks{
		Title:     func(title string) { t.Errorf("the title became %q", title) },
		Bell:      func() { t.Error("the bell rang") },
		AltScreen: func(bool) { t.Error("the terminal switched to its other screen") },
	})
	for done := 0; done < *hostileStrings; done += height {
		texts := make([]string, height)
		var screen strings.Builder
		for y := range texts {
			for range 1 + random.IntN(6) {
				texts[y] += hostilePieces[random.IntN(len(hostilePieces))]
			}
			l := draw.NewLine(width)
			shown := draw.Cut(model.Neutralise(texts[y]), label)
			l.Put(draw.Plain, "["+shown).To(label + 1)
			l.Put(draw.Plain, "]")
			screen.WriteString("\x1b[" + strconv.Itoa(y+1) + ";1H\x1b[2K" + l.String())
		}
		_, _ = terminal.WriteString(screen.String())
		for y, text := range texts {
			if first, last := terminal.CellAt(0, y), terminal.CellAt(label+1, y); first.Content != "[" || last.Content != "]" {
				t.Fatalf("%q changed other cells: %q", text, strings.Split(terminal.String(), "\n")[y])
			}
		}
	}
}
