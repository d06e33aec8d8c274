package layout

import (
	"image"

	"blotter/ui/frame"
	"blotter/ui/pane"
)

// Parts are the parts of a screen, with their titles. One of size 0 is not on the screen.
type Parts struct {
	IsTiny    bool // the screen is too small for more than one line
	Width     int
	Middle    int // the height between the first two lines and the last ones
	Left      int // the width of the panes that are not at the side
	Positions int // heights
	Margins   int
	Selected  int
	Side      int // the width of the detail

	isCovered bool
}

// isSplit reports whether positions and margin levels share the height.
func (p *Parts) isSplit() bool { return p.Margins > 0 && p.Margins < p.Middle }

// PositionSize returns the size of the positions.
func (p *Parts) PositionSize() pane.Size { return pane.Size{Width: p.Left, Height: p.Positions} }

// SelectedSize returns the size of the margin levels of the selected row.
func (p *Parts) SelectedSize() pane.Size { return pane.Size{Width: p.Left, Height: p.Selected} }

// MarginSize returns the size of the margin levels.
func (p *Parts) MarginSize() pane.Size { return pane.Size{Width: p.Left, Height: p.Margins} }

// SideSize returns the size of the detail.
func (p *Parts) SideSize() pane.Size {
	if p.Side == 0 {
		return pane.Size{}
	}
	return pane.Size{Width: p.Side, Height: p.Middle}
}

// CoverSize returns the room for what covers the panes.
func (p *Parts) CoverSize() pane.Size { return pane.Size{Width: p.Width, Height: p.Middle} }

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
func (p *Parts) BoxSize() pane.Size {
	box := p.Box()
	return pane.Size{Width: box.Dx(), Height: box.Dy()}
}

// InBox returns the place in Box of a cell of the screen, and false if it is not in it.
func (p *Parts) InBox(x, y int) (image.Point, bool) {
	cell, box := image.Pt(x, y-frame.TopHeight), p.Box()
	return cell.Sub(box.Min), cell.In(box)
}

// At returns the part at a cell of the screen, and the place of the cell in it.
func (p *Parts) At(x, y int) (Part, image.Point) {
	cell := image.Pt(x, y-frame.TopHeight)
	switch {
	case p.IsTiny || !cell.In(image.Rect(0, 0, p.Width, p.Middle)):
		return NoPart, image.Point{}
	case p.isCovered:
		return Cover, cell
	case cell.X >= p.Width-p.Side:
		return Detail, cell.Sub(image.Pt(p.Width-p.Side, 0))
	case cell.X >= p.Left: // the line between them
		return NoPart, image.Point{}
	case cell.Y < p.Positions:
		return Positions, cell
	case cell.Y < p.Positions+p.Selected:
		return Selected, cell.Sub(image.Pt(0, p.Positions))
	}
	cell.Y -= p.Positions + p.Selected
	if cell.Y == 0 {
		return Split, cell
	}
	return Margins, cell
}
