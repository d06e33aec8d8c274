package ui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/history"
	"blotter/ui/session"
)

// sessionChoice is what the trader chose on the session page.
type sessionChoice struct {
	asset  model.ID // whose totals, moves and exposures are shown
	series history.Series
}

func (m *Model) showSession() tea.Cmd {
	m.open(sessionPage)
	return m.store.Survey()
}

// drawnSession returns the session page as it is now.
func (m *Model) drawnSession() *session.Page {
	b := m.store.Book()
	began, _ := b.FirstBaseline().At()
	page := &session.Page{
		Now: m.store.Now(), Began: began, Assets: m.store.History(), Series: m.session.series, Totals: m.store.View().Totals(),
		IsStale: m.store.Stale().Any(), Format: m.store.Format(), Styles: &m.styles,
	}
	if b.HasTakenBaseline() {
		page.Baseline, _ = b.Baseline().At()
	}
	_, page.Place = m.shownAsset()
	if latest, of := m.store.LatestSurvey(); latest != nil {
		page.Survey = latest
		page.MovesSince, _ = of.Book().Baseline().At()
	}
	return page
}

// shownAsset returns the asset that the page shows, and its place; nil where there is none.
func (m *Model) shownAsset() (of *history.Asset, place int) {
	assets := m.store.History()
	if len(assets) == 0 {
		return nil, 0
	}
	place = max(slices.IndexFunc(assets, func(each *history.Asset) bool { return each.ID == m.session.asset }), 0)
	return assets[place], place
}

// nextAsset shows the next asset, after the last one the first.
func (m *Model) nextAsset() tea.Cmd {
	assets := m.store.History()
	if len(assets) < 2 {
		m.notify("There is no other asset.")
		return nil
	}
	_, place := m.shownAsset()
	m.session.asset = assets[(place+1)%len(assets)].ID
	return nil
}

func (m *Model) turnSeries(step int) tea.Cmd {
	m.session.series = m.session.series.Step(step)
	return nil
}

func (m *Model) nextSeries() tea.Cmd     { return m.turnSeries(+1) }
func (m *Model) previousSeries() tea.Cmd { return m.turnSeries(-1) }
