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
