package ui

import (
	"image"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/layout"
	"blotter/ui/pane"
	"blotter/ui/replay"
	"blotter/ui/store"
)

// rewound is the past that is shown in place of the service. The panes of the service are kept up to date meanwhile.
type rewound struct {
	live    *panes      // of the service
	frame   layout.Past // what the lines around the panes show of the past
	goTo    *model.Key  // the position to put the cursor on; nil if there is none, or the cursor is there
	leaving bool        // the service is shown as soon as the baseline of the past is taken, and no overlay is open
}

// rewind shows a time of the past, or goes to it.
func (m *Model) rewind(e pane.Rewind) tea.Cmd {
	if m.controls.WhatIf != "" && e.Shift != nil {
		return tea.Batch(m.goLive(), m.rewind(e))
	}
	if m.controls.Clock != nil {
		m.controls.Pause(true) // so that the screen stays at this time
		if m.past != nil && m.past.leaving {
			m.past.leaving = false
			m.steps.add(step{kind: rewindStep, undo: m.goLive})
		}
		if m.past != nil && e.Position != nil {
			m.past.goTo = e.Position
		}
		return m.apply(m.controls.GoTo(e.To)...)
	}
	past := replay.Rewind{Memory: m.options.Memory}
	if reason := past.WhyNot(); reason != "" {
		return m.apply(pane.Refusing(reason)...)
	}
	m.opening.Begin()
	m.notice.say("Reading what was recorded...")
	return past.Open(m.ctx, e, m.store)
}

// handlePast shows the past that was opened in place of the service.
func (m *Model) handlePast(opened replay.Opened) tea.Cmd {
	past := opened.Past
	m.notice.Dismiss(false)
	m.steps.closePages()
	r := &rewound{live: m.panes, frame: layout.Past{Live: m.store}}
	oldest, newest := past.Range()
	live, ahead := m.store, max(newest.Sub(m.store.Now()), 0) // of a clock that was set back meanwhile
	controls := replay.Controls{Clock: past, Live: func() time.Time { return live.Now().Add(ahead) }}
	if opened.Shift != nil {
		controls = replay.Controls{WhatIf: opened.Shift.Text(m.store.Format().Market), Shift: opened.Shift}
	} else {
		opened.Bar.Begin(live, controls.Live)
		r.frame.Bar = opened.Bar
	}
	r.goTo = opened.GoTo
	isFirst := opened.Shift != nil && !m.positions.Rows.IsMoved() // the row that is first then gets the cursor
	if selected := m.positions.Selected(); selected != nil && r.goTo == nil && !isFirst {
		r.goTo = &selected.Key
	}
	options := m.options
	options.Shown = m.shown()
	options.Instruments, options.PageSize = m.store.Instruments(), m.margins.Size()
	options.Now, options.Replay, options.Alerts = past.Now, past, nil
	m.panes = newPanes(m.ctx, past, &options, controls, oldest, r)
	m.steps.add(step{kind: rewindStep, undo: m.goLive})
	m.store.Jump()
	m.store.Start()
	cmds := []tea.Cmd{m.apply(m.margins.Open()...)}
	if opened.Shift != nil {
		cmds = append(cmds, m.store.Baseline().Use(opened.Before))
	}
	return tea.Batch(cmds...)
}

// timeAt returns the time that a cell of the timeline, or of its marks, stands for; false for other cells.
func (r *rewound) timeAt(c *pane.Context, parts *layout.Parts, cell image.Point) (time.Time, bool) {
	const secondLine = 1
	isMark := parts.Marks > 0 && cell.Y == layout.TopHeight
	if r == nil || r.frame.Bar == nil || cell.Y != secondLine && !isMark {
		return time.Time{}, false
	}
	return r.frame.Bar.TimeAt(c, parts.Width, cell.X)
}

// goLive shows the service again, with the view and the baseline of the past.
func (m *Model) goLive() tea.Cmd {
	switch {
	case m.past == nil:
		return nil
	case m.store.Baseline().IsRequested(), m.overlays.top() != nil: // the rest of a text that is typed must not become keys
		m.past.leaving = true
		m.store.Freeze(false) // or its rows would not come
		return nil
	}
	shown, taken := m.shown(), m.store.Book().Baselines().Current()
	isTaken := m.store.Book().Baselines().HasTaken() && m.controls.WhatIf == ""
	m.steps.closePages()
	m.steps.set(step{kind: rewindStep}, false)
	cmds := []tea.Cmd{closing(m.source, nil)}
	m.panes = m.past.live
	if now := m.shown(); !now.Shows(&shown) {
		cmds = append(cmds, m.restore(shown))
	}
	if isTaken {
		cmds = append(cmds, m.store.Baseline().Use(taken))
	}
	return tea.Batch(cmds...)
}

// closing returns the command that closes a source, and sends a message then; nil for none.
func closing(source store.Source, then tea.Msg) tea.Cmd {
	return func() tea.Msg {
		source.Close()
		return then
	}
}

// followPast puts the cursor of the past on the position that was selected before it was shown.
func (p *panes) followPast() {
	if p.past.goTo != nil && p.store.View().Len() > 0 {
		p.positions.GoTo(pane.GoTo{Key: *p.past.goTo})
		p.past.goTo = nil
	}
}
