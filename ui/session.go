package ui

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/survey"
	"blotter/model/view"
	"blotter/ui/history"
	"blotter/ui/session"
)

// sessionContent is what the session page shows: the totals since the program began, the largest changes of PnL since
// the baseline, and the exposure by market and by party.
type sessionContent struct {
	history history.History
	asset   model.ID // whose totals, moves and exposures are shown
	series  history.Series

	// The survey reads every row, so a command makes it, while the page is open. Until it comes back nothing changes
	// the book, as while a view is prepared.
	survey     *survey.Survey // nil before the first
	surveyOf   *view.View     // the view that was surveyed
	surveyedAt time.Time
	nextSurvey time.Time // the earliest time of the next one
}

// surveyEvery is the shortest time between two surveys. It is longer where a survey takes long: surveys take at most a
// fiftieth of the time.
const surveyEvery = 3 * time.Second

// surveyedMsg is a complete survey.
type surveyedMsg struct {
	survey *survey.Survey
	of     *view.View
}

func (m *Model) showSession() tea.Cmd {
	m.session.nextSurvey = time.Time{}
	m.open(sessionPage)
	return m.surveyRows()
}

// surveyRows returns the command that surveys all rows, where the page is open and it is time for it.
func (m *Model) surveyRows() tea.Cmd {
	d, s, now := &m.data, &m.session, m.screenNow()
	if m.page != sessionPage || d.preparing || now.Before(s.nextSurvey) {
		return nil
	}
	d.beginReading()
	s.surveyedAt = now
	view := d.view
	return func() tea.Msg { return surveyedMsg{survey.Of(view), view} }
}

// handleSurveyed takes a survey, and lets the rows change again.
func (m *Model) handleSurveyed(msg surveyedMsg) tea.Cmd {
	s, now := &m.session, m.screenNow()
	took := now.Sub(s.surveyedAt)
	s.survey, s.surveyOf = msg.survey, msg.of
	s.nextSurvey = now.Add(max(surveyEvery, min(50*took, maxLearnedDelay)))
	return m.endReading()
}

// drawnSession returns the session page as it is now.
func (m *Model) drawnSession() *session.Page {
	b := m.data.book
	began, _ := b.FirstBaseline().At()
	page := &session.Page{
		Now: m.now(), Began: began, Assets: m.sessionAssets(), Series: m.session.series, Totals: m.data.view.Totals(),
		IsStale: m.stale().Any(), Format: m.format, Styles: &m.styles,
	}
	if b.HasTakenBaseline() {
		page.Baseline, _ = b.Baseline().At()
	}
	_, page.Place = m.shownAsset()
	if s := &m.session; s.survey != nil && s.surveyOf.Scope().Equal(m.data.scope) {
		page.Survey = s.survey
		page.MovesSince, _ = s.surveyOf.Book().Baseline().At()
	}
	return page
}

// sessionAssets are the assets that the page can show.
func (m *Model) sessionAssets() []*history.Asset {
	if h := m.session.history.Of(m.data.scope); h != nil {
		return h.Assets
	}
	return nil
}

// shownAsset returns the asset that the page shows, and its place; nil where there is none.
func (m *Model) shownAsset() (of *history.Asset, place int) {
	assets := m.sessionAssets()
	if len(assets) == 0 {
		return nil, 0
	}
	place = max(slices.IndexFunc(assets, func(each *history.Asset) bool { return each.ID == m.session.asset }), 0)
	return assets[place], place
}

// nextAsset shows the next asset, after the last one the first.
func (m *Model) nextAsset() tea.Cmd {
	assets := m.sessionAssets()
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

// sampleHistory adds what the totals are now, where they are complete and fresh. While they are not, the line has a
// gap.
func (m *Model) sampleHistory() {
	d := &m.data
	scope := d.view.Scope()
	incomplete := func(s model.Subscription) bool { return !d.book.Has(s) }
	if m.incoming.frozen || d.cleared || !scope.Equal(d.scope) || slices.ContainsFunc(d.subscriptions, incomplete) {
		return
	}
	if m.stale().Any() {
		return
	}
	m.session.history.Use(scope).Add(d.view.Totals(), m.now())
}

// sampleTrends adds what the numbers of some positions are now. While rows are frozen or stale, the numbers on the
// screen are not the present ones, so the trends have a gap.
func (m *Model) sampleTrends() {
	if m.incoming.frozen {
		return
	}
	stale, v := m.stale(), m.data.view
	isStale := func(key model.Key) bool { return stale.HasRow(v.Book(), key) }
	m.trends.Add(v, m.selected(), isStale, m.now())
}
