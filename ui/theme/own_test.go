package theme

import (
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestOwnThemes have their colours on both backgrounds, and those of the default for the rest.
func TestOwnThemes(t *testing.T) {
	set := NewSet([]Own{{Name: "neon", Accent: "1", Loss: "#ff00ff", Cursor: "17", Heat50: "19"}})
	for _, isDark := range []bool{true, false} {
		got, usual := set.paletteOf("neon", Terminal{IsDark: isDark}), set.paletteOf(Auto, Terminal{IsDark: isDark})
		r, g, b, _ := got.loss.RGBA()
		if got.accent != ansi.IndexedColor(1) || got.cursor != ansi.IndexedColor(17) || got.tints.heat[1] != ansi.IndexedColor(19) || got.tints.heat[0] != usual.tints.heat[0] || r != 0xffff || g != 0 || b != 0xffff {
			t.Errorf("dark %t: %v", isDark, got)
		}
		if got.gain != usual.gain || got.warning != usual.warning || got.alarm != usual.alarm || got.live != usual.live || got.quiet != usual.quiet {
			t.Errorf("dark %t: %v, want the rest of %v", isDark, got, usual)
		}
		if set.paletteOf("pink", Terminal{IsDark: isDark}) != usual || set.paletteOf(RedUp, Terminal{IsDark: isDark}) == usual {
			t.Errorf("dark %t: the other themes have changed", isDark)
		}
	}
}

func TestParseColour(t *testing.T) {
	for _, text := range []string{"", "green", "256", "-1", "#fff", "#ff00fg", "ff00ff", "#ff00ff0", "0x1"} {
		if got, ok := ParseColour(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}
