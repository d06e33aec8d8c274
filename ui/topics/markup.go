package topics

import (
	"fmt"
	"strings"

	"blotter/ui/draw"
)

// The marks of topics. A line that begins with four spaces is a sample, and stays as it is. Lines between empty lines
// are a paragraph.
const (
	headingMark = "# "
	itemMark    = "- " // of a list; the name and its text have itemGap between them
	itemGap     = "  "
	sampleMark  = "    "
)

// kind is what a part of a page is.
type kind uint8

const (
	paragraph kind = iota
	heading
	item
	sample
)

// part is a part of a page: a paragraph, a heading, an item of a list, or a line of a sample.
type part struct {
	kind       kind
	name, text string // name: of an item
	ends       bool   // an empty line comes after it
}

func partsOf(page string) []part {
	var parts []part
	isOpen := false // the last part is a paragraph or an item that goes on
	for line := range strings.Lines(page) {
		line = strings.TrimRight(line, " \n")
		text, isHeading := strings.CutPrefix(line, headingMark)
		listed, isItem := strings.CutPrefix(line, itemMark)
		code, isSample := strings.CutPrefix(line, sampleMark)
		switch {
		case line == "":
			isOpen = false
			if len(parts) > 0 {
				parts[len(parts)-1].ends = true
			}
		case isHeading:
			parts, isOpen = append(parts, part{kind: heading, text: text}), false
		case isItem:
			name, words, _ := strings.Cut(listed, itemGap)
			parts, isOpen = append(parts, part{kind: item, name: name, text: strings.TrimSpace(words)}), true
		case isSample:
			parts, isOpen = append(parts, part{kind: sample, text: code}), false
		case isOpen:
			parts[len(parts)-1].text += " " + strings.TrimSpace(line)
		default:
			parts, isOpen = append(parts, part{kind: paragraph, text: line}), true
		}
	}
	return parts
}

// The cells before texts, and how wide the names of a list may be for texts to stand beside them.
const (
	indent    = 2
	widest    = 24
	leastText = 24
)

// linesOf draws a page in lines of at most width cells.
func linesOf(page string, width int) []string {
	parts := partsOf(page)
	var lines []string
	for i, p := range parts {
		switch p.kind {
		case heading:
			lines = append(lines, draw.WrapWords(p.heading(), width)...)
		case paragraph:
			lines = append(lines, indented(draw.WrapWords(p.text, width-indent), indent)...)
		case sample:
			lines = append(lines, draw.Cut(sampleMark+p.text, width))
		case item:
			lines = append(lines, p.item(nameWidth(parts, i), width)...)
		}
		if p.ends && i < len(parts)-1 && p.kind != heading {
			lines = append(lines, "")
		}
	}
	return lines
}

// heading returns the text of a heading in capitals, but that of a section of the configuration or a command as it is
// typed.
func (p part) heading() string {
	if strings.HasPrefix(p.text, "[") || strings.HasPrefix(p.text, "blotter") {
		return p.text
	}
	return strings.ToUpper(p.text)
}

// nameWidth returns how wide the names of the list around an item are, without those that are too wide.
func nameWidth(parts []part, at int) int {
	first, last := at, at
	for first > 0 && parts[first-1].kind == item && !parts[first-1].ends {
		first--
	}
	for last < len(parts)-1 && parts[last+1].kind == item && !parts[last].ends {
		last++
	}
	width := 0
	for _, p := range parts[first : last+1] {
		if w := draw.Width(p.name); w <= widest {
			width = max(width, w)
		}
	}
	return width
}

// item draws the name with the text beside it, or below it if there is no room.
func (p part) item(nameWidth, width int) []string {
	left := indent + nameWidth + len(itemGap)
	if width-left < leastText {
		left = 2 * indent
	}
	name := strings.Repeat(" ", indent) + p.name
	texts := indented(draw.WrapWords(p.text, width-left), left)
	if len(texts) == 0 || draw.Width(name)+len(itemGap) > left {
		return append(indented(draw.WrapWords(p.name, width-indent), indent), texts...)
	}
	texts[0] = name + strings.Repeat(" ", left-draw.Width(name)) + texts[0][left:]
	return texts
}

func indented(lines []string, by int) []string {
	for i := range lines {
		lines[i] = strings.Repeat(" ", by) + lines[i]
	}
	return lines
}

// roffOf writes a page in roff, without its title.
func roffOf(page string) string {
	var b strings.Builder
	parts := partsOf(page)
	if len(parts) > 0 && parts[0].kind != heading {
		b.WriteString(".SH DESCRIPTION\n")
	}
	before := part{}
	for _, p := range parts {
		if before.kind == sample && p.kind != sample {
			b.WriteString(".EE\n.RE\n")
		}
		switch p.kind {
		case heading:
			b.WriteString(".SH " + roffText(p.heading()) + "\n")
		case paragraph:
			b.WriteString(".PP\n" + roffText(p.text) + "\n")
		case item:
			b.WriteString(".TP\n\\fB" + strings.TrimPrefix(roffText(p.name), `\&`) + "\\fP\n" + roffText(p.text) + "\n")
		case sample:
			if before.kind != sample {
				b.WriteString(".PP\n.RS 4\n.EX\n")
			}
			b.WriteString(roffText(p.text) + "\n")
		}
		before = p
	}
	if before.kind == sample {
		b.WriteString(".EE\n.RE\n")
	}
	return b.String()
}

// roffText writes a line of text: - is a minus sign that can be copied into a shell, no line is a command, and other
// characters than those of ASCII have their numbers.
func roffText(text string) string {
	var b strings.Builder
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		b.WriteString(`\&`)
	}
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r > '~':
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
