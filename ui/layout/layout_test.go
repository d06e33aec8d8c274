package layout

import (
	"fmt"
	"testing"

	"blotter/ui/pane"
)

// TestThePartsFillTheScreen: each cell of the middle is in a part, but for the headline and the line
// beside the detail.
func TestThePartsFillTheScreen(t *testing.T) {
	for _, screen := range []pane.Size{{Width: 40, Height: 10}, {Width: 60, Height: 20}, {Width: 80, Height: 24}, {Width: 120, Height: 40}, {Width: 200, Height: 60}} {
		for _, focus := range []Part{Positions, Margins, Detail} {
			for _, split := range []int{-100, -3, 0, 5, 100} {
				for _, zoomed := range []bool{false, true} {
					l := Layout{Screen: screen, Focus: focus, Split: split, IsZoomed: zoomed, Content: Content{Lines: 7, Assets: 1}}
					name := fmt.Sprintf("%+v", l)
					p := l.Parts(false)
					if sum := p.Positions + p.Selected + p.Margins; sum != p.panes() && p.Left > 0 {
						t.Errorf("%s: the panes have %d lines of %d", name, sum, p.panes())
					}
					cells := make(map[Part]int)
					for y := range screen.Height {
						for x := range screen.Width {
							part, _ := p.At(x, y)
							cells[part]++
						}
					}
					around := screen.Width * (TopHeight + p.Headline + BottomHeight(screen, 1))
					if p.Side > 0 && p.Left > 0 {
						around += p.panes() // the line
					}
					if cells[NoPart] != around || cells[Positions] != p.Left*p.Positions || cells[Detail] != p.Side*p.panes() {
						t.Errorf("%s: the parts have %v cells", name, cells)
					}
				}
			}
		}
	}
}

// TestTheSplit moves as far as it leaves some lines of each pane.
func TestTheSplit(t *testing.T) {
	l := Layout{Screen: pane.Size{Width: 120, Height: 40}, Content: Content{Lines: 7, Assets: 1}}
	before := l.Parts(false)
	if !l.HasSplit() || !l.MoveSplit(1) || l.Parts(false).Margins != before.Margins-1 {
		t.Errorf("one line down the parts are %+v, before %+v", l.Parts(false), before)
	}
	for l.MoveSplit(1) {
	}
	if p := l.Parts(false); p.Margins != MinPane {
		t.Errorf("at the bottom the parts are %+v", p)
	}
	l.DragSplit(TopHeight + 10)
	if p := l.Parts(false); p.Positions+p.Selected != 10 {
		t.Errorf("dragged to line 10 of the middle, the parts are %+v", p)
	}
	p := l.Parts(false)
	if part, at := p.At(0, TopHeight+10); part != Split || at.Y != 0 {
		t.Errorf("there the mouse is on %v, at %v", part, at)
	}
	l.DragSplit(0)
	if p := l.Parts(false); p.Positions != MinPane {
		t.Errorf("dragged to the first line, the parts are %+v", p)
	}
	if l.Screen.Height = 24; l.HasSplit() || l.MoveSplit(1) {
		t.Error("a split is moved where only the positions are")
	}
}

// TestTheSelectedLineStandsBelowTheTable, also above the margin levels of a higher screen, where it is not less. A
// group with more totals takes the empty lines of the table, and no row from it.
func TestTheSelectedLineStandsBelowTheTable(t *testing.T) {
	for _, c := range []struct {
		width, height, lines, selected int
		want                           string
	}{
		{80, 24, 7, 4, "14 4 0"}, {120, 40, 7, 0, "19 6 9"}, {120, 40, 7, 9, "14 11 9"}, {120, 40, 23, 9, "19 6 9"},
		{120, 40, 0, 0, "20 0 14"}, {80, 24, 11, 9, "11 7 0"}, {200, 60, 7, 9, "31 0 22"},
	} {
		l := Layout{Screen: pane.Size{Width: c.width, Height: c.height}, Content: Content{Lines: c.lines, Selected: c.selected, Assets: 1, Known: 1}}
		p := l.Parts(false)
		if got := fmt.Sprint(p.Positions, p.Selected, p.Margins); got != c.want {
			t.Errorf("%+v: the panes have %s lines, want %s", c, got, c.want)
		}
	}
}

// TestTabGoesThroughThePanes, in both directions.
func TestTabGoesThroughThePanes(t *testing.T) {
	for screen, want := range map[pane.Size]string{
		{Width: 120, Height: 60}: "margin margin",
		{Width: 200, Height: 60}: "margin detail",
		{Width: 200, Height: 14}: "margin margin", // too low for the detail
	} {
		l := Layout{Screen: screen}
		if got := l.After(+1).Name() + " " + l.After(-1).Name(); got != want {
			t.Errorf("at %v the panes beside the positions are %s, want %s", screen, got, want)
		}
	}
}
