// Package ui is how positions and margin levels are seen: one Bubble Tea model and plain panes. It knows the
// values of package model and, of the world, the Source that it declares; it knows no network.
package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
)

// Options are what the screen needs to know. The zero value of each field but Service is its default.
type Options struct {
	Service     string             // the name or address of the service, for the first line
	Instruments *model.Instruments // names and decimals from the configuration; none where nil
	Scope       model.Scope        // whom to watch at first
	Filter      string             // what to narrow the rows to at first
	Order       model.Order        // the order of rows at first
	ShowClosed  bool               // also rows of volume 0
	PageSize    int                // margin records on a page; 0 is 50
	OldestFirst bool               // the order of margin records at first
	UTC         bool               // times in UTC, not in the local zone
	Location    *time.Location     // the local zone; time.Local where nil
	Now         func() time.Time   // the clock; time.Now where nil

	Demo, Recording, Replay bool // said on the first line where true
}

// Model is the whole screen, a tea.Model.
type Model struct {
	ctx     context.Context
	source  Source
	options Options
}

// New is a screen that shows what source tells, until ctx is done.
func New(ctx context.Context, source Source, options Options) *Model {
	return &Model{ctx: ctx, source: source, options: options}
}

// Init starts the flow of news.
func (m *Model) Init() tea.Cmd { return nil }

// Update takes one message.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if press, ok := msg.(tea.KeyPressMsg); ok && press.String() == "q" {
		return m, tea.Quit
	}
	return m, nil
}

// View draws the screen.
func (m *Model) View() tea.View {
	view := tea.NewView(m.options.Service)
	view.AltScreen = true
	return view
}
