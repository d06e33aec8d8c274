package ui

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model/view"
	"blotter/ui/layout"
	"blotter/ui/pane"
	"blotter/ui/plain"
	"blotter/ui/store"
	"blotter/ui/views"
)

// Plain writes what the screen shows as lines of words, for screen readers: first a summary, then the changes. It has
// the state of the screen in a Model that is never drawn.
//
// It compares once a second, and only after the previous lines are written. Changes that come meanwhile are written
// later, with the values of that time.
type Plain struct {
	m         *Model
	write     func(lines string) error
	report    plain.Report
	isWriting bool
	needsView bool      // changes are compared when the view that is being made is complete
	failure   error     // of write
	notice    time.Time // when the notice began that was last written
	since     time.Time // when all positions were there; zero before
	isBegun   bool      // the summary was written
}

// NewPlain returns a Plain that writes lines about the data of source, until ctx is done. Each call of write gets some
// lines; it may block.
func NewPlain(ctx context.Context, source store.Source, options Options, write func(lines string) error) *Plain {
	options.Order, options.Group = view.Order{Column: view.TroubleColumn}, view.Ungrouped
	options.Views, options.SavedViews = views.WorstFirst(options.Views), views.WorstFirst(options.SavedViews)
	options.Columns, options.Remember = nil, nil
	m := New(ctx, source, options)
	m.layout.Screen = pane.Size{Width: layout.MinWidth, Height: layout.MinHeight} // too small for parts of the screen that send requests
	return &Plain{m: m, write: write}
}

// Err returns the error of write, or nil if there was none.
func (p *Plain) Err() error { return p.failure }

// Init starts the streams and the first requests.
func (p *Plain) Init() tea.Cmd { return p.m.Init() }

// View returns nothing: lines are written by commands.
func (p *Plain) View() tea.View { return tea.NewView("") }

// plainWrittenMsg comes when lines were written.
type plainWrittenMsg struct{ err error }

// Update handles one message.
func (p *Plain) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg, tea.KeyPressMsg:
		return p, nil
	case plainWrittenMsg:
		p.isWriting = false
		if p.failure = msg.err; p.failure != nil {
			return p, tea.Quit
		}
		return p, nil
	}
	_, cmd := p.m.Update(msg)
	makesView := p.m.store.MakesView()
	if _, isTick := msg.(tickMsg); isTick || p.needsView && !makesView {
		p.needsView = makesView
		cmd = tea.Batch(cmd, p.writeLines())
	}
	return p, cmd
}

// writeLines writes the lines that are due, unless the previous lines are still being written.
func (p *Plain) writeLines() tea.Cmd {
	if p.isWriting {
		return nil
	}
	lines := p.lines()
	if len(lines) == 0 {
		return nil
	}
	p.isWriting = true
	write, text := p.write, p.m.options.Appearance.Text(strings.Join(lines, "\n")+"\n")
	return func() tea.Msg { return plainWrittenMsg{write(text)} }
}

// lines returns the lines that are due. Nothing changes while the rows are being put in order.
func (p *Plain) lines() []string {
	m := p.m
	streams := m.connection.Streams(m.context())
	streams.FillKeys, streams.IsSpoken = nil, true // there are no keys
	lines := p.report.State(streams)
	if n := &m.notice; n.Text != "" && !n.Since.Equal(p.notice) {
		p.notice = n.Since
		lines = append(lines, n.Text)
	}
	shown := &plain.Screen{Service: m.options.Service, View: m.store.View(), Format: m.store.Format(), Now: m.store.ScreenNow(), IsOutOfDate: m.store.Stale().HasRow}
	switch {
	case p.isBegun && !m.store.MakesView():
		return append(lines, p.report.Changes(shown)...)
	case !p.isBegun && p.isComplete():
		p.isBegun = true
		return append(lines, p.report.Begin(shown)...)
	}
	return lines
}

// ratiosFor is how long the summary waits for margin levels after the positions are there.
const ratiosFor = 5 * time.Second

// isComplete reports whether all positions are there, and also the margin levels, unless these take long.
func (p *Plain) isComplete() bool {
	m := p.m
	if m.store.MakesView() || len(m.store.Flow().Links()) < len(m.store.Subscriptions()) {
		return false
	}
	for i := range m.store.Flow().Links() {
		if link := &m.store.Flow().Links()[i]; !link.Committed && !link.Partial {
			return false
		}
	}
	if p.since.IsZero() {
		p.since = m.store.ScreenNow()
	}
	return m.store.Walk().IsComplete() || m.store.ScreenNow().Sub(p.since) >= ratiosFor
}
