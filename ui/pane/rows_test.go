package pane

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
	var rows numbers
	w := NewRows(func() Source[int] { return rows })
	fit := func(to numbers, height int) { rows = to; w.Fit(height) }
	fit(list(0, 100), 10)
	w.MoveTo(50)
	w.PageBy(1)
	offset := w.place - w.top
	if w.cursor != 60 {
		t.Fatalf("a screen down from 50 is %d", w.cursor)
	}
	fit(list(-20, 100), 10) // 20 rows are added above
	if w.cursor != 60 || w.place-w.top != offset {
		t.Errorf("the cursor is on %d, %d from the top; want 60, %d", w.cursor, w.place-w.top, offset)
	}
	fit(list(61, 100), 10) // its row is removed
	if w.cursor < 61 || w.place-w.top > 9 {
		t.Errorf("the cursor is on %d", w.cursor)
	}
	fit(numbers(nil), 10)
	if w.hasCursor {
		t.Error("there is a cursor in an empty list")
	}
	// At the head of a list the first row stays on the screen.
	w = NewRows(func() Source[int] { return rows })
	w.Stay()
	fit(list(0, 100), 10)
	fit(list(-3, 100), 10)
	if w.cursor != 0 || w.top != 0 {
		t.Errorf("the cursor is on %d, the window at %d", w.cursor, w.top)
	}
	fit(list(-30, 100), 10)
	if w.cursor != 0 || w.place < w.top || w.place > w.top+9 {
		t.Errorf("the cursor on %d is not on the screen", w.cursor)
	}
}

// TestScrollBy: the window moves, and the cursor only if it would leave the window.
func TestScrollBy(t *testing.T) {
	list := numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	w := NewRows(func() Source[int] { return list })
	w.Fit(4)
	w.MoveTo(3)
	for _, c := range []struct{ rows, top, place int }{{2, 2, 3}, {3, 5, 5}, {9, 6, 6}, {-1, 5, 6}, {-9, 0, 3}} {
		if w.ScrollBy(c.rows); w.Top() != c.top || w.Place() != c.place {
			t.Errorf("scrolled by %d the window is at %d and the cursor at %d, want %d and %d", c.rows, w.Top(), w.Place(), c.top, c.place)
		}
	}
	list = nil
	w.Fit(4)
	w.ScrollBy(2)
	if w.Top() != 0 || w.Place() != 0 {
		t.Errorf("in an empty list the window is at %d and the cursor at %d", w.Top(), w.Place())
	}
}

// TestTheFirstRow: the cursor stays on it, whatever row it is, until it is moved, and again after First.
func TestTheFirstRow(t *testing.T) {
	rows := numbers{5, 6, 7}
	w := NewRows(func() Source[int] { return rows })
	want := func(why string, key int) {
		t.Helper()
		if w.Fit(2); w.cursor != key {
			t.Errorf("%s, the cursor is on %d, want %d", why, w.cursor, key)
		}
	}
	want("at first", 5)
	rows = numbers{4, 5, 6, 7}
	want("with a new first row", 4)
	w.MoveBy(1)
	rows = numbers{3, 4, 5, 6, 7}
	want("moved", 5)
	w.Last()
	want("at the last row", 7)
	w.First()
	rows = rows[1:]
	want("at the first row again", 4)
	w.Stay()
	rows = numbers{3, 4}
	want("where it stays", 4)
}

// TestRowsThatAreAddedDoNotMoveWhatIsRead, at the head of a list that grows there.
func TestRowsThatAreAddedDoNotMoveWhatIsRead(t *testing.T) {
	rows := numbers{5, 6, 7, 8}
	w := NewSteadyRows(func() Source[int] { return rows })
	w.Fit(3)
	w.MoveBy(1)
	rows = numbers{4, 5, 6, 7, 8}
	if w.Fit(3); w.cursor != 6 || w.Top() != 1 {
		t.Errorf("the cursor is on %d, and the window at %d", w.cursor, w.Top())
	}
}

// TestAFixedWindow moves only with what the trader moves: the cursor's row may leave it, and Reveal goes there.
func TestAFixedWindow(t *testing.T) {
	rows := numbers{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	w := NewFixedRows(func() Source[int] { return rows })
	want := func(why string, cursor, top int, isSeen bool) {
		t.Helper()
		if w.cursor != cursor || w.Top() != top || w.IsSeen() != isSeen {
			t.Errorf("%s, the cursor is on %d and the window at %d, want %d and %d", why, w.cursor, w.Top(), cursor, top)
		}
	}
	w.Fit(4)
	w.MoveTo(1)
	rows = numbers{0, 2, 3, 4, 5, 6, 7, 8, 1, 9}
	w.Fit(4)
	want("with its row far below", 1, 0, false)
	w.ScrollBy(1)
	want("scrolled", 1, 1, false)
	w.Reveal()
	want("revealed", 1, 5, true)
	w.MoveTo(8)
	w.Fit(3)
	want("with less room", 1, 6, true)
	rows = numbers{1, 0, 2, 3, 4, 5, 6, 7, 8, 9}
	w.Fit(3)
	want("with its row at the head", 1, 6, false)
	w.PageBy(-1)
	want("a screen up", 3, 3, true)
	rows = numbers{0, 1, 2, 4, 5, 6, 7, 8, 3, 9}
	w.Fit(3)
	want("with its row below", 3, 3, false)
	w.MoveBy(-1)
	want("moved outside of the window", 8, 6, true)
	rows = numbers{8, 1, 2, 4, 5, 6, 7, 0, 3, 9}
	w.Fit(3)
	w.PageBy(-1)
	want("a screen up again", 4, 3, true)
	rows = numbers{3, 4}
	w.Fit(3)
	want("in a short list", 4, 0, true)
}

// TestClick moves the cursor to a row on the screen, and not below the last one.
func TestClick(t *testing.T) {
	w := NewChoices(func() int { return 5 }, 4).Rows
	w.Fit(3)
	if w.Place() != 4 || w.Top() != 2 || w.IsMoved() {
		t.Errorf("at first the cursor is at %d, and the window at %d", w.Place(), w.Top())
	}
	if !w.Click(0) || w.Place() != 2 || w.Top() != 2 || !w.IsMoved() {
		t.Errorf("after a click on the first row the cursor is at %d, and the window at %d", w.Place(), w.Top())
	}
	if w.Click(3) {
		t.Error("a click below the last row moves the cursor")
	}
	if w.First(); w.Click(3) || w.Place() != 0 {
		t.Errorf("a click on the words below the list moves the cursor to %d, which was not on the screen", w.Place())
	}
}

// TestATextScrollsWithinItsEnds by lines, half screens and screens.
func TestATextScrollsWithinItsEnds(t *testing.T) {
	var text Text
	length := 20
	text.Fit(length, 6)
	for _, c := range []struct {
		name string
		do   func()
		top  int
	}{
		{"up", func() { text.MoveBy(-1) }, 0}, {"down", func() { text.MoveBy(2) }, 2}, {"half a screen", func() { HalfPage(&text, 1) }, 5},
		{"a screen", func() { text.PageBy(1) }, 11}, {"the end", text.Last, 14}, {"the wheel", func() { text.ScrollBy(3) }, 14},
		{"a shorter text", func() { length = 8 }, 2}, {"the first line", text.First, 0},
	} {
		c.do()
		if text.Fit(length, 6); text.Top() != c.top {
			t.Errorf("%s: the first line is %d, want %d", c.name, text.Top(), c.top)
		}
	}
}
