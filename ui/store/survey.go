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
// survey reads every row, so a command makes it, and only if something has changed. Until it comes back nothing changes
// the book, as while a view is prepared. The same command counts the PnL of the day, also if no survey is wanted.
type Surveys struct {
	data     *data
	clock    clock
	isWhatIf bool     // positions are shown at other mark prices
	latest   Surveyed // that has a survey; without one before the first
	read     Surveyed // the latest, with or without a survey
	beganAt  time.Time
	isOld    bool      // the survey that is being made has earlier names and decimals
	next     time.Time // the earliest time of the next one
}

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
	return !u.next.IsZero() && u.clock.screenNow().Sub(u.next) > headlineWaits
}

// Surveyed is the message of a complete survey.
type Surveyed struct {
	Survey *analysis.Survey // nil if none was wanted
	Before *analysis.Survey // at the prices that positions have; nil if no others are shown
	Of     *view.View       // that was surveyed
	Today  *analysis.Today  // nil if there is no baseline of the day
	// changes is how many changes the view had: see view.ChangesOf.
	changes uint64
}

// isOf reports whether a view has changed nothing since.
func (s *Surveyed) isOf(v *view.View) bool { return s.Of == v && s.changes == view.ChangesOf(v) }

// Begin returns the command that surveys all rows now, nil if a command reads them already, or if nothing has changed.
func (u *Surveys) Begin() tea.Cmd {
	u.next = time.Time{}
	return u.beginIfDue(SurveysOfPage)
}

// beginIfDue returns the command that reads all rows, or nil if it is not time for it, or if nothing has changed. It is
// time if another filter shows other rows than those of the latest survey.
func (u *Surveys) beginIfDue(wanted SurveysWanted) tea.Cmd {
	d, now := u.data, u.clock.screenNow()
	isOfFilter := u.read.Of == nil || u.read.Of.Filter.Text == d.view.Filter.Text
	if d.job.running || wanted == NoSurveys && !u.countsToday() || isOfFilter && now.Before(u.next) {
		return nil
	}
	if u.read.isOf(d.view) && (wanted == NoSurveys || u.latest.isOf(d.view)) {
		u.renew(u.clock.now())
		u.next = now.Add(surveyEvery)
		return nil
	}
	d.beginReading()
	u.beganAt, u.isOld = now, false
	shown, trades, at, counts := d.view, d.trades.sinceBaseline(), u.clock.now(), u.countsToday()
	isWhatIf := u.isWhatIf
	return func() tea.Msg {
		surveyed := Surveyed{Of: shown, changes: view.ChangesOf(shown)}
		if wanted != NoSurveys {
			surveyed.Survey = analysis.SurveyOf(shown, trades, at)
		}
		if wanted != NoSurveys && isWhatIf {
			surveyed.Before = analysis.SurveyBefore(shown, at)
		}
		if counts {
			surveyed.Today = analysis.TodayOf(shown, at)
		}
		return surveyed
	}
}

// renew makes the latest survey and the latest PnL of the day those of a time: nothing has changed up to then.
func (u *Surveys) renew(at time.Time) {
	if u.latest.isOf(u.read.Of) {
		survey := *u.latest.Survey
		survey.At, u.latest.Survey = at, &survey
	}
	if u.read.Today != nil {
		today := *u.read.Today
		today.At, u.read.Today = at, &today
	}
}

// countsToday reports whether there is a baseline of the day.
func (u *Surveys) countsToday() bool { return u.data.view.Book().Baselines().Day() != nil }

// take takes a survey, and lets the rows change again.
func (u *Surveys) take(msg Surveyed) tea.Cmd {
	now := u.clock.screenNow()
	took := now.Sub(u.beganAt)
	if !u.isOld {
		if u.read = msg; msg.Survey != nil {
			u.latest = msg
		}
		u.next = now.Add(max(surveyEvery, min(50*took, maxLearnedDelay)))
	}
	return u.data.endReading(u.clock.now())
}

// drop drops the latest survey, and the one that is being made: names and decimals are others now.
func (u *Surveys) drop() {
	*u = Surveys{data: u.data, clock: u.clock, isWhatIf: u.isWhatIf, isOld: true}
}

// Before returns the survey of the same positions as Latest at the prices that they have; nil if no others are shown.
func (u *Surveys) Before() *analysis.Survey {
	if latest, _ := u.Latest(); latest == nil {
		return nil
	}
	return u.latest.Before
}

// Profit writes an amount that has the unrealised PnL of positions in an asset in it. At other mark prices it is an
// estimate, whose bound is known from the latest survey: empty if it is not.
func (u *Surveys) Profit(write *format.Formatter, a model.Amount, asset model.ID) string {
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
	isOfAnotherTime := latest.Survey != nil && latest.Survey.At.After(u.clock.now()) // a recording was jumped back
	if latest.Survey == nil || isOfAnotherTime || !latest.Of.Scope().Equal(u.data.scope) {
		return nil, nil
	}
	return latest.Survey, latest.Of
}
