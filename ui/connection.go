package ui

import (
	tea "charm.land/bubbletea/v2"

	"blotter/ui/format"
	"blotter/ui/replay"
	"blotter/ui/status"
)

// streams are the streams of positions now, for the words about them.
func (m *Model) streams() *status.Streams {
	return &status.Streams{
		Replay: replay.Controls{Clock: m.options.Replay}.Words(m.store), Links: m.store.Flow().Links(), Now: m.store.Now(), Ended: m.store.Flow().Ended(), Book: m.store.Book(), Limit: m.options.Rows,
		Corrections: m.store.Corrections(), Traffic: &m.traffic, Format: m.store.Format(), Styles: &m.styles, FillKeys: m.keys.Fill,
		RatiosWait: m.store.Alerts().RatiosWait(m.store.Walk()),
	}
}

func (m *Model) showConnection() tea.Cmd {
	m.open(connectionPage)
	return nil
}

// reportFigures passes figures of the book on to the metrics.
func (m *Model) reportFigures() {
	if m.options.Figures != nil {
		m.options.Figures(m.store.View().Rows(), m.store.Corrections().Total())
	}
}

// reportTrouble reports once what is wrong with the recording that is shown, or with the one that is made.
func (m *Model) reportTrouble() {
	var err error
	if m.options.Replay != nil {
		_, _, _, err = m.options.Replay.State()
	}
	if err == nil && m.options.Recording != nil {
		err = m.options.Recording()
	}
	if err != nil && !m.troubled {
		m.troubled = true
		m.notify(format.Error(err))
	}
}
