// Package searchline is the line in which a text is typed that is searched in a page.
package searchline

import (
	"fmt"

	"blotter/ui/draw"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// Line is the line, in place of the messages.
type Line struct {
	pane.TypedLine
	page *pane.Page
}

// New returns a line with the text that was searched last in a page.
func New(page *pane.Page) *Line { return &Line{pane.NewTypedLine(" / ", page.Searched()), page} }

// Actions are the keys of the line. The list is that of the lines that were found.
func Actions() []keys.Action[*Line] {
	return []keys.Action[*Line]{
		{Name: "keep_filter", Keys: []string{"enter"}, Help: "stay at this line", Hint: "stay here", Priority: 1, Effect: pane.Close{}},
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
			l, ok := part.(*Line)
			return keys.ReasonIf(ok && isEnd(l.page.Found()), "no other line has it there")
		}
	}
	return moving
}

// Changed searches the text that is typed now.
func (l *Line) Changed(*pane.Context) []pane.Effect {
	l.page.Search(l.Typed())
	return nil
}

func (l *Line) clear(*pane.Context) []pane.Effect {
	l.page.Search("")
	return pane.Closing()
}

// Prompt draws the line, and how many lines have the text, or a notice.
func (l *Line) Prompt(c *pane.Context, width int) string {
	if c.Notice != "" || l.Typed() == "" {
		return l.DrawHinted(c, width, " a word of this page")
	}
	to := l.Start(c, width)
	place, all := l.page.Found()
	if all == 0 {
		return to.Space(3).Put(c.Styles.Warning, "no line has this").String()
	}
	found := fmt.Sprintf("line %d of %d with it ", place, all)
	if to.Left() > draw.Width(found) {
		to.To(width-draw.Width(found)).Put(c.Styles.Dim, found)
	}
	return to.String()
}

// List returns the lines that were found.
func (l *Line) List() pane.List { return l.page.Matches() }
