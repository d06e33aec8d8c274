package viewlist

import (
	"fmt"
	"image"

	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/input"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/views"
)

// NamingKind is the kind of overlay in which a saved view is named. Its subject is the list that it lies over.
const NamingKind = "view name"

// Naming is the prompt for the name of the view that is saved under the cursor of a list.
type Naming struct {
	over *List
	line input.Line
}

// NewNaming returns the prompt over a list.
func NewNaming(over *List) *Naming {
	here, _ := over.content().Set.Find(over.rows.Place())
	over.naming = true
	return &Naming{over, input.New(here.Name)}
}

// NamingActions are the keys of the prompt.
func NamingActions() []keys.Action[*Naming] {
	return []keys.Action[*Naming]{
		{Name: "apply", Keys: []string{"enter"}, Help: "save the view", Hint: "save", Priority: 1, Do: (*Naming).saveNamed},
		{Name: "cancel", Keys: keys.Esc, Help: "cancel", Hint: "cancel", Priority: 2, Do: (*Naming).cancel},
	}
}

// saveNamed saves what is on the screen as the view under the cursor.
func (n *Naming) saveNamed(*pane.Context) []pane.Effect {
	n.over.naming = false
	name := draw.Cut(format.OneLine(n.line.String()), views.MaxName)
	return pane.Closing(pane.SaveView{Number: n.over.rows.Place(), Name: name})
}

func (n *Naming) cancel(*pane.Context) []pane.Effect {
	n.over.naming = false
	return pane.Closing()
}

// Text returns the name.
func (n *Naming) Text() *input.Line { return &n.line }

// The list below does not move while a name is typed.

func (n *Naming) List() pane.List                                           { return nil }
func (n *Naming) Changed(*pane.Context) []pane.Effect                       { return nil }
func (n *Naming) Fit(c *pane.Context, s pane.Size)                          { n.over.Fit(c, s) }
func (n *Naming) Click(*pane.Context, pane.Size, image.Point) []pane.Effect { return nil }

// prompt is the text before the name that is typed.
func (n *Naming) prompt() string { return fmt.Sprintf(" name of view %d: ", n.over.rows.Place()) }

// Cursor returns the cell of the cursor in the name.
func (n *Naming) Cursor(s pane.Size) image.Point {
	from := len(n.prompt())
	_, column := n.line.Seen(s.Width - from)
	return image.Pt(from+column, 0)
}

// Draw draws the name above the list.
func (n *Naming) Draw(c *pane.Context, s pane.Size) []string {
	text, _ := n.line.Seen(s.Width - len(n.prompt()))
	first := draw.NewLine(s.Width).Put(c.Styles.Accent, n.prompt()).Put(draw.Plain, text).String()
	return n.over.draw(n.over.content(), c.Styles, first, s.Width, s.Height)
}
