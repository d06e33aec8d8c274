package viewlist

import (
	"fmt"

	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/views"
)

// NamingKind is the kind of overlay in which a saved view is named. Its subject is the list that it lies over.
const NamingKind = "view name"

// Naming is the prompt for the name of the view that is saved under the cursor of a list.
type Naming struct {
	pane.TextLine
	pane.NoOp // the list below does not move while a name is typed
	over      *List
}

// NewNaming returns the prompt over a list.
func NewNaming(over *List) *Naming {
	place := over.Rows.Place()
	here, _ := over.set.Find(place)
	over.naming = true
	return &Naming{TextLine: pane.NewTextLine(fmt.Sprintf(" name of view %d: ", place), here.Name), over: over}
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
	name := draw.Cut(format.OneLine(n.Typed()), views.MaxName)
	return pane.Closing(pane.SaveView{Number: n.over.Rows.Place(), Name: name})
}

func (n *Naming) cancel(*pane.Context) []pane.Effect {
	n.over.naming = false
	return pane.Closing()
}

// Changed does nothing.
func (n *Naming) Changed(*pane.Context) []pane.Effect { return nil }

// Sync fits the list.
func (n *Naming) Sync(c *pane.Context, s pane.Size) { n.over.Sync(c, s) }

// Draw draws the name above the list.
func (n *Naming) Draw(c *pane.Context, s pane.Size) []string {
	return n.over.draw(c, n.Start(c, s.Width).String(), s)
}
