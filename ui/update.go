package ui

import (
	"slices"

	"charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/format"
	"blotter/ui/frame"
	"blotter/ui/keys"
	"blotter/ui/layout"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/tag"
)

// Update handles one message and returns the commands that follow from it.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	msg, isOwn := m.switching.Untag(msg)
	if !isOwn {
		return m, nil
	}
	msg, of := m.past.route(msg, m.panes)
	switch of {
	case nil:
		return m, nil
	case m.panes:
		if opened, isOpened := msg.(pastOpenedMsg); isOpened {
			return m, m.switching.Tag(m.updateOpened(opened))
		}
		return m, m.switching.Tag(m.updateShown(msg))
	}
	return m, m.switching.Tag(m.updateUnseen(msg))
}

// updateShown handles a message of the whole screen, or of the panes that are shown.
func (m *Model) updateShown(msg tea.Msg) tea.Cmd {
	if m.opening.holds(msg) {
		return nil
	}
	handled := m.handle(msg)
	advanced := m.store.Advance()
	raised := m.takeNotices()
	before := m.ownCommands(handled, advanced, raised) // sync may show the service: these are of the past then
	synced := m.sync(causeOf(msg))
	m.positions.Mark()
	if m.isLoading() {
		synced = tea.Batch(synced, m.connection.Spinner.Begin(m.store.ScreenNow()))
	}
	return tea.Batch(before, m.ownCommands(synced))
}

// ownCommands returns commands whose messages are for the panes that are shown now.
func (m *Model) ownCommands(cmds ...tea.Cmd) tea.Cmd {
	cmd := tea.Batch(cmds...)
	if m.past != nil {
		return tag.Commands(m.panes, cmd)
	}
	return cmd
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
		m.colours.isDark = msg.IsDark()
	case tea.KeyPressMsg:
		return m.handleKey(msg)
	case tea.MouseMsg:
		return m.handleMouse(msg)
	case tea.PasteMsg:
		return m.handlePaste(msg.Content)
	case tickMsg:
		return m.handleTick()
	case spinner.TickMsg:
		if m.isLoading() {
			return m.connection.Spinner.Turn(msg, m.store.ScreenNow())
		}
	case tea.ResumeMsg:
		m.past.service(m.panes).source.Resync()
	case doneMsg:
		return msg.then(m)
	case rememberedMsg:
		if words := m.memory.ended(msg.err); words != "" {
			m.notify(words)
		}
	case pastOpenedMsg:
		return m.handlePastOpened(msg)
	case pane.Said:
		m.notify(string(msg))
	case openedMsg:
		return m.handleOpened(msg)
	case sourceClosedMsg:
		m.switching.Closed()
		return m.start()
	default:
		before := m.store.View()
		followed := m.store.Handle(msg)
		if m.store.View() != before {
			m.apply(m.positions.FollowView(m.context(), before)...)
		}
		return followed
	}
	return nil
}

// handleTick does what must be done once a second.
func (m *Model) handleTick() tea.Cmd {
	m.notice.Expire(m.store.ScreenNow())
	if err := m.options.recordingError(); err != nil && !m.recordingErrorShown {
		m.recordingErrorShown = true
		m.notify(format.Error(err))
	}
	live := m.past.service(m.panes).store
	if m.options.OnStats != nil {
		m.options.OnStats(store.StatsOf(live))
	}
	kind, selected := m.pages.top().kind, m.positions.Selected()
	ticked := m.store.Tick(selected, kind == sessionKind || kind == pane.DetailKind && selected == nil)
	m.connection.Read(m.store)
	return tea.Batch(tick(), ticked, m.past.tick(), m.memory.keepBaseline(live.Book(), &m.options), m.memory.remember(m.State, m.store.ScreenNow(), m.options.Remember))
}

// takeNotices shows the latest notice of the store, and returns the command that rings the bell and notifies the
// desktop.
func (m *Model) takeNotices() tea.Cmd {
	var raised []tea.Cmd
	for _, notice := range m.store.Notices() {
		m.notice.Follow(notice.Text, m.store.ScreenNow())
		for _, sequence := range notice.Sequences {
			raised = append(raised, tea.Raw(sequence))
		}
	}
	return tea.Batch(raised...)
}

// sync adapts what is on the screen to whatever has changed.
func (m *Model) sync(cause pane.Cause) tea.Cmd {
	if !slices.Contains(m.layout.Panes(), m.layout.Focus) {
		m.setFocus(layout.Positions)
	}
	var left tea.Cmd
	if m.past != nil {
		if m.past.follow(m.panes); m.past.leaving {
			left = m.goLive()
		}
	}
	m.colours.use(m.options.Appearance, m.overlay())
	m.layout.Content = contentOf(m.panes, m.context(), m.layout.Screen.Width)
	l := m.parts()
	effects := m.positions.Sync(m.contextOf(layout.Positions), l.PositionSize())
	if !m.switching.IsClosing() {
		effects = append(effects, m.margins.Sync(m.contextOf(layout.Margins), l.MarginSize())...)
		effects = append(effects, m.detail.Sync(m.context(), l.Selected > 0 || l.Side > 0 || m.pages.top().kind == pane.DetailKind)...)
	}
	applied := m.apply(effects...)
	c := m.context()
	c.Cause = cause
	effects = m.detail.Side.Sync(c, l.SideSize())
	for i, each := range m.pages {
		size := pane.Size{}
		if i == len(m.pages)-1 {
			size = l.CoverSize()
		}
		effects = append(effects, each.Sync(c, size)...)
	}
	if on := m.overlay(); on != nil {
		on.Fit(c, l.BoxSize())
	}
	return tea.Batch(left, applied, m.apply(effects...))
}

// handleKey does what the key does where the focus is. A key that is not one of an action types, if text can be typed.
func (m *Model) handleKey(pressed tea.KeyPressMsg) tea.Cmd {
	m.notice.Dismiss(m.keys.Has(m.notice.QuitsNext, pressed.String()), m.store.ScreenNow())
	m.keys.Pressed++
	if effects, ok := keys.Press(pressed.String(), m.allParts(), m.context(), m.activeGroups()...); ok {
		return m.apply(effects...)
	}
	switch on := m.overlay().(type) {
	case pane.Typing:
		on.Text().Press(pressed)
		return m.apply(on.Changed(m.context())...)
	case nil:
		m.notify(m.keys.Fill("{help} lists the keys."))
	default:
		m.notify("The last line lists the keys.")
	}
	return nil
}

// handlePaste inserts pasted text if text can be typed. Control characters are neutralised there.
func (m *Model) handlePaste(text string) tea.Cmd {
	if on, isTyping := m.overlay().(pane.Typing); isTyping {
		on.Text().Insert(text)
		return m.apply(on.Changed(m.context())...)
	}
	return nil
}

// watch changes the scope, as a step.
func (m *Model) watch(scope model.Scope) tea.Cmd {
	before := m.store.Settings().Scope
	if scope.Equal(before) {
		return nil
	}
	undo := applying(pane.Set{Change: func(s *view.Settings) { s.Scope = before }})
	m.steps.add(step{kind: scopeStep, scope: before, undo: undo})
	return m.set(func(s *view.Settings) { s.Scope = scope })
}

// set changes the settings of the view.
func (m *Model) set(change func(*view.Settings)) tea.Cmd {
	before := m.store.Settings()
	to := before
	if change(&to); to.Scope.Equal(before.Scope) {
		return m.store.Set(to)
	}
	if m.store.Flow().IsFrozen() {
		m.notify("No longer frozen: the scope changed.")
	}
	m.positions.Rows.First()
	return tea.Batch(m.store.Set(to), m.apply(m.margins.Watch(to.Scope)...))
}

// notify shows a text in the message line for a short time.
func (m *Model) notify(text string) {
	m.notice = frame.NewNotice(text, m.store.ScreenNow())
}
