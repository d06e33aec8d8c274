package format

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"blotter/ui/draw"
)

// TestNamesOfTheTrader: letters are shown, and characters that control a terminal are not.
func TestNamesOfTheTrader(t *testing.T) {
	for name, want := range map[string]string{
		"desk-1":                 "desk-1",
		"東京デスク é":                "東京デスク é",
		"مكتب التداول":           "ǀمكتب التداولǀ",
		"desk שולחן 7":           "ǀdesk שולחן 7ǀ",
		"สำนักงาน":               "ส<U+0E33>นักงาน", // marks on a letter; SARA AM has two widths
		"e\u0301":                "e\u0301",         // a mark on a letter
		"e\u0301\u0301\u0301":    "e<U+0301><U+0301><U+0301>",
		"👩\u200d👩\u200d👧 office": "👩👩👧 office",                  // joined, two cells or six
		"👍🏽❤\ufe0f":              "👍❤",                          // a skin tone, a variation selector
		"\u202egnp\u200f\u061c":  "<U+202E>gnp<U+200F><U+061C>", // characters that change the direction
		"a\x1b[2J\u009b2J":       "a␛[2J<U+009B>2J",
		"\u0301a":                "<U+0301>a",
	} {
		got := Name(name)
		if got != want {
			t.Errorf("%q is shown as %q, want %q", name, got, want)
		}
		if ansi.StringWidth(got) != ansi.StringWidthWc(got) {
			t.Errorf("%q has %d cells or %d", got, ansi.StringWidth(got), ansi.StringWidthWc(got))
		}
	}
}

// TestNamesStayInTheirCells: whatever a name consists of, and wherever it is cut, only its cells change, and it has
// both fences.
func TestNamesStayInTheirCells(t *testing.T) {
	const width, height = 60, 50
	random := rand.New(rand.NewPCG(3, 4))
	terminal := vt.NewEmulator(width, height)
	for range 200 {
		var screen strings.Builder
		names := make([]string, height)
		for y := range names {
			for range 1 + random.IntN(6) {
				names[y] += hostilePieces[random.IntN(len(hostilePieces))]
			}
			cut := draw.Cut
			if y%2 == 0 {
				cut = draw.CutMiddle
			}
			room := 3 + random.IntN(22)
			shown := cut(Name(names[y]), room)
			if strings.Count(shown, draw.Fence)%2 != 0 || draw.Width(shown) > room {
				t.Fatalf("%q is cut to %q in %d cells", names[y], shown, room)
			}
			line := draw.NewLine(width).Put(draw.Plain, "["+shown).To(25).Put(draw.Plain, "]")
			screen.WriteString("\x1b[" + strconv.Itoa(y+1) + ";1H\x1b[2K" + line.String())
		}
		_, _ = terminal.WriteString(screen.String())
		for y, name := range names {
			if first, last := terminal.CellAt(0, y), terminal.CellAt(25, y); first.Content != "[" || last.Content != "]" {
				t.Fatalf("%q changed other cells: %q", name, strings.Split(terminal.String(), "\n")[y])
			}
		}
	}
}

// TestNamesWithoutUnicode: no two names look the same.
func TestNamesWithoutUnicode(t *testing.T) {
	one, other := asciiName("東京"), asciiName("大阪")
	if one != "<U+6771><U+4EAC>" || one == other {
		t.Errorf("%q and %q", one, other)
	}
}
