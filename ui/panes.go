package ui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/alertpage"
	"blotter/ui/analysis"
	"blotter/ui/columns"
	"blotter/ui/detail"
	"blotter/ui/events"
	"blotter/ui/format"
	"blotter/ui/layout"
	"blotter/ui/margins"
	"blotter/ui/pane"
	"blotter/ui/positions"
	"blotter/ui/replay"
	"blotter/ui/status"
	"blotter/ui/store"
	"blotter/ui/views"
)

// panes are the panes of a source, and the store that they show: of the service, or of its past.
type panes struct {
	source     store.Source
	past       *rewound        // what they show in place of the service; nil if they show the service
	controls   replay.Controls // the keys of a recording that they show
	store      *store.Store
	connection *status.Connection
	positions  *positions.Pane
	margins    *margins.Pane
	analysis   analysis.Pages
	detail     *detail.Pane
	events     *events.Page
	alerts     *alertpage.Page
}

// newPanes returns the panes of a source that sends nothing yet, and whose events begin at a time. If the source is the
// past of a service, past is not nil.
func newPanes(ctx context.Context, source store.Source, o *Options, controls replay.Controls, began time.Time, past *rewound) *panes {
	options, rewind := o.store(), replay.Rewind{Memory: o.Memory, File: o.Replay}
	options.Follow = rewind.Follow
	switch {
	case past != nil:
		options.Live, rewind.File, options.IsWhatIf = past.live.store, nil, controls.WhatIf != ""
		if options.Follow = nil; controls.Clock != nil {
			options.Follow = controls.Follow
		}
	case o.Replay != nil:
		options.Follow = o.Replay.Follow
	case o.Memory == nil:
		options.Follow = nil
	}
	if controls.Shift != nil {
		unchanged := options.Format
		options.Format = func(in *model.Instruments) *format.Formatter { return unchanged(in).At(controls.Shift) }
	}
	p := &panes{source: source, past: past, controls: controls, store: store.New(ctx, source, options)}
	p.margins = margins.NewPane(ctx, p.store, o.PageSize, !o.OldestFirst)
	p.connection = status.NewConnection(o.Extent.Rows(), controls.Words, rewind.Reach)
	p.positions = positions.New(p.store, columns.SettingsOf(o.Columns), !o.WithoutMarks, p.connection.Loading)
	p.margins.Selected, p.margins.Spinner = p.positions.Selected, &p.connection.Spinner
	p.events = events.New(began)
	p.alerts = alertpage.New(p.service().store)
	if p.analysis = analysis.New(); past != nil {
		p.analysis.Tabs.Tab = past.live.analysis.Tabs.Tab
	}
	p.detail = detail.NewPane(ctx, p.store, p.positions.Line)
	p.detail.Side = p.detail.NewSidePage(p.positions.Shown, p.events.DrawLatest, p.connection.Beside)
	return p
}

// isLoading reports whether the first data of a stream or of the margin levels is awaited.
func (p *panes) isLoading() bool { return p.connection.IsLoading(p.store) || p.margins.IsLoading() }

// shown returns what is on the screen.
func (p *panes) shown() views.Shown {
	return views.Shown{Settings: p.store.Settings(), Columns: p.positions.Columns().State()}
}

// in returns what is in a part of the screen, of which a page covers the panes or none does; nil if nothing there can
// be clicked.
func (p *panes) in(part layout.Part, page pane.Pane) pane.Clickable {
	return map[layout.Part]pane.Clickable{
		layout.Positions: p.positions, layout.Margins: p.margins, layout.Split: p.margins, layout.Detail: p.detail.Side,
		layout.Cover: page,
	}[part]
}

// service returns the panes of the service, also while they are not shown.
func (p *panes) service() *panes {
	if p.past != nil {
		return p.past.live
	}
	return p
}

// route returns a message without its tag, and the panes that it is for, while p are shown: nil if these are gone, such
// as those of another profile. A message without a tag is of the service. A message for the whole screen goes to p.
func (p *panes) route(msg tea.Msg) (*panes, tea.Msg) {
	owner, msg := withoutOwner(msg)
	of, isTagged := owner.(*panes)
	if !isTagged {
		of = p.service()
	}
	_, isDelayed := msg.(delayedMsg)
	switch {
	case of.service() != p.service():
		return nil, msg
	case !isDelayed && !store.IsOwn(msg): // for the whole screen
		return p, msg
	case of == p, of == p.service():
		return of, msg
	}
	return nil, msg
}
