package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/margins"
	"blotter/ui/store"
)

// delayEndedMsg comes when the cursor may have stayed on a position for margins.RequestDelay.
type delayEndedMsg struct{ number uint64 }

// levelsMsg is the response to a request for the levels of the selected position.
type levelsMsg store.Response

// requestNeeded requests what the screen needs and does not have.
func (m *Model) requestNeeded() tea.Cmd {
	if m.switching.closing {
		return nil
	}
	l := m.layout()
	return m.refreshLevels(m.showsLevels(&l))
}

// refreshLevels requests the margin levels of the selected position, where they are on the screen. Without a party or a
// market, the response would be the records of all.
func (m *Model) refreshLevels(visible bool) tea.Cmd {
	p := m.positions.Selected()
	if p == nil || !visible || !p.Key.IsComplete() {
		m.levels.Select(model.Key{})
		return nil
	}
	if number, isNew := m.levels.Select(p.Key); isNew {
		return tea.Tick(margins.RequestDelay, func(time.Time) tea.Msg { return delayEndedMsg{number} })
	}
	if m.store.Flow().IsFrozen() {
		return nil
	}
	request := m.levels.Due(m.checkedAt(p), m.store.Now())
	if request == nil {
		return nil
	}
	source := m.source
	return func() tea.Msg { return levelsMsg(request.Send(source.Page)) }
}

func (m *Model) handleLevels(msg levelsMsg) tea.Cmd {
	return m.store.Learn(m.levels.Handle(store.Response(msg), m.store.Now()))
}

// checkedAt returns when the service last sent the margin levels of a position; zero where it has not.
func (m *Model) checkedAt(p *model.Position) time.Time {
	_, at, ok := m.store.View().MarginLevels(p)
	if !ok {
		at = time.Time{}
	}
	if readAt, _ := m.levels.Of(p.Key); readAt.After(at) {
		at = readAt
	}
	if m.store.Walk().IsComplete() && m.store.Walk().CheckedAt().After(at) {
		at = m.store.Walk().CheckedAt()
	}
	return at
}
