package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/format"
)

// Source is where the screen gets all data from. The screen requests each Delta, so there is never more than one on
// the way, and the source merges what happens meanwhile.
type Source interface {
	// Watch sets the subscriptions. It never blocks.
	Watch(subscriptions []model.Subscription)
	// Next waits for the next Delta, at most one a frame. With linksOnly it returns only the state of the links, and
	// keeps the data for later.
	Next(ctx context.Context, linksOnly bool) (book.Delta, error)
	// Page reads one page of margin levels and waits for it. Where no request was sent, because the service fails, the
	// error is a margins.Postponed.
	Page(ctx context.Context, request model.PageRequest) (*model.Page, error)
	// RequestAudit brings the next audit of a subscription forward, because it may have missed an update. It never
	// blocks.
	RequestAudit(subscription model.Subscription)
	// Resync checks every subscription again now: a live one is audited, one that waits tries at once. It never blocks.
	Resync()
	// Close ends everything that the source has started, and waits for its end. Next and Page return. It may be called
	// again.
	Close()
}

// incoming is the flow of data from the source: one command at a time waits for a Delta, and the next command is
// started when that Delta is applied.
type incoming struct {
	links   []model.Link
	waiting bool               // a command waits
	cancel  context.CancelFunc // ends its waiting
	held    *book.Delta        // what came while the rows must not change
	frozen  bool
	since   time.Time // since when it is frozen
	more    bool      // the last Delta was a part of a frame's changes, and the next part follows at once
	ended   string    // why nothing comes any longer
}

// deltaMsg is what came.
type deltaMsg struct {
	delta book.Delta
	err   error
}

// wait returns the command that waits for the next Delta, or nil where it is not time for it.
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

// handleDelta handles what came.
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
		p.ended = format.OneLine(msg.err.Error())
	}
	return m.applyHeld()
}

// applyHeld applies what is held, as far as that is possible now. The state of the subscriptions is applied together
// with the data that it belongs to; only while the screen is frozen it is applied alone.
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
		m.restartEvents(snapshots)
		m.data.seenAt = m.serviceNow()
		m.data.snapshots = append(m.data.snapshots, snapshots...)
		return m.data.prepare(m.now())
	}
	m.data.merge(held.Updates)
	m.events.Log().AddMissed(held.Missed)
	held.Missed = 0
	reported := m.reportCorrections(m.data.compare(held.Audits, m.now()))
	if held.Updates, held.Audits = nil, m.data.uncompared; held.Audits != nil {
		return tea.Batch(reported, func() tea.Msg { return uncomparedMsg{} })
	}
	p.applyLinks()
	p.more = held.More
	p.held = nil
	return reported
}

// uncomparedMsg comes where a page of an audit is not completely compared yet.
type uncomparedMsg struct{}

// applyLinks applies the state of the subscriptions that is held.
func (p *incoming) applyLinks() {
	if p.held.Links != nil {
		p.links, p.held.Links = p.held.Links, nil
	}
}

// setFrozen stops the rows from changing, or lets them change again.
func (m *Model) setFrozen(frozen bool) tea.Cmd {
	p := &m.incoming
	if p.frozen == frozen {
		return nil
	}
	p.frozen, p.since = frozen, m.now()
	if p.waiting {
		p.cancel() // the next command requests other data
	}
	return m.applyHeld()
}

// changes returns how many changed rows wait while the rows are frozen.
func (p *incoming) changes() int {
	n := 0
	for i := range p.links {
		n += p.links[i].Changes
	}
	if p.held != nil {
		for i := range p.held.Updates {
			n += len(p.held.Updates[i].Positions)
		}
		for i := range p.held.Snapshots {
			n += p.held.Snapshots[i].Rows.Len()
		}
	}
	return n
}
