package dialog

import (
	"fmt"

	"blotter/ui/draw"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// SearchLine is the line, in place of the messages, in which a text is typed that is searched in a page.
type SearchLine struct {
	pane.TypedLine
	page *pane.Page
}

// NewSearchLine returns a line with the text that was searched last in a page.
func NewSearchLine(page *pane.Page) *SearchLine {
	return &SearchLine{pane.NewTypedLine(" / ", page.Searched()), page}
}

// SearchActions are the keys of the line. The list is that of the lines that were found.
func SearchActions() []keys.Action[*SearchLine] {
	return []keys.Action[*SearchLine]{
		{Name: "keep_filter", Keys: []string{"enter"}, Help: "stay at this line", Hint: "stay here", Priority: 1, Effect: pane.Close{}},
		{Name: "clear_filter", Keys: keys.Esc, Help: "end the search", Hint: "end", Priority: 2, Do: (*SearchLine).clear},
	}
}

// Subject returns nothing: a text is searched in any page.
func (l *SearchLine) Subject() string { return "" }

// Changed searches the text that is typed now.
func (l *SearchLine) Changed(*pane.Context) []pane.Effect {
	l.page.Search(l.Typed())
	return nil
}

func (l *SearchLine) clear(*pane.Context) []pane.Effect {
	l.page.Search("")
	return []pane.Effect{pane.Leave{}}
}

// Prompt draws the line, and how many lines have the text, or a notice.
func (l *SearchLine) Prompt(c *pane.Context, width int) string {
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

// HasList does nothing: see pane.Listing.
func (l *SearchLine) HasList() {}

// List returns the lines that were found.
func (l *SearchLine) List() pane.List { return l.page.Matches() }
