package store

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/analysis"
	"blotter/model/book"
)

// extendBaseline returns the command for a view with a baseline of the rows that are no longer out of date, or with
// that of another day; nil if neither is needed.
func (d *data) extendBaseline(s *Store, now time.Time) tea.Cmd {
	if d.job.running {
		return nil
	}
	begins := d.book.Baselines().CanBeginDay() && d.beginDay(s)
	if !begins && !d.book.Baselines().LacksAny(d.arrival.IsUsable) {
		return nil
	}
	d.baseline.action = extendBaseline
	return d.prepare(now)
}

// Baseline is the baseline of a Store.
type Baseline struct{ of *Store }

// Baseline returns the baseline.
func (s *Store) Baseline() Baseline { return Baseline{s} }

// SessionBegan returns when the first baseline was taken, false if there is none. The past has that of the service.
func (b Baseline) SessionBegan() (time.Time, bool) {
	if live := b.of.options.Live; live != nil {
		return live.Baseline().SessionBegan()
	}
	return b.of.data.book.Baselines().First().At()
}

// IsOfLaterRows reports whether a baseline that is taken now has rows that have not come yet: those of another time of
// a recording.
func (b Baseline) IsOfLaterRows() bool { return b.of.data.baseline.isJumping }

// Take takes a baseline of all rows as they are now, in place of the one before. If a recording goes to another time,
// it is taken when the rows of that time come.
func (b Baseline) Take() tea.Cmd {
	if b.IsOfLaterRows() && b.of.data.frozen == nil {
		b.of.data.baseline.isDelayed = true
		return nil
	}
	return b.change(takeBaseline)
}

// Drop removes the baseline that was taken.
func (b Baseline) Drop() tea.Cmd { return b.change(dropBaseline) }

// Use uses a baseline that was taken of the past, in place of the one before.
func (b Baseline) Use(of *book.Baseline) tea.Cmd {
	b.of.data.baseline.of = of
	return b.change(useBaseline)
}

// IsRequested reports whether a baseline was requested that is not taken yet.
func (b Baseline) IsRequested() bool {
	d := &b.of.data
	return d.baseline.isDelayed || d.baseline.action == takeBaseline || d.trades.next == takeBaseline
}

func (b Baseline) change(action baselineAction) tea.Cmd {
	b.of.data.baseline.isDelayed = false
	b.of.data.baseline.action, b.of.data.baseline.at = action, b.of.Now()
	if f := b.of.data.frozen; f != nil {
		b.of.data.baseline.at = f.since
	}
	b.of.surveys.next = time.Time{}
	return b.of.data.prepare(b.of.Now())
}

// Trades returns what was traded since the baseline; nil if that is not known.
func (b Baseline) Trades() *analysis.Log {
	return b.of.data.trades.sinceBaseline()
}

// CountsOther reports whether the service has counted funding, fees or the like in the realised PnL of a position since
// the start.
func CountsOther(s *Store, key model.Key) bool {
	live := s.options.Live
	return s.data.trades.first.HasOther(key) || live != nil && CountsOther(live, key)
}
