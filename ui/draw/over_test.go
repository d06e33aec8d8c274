package draw

import (
	"slices"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestOver: what is beside the block stays in its cells, also if a wide character or a name from right to left is cut.
func TestOver(t *testing.T) {
	const red = Style("\x1b[31m")
	lines := []string{
		Text(12, red, "abcdefghijkl"), "ab", "東京東京東京", "abcd" + Fence + "שלום" + Fence + "xy", "last",
	}
	got := Over(lines, []string{"[1]", "[2]", "[3]", "[4]"}, 3, 3, 0)
	if got[0] != "\x1b[31mabc\x1b[m[1]\x1b[31mghijkl\x1b[m" {
		t.Errorf("%q", got[0])
	}
	var plain []string
	for _, line := range got {
		plain = append(plain, ansi.Strip(line))
	}
	if want := []string{"abc[1]ghijkl", "ab [2]", "東 [3]京東京", "abc[4]" + Fence + "ום" + Fence + "xy", "last"}; !slices.Equal(plain, want) {
		t.Errorf("%q, want %q", plain, want)
	}
	if got := Over(lines[2:3], []string{"[ ]"}, 3, 4, 0)[0]; got != "東京[ ] 東京" {
		t.Errorf("a wide character that is cut at its right: %q", got)
	}
}
