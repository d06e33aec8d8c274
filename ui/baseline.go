package ui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
)

// baselineAction is a change of the baseline, which the next view makes.
type baselineAction uint8

const (
	keepBaseline baselineAction = iota
	takeBaseline
	dropBaseline
)

// baselineRequest is the change of the baseline that the trader has requested. The baseline itself is in the book.
type baselineRequest struct {
	action     baselineAction // of the next view
	at         time.Time      // the time of the rows that it takes
	confirming bool           // B was pressed where there is a baseline: the second line has the question
}

// applyBaseline applies the request to a book, which must not be in use.
func (d *data) applyBaseline(b *book.Book) {
	b.ExtendBaselines(d.since)
	switch d.baseline.action {
	case takeBaseline:
		b.TakeBaseline(d.baseline.at)
	case dropBaseline:
		b.DropBaseline()
	}
}

// startBaseline takes a baseline. Where there is one, the trader has to confirm, so that one key does not replace it.
func (m *Model) startBaseline() tea.Cmd {
	if m.data.book.HasTakenBaseline() {
		m.data.baseline.confirming = true
		return nil
	}
	return m.renewBaseline()
}

// renewBaseline takes a baseline of all rows as they are now.
func (m *Model) renewBaseline() tea.Cmd {
	words := "Baseline taken: " + changeTitles + " count from now."
	if m.stale().Any() {
		words = "Baseline taken of rows that may be out of date."
	}
	m.notify(words)
	return m.changeBaseline(takeBaseline)
}

// removeBaseline removes the baseline that was taken.
func (m *Model) removeBaseline() tea.Cmd {
	m.notify("Baseline removed.")
	return m.changeBaseline(dropBaseline)
}

func (m *Model) changeBaseline(action baselineAction) tea.Cmd {
	m.data.baseline = baselineRequest{action: action, at: m.now()}
	if m.incoming.frozen {
		m.data.baseline.at = m.incoming.since
	}
	m.session.nextSurvey = time.Time{}
	return m.data.prepare(m.now())
}

// cancelBaseline keeps the present baseline.
func (m *Model) cancelBaseline() tea.Cmd {
	m.data.baseline.confirming = false
	return nil
}

// baselineQuestion returns the question of the second line.
func (m *Model) baselineQuestion() string {
	at, _ := m.data.book.Baseline().At()
	return "There is a baseline of " + m.format.ClockOn(at, m.now()) +
		m.keys.Fill(". {renew_baseline} takes a new one, {remove_baseline} removes it, {keep_baseline} keeps it.")
}

// noRows returns why no baseline can be taken; empty where one can.
func (m *Model) noRows() string {
	if m.data.book.Len() == 0 {
		return "no positions yet"
	}
	return ""
}

// changeTitles are the headings of the columns of changes.
const changeTitles = "ΔSIZE, ΔuPNL and ΔrPNL"

// showsChanges reports whether the table shows changes: since the baseline that was taken, or where the rows are sorted
// by one since their first snapshot.
func (m *Model) showsChanges() bool {
	return m.data.view.Order.Column.NeedsBaseline() || m.data.view.Book().HasTakenBaseline()
}

// baselineOf returns the values of a position when its baseline was taken, and false where changes are not shown.
func (m *Model) baselineOf(p *model.Position) (book.BaselineRow, bool) {
	if !m.showsChanges() {
		return book.BaselineRow{}, false
	}
	return m.data.view.Book().Baseline().Row(p.Key)
}
