package pane

// Rows is a List of rows: a cursor, and the window of rows that are on the screen. The cursor is a key, not a place: it
// stays on its row wherever the row moves. The window moves with it so that the row keeps its place on the screen,
// unless the window is fixed: then only a move of the cursor or of the window moves it.
// While the row is not listed, because a filter hides it or for another reason, the cursor is on the next row or, if
// there is none, on the one before. When the row is listed again, the cursor is on it again.
type Rows[K comparable] struct {
	of        func() Source[K]
	cursor    K
	hasCursor bool // there is a row under the cursor
	chosen    K    // the row that the cursor was put on; it is on another one only while this one is not listed
	hasChosen bool
	first     bool // the cursor is on the first row, whatever row that is
	moved     bool // the trader has moved the cursor
	place     int  // the place of that row in the list
	top       int  // the place of the first row on the screen
	height    int  // how many rows the screen has room for
	window    window
}

// window is how the window moves when rows are added, removed or put in another order.
type window uint8

const (
	following window = iota // with the cursor's row, unless it is at the head of the list and has the cursor in it
	steady                  // with the cursor's row, also at the head of the list: added rows do not move what is read
	fixed                   // not at all: the cursor's row may be outside of it
)

// Source has the rows of a list.
type Source[K comparable] interface {
	Len() int
	Key(place int) K
	// Find returns the place of a key, and whether it is listed. If it is not, the place is where it would be, or
	// negative if that is not known.
	Find(key K) (place int, ok bool)
}

// NewRows returns a list of the rows that a function returns. The cursor stays on the first row, whatever row that is,
// until it is moved.
func NewRows[K comparable](of func() Source[K]) Rows[K] { return Rows[K]{of: of, first: true} }

// NewSteadyRows returns such a list to which rows are added before the first one. They do not move the rows on the
// screen.
func NewSteadyRows[K comparable](of func() Source[K]) Rows[K] {
	return Rows[K]{of: of, first: true, window: steady}
}

// NewFixedRows returns such a list with a window that shows the same places until the trader moves the cursor or the
// window. The cursor's row can be outside of the window then.
func NewFixedRows[K comparable](of func() Source[K]) Rows[K] {
	return Rows[K]{of: of, first: true, window: fixed}
}

// Cursor returns the key of the row under the cursor, and false if the list is empty.
func (r *Rows[K]) Cursor() (K, bool) { return r.cursor, r.hasCursor }

// Place returns the place of the row under the cursor.
func (r *Rows[K]) Place() int { return r.place }

// Top returns the place of the first row on the screen.
func (r *Rows[K]) Top() int { return r.top }

// Height returns how many rows the screen has room for.
func (r *Rows[K]) Height() int { return r.height }

// IsSeen reports whether the row under the cursor is in the window.
func (r *Rows[K]) IsSeen() bool {
	return r.hasCursor && r.place >= r.top && r.place < r.top+r.height
}

// Reveal moves the window no further than to have the cursor in it.
func (r *Rows[K]) Reveal() { r.clamp(r.of().Len()) }

// Show moves the window no further than to have the row at a place in it. The cursor stays.
func (r *Rows[K]) Show(place int) {
	r.top = max(min(r.top, place), place-r.height+1, 0)
}

// IsMoved reports whether the trader has moved the cursor.
func (r *Rows[K]) IsMoved() bool { return r.moved }

// StaysFirst reports whether the cursor is on the first row, whatever row that is.
func (r *Rows[K]) StaysFirst() bool { return r.first }

// Stay makes the cursor stay on its row.
func (r *Rows[K]) Stay() {
	if r.first = false; r.hasCursor {
		r.chosen, r.hasChosen = r.cursor, true
	}
}

// First puts the cursor on the first row, where it stays whatever row is there.
func (r *Rows[K]) First() {
	r.moved = true
	r.ShowFirst()
}

// ShowFirst puts the cursor on the first row, whatever row is there, until it is moved, or until Return.
func (r *Rows[K]) ShowFirst() {
	r.first = true
	r.moveTo(0)
}

// Return puts the cursor back on the row that it was on before ShowFirst.
func (r *Rows[K]) Return() {
	if r.first = false; !r.hasChosen {
		r.Stay()
	}
	r.Fit(r.height)
}

// Chosen returns the key of the cursor's own row, listed or not, and false if there is none.
func (r *Rows[K]) Chosen() (K, bool) { return r.chosen, r.hasChosen && !r.first }

// Seek makes Fit look from the cursor's own row on, as after another filter: the row that replaces it is found anew.
func (r *Rows[K]) Seek() {
	if key, ok := r.Chosen(); ok {
		r.cursor = key
	}
}

// Replace puts the cursor on the row at a place for as long as its own row is not listed.
func (r *Rows[K]) Replace(place int) { r.moveTo(place) }

// ShowTop moves the window to the first row. The cursor stays on its row if that is in the window then, else it is put
// on the first row.
func (r *Rows[K]) ShowTop() {
	if r.place >= r.height {
		r.First()
	}
	r.top = 0
}

// Last moves the cursor to the last row.
func (r *Rows[K]) Last() { r.MoveTo(r.of().Len() - 1) }

// Reset puts the cursor on the first row of another list, whatever row that will be.
func (r *Rows[K]) Reset() { *r = Rows[K]{of: r.of, window: r.window, first: r.first, height: r.height} }

// Fit finds the cursor's row again after the list or the room for it has changed. A height of 0 means that the list is
// covered: its window is kept for the time when it is shown again.
func (r *Rows[K]) Fit(height int) {
	list, wasSeen := r.of(), r.IsSeen() || !r.hasCursor
	if r.first {
		r.moveTo(0)
	}
	if height > 0 || r.height == 0 {
		r.height = max(height, 1)
	}
	length := list.Len()
	if length == 0 {
		r.hasCursor, r.place, r.top = false, 0, 0
		return
	}
	before := r.place
	r.place = min(r.find(list, length), length-1)
	r.cursor, r.hasCursor = list.Key(r.place), true
	if !r.first && !r.hasChosen {
		r.Stay()
	}
	if r.window == fixed {
		if wasSeen && r.place == before { // there is room for fewer rows
			r.clamp(length)
		}
		r.top = max(min(r.top, length-r.height), 0)
		return
	}
	// A window at the head of a list stays there, as long as the cursor is in it.
	if r.window == steady || r.top > 0 || r.place >= r.height {
		r.top += r.place - before
	}
	r.clamp(length)
}

// find returns the place of the cursor's row in a list of a length or, if it is not listed, that of the row that the
// cursor is on meanwhile.
func (r *Rows[K]) find(list Source[K], length int) int {
	isThere := r.hasCursor && r.place < length && list.Key(r.place) == r.cursor
	if r.first || !r.hasChosen || isThere && r.cursor == r.chosen {
		return r.place
	}
	place, isListed := list.Find(r.chosen)
	if isListed {
		return place
	}
	if r.hasCursor && r.cursor != r.chosen {
		at, isListed := r.place, isThere
		if !isThere {
			at, isListed = list.Find(r.cursor)
		}
		if isListed || place < 0 {
			place = at
		}
	}
	if place < 0 {
		return r.place
	}
	return place
}

// clamp keeps the cursor in the window and the window in the list.
func (r *Rows[K]) clamp(length int) {
	r.top = max(min(r.top, r.place), r.place-r.height+1)
	r.top = max(min(r.top, length-r.height), 0)
}

// MoveTo moves the cursor to the row at a place, or to the nearest row.
func (r *Rows[K]) MoveTo(place int) {
	r.moved = true
	r.moveTo(place)
	r.Stay()
}

func (r *Rows[K]) moveTo(place int) {
	list := r.of()
	length := list.Len()
	if length == 0 {
		return
	}
	r.place = max(min(place, length-1), 0)
	r.cursor, r.hasCursor = list.Key(r.place), true
	r.clamp(length)
}

// MoveBy moves the cursor by the given number of rows. If it was outside of the window, it is in the middle then: rows
// that are added above do not soon move it out again.
func (r *Rows[K]) MoveBy(rows int) {
	wasSeen := r.IsSeen()
	if r.MoveTo(r.place + rows); !wasSeen {
		r.top = r.place - r.height/2
		r.Reveal()
	}
}

// PageBy moves cursor and window by whole screens.
func (r *Rows[K]) PageBy(screens int) {
	if !r.IsSeen() {
		r.place = r.top
	}
	r.top += screens * r.height
	r.MoveTo(r.place + screens*r.height)
}

// ScrollBy moves the window by the given number of rows, and the cursor only if it would leave the window. If the
// window does not move, the cursor does not either.
func (r *Rows[K]) ScrollBy(rows int) {
	wasSeen := r.IsSeen()
	top := max(min(r.top+rows, r.of().Len()-r.height), 0)
	if top == r.top {
		return
	}
	r.top = top
	r.Stay()
	if place := max(min(r.place, r.top+r.height-1), r.top); wasSeen && place != r.place {
		r.MoveTo(place)
	}
}

// Click moves the cursor to a row on the screen, and reports whether there is one. What is below the last row on the
// screen is none: the words of a list are there.
func (r *Rows[K]) Click(row int) bool {
	if row >= r.height || r.top+row >= r.of().Len() {
		return false
	}
	r.MoveTo(r.top + row)
	return true
}
