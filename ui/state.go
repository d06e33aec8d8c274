package ui

import (
	"reflect"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// State is what the screen remembers from one run to the next: what the trader set by keys, but not what is watched or
// filtered.
type State struct {
	Columns    []ColumnState `json:"columns,omitempty"` // none: the default
	Order      string        `json:"order"`             // the key of a column or order: see model.Column
	Descending bool          `json:"descending,omitempty"`
	ShowClosed bool          `json:"show_closed,omitempty"`
	PageSize   int           `json:"page_size"`       // margin records on a page
	Split      int           `json:"split,omitempty"` // how many lines the split of the panes was moved down
}

// State returns what the screen remembers now. It must not be called while the program runs.
func (m *Model) State() State {
	return State{
		Columns: m.positions.columns.state(), Order: m.data.order.Column.Key(), Descending: m.data.order.Descending,
		ShowClosed: m.data.filter.ShowClosed, PageSize: m.margins.size, Split: m.split,
	}
}

// rememberEvery is how often the state is remembered at most while the program runs.
const rememberEvery = time.Minute

// memory is when which state was remembered.
type memory struct {
	state  State
	at     time.Time
	failed bool // it was said that it cannot be remembered
}

// rememberedMsg is the end of remembering.
type rememberedMsg struct{ err error }

// remember returns the command that remembers the state, where it has changed and it is time for it.
func (m *Model) remember() tea.Cmd {
	if m.options.Remember == nil || m.screenNow().Sub(m.memory.at) < rememberEvery {
		return nil
	}
	state := m.State()
	if reflect.DeepEqual(state, m.memory.state) {
		return nil
	}
	m.memory.state, m.memory.at = state, m.screenNow()
	remember := m.options.Remember
	return func() tea.Msg { return rememberedMsg{remember(state)} }
}

// handleRemembered says once why the state cannot be remembered.
func (m *Model) handleRemembered(msg rememberedMsg) {
	if msg.err != nil && !m.memory.failed {
		m.memory.failed = true
		m.notify("The columns and the order are not remembered: " + oneLine(msg.err.Error()))
	}
}

// maxSplit limits a remembered split: no screen has more lines.
const maxSplit = 1000

// Use sets the options that a state remembers, but for those whose key in the configuration is set there.
func (s *State) Use(o *Options, isConfigured func(key string) bool) {
	o.Columns, o.Split = s.Columns, max(-maxSplit, min(s.Split, maxSplit))
	if column, err := model.ParseSortColumn(s.Order); err == nil && !isConfigured("screen.order") && !isConfigured("screen.descending") {
		o.Order = model.Order{Column: column, Descending: s.Descending}
	}
	if !isConfigured("screen.show_closed") {
		o.ShowClosed = s.ShowClosed
	}
	if slices.Contains(pageSizes, s.PageSize) && !isConfigured("screen.page_size") {
		o.PageSize = s.PageSize
	}
}
