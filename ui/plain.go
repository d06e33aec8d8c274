package ui

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/plain"
	"blotter/ui/status"
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
	follower  plain.Follower
	isWriting bool
	needsView bool      // changes are compared as soon as the view is there that is being made
	failure   error     // of write
	state     string    // of the streams, as it was last written
	notice    time.Time // when the notice began that was last written
	since     time.Time // when all positions were there; zero before
	isBegun   bool      // the summary was written
	waiting   int       // how many changes waited after the last lines
}

// NewPlain returns a Plain that writes lines about the data of source, until ctx is done. Each call of write gets some
// lines; it may block.
func NewPlain(ctx context.Context, source Source, options Options, write func(lines string) error) *Plain {
	options.Order, options.Group = view.Order{Column: view.TroubleColumn}, view.Ungrouped
	options.Views, options.SavedViews = views.WorstFirst(options.Views), views.WorstFirst(options.SavedViews)
	options.Columns, options.Remember = nil, nil
	m := New(ctx, source, options)
	m.width, m.height = minWidth, minHeight // too small for parts of the screen that send requests
	return &Plain{m: m, write: write}
}

// Err returns the error of write; nil where there was none.
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
	makesView := p.m.data.makesView()
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
	write, text := p.write, p.m.options.Looks.text(strings.Join(lines, "\n")+"\n")
	return func() tea.Msg { return plainWrittenMsg{write(text)} }
}

// lines returns the lines that are due.
func (p *Plain) lines() []string {
	var lines []string
	if state, words := p.stateWords(); state != p.state {
		p.state = state
		lines = append(lines, words)
	}
	if n := &p.m.notice; n.text != "" && !n.since.Equal(p.notice) {
		p.notice = n.since
		lines = append(lines, n.text)
	}
	switch {
	case p.isBegun:
		return append(lines, p.changes()...)
	case p.isComplete():
		p.isBegun = true
		rows, _ := p.rows()
		p.follower.Begin(rows, p.m.screenNow())
		return append(lines, p.summary(rows)...)
	}
	return lines
}

// ratiosFor is how long the summary waits for margin levels after the positions are there.
const ratiosFor = 5 * time.Second

// isComplete reports whether all positions are there, and also the margin levels, unless these take long.
func (p *Plain) isComplete() bool {
	m := p.m
	if m.data.makesView() || len(m.incoming.links) < len(m.data.subscriptions) {
		return false
	}
	for i := range m.incoming.links {
		if !m.incoming.links[i].Committed {
			return false
		}
	}
	if p.since.IsZero() {
		p.since = m.screenNow()
	}
	return m.walk.IsComplete() || m.screenNow().Sub(p.since) >= ratiosFor
}

// rows returns the rows that are followed, the worst first, and whether they are all.
func (p *Plain) rows() (rows []plain.Row, areAll bool) {
	view := p.m.data.view
	for position := range view.Shown {
		if len(rows) == plain.MaxRows {
			return rows, false
		}
		row := plain.Row{
			Key: position.Key, Side: position.Number(model.OpenVolume).Sign(), Status: format.Status(&position),
			Profit: position.Number(model.UnrealisedPnl),
		}
		if ratio, ok := view.MarginRatio(&position); ok {
			row.Ratio, row.HasRatio = ratio.Permille(), true
		}
		rows = append(rows, row)
	}
	return rows, true
}

// changes returns a line for each change that is due. Nothing changes while the rows are being put in order.
func (p *Plain) changes() []string {
	if p.m.data.makesView() {
		return nil
	}
	rows, areAll := p.rows()
	changes, waiting := p.follower.Changes(rows, areAll, p.m.screenNow())
	var lines []string
	for i := range changes {
		lines = append(lines, p.changeWords(&changes[i]))
	}
	if waiting > 0 && p.waiting == 0 {
		lines = append(lines, model.Counted(waiting, "more change")+" will follow.")
	}
	p.waiting = waiting
	return lines
}

// changeWords returns a change as a line.
func (p *Plain) changeWords(c *plain.Change) string {
	position, _ := p.m.data.view.Book().Find(c.Now.Key)
	facts := p.name(c.Now.Key) + ": " + p.factWords(&position, c)
	switch c.Kind {
	case plain.Opened:
		return "Opened, " + facts
	case plain.Gone:
		return p.goneWords(&position, c)
	case plain.Flipped:
		if c.Now.Side > 0 {
			return "Flipped to long, " + facts
		}
		return "Flipped to short, " + facts
	case plain.Status:
		if c.Now.Status == "" {
			return "No longer " + c.Before.Status + ", " + facts
		}
		return "Now " + c.Now.Status + ", " + facts
	case plain.Turned:
		if c.Now.Profit.Sign() < 0 {
			return "Now a loss, " + facts
		}
		return "Now a gain, " + facts
	}
	return facts
}

// goneWords returns the line for a position that is closed, removed or filtered.
func (p *Plain) goneWords(position *model.Position, c *plain.Change) string {
	name := p.name(c.Now.Key)
	switch _, isThere := p.m.data.view.Book().Find(c.Now.Key); {
	case !isThere:
		return "Removed, " + name + "."
	case position.IsOpen():
		return name + " no longer matches the filter."
	}
	words := "Closed, " + name
	if s := format.Status(position); s != "" {
		words += ", " + s
	}
	return words + "."
}

// name is the market and the party of a position.
func (p *Plain) name(key model.Key) string {
	name := p.m.format.Position(key)
	return strings.ReplaceAll(name, draw.Fence, "")
}

// factWords are size, unrealised PnL, margin ratio and status of a position. The size is there only
// where a position opens or flips.
func (p *Plain) factWords(position *model.Position, c *plain.Change) string {
	var facts []string
	if c != nil && (c.Kind == plain.Opened || c.Kind == plain.Flipped) {
		facts = append(facts, "size "+p.m.format.Number(position, model.OpenVolume).Marked(format.RawWord))
	}
	profit := "unrealised PnL " + p.m.format.Number(position, model.UnrealisedPnl).Marked(format.RawWord)
	if c != nil && c.Kind == plain.Moved {
		asset := p.m.data.instruments.Market(position.Market).Asset
		profit += ", was " + p.m.format.Amount(c.Before.Profit, asset, true).Marked(format.RawWord)
	}
	facts = append(facts, profit)
	if ratio, ok := p.m.data.view.MarginRatio(position); ok {
		facts = append(facts, "margin ratio "+strings.TrimSuffix(ratio.String(), "%")+" percent")
	}
	if s := format.Status(position); s != "" {
		facts = append(facts, s)
	}
	return strings.Join(facts, ", ") + "."
}

// The bounds of the summary.
const (
	worstInSummary  = 5
	totalsInSummary = 10
)

// summary returns the scope, the number of positions, their totals, and the worst positions.
func (p *Plain) summary(rows []plain.Row) []string {
	m, view := p.m, p.m.data.view
	counts := model.Counted(view.Open(), "open position")
	if closed := view.Rows() - view.Open(); closed > 0 {
		counts += ", " + format.Grouped(closed) + " closed"
	}
	lines := []string{format.OneLine(m.options.Service) + ", " + strings.ReplaceAll(m.format.Scope(&m.data.scope), draw.Fence, "") + ": " + counts + "."}
	if filter := strings.Join(strings.Fields(m.data.filter.Text), " "); filter != "" {
		lines = append(lines, model.Counted(view.Len(), "position")+" with the filter "+format.OneLine(filter)+".")
	}
	totals := view.Totals()
	for i, total := range totals {
		if i == totalsInSummary {
			lines = append(lines, "Totals of "+model.Counted(len(totals)-i, "more asset")+".")
			break
		}
		lines = append(lines, p.totalWords(total))
	}
	switch worst := min(len(rows), worstInSummary); worst {
	case 0:
	case 1:
		lines = append(lines, "The worst:")
	default:
		lines = append(lines, fmt.Sprintf("The %d worst:", worst))
	}
	for _, row := range rows[:min(len(rows), worstInSummary)] {
		position, _ := view.Book().Find(row.Key)
		lines = append(lines, p.name(row.Key)+": "+p.factWords(&position, nil))
	}
	if view.Len() > plain.MaxRows {
		lines = append(lines, "Only the worst "+format.Grouped(plain.MaxRows)+" positions are followed, without lines for positions that open or close. "+
			"Narrow with --party, --market or --filter.")
	}
	return lines
}

func (p *Plain) totalWords(total *view.Total) string {
	f := p.m.format
	if total.Asset.IsZero() {
		return model.Counted(total.Rows, "position") + " of unknown assets, without a total."
	}
	return f.Asset(total.Asset) + ", " + model.Counted(total.Rows, "position") + ": unrealised PnL " +
		f.Amount(total.Unrealised.Amount(), total.Asset, true).Marked(format.RawWord) +
		", realised PnL " + f.Amount(total.Realised.Amount(), total.Asset, true).Marked(format.RawWord) + "."
}

// stateWords returns how far the rows can be trusted. A new state is a new line: a quiet stream is live, and another
// retry is no new state.
func (p *Plain) stateWords() (state, words string) {
	streams := p.m.streams()
	streams.FillKeys = nil // there are no keys
	worst, now := streams.Worst(), streams.Now
	if streams.Ended != "" {
		return "ended", streams.Reason()
	}
	if worst == nil {
		return "connecting", "Connecting."
	}
	how, since := worst.Freshness(now)
	switch how {
	case model.FreshLive, model.FreshQuiet:
		return "live", "Live."
	case model.FreshBehind:
		return "behind", "Behind. " + streams.Behind()
	case model.FreshStale:
		return "stale", "Stale since " + p.m.format.Clock(now.Add(-since)) + problemWords(streams, worst)
	}
	if worst.Problem != nil {
		return "not connected", "Not connected" + problemWords(streams, worst)
	}
	return "connecting", "Connecting."
}

// durations finds the durations in the words of a problem: in 4s.
var durations = regexp.MustCompile(`\bin (\d+)([smhd])\b`)

// problemWords returns what is wrong with a stream and when it is tried again.
func problemWords(streams *status.Streams, link *model.Link) string {
	if link.Problem == nil {
		return "."
	}
	return ": " + durations.ReplaceAllStringFunc(streams.Problem(link), func(text string) string {
		parts := durations.FindStringSubmatch(text)
		unit := map[string]string{"s": "second", "m": "minute", "h": "hour", "d": "day"}[parts[2]]
		if parts[1] != "1" {
			unit += "s"
		}
		return "in " + parts[1] + " " + unit
	})
}
