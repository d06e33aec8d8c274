package ui

// window is the part of a list that is on the screen, and the cursor in it. The cursor is a key, not a place:
// it stays on its row wherever the row moves, and the window follows so that the row keeps its place on
// the screen.
type window[K comparable] struct {
	cursor K
	has    bool // there is a row under the cursor
	place  int  // where that row stands in the list
	top    int  // the place of the first row on the screen
	height int  // how many rows the screen has room for
}

// list is what a window looks at.
type list[K comparable] interface {
	Len() int
	key(place int) K
	find(key K) (place int, ok bool) // where the key is, or would be
}

// settle finds the cursor's row again after the list or the room for it has changed. A list that is covered, and has
// no room, keeps its place for when it is seen again.
func (w *window[K]) settle(rows list[K], height int) {
	if height > 0 || w.height == 0 {
		w.height = max(height, 1)
	}
	length := rows.Len()
	if length == 0 {
		w.has, w.place, w.top = false, 0, 0
		return
	}
	before := w.place
	if w.has && (w.place >= length || rows.key(w.place) != w.cursor) {
		if place, ok := rows.find(w.cursor); ok {
			w.place = place
		}
	}
	w.place = min(w.place, length-1)
	w.cursor, w.has = rows.key(w.place), true
	// Who looks at the head of a list goes on looking at it, as long as the cursor is in sight.
	if w.top > 0 || w.place >= w.height {
		w.top += w.place - before
	}
	w.clamp(length)
}

// clamp keeps the cursor in the window and the window in the list.
func (w *window[K]) clamp(length int) {
	w.top = max(min(w.top, w.place), w.place-w.height+1)
	w.top = max(min(w.top, length-w.height), 0)
}

// to puts the cursor on the row at a place, or the nearest that there is.
func (w *window[K]) to(rows list[K], place int) {
	length := rows.Len()
	if length == 0 {
		return
	}
	w.place = max(min(place, length-1), 0)
	w.cursor, w.has = rows.key(w.place), true
	w.clamp(length)
}

// page moves cursor and window by whole screens.
func (w *window[K]) page(rows list[K], screens int) {
	w.top += screens * w.height
	w.to(rows, w.place+screens*w.height)
}

// moving moves the cursor of a window in its list.
type moving[K comparable] struct {
	*window[K]
	rows list[K]
}

// mover is a table that has a cursor, whatever its keys are.
type mover interface {
	by(rows int)
	screens(n int)
}

func (m moving[K]) by(rows int)   { m.to(m.rows, m.place+rows) }
func (m moving[K]) screens(n int) { m.page(m.rows, n) }
