package draw

import "strings"

// Line is one line of the screen while it is written. It never gets wider than its room, and keeps count of its width.
// Text that comes from the service must be neutralised first.
type Line struct {
	text  strings.Builder
	width int
	room  int
}

// NewLine returns an empty line with room for so many cells.
func NewLine(room int) *Line { return &Line{room: room} }

// Put appends text, cut where the room ends.
func (l *Line) Put(style Style, text string) *Line { return l.PutSized(style, text, Width(text)) }

// PutSized is Put for a text whose width is known.
func (l *Line) PutSized(style Style, text string, width int) *Line {
	if left := l.Left(); width > left {
		text = Cut(text, left)
		width = Width(text)
	}
	if width == 0 {
		return l
	}
	l.width += width
	if style == Plain {
		l.text.WriteString(text)
		return l
	}
	l.text.WriteString(string(style))
	l.text.WriteString(text)
	l.text.WriteString(Reset)
	return l
}

// PutNumber appends a number. A number that was cut would be another number: where there is no room for all of it, #
// fills the room.
func (l *Line) PutNumber(style Style, text string) *Line {
	if l.Left() < Width(text) {
		text = strings.Repeat("#", l.Left())
	}
	return l.Put(style, text)
}

// To appends spaces up to a column.
func (l *Line) To(column int) *Line { return l.Space(column - l.width) }

// Space appends n spaces.
func (l *Line) Space(n int) *Line {
	if n = min(n, l.Left()); n > 0 {
		l.width += n
		WriteSpaces(&l.text, n)
	}
	return l
}

// Left returns how many cells are free.
func (l *Line) Left() int { return l.room - l.width }

// Width returns how many cells are written.
func (l *Line) Width() int { return l.width }

func (l *Line) String() string { return l.text.String() }

const spaces = "                                                                "

// WriteSpaces writes n spaces.
func WriteSpaces(b *strings.Builder, n int) {
	for n > 0 {
		some := min(n, len(spaces))
		b.WriteString(spaces[:some])
		n -= some
	}
}

// Text returns a line with one text on it.
func Text(room int, style Style, text string) string {
	return NewLine(room).Put(style, text).String()
}

// Centred returns a line with one text in its middle.
func Centred(room int, style Style, text string) string {
	text = Cut(text, room)
	return NewLine(room).Space((room-Width(text))/2).Put(style, text).String()
}

// Rule returns the line above a pane: its title and, at the right, the first of the notes that there is room for.
func Rule(room int, titleStyle, ruleStyle Style, title string, notes ...string) string {
	l := NewLine(room).Put(ruleStyle, "─ ")
	l.Put(titleStyle, Cut(title, room-4)).Put(Plain, " ")
	right := ""
	for _, note := range notes {
		if note != "" && Width(note)+3 <= l.Left() {
			right = " " + note + " ─"
			break
		}
	}
	return l.Put(ruleStyle, strings.Repeat("─", max(0, l.Left()-Width(right)))+right).String()
}

// Fit returns the lines cut or filled up with empty ones to a height.
func Fit(lines []string, height int) []string {
	height = max(height, 0)
	for len(lines) < height {
		lines = append(lines, "")
	}
	return lines[:height]
}
