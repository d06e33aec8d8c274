package ui

import (
	"reflect"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model/book"
	"blotter/ui/alerts"
	"blotter/ui/format"
	"blotter/ui/margins"
	"blotter/ui/pane"
	"blotter/ui/views"
)

// State is what the screen remembers from one run to the next: what the trader set by keys, but not what is watched or
// filtered, except in saved views.
type State struct {
	views.Remembered
	Alerts   alerts.Remembered `json:"alerts,omitzero"`
	Views    []views.Saved     `json:"views,omitempty"` // those that were saved from the screen
	PageSize int               `json:"page_size"`       // margin records on a page; 0: never set
	Split    int               `json:"split,omitempty"` // how many lines the split of the panes was moved down
}

// State returns what the screen remembers now. It must not be called while the program runs.
func (m *Model) State() State {
	now, state := m.views.Remembered(m.shownNow()), m.options.Remembered
	state.Note(&now, &m.views.Default.Shown)
	state.Views, state.Split = m.views.Saved(), m.layout.Split
	state.Alerts = alerts.Remember(m.service().store.Alerts().Rules())
	if m.margins.Size() != m.options.PageSize {
		state.PageSize = m.margins.Size()
	}
	return state
}

// rememberEvery is how often the state is remembered at most while the program runs.
const rememberEvery = time.Minute

// memory is when which state was remembered, and which baseline was kept.
type memory struct {
	state    State
	at       time.Time
	failed   bool // the words that it cannot be remembered were returned
	baseline *book.Baseline
}

// maxKeptBaseline is how many positions a baseline has at most that is kept for the next run.
const maxKeptBaseline = 20_000

// keepBaseline returns the command that keeps the baseline that was taken for the next run, in place of the one that is
// kept; nil if that is done, or if none can be kept. Of a baseline with too many positions none is kept.
func (r *memory) keepBaseline(of *book.Book, o *Options) tea.Cmd {
	taken, keep := of.TakenBaseline(), o.KeepBaseline
	if keep == nil || taken == r.baseline {
		return nil
	}
	r.baseline, o.KeptBaseline = taken, nil
	if taken.Len() > maxKeptBaseline {
		taken = nil
	}
	return func() tea.Msg {
		if err := keep(taken); err != nil {
			return pane.Said("The baseline is not kept for the next run: " + format.Error(err))
		}
		return nil
	}
}

// rememberedMsg is the end of remembering.
type rememberedMsg struct{ err error }

// remember returns the command that keeps a state, if it has changed and it is time for it. Nothing is kept if keep is
// nil.
func (r *memory) remember(state func() State, now time.Time, keep func(State) error) tea.Cmd {
	if keep == nil || now.Sub(r.at) < rememberEvery {
		return nil
	}
	changed := state()
	if reflect.DeepEqual(changed, r.state) {
		return nil
	}
	r.state, r.at = changed, now
	return func() tea.Msg { return rememberedMsg{keep(changed)} }
}

// hurry lets the state be remembered with the next tick.
func (r *memory) hurry() { r.at = r.at.Add(-rememberEvery) }

// ended returns once why the state cannot be remembered; empty if it was.
func (r *memory) ended(err error) (words string) {
	if err == nil || r.failed {
		return ""
	}
	r.failed = true
	return "The columns and the order are not remembered: " + format.Error(err)
}

// maxSplit limits a remembered split: no screen has more lines.
const maxSplit = 1000

// Use sets the options that a state remembers, but for those whose key in the configuration is set there.
func (s *State) Use(o *Options, isConfigured func(key string) bool) {
	o.Remembered = *s
	o.Split = max(-maxSplit, min(s.Split, maxSplit))
	s.Remembered.Use(&o.Shown, isConfigured)
	o.Alerts = s.Alerts.With(o.Alerts)
	o.SavedViews = nil
	for i := range s.Views {
		o.SavedViews = append(o.SavedViews, s.Views[i].View())
	}
	if slices.Contains(margins.Sizes, s.PageSize) && !isConfigured("screen.page_size") {
		o.PageSize = s.PageSize
	}
}
