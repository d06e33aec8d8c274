package store

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model/analysis"
	"blotter/model/view"
)

// surveyed is the latest survey: the largest exposures and changes of PnL. A survey reads every row, so a command makes
// it. Until it comes back nothing changes the book, as while a view is prepared.
type surveyed struct {
	Surveyed // without a survey before the first
	beganAt  time.Time
	isOld    bool      // the survey that is being made has earlier names and decimals
	next     time.Time // the earliest time of the next one
}

// surveyEvery is the shortest time between two surveys. It is longer if a survey takes long: surveys take at most a
// fiftieth of the time.
const surveyEvery = 3 * time.Second

// Surveys tells which surveys are wanted.
type Surveys uint8

// The wants, those that come before the alerts last.
const (
	NoSurveys Surveys = iota
	SurveysOfHeadline
	SurveysOfPage
)

// headlineWaits is how long a survey of the headline waits at most for alerts, which need the rows as a survey does.
const headlineWaits = 10 * time.Second

// isOverdue reports whether a survey has waited for too long.
func (s *surveyed) isOverdue(now time.Time) bool {
	return !s.next.IsZero() && now.Sub(s.next) > headlineWaits
}

// Surveyed is the message of a complete survey.
type Surveyed struct {
	Survey *analysis.Survey
	Of     *view.View // that was surveyed
}

// Survey returns the command that surveys all rows, nil if a command reads them already.
func (s *Store) Survey() tea.Cmd {
	s.survey.next = time.Time{}
	return s.surveyRows()
}

// surveyRows returns the command that surveys all rows, or nil if it is not time for it. It is if another filter shows
// other rows than those of the latest survey.
func (s *Store) surveyRows() tea.Cmd {
	d, now := &s.data, s.ScreenNow()
	isOfFilter := s.survey.Of == nil || s.survey.Of.Filter.Text == d.view.Filter.Text
	if d.job.running || isOfFilter && now.Before(s.survey.next) {
		return nil
	}
	d.beginReading()
	s.survey.beganAt, s.survey.isOld = now, false
	view, trades, at := d.view, s.Baseline().Trades(), s.Now()
	return func() tea.Msg { return Surveyed{analysis.SurveyOf(view, trades, at), view} }
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

// LatestSurvey returns the latest survey of the current scope, and the view that was surveyed; nil if there is none.
func (s *Store) LatestSurvey() (*analysis.Survey, *view.View) {
	latest := &s.survey
	isOfAnotherTime := latest.Survey != nil && latest.Survey.At.After(s.Now()) // a recording was jumped back
	if latest.Survey == nil || isOfAnotherTime || !latest.Of.Scope().Equal(s.data.scope) {
		return nil, nil
	}
	return latest.Survey, latest.Of
}
