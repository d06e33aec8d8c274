package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/format"
	"blotter/ui/layout"
	"blotter/ui/pane"
	"blotter/ui/persist"
	"blotter/ui/replay"
	"blotter/ui/store"
)

// setFocus gives the focus to a pane. If that is not the table of positions, it is a step that esc undoes.
func (m *Model) setFocus(to layout.Part) {
	if m.layout.Focus != to {
		m.detail.Side.First()
	}
	m.layout.Focus = to
	focusTable := func() tea.Cmd { return m.apply(pane.FocusPositions{}) }
	m.steps.set(step{kind: paneStep, undo: focusTable}, to != layout.Positions)
	if to == layout.Detail {
		m.positions.Rows.Stay() // so that the detail does not change to another position
	}
}

// toggleZoom gives the focused pane the whole screen, or shows the others again.
func (m *Model) toggleZoom() tea.Cmd {
	m.steps.closePages()
	m.layout.IsZoomed = !m.layout.IsZoomed
	m.steps.set(step{kind: fullScreenStep, undo: m.toggleZoom}, m.layout.IsZoomed)
	return nil
}

// heldFor is how soon after a press of quit that did something else another one does not quit: one press too many, or a
// key that is held down.
const heldFor = 500 * time.Millisecond

// quit closes the page, ends the full screen or leaves the past; if there is none of these, it quits. If a recording,
// the baseline or a long past would be lost, it asks first.
func (m *Model) quit() tea.Cmd {
	now, book := m.store.ScreenNow(), m.service().store.Book()
	isHeld := now.Sub(m.notice.quit) < heldFor
	m.notice.quit = now
	lost := lostByQuitting(m.service().store, &m.options, &m.keeper)
	switch {
	case m.steps.topPage().opened != nil:
		m.steps.closePage()
	case m.layout.IsZoomed:
		return m.toggleZoom()
	case m.past != nil:
		return m.goLive()
	case isHeld && m.notice.QuitsNext != "quit":
		m.notice.say(m.keys.Fill("{quit} again quits."))
	case lost == "" || m.notice.confirms("quit", m.keys.Fill(lost+": {quit} again quits.")):
		return tea.Sequence(m.keeper.KeepBaseline(book), tea.Quit)
	}
	return nil
}

// keptFor is how long a past is at least for which quit asks.
const keptFor = 5 * time.Minute

// lostByQuitting returns what is lost if the program quits, in words; empty if nothing is.
func lostByQuitting(live *store.Store, o *Options, keeper *persist.Keeper) string {
	if o.isRecording() {
		return "Quitting ends the recording"
	}
	if lost := keeper.LostBaseline(live.Book()); lost != "" {
		return lost
	}
	past := replay.Rewind{Memory: o.Memory, File: o.Replay}
	if past.WhyNot() != "" {
		return ""
	}
	oldest, _ := past.Oldest()
	kept := model.Elapsed(live.Now(), oldest)
	if kept < keptFor {
		return ""
	}
	return "Quitting loses the last " + format.Age(kept) + " of {rewind}"
}

// goTo moves the cursor of the positions to a position and shows the panes, or says why the position is not shown.
func (m *Model) goTo(e pane.GoTo) tea.Cmd {
	isShown, words := m.positions.GoTo(e)
	if isShown {
		m.steps.closePages()
		m.setFocus(layout.Positions)
	}
	return m.apply(pane.Saying(words)...)
}

// toggleFrozen stops the rows from changing, or lets them change again. What the service sends meanwhile is kept.
func toggleFrozen(s *store.Store) tea.Cmd {
	s.Freeze(store.FrozenOf(s) == nil)
	return nil
}

func (m *Model) resync() tea.Cmd {
	m.store.Resync()
	m.notice.say("Reading everything again.")
	return m.apply(m.margins.Again()...)
}
