package pane

import (
	"image"
	"slices"

	"blotter/ui/draw"
)

// Choices is the base of an overlay with a list to choose from: two lines above the rows, and one below.
type Choices struct{ Rows Rows[int] }

// NewChoices returns a list of the given number of rows, whose keys are their places: the cursor begins at a place, and
// stays there.
func NewChoices(length func() int, place int) Choices {
	return newChoices(func() Source[int] { return places(length()) }, place)
}

// NewNarrowed returns a list of which a typed text leaves some rows: the function returns their keys. Nothing is typed
// yet. The cursor begins at the row at a place, whose key is the place.
func NewNarrowed(listed func() []int, place int) Choices {
	return newChoices(func() Source[int] { return listedKeys(listed()) }, place)
}

func newChoices(of func() Source[int], place int) Choices {
	return Choices{Rows[int]{of: of, place: place, cursor: place, hasCursor: true, chosen: place, hasChosen: true}}
}

// Narrow moves the cursor after another text was typed. It stays on a row that the trader has moved it to and that is
// still listed, unless the text is the name of the first row. Else it is on the first row, the best match. When nothing
// is typed it is on its own row again.
func (l *Choices) Narrow(typed string, isName bool) {
	_, isListed := l.Rows.of().Find(l.Rows.chosen)
	if typed == "" || l.Rows.moved && isListed && !isName {
		l.Rows.Return()
		return
	}
	l.Rows.ShowFirst()
}

// places are rows whose keys are their places.
type places int

func (p places) Len() int          { return int(p) }
func (p places) Key(place int) int { return place }

func (p places) Find(key int) (int, bool) { return key, key < int(p) }

// listedKeys are the keys of rows in their order.
type listedKeys []int

func (l listedKeys) Len() int          { return len(l) }
func (l listedKeys) Key(place int) int { return l[place] }

func (l listedKeys) Find(key int) (int, bool) {
	place := slices.Index(l, key)
	return place, place >= 0
}

// IsOverlay and HasList do nothing: see Listing.
func (l *Choices) IsOverlay() {}
func (l *Choices) HasList()   {}

// List returns the rows.
func (l *Choices) List() List { return &l.Rows }

// Sync sets how many rows there is room for.
func (l *Choices) Sync(_ *Context, s Size) { l.Rows.Fit(max(s.Height-draw.ListFrame, 2)) }

// Click puts the cursor on the row that was clicked.
func (l *Choices) Click(_ *Context, _ Size, at image.Point) []Effect {
	l.ClickBox(at)
	return nil
}

// ClickBox puts the cursor on the row that was clicked, and reports whether its box was.
func (l *Choices) ClickBox(at image.Point) bool {
	row := at.Y - draw.ListFrame + 1
	return row >= 0 && l.Rows.Click(row) && at.X < draw.BoxCells
}

// DrawRows draws two lines, the rows that are on the screen below them, and a last line.
func (l *Choices) DrawRows(height int, first, second string, row func(place int) string, last string) []string {
	lines := []string{first, second}
	end := min(l.Rows.top+l.Rows.height, l.Rows.of().Len())
	for place := l.Rows.top; place < end; place++ {
		lines = append(lines, row(place))
	}
	return append(draw.Fit(lines, height-1), last)
}
