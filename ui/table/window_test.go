package table

import "testing"

// numbers is a list whose keys are numbers.
type numbers []int

func (n numbers) Len() int          { return len(n) }
func (n numbers) Key(place int) int { return n[place] }
func (n numbers) Find(key int) (int, bool) {
	for place := range n {
		if n[place] == key {
			return place, true
		}
	}
	return 0, false
}

func TestTheCursorKeepsItsPlaceOnTheScreen(t *testing.T) {
	list := func(from, to int) (n numbers) {
		for i := from; i < to; i++ {
			n = append(n, i)
		}
		return n
	}
	var w Window[int]
	w.Adjust(list(0, 100), 10)
	w.MoveTo(list(0, 100), 50)
	w.PageBy(list(0, 100), 1)
	offset := w.place - w.top
	if w.cursor != 60 {
		t.Fatalf("a screen down from 50 is %d", w.cursor)
	}
	w.Adjust(list(-20, 100), 10) // 20 rows are added above
	if w.cursor != 60 || w.place-w.top != offset {
		t.Errorf("the cursor is on %d, %d from the top; want 60, %d", w.cursor, w.place-w.top, offset)
	}
	w.Adjust(list(61, 100), 10) // its row is removed
	if w.cursor < 61 || w.place-w.top > 9 {
		t.Errorf("the cursor is on %d", w.cursor)
	}
	w.Adjust(numbers(nil), 10)
	if w.hasCursor {
		t.Error("there is a cursor in an empty list")
	}
	// At the head of a list the first row stays on the screen.
	w = Window[int]{}
	w.Adjust(list(0, 100), 10)
	w.Adjust(list(-3, 100), 10)
	if w.cursor != 0 || w.top != 0 {
		t.Errorf("the cursor is on %d, the window at %d", w.cursor, w.top)
	}
	w.Adjust(list(-30, 100), 10)
	if w.cursor != 0 || w.place < w.top || w.place > w.top+9 {
		t.Errorf("the cursor on %d is not on the screen", w.cursor)
	}
}

// TestScrollBy: the window moves, and the cursor only where it would leave the window.
func TestScrollBy(t *testing.T) {
	list := numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	var w Window[int]
	w.Adjust(list, 4)
	w.MoveTo(list, 3)
	for _, c := range []struct{ rows, top, place int }{{2, 2, 3}, {3, 5, 5}, {9, 6, 6}, {-1, 5, 6}, {-9, 0, 3}} {
		if w.ScrollBy(list, c.rows); w.Top() != c.top || w.Place() != c.place {
			t.Errorf("scrolled by %d the window is at %d and the cursor at %d, want %d and %d", c.rows, w.Top(), w.Place(), c.top, c.place)
		}
	}
	w.Adjust(numbers(nil), 4)
	w.ScrollBy(numbers(nil), 2)
	if w.Top() != 0 || w.Place() != 0 {
		t.Errorf("in an empty list the window is at %d and the cursor at %d", w.Top(), w.Place())
	}
}
