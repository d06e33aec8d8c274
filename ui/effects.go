package ui

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/keys"
	"blotter/ui/layout"
	"blotter/ui/pane"
	"blotter/ui/store"
)

// context returns what the parts of the screen may read.
func (m *Model) context() *pane.Context {
	c := &pane.Context{
		Store: m.store, Styles: &m.styles, Keys: m.keys, Pressed: m.pressed, IsTyping: m.isFiltering(), Notice: m.notice.Text, WhyNoStep: m.steps.whyNone(),
		EscClearsFilter: m.steps.undoesFilter(),
	}
	if m.options.Demo {
		c.WhyNoNames = "everything in the demo has its name"
	}
	return c
}

// contextOf returns what a pane may read.
func (m *Model) contextOf(of layout.Part) *pane.Context {
	c := m.context()
	c.HasFocus = m.layout.Focus == of
	return c
}

// overlay returns what lies over the panes and gets all keys, nil if nothing does.
func (m *Model) overlay() pane.Overlay {
	if n := len(m.overlays); n > 0 {
		return m.overlays[n-1]
	}
	return nil
}

// covering returns the overlay that covers the panes, nil if none does.
func (m *Model) covering() pane.Overlay {
	if _, isPrompt := m.overlay().(pane.Prompt); isPrompt {
		return nil
	}
	return m.overlay()
}

// cover returns what covers the panes: an overlay or a page; nil if nothing does.
func (m *Model) cover() interface {
	Draw(*pane.Context, pane.Size) []string
	Click(*pane.Context, pane.Size, image.Point) []pane.Effect
} {
	if on := m.covering(); on != nil {
		return on
	} else if top := m.pages.top(); top.Pane != nil {
		return top
	}
	return nil
}

// isFiltering reports whether a filter is typed.
func (m *Model) isFiltering() bool {
	prompt, isPrompt := m.overlay().(pane.Prompt)
	return isPrompt && prompt.Text() != nil
}

// shows returns what a key does that shows a page.
func shows(kind string) func(*Model) tea.Cmd { return func(m *Model) tea.Cmd { return m.show(kind) } }

// opens returns what a key does that opens an overlay.
func opens(kind string) func(*Model) tea.Cmd {
	return func(m *Model) tea.Cmd { return m.apply(pane.Open{Kind: kind}) }
}

// saidMsg is a text for the message line, from a command.
type saidMsg string

// answeredMsg is the response to a request of a pane.
type answeredMsg struct {
	answer   func(store.Response) []pane.Effect
	response store.Response
}

// delayedMsg comes when the delay of an effect is over.
type delayedMsg struct{ do func() }

// apply applies effects.
func (m *Model) apply(effects ...pane.Effect) tea.Cmd {
	var commands []tea.Cmd
	for _, each := range effects {
		commands = append(commands, m.applyOne(each))
	}
	return tea.Batch(commands...)
}

func (m *Model) applyOne(effect pane.Effect) tea.Cmd {
	switch e := effect.(type) {
	case pane.Open:
		opened, instead := overlayKinds[e.Kind](m, e.Subject)
		if opened != nil {
			m.overlays = append(m.overlays, opened)
		}
		return m.apply(instead...)
	case pane.Close:
		m.overlays = m.overlays[:len(m.overlays)-1]
	case pane.Say:
		m.notify(e.Text)
	case pane.Run:
		return func() tea.Msg { return saidMsg(e.Do()) }
	case pane.Watch:
		return m.watch(e.Scope)
	case pane.Change:
		return e.Do(m.store)
	case pane.SetColumns:
		m.positions.SetColumns(e.Settings)
	case pane.Ask:
		source := m.source
		return func() tea.Msg { return answeredMsg{e.Answer, e.Request.Send(source.Page)} }
	case pane.After:
		return tea.Tick(e.Delay, func(time.Time) tea.Msg { return delayedMsg{e.Do} })
	case pane.Learn:
		return m.store.Learn(e.Page)
	case pane.GoTo:
		return m.goTo(e)
	case pane.Filter:
		if !e.OfEvents {
			return m.setFilter(e.Text)
		}
		m.setEventFilter(e.Text)
	case pane.FocusPositions:
		m.setFocus(layout.Positions)
	case pane.Back:
		return m.apply(m.steps.pop()...)
	case pane.Set:
		return m.set(e.Change)
	case pane.Group:
		return m.group(e.By)
	case pane.Show:
		return m.show(e.Kind)
	case pane.ClosePage:
		m.closePage()
	case pane.FullScreen:
		m.setZoomed(e.IsOn)
	case pane.Copy:
		// The terminal does not report whether it took the copy.
		m.notify("Sent to the terminal's clipboard: " + e.What + ".")
		return tea.SetClipboard(e.Text)
	case pane.RestoreView:
		m.views.Applied = e.Applied
		return m.restore(e.Shown)
	case pane.ShowView:
		return m.applyNumbered(e.Number)
	case pane.SaveView:
		m.notify(m.views.SaveShown(m.shownNow(), e.Number, e.Name, m.options.Remember != nil))
		m.memory.hurry()
	case pane.DeleteView:
		m.notify(m.views.Delete(e.Number))
		m.memory.hurry()
	case pane.ShowProfile:
		return m.openProfile(e.Name)
	}
	return nil
}

// overlayKeys are the keys of a kind of overlay.
type overlayKeys struct {
	group
	belong func(pane.Overlay) bool
}

// typing returns the keys of an overlay in which other keys type text.
func (k overlayKeys) typing() overlayKeys {
	k.Typing = true
	return k
}

// keysOf returns the keys of the overlays P: those that move in it, and its actions.
func keysOf[P pane.Overlay](title string, moving []action, actions []pane.Action[P]) overlayKeys {
	k := overlayKeys{group: group{Title: title, Actions: moving}, belong: func(o pane.Overlay) bool { _, ok := o.(P); return ok }}
	onTop := func(m *Model) (P, bool) { on, ok := m.overlay().(P); return on, ok }
	for _, a := range actions {
		k.Actions = append(k.Actions, actionOf(a, onTop))
	}
	k.Actions = append(k.Actions, interruptAction)
	return k
}

// actionOf returns the action of the screen that does what one of a part of the screen does. The function returns that
// part, and false if it is not on the screen.
func actionOf[P any](a pane.Action[P], part func(*Model) (P, bool)) action {
	of := action{Name: a.Name, Keys: a.Keys, Shown: a.Shown, Help: a.Help, Hint: a.Hint, Priority: a.Priority}
	if a.Do != nil {
		of.Do = func(m *Model) tea.Cmd {
			on, _ := part(m)
			return m.apply(a.Do(on, m.context())...)
		}
	} else {
		of.DoNumber = func(m *Model, number int) tea.Cmd {
			on, _ := part(m)
			return m.apply(a.DoNumber(on, m.context(), number)...)
		}
	}
	if a.WhyNot != nil {
		of.Unavailable = func(m *Model) string {
			if on, isThere := part(m); isThere {
				return a.WhyNot(on, m.context())
			}
			return ""
		}
	}
	return of
}

var _ pane.KeyNames = (*keys.Map[*Model])(nil)

// paneKeys returns the keys of a pane: those that move in it, and its actions.
func paneKeys[P any](title string, moving []action, actions []pane.Action[P], part func(*Model) P) group {
	g := group{Title: title, Actions: moving}
	for _, a := range actions {
		g.Actions = append(g.Actions, actionOf(a, func(m *Model) (P, bool) { return part(m), true }))
	}
	return g
}
