package ui

import (
	tea "charm.land/bubbletea/v2"
)

// startBaseline takes a baseline. If there is one, the trader has to confirm, so that one key does not replace it.
func (m *Model) startBaseline() tea.Cmd {
	if m.store.Book().HasTakenBaseline() {
		m.replacingBaseline = true
		return nil
	}
	return m.renewBaseline()
}

// renewBaseline takes a baseline of all rows as they are now.
func (m *Model) renewBaseline() tea.Cmd {
	words := "Baseline taken: " + changeTitles + " count from now."
	if m.store.Stale().Any() {
		words = "Baseline taken of rows that may be out of date."
	}
	m.notify(words)
	m.replacingBaseline = false
	return m.store.TakeBaseline()
}

// removeBaseline removes the baseline that was taken.
func (m *Model) removeBaseline() tea.Cmd {
	m.notify("Baseline removed.")
	m.replacingBaseline = false
	return m.store.DropBaseline()
}

// cancelBaseline keeps the present baseline.
func (m *Model) cancelBaseline() tea.Cmd {
	m.replacingBaseline = false
	return nil
}

// baselineQuestion returns the question of the second line.
func (m *Model) baselineQuestion() string {
	at, _ := m.store.Book().Baseline().At()
	return "There is a baseline of " + m.store.Format().ClockOn(at, m.store.Now()) +
		m.keys.Fill(". {renew_baseline} takes a new one, {remove_baseline} removes it, {keep_baseline} keeps it.")
}

// noRows returns why no baseline can be taken; empty if one can.
func (m *Model) noRows() string {
	if m.store.Book().Len() == 0 {
		return "no positions yet"
	}
	return ""
}

// changeTitles are the headings of the columns of changes.
const changeTitles = "ΔSIZE, ΔuPNL and ΔrPNL"
