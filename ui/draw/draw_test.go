package draw

import (
	"slices"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestLine(t *testing.T) {
	for name, c := range map[string]struct {
		line *Line
		want string
	}{
		"texts and spaces":              {NewLine(20).Space(1).Put(Plain, "a").Space(2).Put(Plain, "b").To(8).Put(Plain, "c"), " a  b   c"},
		"a text that does not fit":      {NewLine(5).Put(Plain, "abcdefgh"), "abcd…"},
		"wide characters":               {NewLine(5).Put(Plain, "世界世界"), "世界…"},
		"no room":                       {NewLine(3).Put(Plain, "abc").Put(Plain, "d").Space(4), "abc"},
		"a column before the last text": {NewLine(9).Put(Plain, "abc").To(1).Put(Plain, "d"), "abcd"},
		"a number that fits":            {NewLine(5).PutNumber(Plain, "12345"), "12345"},
		"a number that does not":        {NewLine(5).Put(Plain, "a").PutNumber(Plain, "12345"), "a####"},
		"very many spaces":              {NewLine(200).Space(150).Put(Plain, "a"), string(slices.Repeat([]byte(" "), 150)) + "a"},
	} {
		if got := c.line.String(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if c.line.Width() != ansi.StringWidth(c.want) {
			t.Errorf("%s: the width is %d", name, c.line.Width())
		}
	}
}

func TestWidth(t *testing.T) {
	for _, text := range []string{"", "abc", "0000…00a1", "…", "……", "…\u0301", "e\u0301…", "a\t…", "世…", "…\ufe0f", "\xe2\x80", "…\xff", "≈ MARK", "a\x7f",
		"\x1b[1;38:2:1:2:3m─\x1b[m", "\x1b[", "\x1b[1", "\x1b[2J", "\x1b", "─\u0301", "·\u200d·", "×…–", "█\ufe0f"} {
		if got, want := Width(text), ansi.StringWidth(text); got != want {
			t.Errorf("%q has %d cells, want %d", text, got, want)
		}
	}
}

// TestWidthOfEachCharacter: alone, beside others, and with one that changes it.
func TestWidthOfEachCharacter(t *testing.T) {
	for r := rune(0); r < 0x3000; r++ {
		for _, text := range []string{string(r), "a" + string(r) + "─", string(r) + "\u0301", string(r) + "\ufe0f", string(r) + "\u200d" + string(r), "\x1b[1m" + string(r)} {
			if got, want := Width(text), ansi.StringWidth(text); got != want {
				t.Errorf("%q has %d cells, want %d", text, got, want)
			}
		}
	}
}

// TestAnIdentifierIsNotCutTwice: it has one … in place of what is left out.
func TestAnIdentifierIsNotCutTwice(t *testing.T) {
	for width, want := range map[int]string{3: "da…", 4: "da7…", 5: "da7c…", 6: "da7c…", 7: "da7c…6…", 9: "da7c…61ca"} {
		if got := Cut("da7c…61ca", width); got != want {
			t.Errorf("in %d cells it is %q, want %q", width, got, want)
		}
	}
}

func TestStyles(t *testing.T) {
	if got, want := NewLine(9).Put("<s>", "a").Put("<s>", "").Put(Plain, "b").String(), "<s>a"+Reset+"b"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestRule: it has the title, and the longest note for which there is room.
func TestRule(t *testing.T) {
	for room, want := range map[int]string{
		24: "─ title ── a long note ─",
		22: "─ title  a long note ─",
		21: "─ title ────── note ─",
		14: "─ title ──────",
		6:  "─ t… ─",
	} {
		if got := Rule(room, Plain, Plain, "title", "a long note", "note"); got != want {
			t.Errorf("in %d cells: %q, want %q", room, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"one two three", 8, []string{"one two", "three"}},
		{"onetwothree", 4, []string{"onet", "woth", "ree"}},
		{"a -123456", 5, []string{"a", "-1234", "56"}},
		{"cost -1,234.50 USDT", 12, []string{"cost", "-1,234.50", "USDT"}},
		{"a", 0, nil},
	} {
		got := Wrap(c.text, c.width)
		for i := range got {
			if ansi.StringWidth(got[i]) > c.width {
				t.Errorf("%q is wider than %d", got[i], c.width)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q in %d cells is %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestFit(t *testing.T) {
	for height, want := range map[int][]string{-1: {}, 0: {}, 1: {"a"}, 3: {"a", "b", ""}} {
		if got := Fit([]string{"a", "b"}, height); !slices.Equal(got, want) {
			t.Errorf("%d lines: %q, want %q", height, got, want)
		}
	}
}

func TestSparkline(t *testing.T) {
	if got := Sparkline([]int{3, -1, 3}); got != "─ ─" {
		t.Errorf("a flat line is %q", got)
	}
	if got := Sparkline([]int{0, 1, 2, 3, -1, 4, 5, 6, 7, 8}); got != "▁▂▃▄ ▅▆▇█ " {
		t.Errorf("%q", got)
	}
}

func TestCutWordsEndsAtAWord(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"connection lost, trying again", 40, "connection lost, trying again"},
		{"connection lost, trying again", 20, "connection lost…"},
		{"connection lost, trying again", 17, "connection lost…"},
		{"connection lost, trying again", 16, "connection lost…"},
		{"connection lost, trying again", 12, "connection…"},
		{"connection lost. Another stream is tried", 22, "connection lost…"},
		{"a connectionwithoutanend", 12, "a connectio…"},
		{"connection", 0, ""},
	} {
		if got := CutWords(c.text, c.width); got != c.want {
			t.Errorf("%q in %d cells is %q, want %q", c.text, c.width, got, c.want)
		}
	}
}
