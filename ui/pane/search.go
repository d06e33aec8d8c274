package pane

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"blotter/ui/draw"
)

// search is what is searched in a page: the lines of the page that have a text are found.
type search struct {
	text string // in small letters; empty if nothing is searched
	line int    // the line that was found last
	from int    // the line from which the text is searched
}

// Search finds the first line, from the top of the screen on, that has a text in it, in upper or lower case, and shows
// it. The text is reversed in all lines. An empty text ends the search.
func (p *Page) Search(text string) {
	text = strings.ToLower(strings.TrimSpace(text))
	if p.search.text == "" {
		p.search.from = p.top
	}
	p.search.text, p.search.line = text, p.search.from-1
	if !p.findNext(+1) {
		p.search.line = -1
		p.findNext(+1)
	}
}

// Searched returns the text that is searched; empty if there is none.
func (p *Page) Searched() string { return p.search.text }

// Found returns how many lines have the text, and which of them is the one that was found last, from 1 on.
func (p *Page) Found() (place, all int) {
	for i := range p.lines {
		if p.hasText(i) {
			all++
			if i <= p.search.line {
				place = all
			}
		}
	}
	return place, all
}

// Matches returns a list whose cursor is the line that was found last. A move in it finds the next line with the text.
func (p *Page) Matches() List { return matches{p} }

type matches struct{ *Page }

func (m matches) MoveBy(rows int) {
	for ; rows > 0; rows-- {
		m.findNext(+1)
	}
	for ; rows < 0; rows++ {
		m.findNext(-1)
	}
}

func (p *Page) hasText(line int) bool {
	return p.search.text != "" && strings.Contains(strings.ToLower(ansi.Strip(p.lines[line])), p.search.text)
}

// findNext finds the next line that has the text, or the one before, and shows it. It returns false if there is none.
func (p *Page) findNext(step int) bool {
	for line := p.search.line + step; line >= 0 && line < len(p.lines); line += step {
		if p.hasText(line) {
			p.search.line = line
			if !p.IsShown(line) {
				p.top = line - p.pinned - p.height/3
			}
			return true
		}
	}
	return false
}

// marked returns lines with the text that is searched reversed.
func (p *Page) marked(lines []string, style draw.Style) []string {
	if p.search.text == "" {
		return lines
	}
	marked := make([]string, len(lines))
	for i, line := range lines {
		marked[i] = markAll(line, p.search.text, style)
	}
	return marked
}

// markAll returns a line with each place in which it has a text in another style. The text is in small letters.
func markAll(line, text string, style draw.Style) string {
	plain := ansi.Strip(line)
	lower := strings.ToLower(plain)
	if len(lower) != len(plain) { // a letter has another length in small
		return line
	}
	var marked strings.Builder
	active := ""                       // the sequences that style what comes next
	from := strings.Index(lower, text) // where the next found text begins; -1 if there is none
	to, written := 0, 0                // where the found text that is being written ends, and how much is written
	var state byte
	for rest := line; rest != ""; {
		part, _, n, next := ansi.DecodeSequence(rest, state, nil)
		rest, state = rest[n:], next
		if strings.HasPrefix(part, "\x1b") {
			if active += part; part == draw.Reset {
				active = ""
			}
			if to == 0 {
				marked.WriteString(part)
			}
			continue
		}
		if from >= 0 && from < written+len(part) && to == 0 {
			to = from + len(text)
			marked.WriteString(draw.Reset + string(style))
		}
		marked.WriteString(part)
		if written += len(part); to > 0 && written >= to {
			marked.WriteString(draw.Reset + active)
			to, from = 0, -1
			if at := strings.Index(lower[min(written, len(lower)):], text); at >= 0 {
				from = written + at
			}
		}
	}
	return marked.String()
}
