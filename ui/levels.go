package ui

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/margins"
)

// restFor is how long the cursor rests on a row before its margin levels are requested: a cursor that moves on requests
// nothing.
const restFor = 150 * time.Millisecond

// selectedLevels is the request for the margin levels of the selected position.
type selectedLevels struct {
	key      model.Key // the selected position
	sequence uint64    // counts the positions and requests, so that the response to an older one is ignored
	rested   bool      // the cursor has rested on it long enough
	askedAt  time.Time
	readAt   time.Time          // of the last response
	cancel   context.CancelFunc // of the request, nil where the response is there
	problem  string             // why the last request failed
}

// restedMsg comes when the cursor may have rested long enough.
type restedMsg struct{ sequence uint64 }

// levelsMsg is the response about one position.
type levelsMsg struct {
	sequence uint64
	page     *model.Page
	err      error
}

// requestNeeded requests what the screen needs and does not have.
func (m *Model) requestNeeded() tea.Cmd {
	l := m.layout()
	return tea.Batch(m.refreshPage(m.marginRoom(&l) > 0), m.refreshLevels(m.showsLevels(&l)), m.walkMargins())
}

// refreshLevels requests the margin levels of the selected position, and again when they are old. Without a party or a
// market, the response would be the records of all.
func (m *Model) refreshLevels(visible bool) tea.Cmd {
	l := &m.levels
	p := m.selected()
	if p == nil || !visible || !p.Key.IsComplete() {
		l.selectKey(model.Key{})
		return nil
	}
	if p.Key != l.key {
		l.selectKey(p.Key)
		sequence := l.sequence
		return tea.Tick(restFor, func(time.Time) tea.Msg { return restedMsg{sequence} })
	}
	if !l.rested || l.cancel != nil || m.incoming.frozen || m.ctx.Err() != nil {
		return nil
	}
	wait := book.MarginRefresh
	if l.problem != "" {
		wait = book.MarginRetry
	}
	now := m.now()
	if now.Sub(l.askedAt) < wait || now.Sub(m.checkedAt(p)) < 2*book.MarginRefresh { // the walk checks it every book.MarginRefresh
		return nil
	}
	return m.askLevels(p)
}

// selectKey makes another position the selected one.
func (l *selectedLevels) selectKey(key model.Key) {
	if l.key == key {
		return
	}
	if l.cancel != nil {
		l.cancel()
		l.cancel = nil
	}
	l.sequence++
	l.key, l.rested, l.problem, l.askedAt, l.readAt = key, false, "", time.Time{}, time.Time{}
}

func (m *Model) handleRested(msg restedMsg) tea.Cmd {
	if msg.sequence == m.levels.sequence {
		m.levels.rested = true
	}
	return nil
}

// maxRecords is how many records a party may have in a market: one for each asset.
const maxRecords = 20

func (m *Model) askLevels(p *model.Position) tea.Cmd {
	l := &m.levels
	ctx, cancel := context.WithCancel(m.ctx)
	l.cancel, l.askedAt = cancel, m.now()
	l.sequence++
	source, sequence := m.source, l.sequence
	request := model.PageRequest{
		Scope: model.Scope{Parties: []model.ID{l.key.Party}, Markets: []model.ID{l.key.Market}},
		Size:  maxRecords, NewestFirst: true, Background: !m.checkedAt(p).IsZero(),
	}
	return func() tea.Msg {
		page, err := source.Page(ctx, request)
		return levelsMsg{sequence, page, err}
	}
}

func (m *Model) handleLevels(msg levelsMsg) tea.Cmd {
	l := &m.levels
	if msg.sequence != l.sequence || l.cancel == nil {
		return nil
	}
	l.cancel()
	l.cancel = nil
	switch {
	case errors.Is(msg.err, context.Canceled):
		return nil
	case msg.err != nil:
		l.problem, _ = margins.Problem(msg.err, m.now())
		return nil
	}
	l.problem, l.readAt = "", msg.page.ReadAt
	return m.learn(msg.page)
}

// checkedAt returns when the service last sent the margin levels of a position; zero where it has not.
func (m *Model) checkedAt(p *model.Position) time.Time {
	_, at, ok := m.data.view.MarginLevels(p)
	if !ok {
		at = time.Time{}
	}
	if m.levels.key == p.Key && m.levels.readAt.After(at) {
		at = m.levels.readAt
	}
	if m.walk.IsComplete() && m.walk.CheckedAt().After(at) {
		at = m.walk.CheckedAt()
	}
	return at
}
