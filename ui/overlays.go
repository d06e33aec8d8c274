package ui

import (
	"image"
	"strings"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/draw"
	"blotter/ui/layout"
	"blotter/ui/pane"
)

// overlays are what lies over the panes, the latest on top, and what was typed in those that were left.
type overlays struct {
	open []pane.Pane
	left left
}

// top returns the overlay on top, which gets all keys; nil if there is none.
func (o *overlays) top() pane.Pane {
	if len(o.open) > 0 {
		return o.open[len(o.open)-1]
	}
	return nil
}

// close removes the overlay on top, and returns it.
func (o *overlays) close() pane.Pane {
	closed := o.top()
	o.open = o.open[:len(o.open)-1]
	return closed
}

// covering returns the overlay that is drawn over the panes; nil if there is none, or if it is a prompt in the second
// line.
func (o *overlays) covering() pane.Pane {
	if _, isPrompt := o.top().(pane.Prompt); isPrompt {
		return nil
	}
	return o.top()
}

// cursor returns the place of the terminal's own cursor: where text is typed; nil if none is.
func (o *overlays) cursor(parts *layout.Parts, screen pane.Size) *tea.Cursor {
	on, isTyping := o.top().(pane.Typing)
	if !isTyping {
		return nil
	}
	size, from := parts.BoxSize(), parts.Box().Min
	if o.covering() == nil {
		size, from = pane.Size{Width: screen.Width, Height: 1}, image.Pt(0, -1) // in the second line
	}
	at := on.Cursor(size)
	cursor := tea.NewCursor(from.X+at.X, layout.TopHeight+from.Y+at.Y)
	cursor.X = min(cursor.X, screen.Width-1)
	cursor.Shape = tea.CursorBar
	return cursor
}

// over draws an overlay over the panes or a page, or in their place if there is no room for a border.
func over(under []string, on pane.Pane, c *pane.Context, l *layout.Parts) []string {
	drawn := on.Draw(c, l.BoxSize())
	if !l.HasBorder() {
		return drawn
	}
	box := l.Box().Inset(-1)
	border := c.Styles.Block.Border.Width(box.Dx()).Height(box.Dy()).Render(strings.Join(drawn, "\n"))
	return draw.Over(draw.Fit(under, l.Middle), strings.Split(border, "\n"), box.Dx(), box.Min.X, box.Min.Y)
}
