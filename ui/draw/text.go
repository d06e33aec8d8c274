package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Style is the sequence that switches a style on. It is made once, not for each text.
type Style string

const (
	Plain Style  = ""       // no style
	Reset string = "\x1b[m" // switches every style off
)

// Width returns how many cells a text takes. Most texts are ASCII, the characters that lines, charts and shortened
// identifiers are drawn with, and styles.
func Width(text string) int {
	width := 0
	for i := 0; i < len(text); {
		size, cells := simple(text[i:])
		if size == 0 {
			return ansi.StringWidth(text)
		}
		i += size
		width += cells
	}
	return width
}

// simple returns how long the first character or style of a text is and how many cells it takes, and 0, 0 if it is
// neither ASCII nor among those that the screen is drawn with. A character that changes the one before it is not.
func simple(text string) (size, cells int) {
	switch {
	case 0x20 <= text[0] && text[0] < 0x7f:
		return 1, 1
	case text[0] == 0x1b:
		if len(text) < 2 || text[1] != '[' {
			return 0, 0
		}
		for i := 2; i < len(text); i++ {
			switch c := text[i]; {
			case c == 'm':
				return i + 1, 0
			case c != ';' && c != ':' && (c < '0' || c > '9'):
				return 0, 0
			}
		}
	case text[0] >= utf8.RuneSelf:
		switch r, size := utf8.DecodeRuneInString(text); {
		case 0x2500 <= r && r <= 0x25cf, 0x2800 <= r && r <= 0x28ff, r == '…', r == '–', r == '·', r == '≈', r == '×', r == '−':
			return size, 1
		}
	}
	return 0, 0
}

// Cut shortens a text that is wider than a width, and puts … at its end.
func Cut(text string, width int) string {
	if Width(text) <= width {
		return text
	}
	if width <= 0 {
		return ""
	}
	cut := ansi.Truncate(text, width, "…")
	if strings.HasSuffix(cut, "……") { // an identifier that was shortened already
		cut = strings.TrimSuffix(cut, "…")
	}
	return Fenced(cut, width)
}

// FirstThatFits returns the first of some texts that is not wider than a width; empty if none is.
func FirstThatFits(width int, texts ...string) string {
	for _, text := range texts {
		if Width(text) <= width {
			return text
		}
	}
	return ""
}

// CutWords does what Cut does, but at the end of a word, unless less than half of the width would be used.
func CutWords(text string, width int) string {
	cut := Cut(text, width)
	if cut == text || width <= 0 {
		return cut
	}
	whole := strings.TrimSuffix(cut, "…")
	rest, isPrefix := strings.CutPrefix(text, whole)
	if !isPrefix { // it has a Fence at its end
		return cut
	}
	if end := strings.LastIndexByte(whole, ' '); end > 0 && !strings.ContainsAny(rest[:1], " ,;:.") && 2*Width(whole[:end]) >= width {
		whole = whole[:end]
	}
	return strings.TrimRight(whole, " ,;:.") + "…"
}

// CutMiddle shortens a text that is wider than a width, and puts … in its middle: names often differ at their ends. No
// number in it is cut, unless that would leave nothing: a part of a strike would look like another strike.
func CutMiddle(text string, width int) string {
	full := Width(text)
	if full <= width {
		return text
	}
	if width <= 2 {
		return Cut(text, width)
	}
	numbers := numbersIn(text)
	first := width / 2
	begin, end := ends(text, full, first, width-1-first)
	if numbers.before(len(begin)) < len(begin) || numbers.after(len(text)-len(end)) > len(text)-len(end) {
		begin, end = numbers.wholeEnds(text, full, width)
	}
	return Fenced(begin+"…"+end, width)
}

// ends returns the first and the last cells of a text.
func ends(text string, full, first, last int) (begin, end string) {
	end = ansi.TruncateLeft(text, full-last, "")
	if Width(end) > last { // the cut is inside a wide character
		end = ansi.TruncateLeft(text, full-last+1, "")
	}
	return ansi.Truncate(text, first, ""), end
}

// Fence is put at both ends of a name in letters that are written from right to left. Terminals that reverse such
// letters also move the numbers beside them, up to the next letter that is written from left to right. Fence is such a
// letter, and looks like a line. Invisible marks would have the same effect, but many terminals drop them.
const Fence = "ǀ"

// Fenced cuts a text to a width, and puts the fence at its end if it was cut off.
func Fenced(text string, width int) string {
	if strings.Count(text, Fence)%2 == 0 {
		return text
	}
	if text = ansi.Truncate(text, width-1, ""); strings.Count(text, Fence)%2 == 0 {
		return text
	}
	return text + Fence
}

// unbroken is a hyphen after which ansi.Wrap does not break a text.
const unbroken = "\u2011"

// Wrap breaks a text into lines of at most width cells, between words if they fit. A sign stays with its number.
func Wrap(text string, width int) []string {
	if width <= 0 {
		return nil
	}
	if strings.Contains(text, " ") { // an identifier or a number is not broken between words
		text = strings.ReplaceAll(ansi.Wrap(strings.ReplaceAll(text, "-", unbroken), width, " "), unbroken, "-")
	}
	// ansi.Wrap does not break a long word after a hyphen or minus sign.
	return strings.Split(ansi.Hardwrap(text, width, true), "\n")
}

// WrapWords breaks a text into lines of at most width cells, only between words: a flag such as --no-state stays whole.
// A word that is longer is broken.
func WrapWords(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && Width(line)+1+Width(word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		broken := Wrap(word, max(width, 1))
		lines, line = append(lines, broken[:len(broken)-1]...), broken[len(broken)-1]
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// CommonPrefix returns the common beginning of some texts, in whole characters.
func CommonPrefix(texts []string) string {
	common := texts[0]
	for _, text := range texts[1:] {
		at := 0
		for at < len(common) && at < len(text) {
			one, _ := ansi.FirstGraphemeCluster(common[at:], ansi.GraphemeWidth)
			other, _ := ansi.FirstGraphemeCluster(text[at:], ansi.GraphemeWidth)
			if one != other {
				break
			}
			at += len(one)
		}
		common = common[:at]
	}
	return common
}
