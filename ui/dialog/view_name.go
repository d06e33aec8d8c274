package dialog

import (
	"fmt"

	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/keys"
	"blotter/ui/pane"
	"blotter/ui/views"
)

// ViewNameDialog opens the prompt for the name of a view.
type ViewNameDialog struct {
	pane.IsDialog
	Over *ViewList // the list that it lies over
}

// ViewName is the prompt for the name of the view that is saved under the cursor of a list.
type ViewName struct {
	pane.TextLine
	pane.NoOp // the list below does not move while a name is typed
	over      *ViewList
}

// NewViewName returns the prompt over a list.
func NewViewName(over *ViewList) *ViewName {
	number := over.number()
	here, _ := over.set.Find(number)
	over.naming = true
	return &ViewName{TextLine: pane.NewTextLine(fmt.Sprintf(" name of view %d: ", number), here.Name), over: over}
}

// ViewNameActions are the keys of the prompt.
func ViewNameActions() []keys.Action[*ViewName] {
	return []keys.Action[*ViewName]{
		{Name: "apply", Keys: []string{"enter"}, Help: "save the view", Hint: "save", Priority: 1, Do: (*ViewName).saveNamed},
		{Name: "cancel", Keys: keys.Esc, Help: "cancel", Hint: "cancel", Priority: 2, Do: (*ViewName).cancel},
	}
}

// saveNamed saves what is on the screen as the view under the cursor.
func (n *ViewName) saveNamed(*pane.Context) []pane.Effect {
	n.over.naming = false
	name := draw.Cut(format.OneLine(n.Typed()), views.MaxName)
	return pane.Closing(pane.SaveView{Number: n.over.number(), Name: name})
}

func (n *ViewName) cancel(*pane.Context) []pane.Effect {
	n.over.naming = false
	return pane.Closing()
}

// Sync fits the list.
func (n *ViewName) Sync(c *pane.Context, s pane.Size) { n.over.Sync(c, s) }

// Draw draws the name above the list.
func (n *ViewName) Draw(c *pane.Context, s pane.Size) []string {
	return n.over.draw(c, n.Start(c, s.Width).String(), s)
}
