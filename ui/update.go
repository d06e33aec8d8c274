package ui

import (
	"slices"
	"time"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"blotter/model/view"
	"blotter/ui/format"
	"blotter/ui/input"
	"blotter/ui/keys"
	"blotter/ui/layout"
	"blotter/ui/pane"
	"blotter/ui/persist"
	"blotter/ui/replay"
	"blotter/ui/store"
	"blotter/ui/theme"
)

// Update handles one message and returns the commands that follow from it.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	of, msg := m.panes.route(msg)
	switch shown := m.panes; of {
	case nil:
		return m, nil
	case shown:
		return m, m.updateShown(msg)
	default: // of the service while its past is shown
		m.panes = of
		cmd := m.take(msg)
		m.panes = shown
		return m, cmd
	}
}

// take handles a message of the whole screen, or of the panes that are m.panes now.
func (m *Model) take(msg tea.Msg) tea.Cmd {
	handled := m.handle(msg)
	return withOwner(m.panes, tea.Batch(handled, m.store.Advance(), m.notice.take(m.store.Notices())))
}

// updateShown handles a message of the whole screen, or of the panes that are shown.
func (m *Model) updateShown(msg tea.Msg) tea.Cmd {
	opened, isProfile := msg.(openedMsg)
	msg = m.opening.Pass(msg, isProfile, m.overlays.top() != nil && opened.err == nil)
	if msg == nil {
		return nil
	}
	taken := m.take(msg)
	m.notice.Next(m.store.ScreenNow())
	synced := m.sync(causeOf(msg))
	m.positions.Mark()
	if m.isLoading() {
		synced = tea.Batch(synced, m.connection.Spinner.Begin(m.store.ScreenNow()))
	}
	return tea.Batch(taken, m.opening.Next(m.overlays.top() != nil), withOwner(m.panes, synced))
}

// coloursOf returns how many colours a terminal shows.
func coloursOf(profile colorprofile.Profile) theme.Colours {
	switch {
	case profile >= colorprofile.TrueColor:
		return theme.AllColours
	case profile == colorprofile.ANSI256:
		return theme.IndexedColours
	}
	return theme.FewColours
}

// causeOf returns what a message is for the parts of the screen.
func causeOf(msg tea.Msg) pane.Cause {
	if _, isTick := msg.(tickMsg); isTick {
		return pane.ByTick
	} else if store.IsData(msg) {
		return pane.ByData
	}
	return pane.ByOther
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.layout.Screen = pane.Size{Width: msg.Width, Height: msg.Height}
	case tea.BackgroundColorMsg:
		m.colours.IsDark = msg.IsDark()
	case tea.ColorProfileMsg:
		m.colours.Colours = coloursOf(msg.Profile)
	case tea.KeyPressMsg:
		return m.handleKey(msg)
	case tea.MouseMsg:
		return m.handleMouse(msg)
	case tea.PasteMsg:
		m.notice.Dismiss(false)
		return m.apply(pasted(msg.Content, m.overlays.top(), m.context())...)
	case tickMsg:
		return m.handleTick()
	case spinner.TickMsg:
		if m.isLoading() {
			return m.connection.Spinner.Turn(msg, m.store.ScreenNow())
		}
	case tea.ResumeMsg:
		m.service().source.Resync()
	case delayedMsg:
		msg()
	case persist.Kept:
		return m.apply(pane.Saying(m.keeper.Ended(msg))...)
	case replay.Opened:
		return m.handlePast(msg)
	case pane.Said:
		m.notice.say(string(msg))
	case pane.Effects:
		return m.apply(msg...)
	case openedMsg:
		return m.handleOpened(msg)
	case sourceClosedMsg:
		m.switching.Closed()
		return m.Init()
	default:
		before := m.store.View()
		followed := m.store.Handle(msg)
		if m.store.View() != before {
			m.notice.Then(m.positions.FollowView(m.context(), before), m.store.ScreenNow())
		}
		return followed
	}
	return nil
}

// handleTick does what must be done once a second.
func (m *Model) handleTick() tea.Cmd {
	m.notice.Expire(m.store.ScreenNow())
	if err := m.options.recordingError(); err != nil && err != m.notice.recordingError {
		m.notice.recordingError = err
		m.notice.Then(format.Error(err), m.store.ScreenNow())
	}
	live := m.service()
	if m.options.OnStats != nil {
		m.options.OnStats(store.StatsOf(live.store))
	}
	ticked := m.store.Tick(m.positions.Selected(), surveysOf(m.panes, m.steps.topPage().page))
	m.connection.ReadTraffic(m.store)
	if live != m.panes {
		live.connection.ReadTraffic(live.store)
		ticked = tea.Batch(ticked, withOwner(live, tea.Batch(live.store.Tick(nil, store.NoSurveys),
			live.store.Advance())), m.notice.take(live.store.Notices()))
	}
	kept := tea.Batch(m.keeper.KeepBaseline(live.store.Book()), m.keeper.KeepState(m.State, m.store.ScreenNow()),
		m.keeper.KeepDays(live.store))
	return tea.Batch(tick(m.options.TickAfter), ticked, kept)
}

// sync calls Sync of all that is on the screen, after a message.
func (m *Model) sync(cause pane.Cause) tea.Cmd {
	if !slices.Contains(m.layout.Panes(), m.layout.Focus) {
		m.setFocus(layout.Positions)
	}
	var left tea.Cmd
	if m.past != nil {
		if m.followPast(); m.past.leaving {
			left = m.goLive()
		}
	}
	m.colours.Use(pane.ThemeOf(m.overlays.top(), m.options.Appearance.Theme))
	m.layout.Content = contentOf(m.panes, m.context(), m.layout.Screen.Width)
	l := m.parts()
	m.positions.KeepOpened(m.layout.Focus == layout.Detail || m.steps.hasPage(pane.DetailKind))
	m.positions.Sync(m.contextOf(layout.Positions), l.Size(layout.Positions))
	var effects []pane.Effect
	if !m.switching.IsClosing() {
		behind := m.layout.Parts(false)
		effects = append(effects, m.margins.Sync(m.contextOf(layout.Margins), l.Size(layout.Margins), behind.Margins > 0)...)
		effects = append(effects, m.detail.Sync(m.context(), l.Selected > 0 || l.Side > 0 || m.steps.topPage().page == pane.DetailKind)...)
	}
	c := m.context()
	c.Cause = cause
	m.detail.Side.Sync(c, l.Size(layout.Detail))
	for _, each := range m.steps {
		size := pane.Size{}
		if each.page == m.steps.topPage().page {
			size = l.Size(layout.Cover)
		}
		if each.opened != nil {
			each.opened.Sync(c, size)
		}
	}
	if on := m.overlays.top(); on != nil {
		on.Sync(c, l.BoxSize())
	}
	return tea.Batch(left, m.apply(effects...), m.events.GoOn())
}

// handleKey does what the key does where the focus is. A key that is not one of an action types, if text can be typed.
func (m *Model) handleKey(pressed tea.KeyPressMsg) tea.Cmd {
	on, isTyping := m.overlays.top().(pane.Typing)
	meant, ok := m.keys.Meant(pressed, isTyping, m.activeKeys().groups()...)
	if !ok {
		return nil
	}
	if key, ok := input.AfterEsc(pressed); ok && !m.keys.HasKey(meant.String()) && !(isTyping && on.Text().Edits(pressed)) {
		return tea.Batch(m.handleKey(tea.KeyPressMsg{Code: tea.KeyEscape}), m.handleKey(key))
	}
	m.notice.Dismiss(m.keys.Has(m.notice.QuitsNext, meant.String()))
	m.keys.Pressed++
	m.notice.demoBegan = time.Time{}
	if effects, ok := keys.Press(meant.String(), m.allParts(), m.context(), m.activeKeys().groups()...); ok {
		return m.apply(effects...)
	}
	switch on := m.overlays.top().(type) {
	case pane.Typing:
		on.Text().Press(pressed)
		return m.apply(on.Changed(m.context())...)
	case nil:
		m.notice.say(m.keys.Fill("{help} lists the keys."))
	default:
		m.notice.say("The last line lists the keys.")
	}
	return nil
}

// pasted adds a text where text is typed in an overlay, which may be nil. Several lines are names, if they can be that
// there.
func pasted(text string, overlay pane.Pane, c *pane.Context) []pane.Effect {
	on, isTyping := overlay.(pane.Typing)
	if !isTyping {
		return nil
	}
	if lines := input.Lines(text); len(lines) > 1 {
		if on, takesLines := on.(pane.Pasting); takesLines {
			return on.Paste(c, lines)
		}
	}
	on.Text().Insert(text) // without what could control the terminal
	return on.Changed(c)
}

// set changes the settings of the view. It adds no step.
func (m *Model) set(change func(*view.Settings)) tea.Cmd {
	before := m.store.Settings()
	to := before
	if change(&to); to.Scope.Equal(before.Scope) {
		return m.store.Set(to)
	}
	if store.FrozenOf(m.store) != nil {
		m.notice.say("No longer frozen: the scope changed.")
	}
	m.positions.Rows.First()
	return tea.Batch(m.store.Set(to), m.apply(m.margins.Watch(to.Scope)...))
}
