package format

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/ui/draw"
)

// The names of the configuration are written by the trader. They are shown in their own letters, also letters from
// right to left and marks on a letter; in a text of the service these are shown as code points. Characters that control
// a terminal are never shown, and no name moves the text beside it.

// maxMarks is how many marks of a letter are shown. More marks would be drawn over other lines.
const maxMarks = 2

// Name returns a name as it is shown. A name with letters from right to left has fences: see draw.Fence.
func Name(name string) string {
	if model.Neutralise(name) == name {
		return name
	}
	var b strings.Builder
	for rest := name; rest != ""; {
		cluster, _ := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
		rest = rest[len(cluster):]
		b.WriteString(nameCluster(cluster))
	}
	return Fenced(b.String())
}

// Fenced returns a text with fences, if it has letters from right to left.
func Fenced(text string) string {
	if strings.ContainsFunc(text, model.IsRightToLeft) {
		return draw.Fence + text + draw.Fence
	}
	return text
}

// nameCluster returns what is shown for a character of a name, with the characters joined to it. Terminals count the
// cells of a character in two ways. If these differ, its parts are shown beside each other, without the characters
// that join them.
func nameCluster(cluster string) string {
	runes := []rune(cluster)
	marks, others := 0, 0
	for _, r := range runes[1:] {
		if unicode.In(r, unicode.Mn, unicode.Mc) && !joins(r) {
			marks++
		} else {
			others++
		}
	}
	isWhole := others == 0 && marks <= maxMarks && ansi.StringWidth(cluster) == ansi.StringWidthWc(cluster)
	if isWhole && IsNameLetter(runes[0]) {
		return cluster
	}
	var b strings.Builder
	for i, r := range runes {
		switch {
		case IsNameLetter(r):
			b.WriteRune(r)
		case i == 0 || !joins(r):
			b.WriteString(model.Neutralise(string(r)))
		}
	}
	return b.String()
}

// IsNameLetter reports whether a character of a name can be shown by itself.
func IsNameLetter(r rune) bool {
	return model.Neutralise(string(r)) == string(r) || model.IsRightToLeft(r) && unicode.IsGraphic(r) && !unicode.Is(unicode.M, r)
}

// joins reports whether a character only joins its neighbours, or changes how they look: a joiner, a variation
// selector, or a skin tone.
func joins(r rune) bool {
	return r == 0x200d || r == 0x034f || 0xfe00 <= r && r <= 0xfe0f || 0x1f3fb <= r && r <= 0x1f3ff
}

// asciiName returns a name as it is shown without Unicode: with the code points of its other letters, so that no two
// names look the same.
func asciiName(name string) string {
	var b strings.Builder
	for _, r := range model.Neutralise(name) {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "<U+%04X>", r)
		}
	}
	return b.String()
}
