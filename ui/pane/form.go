package pane

import (
	"image"
	"strings"

	"blotter/ui/draw"
	"blotter/ui/input"
)

// Form is the base of an overlay with fields, below a title, in which text is typed. What a field is about is a T,
// which only the overlay uses.
type Form[T any] struct {
	NoOp
	Fields  []Field[T]
	Place   int    // of the cursor in the fields
	Problem string // what is wrong with the fields

	cells int                  // how many are before the texts
	room  func(height int) int // how many fields there is room for
}

// Field is a field of a form.
type Field[T any] struct {
	Of    T
	Title string
	Line  input.Line // made with input.New
	Hint  string     // shown while it is empty
	Fixed string     // why it cannot be changed; empty if it can
}

// NewForm returns a form without fields, whose texts have the given number of cells before them. The function returns
// how many fields there is room for on a height.
func NewForm[T any](cells int, room func(height int) int) Form[T] {
	return Form[T]{cells: cells, room: room}
}

// Move moves the cursor to another field that can be changed.
func (f *Form[T]) Move(step int) {
	for range f.Fields {
		f.Place = (f.Place + step + len(f.Fields)) % len(f.Fields)
		if f.Fields[f.Place].Fixed == "" {
			return
		}
	}
}

// Text returns the text of the field under the cursor.
func (f *Form[T]) Text() *input.Line { return &f.Fields[f.Place].Line }

// Lines returns the texts of the fields.
func (f *Form[T]) Lines() (lines []*input.Line) {
	for i := range f.Fields {
		lines = append(lines, &f.Fields[i].Line)
	}
	return lines
}

// Changed removes the words about what is wrong.
func (f *Form[T]) Changed(*Context) []Effect {
	f.Problem = ""
	return nil
}

// Cursor returns the cell of the cursor in the field.
func (f *Form[T]) Cursor(s Size) image.Point {
	from := f.from(s.Width)
	_, column := f.Text().Seen(s.Width - from)
	return image.Pt(from+column, 1+f.Place-f.top(s.Height))
}

// from returns the column in which the texts begin.
func (f *Form[T]) from(width int) int { return min(f.cells, width/2) }

// top returns the first field on the screen.
func (f *Form[T]) top(height int) int { return max(0, f.Place-f.room(height)+1) }

// Click puts the cursor on the field that was clicked, if it can be changed.
func (f *Form[T]) Click(_ *Context, s Size, at image.Point) []Effect {
	line := at.Y - 1
	if place := f.top(s.Height) + line; line >= 0 && line < f.room(s.Height) && place < len(f.Fields) && f.Fields[place].Fixed == "" {
		f.Place = place
	}
	return nil
}

// DrawFields draws the fields for which there is room.
func (f *Form[T]) DrawFields(c *Context, s Size) []string {
	var lines []string
	top := f.top(s.Height)
	for place := top; place < min(len(f.Fields), top+f.room(s.Height)); place++ {
		lines = append(lines, f.Fields[place].draw(c, place == f.Place, f.from(s.Width), s.Width))
	}
	return lines
}

// draw draws a field, whose text begins in a column.
func (f *Field[T]) draw(c *Context, hasCursor bool, from, width int) string {
	l, style := draw.NewLine(width), draw.Plain
	if hasCursor {
		l.Put(c.Styles.Accent, "▌")
		style = c.Styles.Strong
	} else {
		l.Space(1)
	}
	if f.Fixed != "" {
		style = c.Styles.Dim
	}
	l.Put(style, f.Title).To(from)
	text, _ := f.Line.Seen(l.Left())
	l.Put(style, text)
	switch {
	case f.Fixed != "":
		l.Space(2).Put(c.Styles.Dim, f.Fixed)
	case text == "":
		l.Put(c.Styles.Dim, f.Hint)
	}
	return l.String()
}

// DrawLast draws words at the end of the lines of a form: what is wrong with the fields, on as many lines as are free,
// else these words.
func (f *Form[T]) DrawLast(c *Context, s Size, lines []string, words string) []string {
	if f.Problem == "" {
		return append(draw.Fit(lines, s.Height-1), draw.Text(s.Width, c.Styles.Strong, " "+words))
	}
	wrapped := draw.WrapWords(f.Problem, max(s.Width-1, 1))
	free := max(s.Height-len(lines), 1)
	if len(wrapped) > free {
		wrapped = append(wrapped[:free-1], strings.Join(wrapped[free-1:], " "))
	}
	lines = draw.Fit(lines, s.Height-len(wrapped))
	for _, line := range wrapped {
		lines = append(lines, draw.Text(s.Width, c.Styles.Warning, " "+line))
	}
	return lines
}
