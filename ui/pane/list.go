package pane

// List is what the keys that move, and the wheel, act on: rows with a cursor, or lines of text.
type List interface {
	MoveBy(rows int)    // moves the cursor; a text is scrolled
	PageBy(screens int) // moves by whole screens
	ScrollBy(rows int)  // scrolls, and moves the cursor only if it would leave the screen
	First()
	Last()
	Height() int // how many rows the screen has room for
}

// Lister is a part of the screen with a list.
type Lister interface {
	List() List // what the keys that move act on; nil if nothing moves
}

// HalfPage moves a list by half a screen, down with +1 and up with -1.
func HalfPage(l List, direction int) { l.MoveBy(direction * max(l.Height()/2, 1)) }

// Text is a List of lines without a cursor. The zero value is at the first line.
type Text struct{ top, length, height int }

// Fit keeps the screen within a text of a length, if there is room for the given number of lines.
func (t *Text) Fit(length, height int) {
	t.length, t.height = length, max(height, 1)
	t.top = max(min(t.top, t.length-t.height), 0)
}

// Top returns the first line on the screen.
func (t *Text) Top() int { return t.top }

// Height returns how many lines the screen has room for.
func (t *Text) Height() int { return t.height }

// ScrollBy scrolls by the given number of lines; Fit keeps the screen within the text.
func (t *Text) ScrollBy(lines int) { t.top += lines }

// MoveBy scrolls by the given number of lines.
func (t *Text) MoveBy(lines int) { t.ScrollBy(lines) }

// PageBy scrolls by the given number of screens.
func (t *Text) PageBy(screens int) { t.ScrollBy(screens * t.height) }

// First scrolls to the first line.
func (t *Text) First() { t.top = 0 }

// Last scrolls to the last line.
func (t *Text) Last() { t.top = t.length }
