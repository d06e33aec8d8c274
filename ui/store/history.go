package store

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/survey"
	"blotter/model/view"
	"blotter/ui/history"
)

// surveyed is the latest survey: the largest exposures and changes of PnL. A survey reads every row, so a command makes
// it. Until it comes back nothing changes the book, as while a view is prepared.
type surveyed struct {
	Surveyed // without a survey before the first
	beganAt  time.Time
	isOld    bool      // the one that is being made has the decimals of before
	next     time.Time // the earliest time of the next one
}

// surveyEvery is the shortest time between two surveys. It is longer if a survey takes long: surveys take at most a
// fiftieth of the time.
const surveyEvery = 3 * time.Second

// Surveyed is the message of a complete survey.
type Surveyed struct {
	Survey *survey.Survey
	Of     *view.View // that was surveyed
}

// Survey returns the command that surveys all rows, nil if a command reads them already.
func (s *Store) Survey() tea.Cmd {
	s.survey.next = time.Time{}
	return s.surveyRows()
}

// surveyRows returns the command that surveys all rows, if it is time for it.
func (s *Store) surveyRows() tea.Cmd {
	d, now := &s.data, s.ScreenNow()
	if d.cycle.preparing || now.Before(s.survey.next) {
		return nil
	}
	d.beginReading()
	s.survey.beganAt, s.survey.isOld = now, false
	view, trades, at := d.view, s.Baseline().Trades(), s.Now()
	return func() tea.Msg { return Surveyed{survey.Of(view, trades, at), view} }
}

// takeSurvey takes a survey, and lets the rows change again.
func (s *Store) takeSurvey(msg Surveyed) tea.Cmd {
	now := s.ScreenNow()
	took := now.Sub(s.survey.beganAt)
	if s.survey.isOld {
		return s.data.endReading(s.Now())
	}
	s.survey.Surveyed = msg
	s.survey.next = now.Add(max(surveyEvery, min(50*took, maxLearnedDelay)))
	return s.data.endReading(s.Now())
}

// LatestSurvey returns the latest survey of the scope of now, and the view that was surveyed; nil if there is none.
func (s *Store) LatestSurvey() (*survey.Survey, *view.View) {
	latest := &s.survey
	if latest.Survey == nil || !latest.Of.Scope().Equal(s.data.scope) {
		return nil, nil
	}
	return latest.Survey, latest.Of
}

// moves are how totals, and the numbers of some positions, have moved.
type moves struct {
	history history.History
	trends  history.Trends
}

// dropAfter drops what is later than a time to which a recording was jumped back.
func (m *moves) dropAfter(at time.Time) {
	m.history.DropAfter(at)
	m.trends.DropAfter(at)
}

// History returns the assets of the scope, with how their totals have moved. The past has those of the service, up to
// the totals that it shows.
func (s *Store) History() []*history.Asset {
	if live := s.options.Live; live != nil {
		var last []*view.Total
		if s.data.hasTotals() {
			last = s.data.view.Totals()
		}
		return live.moves.history.Until(s.data.scope, s.Now(), last)
	}
	if h := s.moves.history.Of(s.data.scope); h != nil {
		return h.Assets
	}
	return nil
}

// TrendOf returns how the numbers of a position have moved, nil if it is not followed.
func (s *Store) TrendOf(key model.Key) *history.Row { return s.moves.trends.Of(key) }

// sample adds what the numbers of some positions are now, the selected one among them, and what the totals are, if they
// are complete and fresh. While rows are frozen or stale, their numbers are not the present ones, so the lines have a
// gap.
func (s *Store) sample(selected *model.Position) {
	if s.flow.frozen {
		return
	}
	d, stale := &s.data, s.Stale()
	s.moves.trends.Add(d.view, selected, stale.HasRow, s.Now())
	if s.options.Live != nil {
		return
	}
	if !stale.Any() && d.hasTotals() {
		s.moves.history.Use(d.scope).Add(d.view.Totals(), d.view.Instruments(), s.Now())
	}
}

// hasTotals reports whether the totals of the view are those of all positions in scope.
func (d *data) hasTotals() bool {
	incomplete := func(of model.Subscription) bool { return !d.book.Has(of) || d.book.IsPartial(of) }
	return !d.cleared && d.view.Scope().Equal(d.scope) && !slices.ContainsFunc(d.subscriptions, incomplete)
}
