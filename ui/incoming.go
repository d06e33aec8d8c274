package ui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// pull is the flow of news: a command waits for one Delta, and only when that is taken does the next command
// wait for another.
type incoming struct {
	links   []model.Link
	waiting bool               // a command waits for news
	cancel  context.CancelFunc // ends its waiting
	held    *model.Delta       // data that came while the rows must not change
	frozen  bool
	more    bool   // what was taken last is a part of the news, and the next part follows at once
	ended   string // why no news comes any longer
}

// deltaMsg is news.
type deltaMsg struct {
	delta model.Delta
	err   error
}

// wait is the command for the next news, nil where it is not time for it.
func (m *Model) wait() tea.Cmd {
	p := &m.incoming
	if m.ctx.Err() != nil || p.waiting || p.ended != "" || p.held != nil && !p.frozen {
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	p.waiting, p.cancel = true, cancel
	source, linksOnly := m.source, p.frozen
	return func() tea.Msg {
		delta, err := source.Next(ctx, linksOnly)
		return deltaMsg{delta, err}
	}
}

// handleDelta takes news: the links at once, the data when the rows may change.
func (m *Model) handleDelta(msg deltaMsg) tea.Cmd {
	p := &m.incoming
	p.waiting = false
	p.cancel()
	switch {
	case msg.err == nil:
		if p.held != nil { // only links can have come
			p.held.Links = msg.delta.Links
		} else {
			p.held = &msg.delta
		}
	case !errors.Is(msg.err, context.Canceled):
		p.ended = oneLine(msg.err.Error())
	}
	return m.applyHeld()
}

// applyHeld takes what is held, as far as that is possible now. The state of the subscriptions is taken with the data that it
// belongs to; only where the rows stand still it is taken alone.
func (m *Model) applyHeld() tea.Cmd {
	p := &m.incoming
	held := p.held
	switch {
	case held == nil:
		return nil
	case p.frozen:
		p.applyLinks()
		if held.Snapshots == nil && held.Updates == nil && held.Audits == nil {
			p.held = nil
		}
		return nil
	case m.data.preparing:
		return nil
	}
	if snapshots := held.Snapshots; len(snapshots) > 0 {
		held.Snapshots = nil
		m.data.snapshots = append(m.data.snapshots, snapshots...)
		return m.data.prepare(m.now())
	}
	m.data.merge(held.Updates)
	told := m.reportCorrections(m.data.compare(held.Audits, m.now()))
	if held.Updates, held.Audits = nil, m.data.uncompared; held.Audits != nil {
		return tea.Batch(told, func() tea.Msg { return uncomparedMsg{} })
	}
	p.applyLinks()
	p.more = held.More
	p.held = nil
	return told
}

// uncomparedMsg comes where a page of an audit is not applied to the end yet.
type uncomparedMsg struct{}

// applyLinks takes the state of the subscriptions that is held.
func (p *incoming) applyLinks() {
	if p.held.Links != nil {
		p.links, p.held.Links = p.held.Links, nil
	}
}

// thaw lets the rows follow the news again, or stops them.
func (m *Model) thaw(frozen bool) tea.Cmd {
	p := &m.incoming
	if p.frozen == frozen {
		return nil
	}
	p.frozen = frozen
	if p.waiting {
		p.cancel() // the other kind of news is wanted now
	}
	return m.applyHeld()
}
