package ui

import (
	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/status"
)

// streams are the streams of positions now, for the words about them.
func (m *Model) streams() *status.Streams {
	return &status.Streams{
		Links: m.incoming.links, Now: m.now(), Ended: m.incoming.ended, Book: m.data.book, Limit: m.options.Rows,
		Corrections: &m.data.corrections, Traffic: &m.traffic, Format: m.format, Styles: &m.styles, FillKeys: m.keys.Fill,
	}
}

func (m *Model) showConnection() tea.Cmd {
	m.open(connectionPage)
	return nil
}

// stale returns which rows may be out of date.
func (m *Model) stale() status.Stale { return status.StaleOf(m.incoming.links, m.now()) }

// isStale reports whether the position with the key may be out of date.
func (m *Model) isStale(key model.Key) bool {
	return m.stale().HasRow(m.data.view.Book(), key)
}

// reportCorrections reports on the screen and in the log what audits corrected, in one line for each.
func (m *Model) reportCorrections(reports []status.Report) tea.Cmd {
	var lines []string
	for i := range reports {
		if words := reports[i].Words(m.format); words != "" {
			lines = append(lines, words)
		}
	}
	if lines == nil {
		return nil
	}
	m.notify(lines[len(lines)-1])
	log := m.options.Log
	return func() tea.Msg {
		for _, line := range lines {
			log.Warn(line)
		}
		return nil
	}
}

// reportFigures passes figures of the book on to the metrics.
func (m *Model) reportFigures() {
	if m.options.Figures != nil {
		m.options.Figures(m.data.view.Rows(), m.data.corrections.Total())
	}
}
