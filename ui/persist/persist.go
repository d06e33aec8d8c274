// Package persist has what the screen keeps for the next run, and decides when: its state, its baseline, and the names
// and decimals that the trader gives on it. It writes no file: the functions of its Keeper and its Names do.
package persist

import (
	"fmt"
	"reflect"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model/book"
	"blotter/model/view"
	"blotter/ui/alerts"
	"blotter/ui/format"
	"blotter/ui/history"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/theme"
	"blotter/ui/views"
)

// State is what the screen remembers from one run to the next: what the trader set by keys, but not what is watched or
// filtered, except in saved views.
type State struct {
	views.Remembered
	Alerts   alerts.Remembered `json:"alerts,omitzero"`
	Views    []views.Saved     `json:"views,omitempty"` // those that were saved from the screen
	Groups   []Group           `json:"groups,omitempty"`
	PageSize int               `json:"page_size"`       // margin records on a page; 0: never set
	Theme    string            `json:"theme,omitempty"` // that was chosen on the screen
	Split    int               `json:"split,omitempty"` // how many lines the split of the panes was moved down
}

// The largest numbers of a state.
const (
	maxPageSize = 5000
	maxSplit    = 10_000 // lines
)

// DropWrong replaces each value that no state has by its default, and returns an error that names the first one; nil if
// there is none. Parts of a view that cannot be used are left out when it is used.
func (s *State) DropWrong() (first error) {
	wrong := func(name string, value any) {
		if first == nil {
			first = fmt.Errorf("%s cannot be %v", name, value)
		}
	}
	s.Alerts.Own = slices.DeleteFunc(s.Alerts.Own, func(own alerts.Own) bool {
		_, err := own.Rule()
		if err != nil {
			wrong(fmt.Sprintf("the rule %.40q", own.Name), fmt.Sprintf("%.60q", own.Filter))
		}
		return err != nil
	})
	if s.PageSize < 0 || s.PageSize > maxPageSize {
		wrong("page_size", s.PageSize)
		s.PageSize = 0
	}
	if s.Split < -maxSplit || s.Split > maxSplit {
		wrong("split", s.Split)
		s.Split = 0
	}
	if len(s.Theme) > theme.MaxName {
		wrong("theme", fmt.Sprintf("%.20q", s.Theme))
		s.Theme = ""
	}
	if _, err := view.ParseSortColumn(s.Order); s.Order != "" && err != nil {
		wrong("order", fmt.Sprintf("%.20q", s.Order))
		s.Order = ""
	}
	if _, err := view.ParseGrouping(s.Group); s.Group != "" && err != nil {
		wrong("group", fmt.Sprintf("%.20q", s.Group))
		s.Group = ""
	}
	for i := range s.Columns {
		if c := &s.Columns[i]; c.Width < 0 {
			wrong("the width of a column", c.Width)
			c.Width = 0
		}
	}
	if err := s.dropWrongGroups(); err != nil && first == nil {
		first = err
	}
	s.Views = slices.DeleteFunc(s.Views, func(v views.Saved) bool {
		isWrong := v.Number < 1 || v.Number > views.Last
		if isWrong {
			wrong("the number of a view", v.Number)
		}
		return isWrong
	})
	return first
}

// keepEvery is how often the state is kept at most while the program runs.
const keepEvery = time.Minute

// Keeper keeps the state of the screen, and its baseline, for the next run.
type Keeper struct {
	// State keeps a state. It is called at most once in keepEvery, when the state has changed, and may block.
	// If it is nil, no state is kept.
	State func(State) error
	// Begun gets the state that the screen begins with. If it is nil, nothing does.
	Begun func(State)
	// Baseline keeps the baseline that was taken, and none if its argument is nil. It may block. If it is nil itself,
	// no baseline is kept.
	Baseline func(*book.Baseline) error
	// Days keeps the days. It may block. If it is nil, they are of this run only.
	Days func(history.Kept) error
	// Offered is the baseline that an earlier run kept, until one is taken; nil if there is none.
	Offered *book.Baseline

	kept   State
	at     time.Time // when it was kept
	failed bool      // the words that it cannot be kept were returned
	taken  *book.Baseline
	daysAt time.Time // when the totals of days were kept
}

// Begin notes the state that needs not be kept, because the run begins with it.
func (k *Keeper) Begin(state State, now time.Time) {
	k.daysAt = now
	if k.kept, k.at = state, now; k.Begun != nil {
		k.Begun(state)
	}
}

// KeepBaseline returns the command that keeps the baseline that was taken of a book, in place of the one that is kept;
// nil if that is done, or if none can be kept. Of a baseline with too many positions none is kept.
func (k *Keeper) KeepBaseline(of *book.Book) tea.Cmd {
	taken, keep := of.Baselines().Taken(), k.Baseline
	if keep == nil || taken == k.taken {
		return nil
	}
	k.taken, k.Offered = taken, nil
	if taken.Len() > book.MaxKept {
		taken = nil
	}
	return func() tea.Msg {
		if err := keep(taken); err != nil {
			return pane.Said("The baseline is not kept for the next run: " + format.Error(err))
		}
		return nil
	}
}

// keepDaysEvery is how often the totals of days are kept at most while the program runs.
const keepDaysEvery = 5 * time.Minute

// KeepDays returns the command that keeps the days of a store, if they have changed and it is time for it.
func (k *Keeper) KeepDays(s *store.Store) tea.Cmd {
	days, now := store.DaysIn(s), s.Now()
	if k.Days == nil || !days.IsChanged() || now.Sub(k.daysAt) < keepDaysEvery {
		return nil
	}
	k.daysAt = now
	lines, read, keep := days.Clone(), store.DayNumbers(s), k.Days
	kept := history.Kept{Lines: lines}
	return s.Copy(func() { kept.Numbers = read() }, func() tea.Msg { return Kept{keep(kept)} })
}

// KeepLastDays returns the command that keeps the last days of a screen; nil if none are kept.
func (k *Keeper) KeepLastDays(kept history.Kept) tea.Cmd {
	keep := k.Days
	if keep == nil {
		return nil
	}
	return func() tea.Msg { return Kept{keep(kept)} }
}

// LostBaseline returns why quitting loses the baseline of a book; empty if it does not.
func (k *Keeper) LostBaseline(of *book.Book) string {
	switch {
	case of.Baselines().HasTaken() && k.Baseline == nil:
		return "Quitting loses the baseline"
	case of.Baselines().Taken().Len() > book.MaxKept:
		return "The baseline is too large to be kept"
	}
	return ""
}

// Kept is the message of a state that was kept, or of why it was not.
type Kept struct{ Err error }

// KeepState returns the command that keeps a state, if it has changed and it is time for it.
func (k *Keeper) KeepState(state func() State, now time.Time) tea.Cmd {
	if k.State == nil || now.Sub(k.at) < keepEvery {
		return nil
	}
	changed := state()
	if reflect.DeepEqual(changed, k.kept) {
		return nil
	}
	k.kept, k.at = changed, now
	return k.KeepLast(changed)
}

// KeepLast returns the command that keeps the last state of a screen; nil if none is kept.
func (k *Keeper) KeepLast(state State) tea.Cmd {
	keep := k.State
	if keep == nil {
		return nil
	}
	return func() tea.Msg { return Kept{keep(state)} }
}

// Hurry makes KeepState keep the state at the next tick.
func (k *Keeper) Hurry() { k.at = k.at.Add(-keepEvery) }

// Ended returns once why the state cannot be kept; empty if it was.
func (k *Keeper) Ended(kept Kept) (words string) {
	if kept.Err == nil || k.failed {
		return ""
	}
	k.failed = true
	return "The columns, the order and the totals of days are not remembered: " + format.Error(kept.Err)
}
