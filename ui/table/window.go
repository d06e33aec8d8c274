package table

// Window is the part of a list that is on the screen, and the cursor in it. The cursor is a key, not a place: it stays
// on its row wherever the row moves, and the window moves with it so that the row keeps its place on the screen.
type Window[K comparable] struct {
	cursor    K
	hasCursor bool // there is a row under the cursor
	place     int  // the place of that row in the list
	top       int  // the place of the first row on the screen
	height    int  // how many rows the screen has room for
}

// List is the list that a window is a part of.
type List[K comparable] interface {
	Len() int
	Key(place int) K
	Find(key K) (place int, ok bool) // where the key is, or would be
}

// Cursor returns the key of the row under the cursor, and false if the list is empty.
func (w *Window[K]) Cursor() (K, bool) { return w.cursor, w.hasCursor }

// Place returns the place of the row under the cursor.
func (w *Window[K]) Place() int { return w.place }

// Top returns the place of the first row on the screen.
func (w *Window[K]) Top() int { return w.top }

// Height returns how many rows the screen has room for.
func (w *Window[K]) Height() int { return w.height }

// Reset puts the cursor on the first row of the list, whatever row that will be.
func (w *Window[K]) Reset() { *w = Window[K]{height: w.height} }

// Adjust finds the cursor's row again after the list or the room for it has changed. A height of 0 means that the list
// is covered: its window is kept for the time when it is shown again.
func (w *Window[K]) Adjust(list List[K], height int) { w.adjust(list, height, false) }

// AdjustHeld does what Adjust does, and the cursor's row keeps its place on the screen also at the head of the list,
// if rows are added before it.
func (w *Window[K]) AdjustHeld(list List[K], height int) { w.adjust(list, height, true) }

func (w *Window[K]) adjust(list List[K], height int, held bool) {
	if height > 0 || w.height == 0 {
		w.height = max(height, 1)
	}
	length := list.Len()
	if length == 0 {
		w.hasCursor, w.place, w.top = false, 0, 0
		return
	}
	before := w.place
	if w.hasCursor && (w.place >= length || list.Key(w.place) != w.cursor) {
		if place, ok := list.Find(w.cursor); ok {
			w.place = place
		}
	}
	w.place = min(w.place, length-1)
	w.cursor, w.hasCursor = list.Key(w.place), true
	// A window at the head of a list stays there, as long as the cursor is in it.
	if held || w.top > 0 || w.place >= w.height {
		w.top += w.place - before
	}
	w.clamp(length)
}

// clamp keeps the cursor in the window and the window in the list.
func (w *Window[K]) clamp(length int) {
	w.top = max(min(w.top, w.place), w.place-w.height+1)
	w.top = max(min(w.top, length-w.height), 0)
}

// MoveTo puts the cursor on the row at a place, or on the nearest row.
func (w *Window[K]) MoveTo(list List[K], place int) {
	length := list.Len()
	if length == 0 {
		return
	}
	w.place = max(min(place, length-1), 0)
	w.cursor, w.hasCursor = list.Key(w.place), true
	w.clamp(length)
}

// MoveBy moves the cursor by the given number of rows.
func (w *Window[K]) MoveBy(list List[K], rows int) { w.MoveTo(list, w.place+rows) }

// PageBy moves cursor and window by whole screens.
func (w *Window[K]) PageBy(list List[K], screens int) {
	w.top += screens * w.height
	w.MoveTo(list, w.place+screens*w.height)
}

// ScrollBy moves the window by the given number of rows, and the cursor only if it would leave the window.
func (w *Window[K]) ScrollBy(list List[K], rows int) {
	w.top = max(min(w.top+rows, list.Len()-w.height), 0)
	w.MoveTo(list, max(min(w.place, w.top+w.height-1), w.top))
}
