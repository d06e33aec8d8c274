package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// line is one line of the screen in the making. It never gets wider than its room, whatever is put in it, and
// knows its width without reading itself again. Text of the service must be neutralised before.
type line struct {
	text  strings.Builder
	width int
	room  int
}

// newLine returns an empty line of a screen or pane that is room cells wide.
func newLine(room int) *line { return &line{room: room} }

// put appends text, cut where the room ends.
func (l *line) put(look style, text string) *line {
	width := cells(text)
	if left := l.room - l.width; width > left {
		text = cut(text, left)
		width = cells(text)
	}
	if width == 0 {
		return l
	}
	l.width += width
	if look == plain {
		l.text.WriteString(text)
		return l
	}
	l.text.WriteString(string(look))
	l.text.WriteString(text)
	l.text.WriteString(plainly)
	return l
}

// number puts a number, which is never cut, because what is left would be another number: where there is no room for
// all of it, # fills the room.
func (l *line) number(look style, text string) *line {
	if l.left() < cells(text) {
		text = strings.Repeat("#", l.left())
	}
	return l.put(look, text)
}

// to fills up with spaces to a column.
func (l *line) to(column int) *line { return l.space(column - l.width) }

// space appends n spaces.
func (l *line) space(n int) *line {
	for n = min(n, l.room-l.width); n > 0; {
		some := min(n, len(spaces))
		l.text.WriteString(spaces[:some])
		l.width += some
		n -= some
	}
	return l
}

const spaces = "                                                                "

// left is how many cells are free.
func (l *line) left() int { return l.room - l.width }

func (l *line) String() string { return l.text.String() }

// cells is how many cells of the screen a text takes.
func cells(text string) int {
	for i := range len(text) {
		if text[i] < 0x20 || text[i] >= 0x7f {
			return ansi.StringWidth(text)
		}
	}
	return len(text)
}

// cut shortens a text to a number of cells, and shows that it did.
func cut(text string, width int) string {
	if cells(text) <= width {
		return text
	}
	if width <= 0 {
		return ""
	}
	return ansi.Truncate(text, width, "…")
}

// wrapped puts a text on lines of at most width cells, whole words where they fit.
func wrapped(text string, width int) []string {
	if width <= 0 {
		return nil
	}
	if strings.Contains(text, " ") { // an identifier or a number has no words
		text = ansi.Wrap(text, width, " ")
	}
	// Wrap lets a long word that follows a hyphen or minus sign stick out.
	return strings.Split(ansi.Hardwrap(text, width, true), "\n")
}

// textLine is a line with one text on it.
func textLine(room int, look style, text string) string {
	return newLine(room).put(look, text).String()
}

// centred is a line with one text in its middle.
func centred(room int, look style, text string) string {
	text = cut(text, room)
	return newLine(room).space((room-cells(text))/2).put(look, text).String()
}

// rule is the line above a pane: its title, and at the right what else there is to say.
func rule(room int, look style, s *styles, title, right string) string {
	l := newLine(room).put(s.dim, "─ ")
	if right != "" {
		right = " " + right + " ─"
	}
	title = cut(title, room-4)
	l.put(look, title).put(plain, " ")
	if cells(right) > l.left() {
		right = ""
	}
	return l.put(s.dim, strings.Repeat("─", max(0, l.left()-cells(right)))+right).String()
}

// fit makes lines exactly height long.
func fit(lines []string, height int) []string {
	height = max(height, 0)
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines[:height]
}
