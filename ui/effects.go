package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model/view"
	"blotter/ui/columns"
	"blotter/ui/keys"
	"blotter/ui/layout"
	"blotter/ui/pane"
	"blotter/ui/replay"
	"blotter/ui/store"
)

// context returns what the parts of the screen may read.
func (m *Model) context() *pane.Context {
	_, isPrompt := m.overlays.top().(pane.Prompt)
	_, isTyping := m.overlays.top().(pane.Typing)
	c := &pane.Context{
		Store: m.store, Styles: &m.colours.Styles, Keys: m.keys, Pressed: m.keys.Pressed,
		Notice: m.notice.Text, IsTyping: isPrompt && isTyping,
		WhyNotLive: m.controls.WhyNotLive(), Recording: m.controls.Recording(),
		EscClearsFilter: m.steps.undoesFilter(),
	}
	if m.options.Demo {
		c.WhyNoNames = "the demo has all names"
	}
	return c
}

// contextOf returns what a pane may read.
func (m *Model) contextOf(of layout.Part) *pane.Context {
	c := m.context()
	c.HasFocus = m.layout.Focus == of
	return c
}

// focused returns the part of the screen that keys act on: the overlay or the page on top, or the pane with the focus.
func (m *Model) focused() pane.Clickable {
	if on := m.overlays.top(); on != nil {
		return on
	} else if page := m.steps.topPage().opened; page != nil {
		return page
	}
	return m.panes.in(m.layout.Focus, nil)
}

// allParts returns the parts of the screen that have keys, first the one that keys act on.
func (m *Model) allParts() []any {
	return []any{m.focused(), m, m.positions, m.margins, m.events, m.alerts, m.analysis.Session, m.analysis.Tabs, m.detail.Side,
		m.controls, replay.Rewind{Memory: m.options.Memory, File: m.options.Replay}}
}

// delayedMsg is what a pane does when its delay is over.
type delayedMsg func()

func (m *Model) apply(effects ...pane.Effect) tea.Cmd {
	var commands []tea.Cmd
	for _, each := range effects {
		if words := m.controls.Refuses(each); words != "" {
			m.notice.say(words)
			continue
		}
		commands = append(commands, m.applyOne(each))
	}
	return tea.Batch(commands...)
}

func (m *Model) applyOne(effect pane.Effect) tea.Cmd {
	switch e := effect.(type) {
	case pane.Open:
		opened, instead := dialogMaker{m}.dialog(e.Dialog)
		if opened != nil {
			m.overlays.open = append(m.overlays.open, opened)
			instead = append(instead, m.overlays.left.restored(opened, m.context())...)
		}
		return m.apply(instead...)
	case pane.Close:
		m.overlays.left.forget(m.overlays.close())
	case pane.Leave:
		m.overlays.left.keep(m.overlays.close())
	case pane.Select:
		return m.apply(m.positions.MoveBy(int(e))...)
	case pane.Say:
		m.notice.say(string(e))
	case pane.Send:
		return tea.Cmd(e)
	case pane.Change:
		return e(m.store)
	case pane.SetColumns:
		m.positions.SetColumns(columns.Settings(e))
	case pane.After:
		return tea.Tick(e.Delay, func(time.Time) tea.Msg { return delayedMsg(e.Do) })
	case pane.GoTo:
		return m.goTo(e)
	case pane.FilterEvents:
		clear := func() tea.Cmd { return m.apply(pane.FilterEvents("")) }
		m.steps.set(step{kind: pageFilterStep, page: eventsKind, undo: clear}, e != "")
		m.events.SetFilter(string(e), m.store.FilterContext())
	case pane.FocusPositions:
		m.setFocus(layout.Positions)
	case pane.FocusMargins:
		m.steps.closePages()
		m.setFocus(layout.Margins)
	case pane.Back:
		return m.steps.back()
	case pane.Set:
		to := m.store.Settings()
		e(&to)
		m.steps.note(m.store.Settings(), to, m.set)
		return m.set(e)
	case pane.Show:
		return m.show(string(e))
	case pane.ClosePage:
		m.steps.closePage()
	case pane.Rewind:
		return m.rewind(e)
	case pane.Live:
		return m.goLive()
	case pane.Copy:
		// The terminal does not report whether it took the copy.
		m.notice.say("Sent to the terminal's clipboard: " + e.What + ".")
		return tea.SetClipboard(e.Text)
	default:
		return m.applyToViews(effect)
	}
	return nil
}

// applyToViews applies an effect on views, profiles, the order or the theme, or does an action by its name.
func (m *Model) applyToViews(effect pane.Effect) tea.Cmd {
	switch e := effect.(type) {
	case pane.SortBy:
		return m.apply(m.positions.SortBy(view.Column(e))...)
	case pane.Act:
		return m.apply(keys.Do(string(e), m.allParts(), m.context(), m.activeKeys().groups()...)...)
	case pane.UseTheme:
		m.options.Appearance.Theme, m.options.Remembered.Theme = string(e), string(e)
	case pane.ShowView:
		return m.applyNumbered(int(e))
	case pane.SaveView:
		m.notice.say(m.views.SaveShown(m.shown(), e.Number, e.Name, m.keeper.State != nil))
		m.keeper.Hurry()
	case pane.DeleteView:
		m.notice.say(m.views.Delete(int(e)))
		m.keeper.Hurry()
	case pane.SetAlerts:
		m.keeper.Hurry()
		return store.SetRules(m.service().store, e)
	case pane.SetGroups:
		m.keeper.Hurry()
		return m.store.SetInstruments(m.store.Instruments().WithGroups(e))
	case pane.ShowProfile:
		return m.openProfile(string(e))
	}
	return nil
}
