package pane

import (
	"image"

	"blotter/ui/draw"
	"blotter/ui/input"
)

// TypedLine is the base of a Prompt: a line of text in place of the messages, without a list or room of its own.
type TypedLine struct {
	prompt string // ASCII
	line   input.Line
}

// NewTypedLine returns a line with a text, after a prompt of ASCII characters.
func NewTypedLine(prompt, text string) TypedLine { return TypedLine{prompt, input.New(text)} }

// spaceAfterTyped is the cells that stay free after the text.
const spaceAfterTyped = 2

func (l *TypedLine) seen(width int) (text string, cursor int) {
	return l.line.Seen(width - len(l.prompt) - spaceAfterTyped)
}

// Shown returns the part of the text that has room.
func (l *TypedLine) Shown(width int) string {
	text, _ := l.seen(width)
	return text
}

// Start draws the prompt and the text.
func (l *TypedLine) Start(c *Context, width int) *draw.Line {
	return draw.NewLine(width).Put(c.Styles.Accent, l.prompt).Put(draw.Plain, l.Shown(width))
}

// Typed returns the text.
func (l *TypedLine) Typed() string { return l.line.String() }

// Text returns the line.
func (l *TypedLine) Text() *input.Line { return &l.line }

// Cursor returns the cell of the cursor in the line.
func (l *TypedLine) Cursor(s Size) image.Point {
	_, cursor := l.seen(s.Width)
	return image.Pt(len(l.prompt)+cursor, 0)
}

// The rest of Overlay does nothing.

func (l *TypedLine) Fit(*Context, Size)                         {}
func (l *TypedLine) Draw(*Context, Size) []string               { return nil }
func (l *TypedLine) Click(*Context, Size, image.Point) []Effect { return nil }
func (l *TypedLine) List() List                                 { return nil }
func (l *TypedLine) Changed(*Context) []Effect                  { return nil }
