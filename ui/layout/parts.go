package layout

import (
	"image"

	"blotter/ui/pane"
)

// Parts are the parts of a screen, with their titles. One of size 0 is not on the screen.
type Parts struct {
	IsTiny    bool // the screen is too small for more than one line
	Width     int
	Middle    int // the height between the first two lines and the last ones
	Headline  int // the height of what is above the panes: the headline and the incidents
	Marks     int // the height of the marks of the past, the first line of that
	Ribbon    int // the height of the incidents, the last line of that
	Left      int // the width of the panes that are not at the side
	Positions int // heights
	Today     int // of the positions, the last lines, which have the chart of the PnL of today
	Margins   int
	Selected  int
	IsBox     bool // the selected row has a box
	Side      int  // the width of the detail

	isCovered bool
}

// isSplit reports whether positions and margin levels share the height.
func (p *Parts) isSplit() bool { return p.Margins > 0 && p.Margins < p.panes() }

func (p *Parts) panes() int { return p.Middle - p.Headline }

// Of returns the cells of the middle that a part has.
func (p *Parts) Of(part Part) image.Rectangle {
	top := p.Headline
	selected, below := top+p.Positions, top+p.Positions+p.Selected
	switch {
	case part == Cover && p.isCovered:
		return image.Rect(0, 0, p.Width, p.Middle)
	case part == Positions:
		return image.Rect(0, top, p.Left, selected)
	case part == Selected:
		return image.Rect(0, selected, p.Left, below)
	case part == Split:
		return image.Rect(0, below, p.Left, below+min(p.Margins, 1))
	case part == Margins:
		return image.Rect(0, below, p.Left, below+p.Margins)
	case part == Detail && p.Side > 0:
		return image.Rect(p.Width-p.Side, top, p.Width, p.Middle)
	}
	return image.Rectangle{}
}

// Size returns the size of a part.
func (p *Parts) Size(part Part) pane.Size { return sizeOf(p.Of(part)) }

func sizeOf(cells image.Rectangle) pane.Size {
	return pane.Size{Width: cells.Dx(), Height: cells.Dy()}
}

// The smallest middle in which an overlay has a border, and the most room inside of it. On 80x24 the list of columns
// takes the whole middle.
const (
	borderFromWidth  = 100
	borderFromHeight = 26
	maxBoxWidth      = 100
	maxBoxHeight     = 24
)

// HasBorder reports whether an overlay has a border, around which the panes are seen. Else it has the whole middle.
func (p *Parts) HasBorder() bool { return p.Width >= borderFromWidth && p.Middle >= borderFromHeight }

// Box returns the cells of the middle that an overlay has, inside of its border.
func (p *Parts) Box() image.Rectangle {
	if !p.HasBorder() {
		return image.Rect(0, 0, p.Width, p.Middle)
	}
	const around = 4 // a cell of the border and one of the panes, on both sides
	width, height := min(p.Width-around, maxBoxWidth), min(p.Middle-around, maxBoxHeight)
	left, top := (p.Width-width)/2, (p.Middle-height)/2
	return image.Rect(left, top, left+width, top+height)
}

// BoxSize returns the size of Box.
func (p *Parts) BoxSize() pane.Size { return sizeOf(p.Box()) }

// InBox returns the place in Box of a cell of the screen, and false if it is not in it.
func (p *Parts) InBox(x, y int) (image.Point, bool) {
	cell, box := image.Pt(x, y-TopHeight), p.Box()
	return cell.Sub(box.Min), cell.In(box)
}

// At returns the part at a cell of the screen, and the place of the cell in it.
func (p *Parts) At(x, y int) (Part, image.Point) {
	cell := image.Pt(x, y-TopHeight)
	for _, part := range []Part{Cover, Positions, Selected, Split, Margins, Detail} {
		if cells := p.Of(part); cell.In(cells) {
			return part, cell.Sub(cells.Min)
		}
	}
	return NoPart, image.Point{}
}
