package plain

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/format"
	"blotter/ui/status"
	"blotter/ui/store"
)

// Options are what a Program writes, and where. All fields but Notices and OnStats are needed.
type Options struct {
	Service    string
	Connection *status.Connection
	Notices    []string                 // lines that are written first
	Problem    func() error             // why the recording that is shown or made has stopped; nil if it has not
	Ended      func() bool              // reports whether a recording is shown and all of it is played
	OnStats    func(store.Stats)        // is called once a second and must not block
	Text       func(string) string      // makes lines fit for the terminal
	Write      func(lines string) error // may block
}

// Program writes what a store has as lines of words, for screen readers: first a summary, then the changes. It is a
// tea.Model without a screen.
//
// It compares once a second, and only after the previous lines are written. Changes that come meanwhile are written
// later, with the values of that time.
type Program struct {
	store          *store.Store
	options        Options
	report         report
	notices        []string // the latest that are not written
	isWriting      bool
	needsView      bool  // rows are compared when the view that is being made is complete
	failure        error // of Write
	problemWritten bool
	since          time.Time // when all positions were there; zero before
	isBegun        bool      // the summary was written
	quiet          int       // for how many seconds nothing has come after the end of the recording
	isOver         bool      // the last line is being written
}

// New returns a Program that writes lines about a store, whose rows are in the order of trouble.
func New(from *store.Store, options Options) *Program {
	return &Program{store: from, options: options, report: report{store: from, service: options.Service}, notices: options.Notices}
}

// Err returns the error of Write, or nil if there was none.
func (p *Program) Err() error { return p.failure }

// tickMsg comes once a second.
type tickMsg struct{}

func tick() tea.Cmd { return tea.Every(time.Second, func(time.Time) tea.Msg { return tickMsg{} }) }

// Init starts the streams and the first requests.
func (p *Program) Init() tea.Cmd {
	return tea.Batch(p.store.Start(), p.store.Advance(), tick())
}

// View returns nothing: lines are written by commands.
func (p *Program) View() tea.View { return tea.NewView("") }

// writtenMsg comes when lines were written.
type writtenMsg struct{ err error }

// Update handles one message.
func (p *Program) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	var handled tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg, tea.KeyPressMsg:
		return p, nil
	case writtenMsg:
		p.isWriting = false
		if p.failure = msg.err; p.failure != nil || p.isOver {
			return p, tea.Quit
		}
		return p, nil
	case tickMsg:
		handled = p.handleTick()
	default:
		if store.IsData(msg) {
			p.quiet = 0
		}
		handled = p.store.Handle(msg)
	}
	cmd := tea.Batch(handled, p.store.Advance())
	for _, notice := range p.store.Notices() {
		p.note(notice.Text)
	}
	makesView := p.store.MakesView()
	if _, isTick := msg.(tickMsg); isTick || p.needsView && !makesView {
		p.needsView = makesView
		cmd = tea.Batch(cmd, p.writeLines())
	}
	return p, cmd
}

// maxNotices limits how many notices wait for slow writing.
const maxNotices = 20

// note keeps a notice until it is written.
func (p *Program) note(text string) {
	p.notices = append(p.notices[max(len(p.notices)+1-maxNotices, 0):], text)
}

// handleTick does what must be done once a second.
func (p *Program) handleTick() tea.Cmd {
	if p.quiet++; !p.options.Ended() {
		p.quiet = 0
	}
	if err := p.options.Problem(); err != nil && !p.problemWritten {
		p.problemWritten = true
		p.note(format.Error(err))
	}
	if p.options.OnStats != nil {
		p.options.OnStats(store.StatsOf(p.store))
	}
	return tea.Batch(tick(), p.store.Tick(nil, store.NoSurveys))
}

// writeLines writes the lines that are due, unless the previous lines are still being written.
func (p *Program) writeLines() tea.Cmd {
	if p.isWriting {
		return nil
	}
	lines := p.lines()
	if len(lines) == 0 {
		return nil
	}
	p.isWriting = true
	write, text := p.options.Write, p.options.Text(strings.Join(lines, "\n")+"\n")
	return func() tea.Msg { return writtenMsg{write(text)} }
}

// lines returns the lines that are due. Nothing changes while the rows are being put in order.
func (p *Program) lines() []string {
	lines := p.report.stateLines(p.options.Connection.Spoken(p.store))
	lines, p.notices = append(lines, p.notices...), nil
	switch {
	case p.isBegun && !p.store.MakesView():
		lines = append(lines, p.report.changes()...)
	case !p.isBegun && p.isComplete():
		p.isBegun = true
		lines = append(lines, p.report.begin()...)
	}
	if p.hasEnded() && !p.store.MakesView() {
		p.isOver = true
		lines = append(lines, "The recording has ended.")
	}
	return lines
}

// hasEnded reports whether nothing more comes: a recording is played to its end, and nothing has come since then. To
// read its last rows may take a few seconds.
func (p *Program) hasEnded() bool { return p.quiet >= 5 }

// ratiosFor is how long the summary waits for margin levels after the positions are there.
const ratiosFor = 5 * time.Second

// isComplete reports whether all positions are there, and also the margin levels, unless these take long.
func (p *Program) isComplete() bool {
	links := p.store.Flow().Links()
	isAwaited := func(l model.Link) bool { return !l.Committed && !l.Partial }
	if p.store.MakesView() || len(links) < len(p.store.Subscriptions()) || slices.ContainsFunc(links, isAwaited) {
		return false
	}
	if p.since.IsZero() {
		p.since = p.store.ScreenNow()
	}
	return p.store.Walk().IsComplete() || p.hasEnded() || p.store.ScreenNow().Sub(p.since) >= ratiosFor
}
