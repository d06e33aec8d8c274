// Package plain makes the lines of words that --plain writes for a screen reader: a summary, then the changes of
// positions. A change is written at once if a position opens, closes, flips or gets another status; less often if
// its profit or margin ratio has changed much. It uses packages store, format and status, and has no clock.
//
//	program   when lines are due, and the writing of them
//	plain     the lines
//	changes   which changes are written
package plain

import (
	"fmt"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/status"
	"blotter/ui/wording"
)

// Report is what was written. The zero Report has written nothing.
type Report struct {
	written writtenRows
	state   string // of the streams
	waiting int    // how many changes waited after the last lines
}

// Screen is what lines are about. Its rows are in the order of trouble.
type Screen struct {
	Service string
	View    *view.View
	Format  *format.Formatter
	Now     time.Time
	// IsOutOfDate reports whether a position may be out of date: it makes no lines until it no longer is.
	IsOutOfDate func(model.Key) bool
}

// rows returns the rows that are followed, the worst first, and whether they are all.
func (s *Screen) rows() (rows []followedRow, areAll bool) {
	for position := range s.View.Shown {
		if len(rows) == MaxRows {
			return rows, false
		}
		row := followedRow{Position: position}
		if ratio, ok := s.View.MarginRatio(&position); ok {
			row.ratio, row.hasRatio = ratio.Permille(), true
		}
		rows = append(rows, row)
	}
	return rows, true
}

// Begin returns the summary: the scope, the number of positions, their totals, and the worst positions. Changes are
// from then on.
func (r *Report) Begin(s *Screen) []string {
	rows, _ := s.rows()
	r.written.begin(rows, s.Now)
	return s.summary(rows)
}

// Changes returns a line for each change that is due.
func (r *Report) Changes(s *Screen) []string {
	rows, areAll := s.rows()
	changes, waiting := r.written.changes(rows, areAll, s.IsOutOfDate, s.Now)
	var lines []string
	for i := range changes {
		lines = append(lines, s.change(&changes[i]))
	}
	if waiting > 0 && r.waiting == 0 {
		lines = append(lines, wording.Counted(waiting, "more change")+" will follow.")
	}
	r.waiting = waiting
	return lines
}

// change returns a change as a line.
func (s *Screen) change(c *rowChange) string {
	position, _ := s.View.Book().Find(c.now.Key)
	facts := s.name(c.now.Key) + ": " + s.facts(&position, c)
	switch c.kind {
	case openedKind:
		return "Opened, " + facts
	case goneKind:
		return s.gone(&position, c)
	case flippedKind:
		if c.now.Number(model.OpenVolume).Sign() > 0 {
			return "Flipped to long, " + facts
		}
		return "Flipped to short, " + facts
	case statusKind:
		if status := format.Status(&c.now.Position); status != "" {
			return "Now " + status + ", " + facts
		}
		return "No longer " + format.Status(&c.before.Position) + ", " + facts
	case turnedKind:
		if c.now.profit().Sign() < 0 {
			return "Now a loss, " + facts
		}
		return "Now a gain, " + facts
	}
	return facts
}

// gone returns the line for a position that is closed, removed or filtered.
func (s *Screen) gone(position *model.Position, c *rowChange) string {
	name := s.name(c.now.Key)
	switch _, isThere := s.View.Book().Find(c.now.Key); {
	case !isThere:
		return "Removed, " + name + "."
	case position.IsOpen():
		return name + " no longer matches the filter."
	}
	words := "Closed, " + name
	if status := format.Status(position); status != "" {
		words += ", " + status
	}
	return words + "."
}

// name is the market and the party of a position.
func (s *Screen) name(key model.Key) string {
	name := s.Format.Position(key)
	return strings.ReplaceAll(name, draw.Fence, "")
}

// facts are size, unrealised PnL, margin ratio and status of a position. The size is there only
// if a position opens or flips.
func (s *Screen) facts(position *model.Position, c *rowChange) string {
	var facts []string
	if c != nil && (c.kind == openedKind || c.kind == flippedKind) {
		facts = append(facts, "size "+s.Format.Number(position, model.OpenVolume).Marked(format.RawWord))
	}
	profit := "unrealised PnL " + s.Format.Number(position, model.UnrealisedPnl).Marked(format.RawWord)
	if c != nil && c.kind == movedKind {
		asset := s.Format.Instruments().Market(position.Market).Asset
		profit += ", was " + s.Format.Amount(c.before.profit(), asset, true).Marked(format.RawWord)
	}
	facts = append(facts, profit)
	if ratio, ok := s.View.MarginRatio(position); ok {
		words := strings.TrimSuffix(ratio.String(), "%") + " percent"
		if ratio.HasEnded() {
			words += " before the size changed"
		}
		facts = append(facts, "margin ratio "+words)
	}
	if status := format.Status(position); status != "" {
		facts = append(facts, status)
	}
	return strings.Join(facts, ", ") + "."
}

// The bounds of the summary.
const (
	worstInSummary  = 5
	totalsInSummary = 10
)

// summary returns the scope, the number of positions, their totals, and the worst positions.
func (s *Screen) summary(rows []followedRow) []string {
	view, scope := s.View, s.View.Scope()
	counts := wording.Counted(view.Open(), "open position")
	if closed := view.Rows() - view.Open(); closed > 0 {
		counts += ", " + format.Grouped(closed) + " closed"
	}
	lines := []string{format.OneLine(s.Service) + ", " + strings.ReplaceAll(s.Format.Scope(&scope), draw.Fence, "") + ": " + counts + "."}
	if filter := strings.Join(strings.Fields(view.Filter.Text), " "); filter != "" {
		lines = append(lines, wording.Counted(view.Len(), "position")+" with the filter "+format.OneLine(filter)+".")
	}
	totals := view.Totals()
	for i, total := range totals {
		if i == totalsInSummary {
			lines = append(lines, "Totals of "+wording.Counted(len(totals)-i, "more asset")+".")
			break
		}
		lines = append(lines, s.total(total))
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
		lines = append(lines, s.name(row.Key)+": "+s.facts(&position, nil))
	}
	if view.Len() > MaxRows {
		lines = append(lines, "Only the worst "+format.Grouped(MaxRows)+" positions are followed, without lines for positions that open or close. "+
			"Narrow with --party, --market or --filter.")
	}
	return lines
}

func (s *Screen) total(total *view.Total) string {
	f := s.Format
	if total.Asset.IsZero() {
		return wording.Counted(total.Rows, "position") + " of unknown assets, without a total."
	}
	return f.Asset(total.Asset) + ", " + wording.Counted(total.Rows, "position") + ": unrealised PnL " +
		f.Amount(total.Unrealised.Amount(), total.Asset, true).Marked(format.RawWord) +
		", realised PnL " + f.Amount(total.Realised.Amount(), total.Asset, true).Marked(format.RawWord) + "."
}

// State returns a line about how far the rows can be trusted, if that is new: a quiet stream is live, and another
// retry is no new state.
func (r *Report) State(streams *status.Streams) []string {
	state, words := stateOf(streams)
	if state == r.state {
		return nil
	}
	r.state = state
	return []string{words}
}

// stateOf returns the state in one word, and the line about it. That of a recording says so.
func stateOf(streams *status.Streams) (state, words string) {
	state, words = freshnessOf(streams)
	if streams.Replay != "" && streams.Ended == "" {
		words = "Replay, recorded as: " + words
	}
	return state, words
}

func freshnessOf(streams *status.Streams) (state, words string) {
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
	case model.FreshPartial:
		return "partial", "Partial. " + streams.Partial(worst)
	case model.FreshBehind:
		return "behind", "Behind. " + streams.Behind(worst)
	case model.FreshStale:
		return "stale", "Stale since " + streams.Format.Clock(now.Add(-since)) + problem(streams, worst)
	}
	if worst.Problem != nil {
		return "not connected", "Not connected" + problem(streams, worst)
	}
	return "connecting", "Connecting."
}

// problem returns what is wrong with a stream and when it is tried again.
func problem(streams *status.Streams, link *model.Link) string {
	if link.Problem == nil {
		return "."
	}
	return ": " + streams.Problem(link)
}
