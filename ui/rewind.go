package ui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/whatif"
	"blotter/ui/format"
	"blotter/ui/frame"
	"blotter/ui/pane"
	"blotter/ui/replay"
	"blotter/ui/store"
	"blotter/ui/tag"
)

// rewound is the past that is shown in place of the service, which goes on unseen.
type rewound struct {
	replay.Past
	live    *panes // of the service
	bar     *replay.Bar
	shift   *whatif.Shift // the change of mark prices at which positions are shown; nil if there is none
	goTo    *model.Key    // the position to put the cursor on; nil if there is none, or the cursor is there
	leaving bool          // the service is shown as soon as the baseline of the past is taken
}

// pastOpenedMsg has the past, or why it cannot be shown.
type pastOpenedMsg struct {
	past  replay.Past
	to    time.Time
	shift *whatif.Shift
	err   error
}

// rewind shows a time of the past; a zero time is the latest. If there is a shift, it shows the positions at other mark
// prices.
func (m *Model) rewind(to time.Time, shift *whatif.Shift) tea.Cmd {
	if controls := m.past.controls(m.options.Replay); controls.Clock != nil {
		controls.Pause(true) // who asks for a moment wants to read it
		return m.apply(controls.GoTo(m.context(), to)...)
	}
	if reason := (replay.Rewind{Memory: m.options.Memory}).WhyNot(); reason != "" {
		m.notify(strings.ToUpper(reason[:1]) + reason[1:] + ".")
		return nil
	}
	m.opening = new(opening)
	play, instruments := m.options.Memory.Play, m.store.Instruments()
	return func() tea.Msg {
		past, err := play()
		if err == nil && shift != nil {
			past = &replay.Shifted{Past: past, Shift: shift, Instruments: instruments}
		}
		return pastOpenedMsg{past, to, shift, err}
	}
}

// opening is what is typed while the past is opened: it is meant for the past. Only ctrl+c does not wait.
type opening struct{ typed []tea.Msg }

// holds keeps a message that waits for the past. The receiver may be nil.
func (o *opening) holds(msg tea.Msg) bool {
	if o == nil {
		return false
	}
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		if msg.String() == "ctrl+c" {
			return false
		}
	case tea.PasteMsg, tea.MouseMsg:
	default:
		return false
	}
	o.typed = append(o.typed, msg)
	return true
}

// updateOpened shows the past, and does what was typed meanwhile.
func (m *Model) updateOpened(msg pastOpenedMsg) tea.Cmd {
	held := m.opening
	m.opening = nil
	cmds := []tea.Cmd{m.updateShown(msg)}
	if held != nil {
		for _, typed := range held.typed {
			cmds = append(cmds, m.updateShown(typed))
		}
	}
	return tea.Batch(cmds...)
}

// handlePastOpened shows the past in place of the service.
func (m *Model) handlePastOpened(msg pastOpenedMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		m.notify("The past cannot be shown: " + format.Error(msg.err))
		return nil
	case m.past != nil: // the key was pressed twice
		return closing(msg.past)
	}
	oldest, newest := msg.past.Range()
	if msg.to.IsZero() || msg.to.After(newest) {
		msg.to = newest
	}
	msg.past.Pause(true)
	msg.past.Jump(msg.to)
	m.pages.closeAll(&m.steps)
	m.overlays = nil
	r := &rewound{Past: msg.past, live: m.panes, shift: msg.shift, bar: replay.NewBar(msg.past, m.store.Alerts().Began())}
	if selected := m.positions.Selected(); selected != nil {
		r.goTo = &selected.Key
	}
	options := m.options
	options.Shown = m.shownNow()
	options.Instruments, options.PageSize = m.store.Instruments(), m.margins.Size()
	options.Now, options.Replay, options.Alerts = msg.past.Now, msg.past, nil
	m.panes, m.past = newPanes(m.ctx, msg.past, &options, r.controls(nil), oldest, m.store), r
	m.steps.add(step{kind: rewindStep, undo: (*Model).goLive})
	m.store.Jump(msg.to, false)
	m.store.Start()
	return m.apply(m.margins.Open()...)
}

// goLive shows the service again, with the view and the baseline of the past.
func (m *Model) goLive() tea.Cmd {
	r := m.past
	if r == nil {
		return nil
	}
	if m.store.Baseline().IsRequested() {
		r.leaving = true
		return nil
	}
	shown, taken := m.shownNow(), m.store.Book().Baseline()
	isTaken := m.store.Book().HasTakenBaseline()
	m.pages.closeAll(&m.steps)
	m.steps.remove(rewindStep, "")
	m.panes, m.past = r.live, nil
	cmds := []tea.Cmd{closing(r.Past)}
	if now := m.shownNow(); !now.Shows(&shown) {
		cmds = append(cmds, m.restore(shown))
	}
	if isTaken {
		cmds = append(cmds, m.store.Baseline().Use(taken))
	}
	return tea.Batch(cmds...)
}

// closing returns the command that closes a source.
func closing(source store.Source) tea.Cmd {
	return func() tea.Msg {
		source.Close()
		return nil
	}
}

// service returns the panes of the service, also while they are not shown. The receiver may be nil.
func (r *rewound) service(shown *panes) *panes {
	if r != nil {
		return r.live
	}
	return shown
}

// controls returns the keys of the past, or of the clock of a recording that is shown from a file, which may be nil.
// The receiver may be nil.
func (r *rewound) controls(file replay.Clock) replay.Controls {
	switch {
	case r != nil && r.shift != nil:
		return replay.Controls{WhatIf: r.shift.Text}
	case r != nil:
		return replay.Controls{Clock: r, Live: r.live.store.Now}
	}
	return replay.Controls{Clock: file}
}

// follow puts the cursor of the past on the position that was selected before it was shown.
func (r *rewound) follow(past *panes) {
	if r.goTo != nil && past.store.View().Len() > 0 {
		past.positions.GoTo(pane.GoTo{Key: *r.goTo})
		r.goTo = nil
	}
}

// isOfPanes reports whether a message is of the panes that have requested it, and not of the whole screen.
func isOfPanes(msg tea.Msg) bool {
	_, isDone := msg.(doneMsg)
	return isDone || store.IsOwn(msg)
}

// route returns a message without its tag, and the panes that it is for: nil if these are no longer shown. The receiver
// may be nil.
func (r *rewound) route(msg tea.Msg, shown *panes) (tea.Msg, *panes) {
	owner, msg := tag.Remove(msg)
	switch past, isOfPast := owner.(*panes); {
	case !isOfPanes(msg), isOfPast && past == shown:
		return msg, shown
	case isOfPast:
		return msg, nil
	}
	return msg, r.service(shown)
}

// updateUnseen handles a message of the service while its past is shown.
func (m *Model) updateUnseen(msg tea.Msg) tea.Cmd {
	past := m.panes
	m.panes = m.past.live
	handled := m.handle(msg)
	advanced := m.store.Advance()
	raised := m.takeNotices()
	m.panes = past
	return tea.Batch(handled, advanced, raised)
}

// tick does what must be done once a second for the service while its past is shown.
func (r *rewound) tick() tea.Cmd {
	if r == nil {
		return nil
	}
	r.live.connection.Read(r.live.store)
	return tea.Batch(r.live.store.Tick(nil, false), r.live.store.Advance())
}

// frame returns what the lines around the panes show of the past; nil if the service is shown.
func (r *rewound) frame() *frame.Past {
	if r == nil {
		return nil
	}
	if r.shift != nil {
		return &frame.Past{Alerts: r.live.store.Alerts()}
	}
	return &frame.Past{Alerts: r.live.store.Alerts(), Bar: r.bar.Draw}
}

// whyNotLive returns why what is of the service alone cannot be done now; empty if it can. The receiver may be nil.
func (r *rewound) whyNotLive() string {
	switch {
	case r == nil:
		return ""
	case r.shift != nil:
		return "not in what if; {back} ends it"
	}
	return "not in the past: {rewind} {rewind} enter"
}

// refuses returns why an effect is not applied; empty if it is. What is shown at other mark prices leaves the screen in
// no way. The receiver may be nil.
func (r *rewound) refuses(effect pane.Effect) string {
	if r == nil || r.shift == nil {
		return ""
	}
	const words = "Not in what if; esc ends it."
	switch e := effect.(type) {
	case pane.Copy, pane.Rewind:
		return words
	case pane.Open:
		if e.Kind == baselineKind || e.Kind == pane.TimeKind {
			return words
		}
	}
	return ""
}
