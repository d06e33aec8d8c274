package pane

import (
	"image"

	"blotter/ui/draw"
	"blotter/ui/input"
)

// TextLine is the part of an overlay in which one line of text is typed, after a prompt.
type TextLine struct {
	prompt string // ASCII
	line   input.Line
	after  int // how many cells stay free after the text
	words  int // how many cells the words after it need: see MakeRoom
}

// NewTextLine returns a line with a text, after a prompt of ASCII characters.
func NewTextLine(prompt, text string) TextLine {
	return TextLine{prompt: prompt, line: input.New(text)}
}

// roomForWords is how many cells the words after a text have on a narrow screen; on others they have half of it.
const roomForWords = 26

// seen returns the part of the text that there is room for. A text that fills the line leaves room for the words after
// it.
func (l *TextLine) seen(width int) (text string, cursor int) {
	words := min(l.words, max(width/2, roomForWords))
	return l.line.Seen(width - len(l.prompt) - l.after - words)
}

// MakeRoom leaves room for these words after the text.
func (l *TextLine) MakeRoom(words string) { l.words = draw.Width(words) }

// Shown returns the part of the text that there is room for.
func (l *TextLine) Shown(width int) string {
	text, _ := l.seen(width)
	return text
}

// Start draws the prompt and the text.
func (l *TextLine) Start(c *Context, width int) *draw.Line {
	style := draw.Plain
	if l.line.IsSelected() {
		style = c.Styles.Reverse
	}
	return draw.NewLine(width).Put(c.Styles.Accent, l.prompt).Put(style, l.Shown(width))
}

// Typed returns the text.
func (l *TextLine) Typed() string { return l.line.String() }

// Text returns the line.
func (l *TextLine) Text() *input.Line { return &l.line }

// Lines returns the line.
func (l *TextLine) Lines() []*input.Line { return []*input.Line{&l.line} }

// Changed does nothing.
func (l *TextLine) Changed(*Context) []Effect { return nil }

// Cursor returns the cell of the cursor in the line.
func (l *TextLine) Cursor(s Size) image.Point {
	_, cursor := l.seen(s.Width)
	return image.Pt(len(l.prompt)+cursor, 0)
}

// NoOp has the methods of a Pane, which do nothing. An overlay embeds it if it needs only some of them.
type NoOp struct{}

func (NoOp) Sync(*Context, Size)                        {}
func (NoOp) Draw(*Context, Size) []string               { return nil }
func (NoOp) Click(*Context, Size, image.Point) []Effect { return nil }
func (NoOp) List() List                                 { return nil }
func (NoOp) IsOverlay()                                 {}

// TypedLine is the base of a Prompt in which a line of text is typed, in place of the messages.
type TypedLine struct {
	TextLine
	NoOp
}

// spaceAfterTyped is how many cells stay free after the text of a Prompt.
const spaceAfterTyped = 2

// NewTypedLine returns a line with a text, after a prompt of ASCII characters.
func NewTypedLine(prompt, text string) TypedLine {
	l := TypedLine{TextLine: NewTextLine(prompt, text)}
	l.after = spaceAfterTyped
	return l
}

// DrawHinted draws the line with the message that is shown, or with a hint while nothing is typed.
func (l *TypedLine) DrawHinted(c *Context, width int, hint string) string {
	to := l.Start(c, width)
	switch {
	case c.Notice != "":
		to.Space(3).Put(c.Styles.Warning, c.Notice)
	case l.Typed() == "":
		to.Put(c.Styles.Dim, hint)
	}
	return to.String()
}
