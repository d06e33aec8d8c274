// Package searchline is the line in which a text is typed that is searched in a page.
package searchline

import (
	"fmt"
	"image"

	"blotter/ui/draw"
	"blotter/ui/input"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// Line is the line, in place of the messages.
type Line struct {
	line input.Line
	page *pane.Page
}

// New returns a line with the text that was searched last in a page.
func New(page *pane.Page) *Line { return &Line{input.New(page.Searched()), page} }

// Actions are the keys of the line. The list is that of the lines that were found.
func Actions() []keys.Action[*Line] {
	return []keys.Action[*Line]{
		{Name: "keep_filter", Keys: []string{"enter"}, Help: "stay at this line", Hint: "stay here", Priority: 1, Do: (*Line).keep},
		{Name: "clear_filter", Keys: keys.Esc, Help: "end the search", Hint: "end", Priority: 2, Do: (*Line).clear},
	}
}

// Finding are the keys that move from one line that was found to another.
func Finding() []keys.Action[any] {
	moving := keys.Moving(true)
	moving[0].Help, moving[1].Help, moving[1].Hint, moving[1].Priority = "line before with the text", "next line with the text", "next", 1
	for i, isEnd := range []func(place, all int) bool{
		func(place, _ int) bool { return place <= 1 },
		func(place, all int) bool { return place >= all },
	} {
		moving[i].WhyNot = func(part any, _ *pane.Context) string {
			if l, ok := part.(*Line); ok && isEnd(l.page.Found()) {
				return "no other line has it there"
			}
			return ""
		}
	}
	return moving
}

// Changed searches the text that is typed now.
func (l *Line) Changed(*pane.Context) []pane.Effect {
	l.page.Search(l.line.String())
	return nil
}

func (l *Line) keep(*pane.Context) []pane.Effect { return pane.Closing() }

func (l *Line) clear(*pane.Context) []pane.Effect {
	l.page.Search("")
	return pane.Closing()
}

const (
	prompt = " / "
	hint   = " a word of this page"
)

// Prompt draws the line, and how many lines have the text.
func (l *Line) Prompt(c *pane.Context, width int) string {
	text, _ := l.line.Seen(width - len(prompt))
	to := draw.NewLine(width).Put(c.Styles.Accent, prompt).Put(draw.Plain, text)
	place, all := l.page.Found()
	switch {
	case text == "":
		return to.Put(c.Styles.Dim, hint).String()
	case all == 0:
		return to.Space(3).Put(c.Styles.Warning, "no line has this").String()
	}
	found := fmt.Sprintf("line %d of %d with it ", place, all)
	if to.Left() > draw.Width(found) {
		to.To(width-draw.Width(found)).Put(c.Styles.Dim, found)
	}
	return to.String()
}

// Text returns the line.
func (l *Line) Text() *input.Line { return &l.line }

// List returns the lines that were found.
func (l *Line) List() pane.List { return l.page.Matches() }

// Cursor returns the cell of the cursor in the line.
func (l *Line) Cursor(s pane.Size) image.Point {
	_, column := l.line.Seen(s.Width - len(prompt))
	return image.Pt(len(prompt)+column, 0)
}

// The line has no room of its own.

func (l *Line) Fit(*pane.Context, pane.Size)                              {}
func (l *Line) Draw(*pane.Context, pane.Size) []string                    { return nil }
func (l *Line) Click(*pane.Context, pane.Size, image.Point) []pane.Effect { return nil }
