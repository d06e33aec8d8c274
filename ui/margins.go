package ui

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/margins"
	"blotter/ui/store"
)

// pageMsg is the response to a request of the table of margin levels.
type pageMsg store.Response

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
	return tea.Batch(m.refreshPage(m.marginRoom(&l) > 0), m.refreshLevels(m.showsLevels(&l)))
}

// sendPage sends a request of the table; nil sends nothing.
func (m *Model) sendPage(request *store.Request) tea.Cmd {
	if request == nil {
		return nil
	}
	source := m.source
	return func() tea.Msg { return pageMsg(request.Send(source.Page)) }
}

func (m *Model) handlePage(msg pageMsg) tea.Cmd {
	return m.store.Learn(m.margins.Handle(store.Response(msg), m.store.Book().Margins(), m.focus == marginsPane, m.store.Now()))
}

// refreshPage sends the request that the table needs, where it is visible.
func (m *Model) refreshPage(visible bool) tea.Cmd {
	if !visible || m.store.Flow().IsFrozen() {
		return nil
	}
	return m.sendPage(m.margins.Refresh(m.focus == marginsPane, m.store.Now()))
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

// drawMargins draws the table of margin levels.
func (m *Model) drawMargins(width, height int) []string {
	d := margins.Drawer{
		Format: m.store.Format(), Styles: &m.styles, FillKeys: m.keys.Fill, HasFocus: m.focus == marginsPane, Now: m.store.Now(), ServiceNow: m.store.ServiceNow(),
	}
	return d.Draw(m.margins, width, height)
}

func (m *Model) previousPage() tea.Cmd  { return m.turnTo(model.PreviousPage) }
func (m *Model) followingPage() tea.Cmd { return m.turnTo(model.NextPage) }
func (m *Model) firstPage() tea.Cmd     { return m.turnTo(model.FirstPage) }
func (m *Model) lastPage() tea.Cmd      { return m.turnTo(model.LastPage) }

func (m *Model) turnTo(turn model.PageTurn) tea.Cmd {
	return m.sendPage(m.margins.Turn(turn, m.focus == marginsPane, m.store.Now()))
}

// turnOrder reverses the list and shows its first page.
func (m *Model) turnOrder() tea.Cmd { return m.sendPage(m.margins.Reverse(m.store.Now())) }

func (m *Model) largerPages() tea.Cmd  { return m.resizePages(true, "largest") }
func (m *Model) smallerPages() tea.Cmd { return m.resizePages(false, "smallest") }

// resizePages makes pages larger or smaller; extreme is what pages are that cannot be.
func (m *Model) resizePages(up bool, extreme string) tea.Cmd {
	if !m.margins.Resize(up) {
		m.notify(fmt.Sprintf("Pages of %d records are the %s.", m.margins.Size(), extreme))
		return nil
	}
	m.notify(fmt.Sprintf("Pages of %d records.", m.margins.Size()))
	return m.sendPage(m.margins.FirstPage(m.store.Now()))
}

// showPosition puts the cursor of the positions on the one that the record under the cursor belongs to.
func (m *Model) showPosition() tea.Cmd {
	record, ok := m.margins.Cursor()
	if !ok {
		return nil
	}
	m.goTo(record.Key, "The service has no position for this record.")
	return nil
}

func (m *Model) noRecord() string {
	if m.margins.Len() == 0 {
		return "no record is selected"
	}
	return ""
}

func (m *Model) noPreviousPage() string {
	if m.margins.IsFirst() {
		return "first page"
	}
	return ""
}

func (m *Model) noNextPage() string {
	if m.margins.IsLast() {
		return "last page"
	}
	return ""
}
