package store

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/view"
	"blotter/ui/format"
)

// Surveys are the latest survey of a Store, and when the next one is made: the largest exposures and changes of PnL. A
// survey reads every row, so a command makes it. Until it comes back nothing changes the book, as while a view is
// prepared. The same command counts the PnL of the day, also if no survey is wanted.
type Surveys struct {
	of      *Store
	latest  Surveyed        // without a survey before the first
	read    *view.View      // the latest view whose rows were read, nil before the first
	today   *analysis.Today // of it; nil if there is no baseline of the day
	beganAt time.Time
	isOld   bool      // the survey that is being made has earlier names and decimals
	next    time.Time // the earliest time of the next one
}

// Surveys returns the surveys.
func (s *Store) Surveys() *Surveys { return &s.surveys }

// surveyEvery is the shortest time between two surveys. It is longer if a survey takes long: surveys take at most a
// fiftieth of the time.
const surveyEvery = 3 * time.Second

// SurveysWanted tells which surveys are wanted.
type SurveysWanted uint8

// The wants, those that come before the alerts last.
const (
	NoSurveys SurveysWanted = iota
	SurveysOfHeadline
	SurveysOfPage
)

// headlineWaits is how long a survey of the headline waits at most for alerts, which need the rows as a survey does.
const headlineWaits = 10 * time.Second

// isOverdue reports whether a survey has waited for too long.
func (u *Surveys) isOverdue() bool {
	return !u.next.IsZero() && u.of.ScreenNow().Sub(u.next) > headlineWaits
}

// Surveyed is the message of a complete survey.
type Surveyed struct {
	Survey *analysis.Survey // nil if none was wanted
	Before *analysis.Survey // at the prices that positions have; nil if no others are shown
	Of     *view.View       // that was surveyed
	Today  *analysis.Today
}

// Begin returns the command that surveys all rows now, nil if a command reads them already.
func (u *Surveys) Begin() tea.Cmd {
	u.next = time.Time{}
	return u.beginIfDue(SurveysOfPage)
}

// beginIfDue returns the command that reads all rows, or nil if it is not time for it. It is if another filter shows
// other rows than those of the latest survey.
func (u *Surveys) beginIfDue(wanted SurveysWanted) tea.Cmd {
	d, now := &u.of.data, u.of.ScreenNow()
	isOfFilter := u.read == nil || u.read.Filter.Text == d.view.Filter.Text
	if d.job.running || wanted == NoSurveys && !u.countsToday() || isOfFilter && now.Before(u.next) {
		return nil
	}
	d.beginReading()
	u.beganAt, u.isOld = now, false
	view, trades, at, counts := d.view, d.trades.sinceBaseline(), u.of.Now(), u.countsToday()
	isWhatIf := u.of.options.IsWhatIf
	return func() tea.Msg {
		surveyed := Surveyed{Of: view}
		if wanted != NoSurveys {
			surveyed.Survey = analysis.SurveyOf(view, trades, at)
		}
		if wanted != NoSurveys && isWhatIf {
			surveyed.Before = analysis.SurveyBefore(view, at)
		}
		if counts {
			surveyed.Today = analysis.TodayOf(view, at)
		}
		return surveyed
	}
}

// countsToday reports whether there is a baseline of the day.
func (u *Surveys) countsToday() bool { return u.of.data.view.Book().Baselines().Day() != nil }

// take takes a survey, and lets the rows change again.
func (u *Surveys) take(msg Surveyed) tea.Cmd {
	now := u.of.ScreenNow()
	took := now.Sub(u.beganAt)
	if !u.isOld {
		if u.today, u.read = msg.Today, msg.Of; msg.Survey != nil {
			u.latest = msg
		}
		u.next = now.Add(max(surveyEvery, min(50*took, maxLearnedDelay)))
	}
	return u.of.data.endReading(u.of.Now())
}

// drop drops the latest survey, and the one that is being made: names and decimals are others now.
func (u *Surveys) drop() { *u = Surveys{of: u.of, isOld: true} }

// Before returns the survey of the same positions as Latest at the prices that they have; nil if no others are shown.
func (u *Surveys) Before() *analysis.Survey {
	if latest, _ := u.Latest(); latest == nil {
		return nil
	}
	return u.latest.Before
}

// Profit formats an amount that has the unrealised PnL of positions in an asset in it. At other mark prices it is an
// estimate, whose bound is known from the latest survey: empty if it is not.
func (u *Surveys) Profit(a model.Amount, asset model.ID) string {
	write := u.of.format
	if write.Shift() == nil {
		return write.RoundedAmount(a, asset, true)
	}
	latest, _ := u.Latest()
	if latest == nil {
		return ""
	}
	of := latest.Asset(asset)
	if of == nil {
		return ""
	}
	return write.ProfitSum(a, of.Total.Gross, of.Open(), model.ID{}, asset).Marked(format.RawMark)
}

// Latest returns the latest survey of the current scope, and the view that was surveyed; nil if there is none.
func (u *Surveys) Latest() (*analysis.Survey, *view.View) {
	latest := &u.latest
	isOfAnotherTime := latest.Survey != nil && latest.Survey.At.After(u.of.Now()) // a recording was jumped back
	if latest.Survey == nil || isOfAnotherTime || !latest.Of.Scope().Equal(u.of.data.scope) {
		return nil, nil
	}
	return latest.Survey, latest.Of
}
