package store

import (
	"time"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
	"blotter/ui/history"
)

// Today is the PnL of an asset since the day began: the sum of the changes of positions, also of those that are no
// longer listed.
type Today struct {
	PnL      model.Amount // unrealised and realised together; not a number if it is not known
	Realised model.Amount // a part of it; not a number if it is not known
	Since    time.Time    // from when on it counts; zero if no position counts from a time, because all are new
	// IsWhole is true if it counts from the begin of the day, or from the last numbers of the day before.
	IsWhole bool
	LeftOut int // positions whose change is not known
}

// TodayOf returns the PnL of an asset since the day began, of the positions that match the filter if there is one;
// false if that is not known: in a recording, before the first count, and with too many positions.
func TodayOf(s *Store, asset model.ID) (Today, bool) {
	d, counted := &s.data, s.surveys.read.Today
	if counted == nil || counted.Of == nil || IsOfRecording(s) || !counted.Scope.Equal(d.scope) || counted.Filter != d.view.Filter.Text {
		return Today{}, false
	}
	of := counted.Asset(asset)
	if of == nil {
		return Today{}, false
	}
	sums := of.TodaySums
	if counted.Filter != "" {
		if sums = of.Matching; sums.Since.IsZero() { // none of them was there before
			sums.Since = of.Since
		}
	} else {
		addTotalSince(&sums, of, counted, d)
	}
	decimals := d.view.Instruments().Asset(asset).Decimals
	return Today{
		PnL: sums.PnL.Amount(decimals), Realised: sums.Realised.Amount(decimals), Since: sums.Since,
		IsWhole: s.data.day.isWhole(sums.Since), LeftOut: sums.LeftOut,
	}, true
}

// noteToday adds the PnL of today of the asset with the most positions to its line.
func noteToday(s *Store) {
	for _, total := range s.data.view.Totals() {
		if today, ok := TodayOf(s, total.Asset); ok {
			s.moves.today.Add(todayRows(s, total.Asset), s.Now(), today.PnL, s.data.view.Instruments().Asset(total.Asset).Decimals)
			return
		}
	}
}

// TodayTrend returns how what TodayOf returns has moved; nil if that is not known.
func TodayTrend(s *Store, asset model.ID) *model.Trend {
	if _, ok := TodayOf(s, asset); !ok {
		return nil
	}
	return s.moves.today.Of(todayRows(s, asset))
}

// todayRows are the rows of TodayOf.
func todayRows(s *Store, asset model.ID) *history.TodayRows {
	return &history.TodayRows{Scope: s.data.scope, Filter: s.data.view.Filter.Text, Asset: asset, Began: s.data.day.began}
}

// addTotalSince adds what the total of an asset has changed since the positions were counted. That is a change of these
// positions, if none has come or has left the list since, and if the change of each is known.
func addTotalSince(to *analysis.TodaySums, of *analysis.TodayOfAsset, counted *analysis.Today, d *data) {
	v := d.view
	if of.LeftOut > 0 || counted.Of != v.Book() || counted.In != v.Instruments() || counted.Listings != v.Book().Baselines().Listings() {
		return
	}
	for _, total := range v.Totals() {
		if total.Asset == of.Asset {
			unrealised, realised := *total.Sum(model.UnrealisedPnl), *total.Sum(model.RealisedPnl)
			to.PnL.AddSum(unrealised)
			to.PnL.AddSum(realised)
			to.PnL.SubtractSum(of.Total.PnL)
			to.Realised.AddSum(realised)
			to.Realised.SubtractSum(of.Total.Realised)
		}
	}
}

// beginDay makes the next view begin a baseline of the day, if another day has begun, or if there is none. It reports
// whether it does.
func (d *data) beginDay(s *Store) bool {
	if IsOfRecording(s) {
		return false
	}
	began := s.moves.days.all.BeganAt(s.Now().In(s.options.Location))
	if began.Equal(d.day.began) && d.book.Baselines().Day() != nil {
		return false
	}
	d.day = day{began, true}
	return true
}

// resumeDay makes a new Store go on from the numbers that an earlier run has kept, if that was today or on the day
// before.
func resumeDay(s *Store) {
	days, now := s.moves.days.all, s.Now().In(s.options.Location)
	kept, began := days.Numbers, days.BeganAt(now)
	if IsOfRecording(s) || kept == nil {
		return
	}
	isSameDay := kept.Began.Equal(began)
	if isSameDay || days.IsDayAfter(now, kept.Began.In(s.options.Location)) {
		s.data.book.Baselines().Resume(kept, isSameDay)
		s.data.day.began = began
	}
}

// DayNumbers returns a function that returns the numbers by position of the day as they are now; nil if there are none.
// It reads all rows.
func DayNumbers(s *Store) func() *book.DayNumbers {
	baselines, began, now := s.data.book.Baselines(), s.data.day.began, s.Now()
	return func() *book.DayNumbers { return baselines.Numbers(began, now) }
}
