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

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/status"
	"blotter/ui/store"
)

// report makes the lines about a store whose rows are in the order of trouble, and keeps what was written.
type report struct {
	store   *store.Store
	service string
	written writtenRows
	state   string // of the streams
	waiting int    // how many changes waited after the last lines
}

// rows returns the rows that are followed, the worst first, and whether they are all.
func (r *report) rows() (rows []followedRow, areAll bool) {
	for position := range r.store.View().Shown {
		if !position.IsOpen() && !r.store.Settings().ShowClosed { // its row is kept for a minute on a screen
			continue
		}
		if len(rows) == MaxRows {
			return rows, false
		}
		row := followedRow{Position: position}
		if ratio, ok := r.store.View().Margins().LastRatio(&position); ok {
			row.ratio, row.hasRatio = ratio.Permille(), true
		}
		rows = append(rows, row)
	}
	return rows, true
}

// begin returns the summary: the scope, the number of positions, their totals, and the worst positions. Changes are
// from then on.
func (r *report) begin() []string {
	rows, _ := r.rows()
	r.written.begin(rows, r.store.ScreenNow())
	return r.summary(rows)
}

// changes returns a line for each change that is due. A position that may be out of date makes no lines until it no
// longer is.
func (r *report) changes() []string {
	rows, areAll := r.rows()
	changes, waiting := r.written.changes(rows, areAll, r.store.Stale().HasRow, r.store.ScreenNow())
	var lines []string
	for i := range changes {
		lines = append(lines, r.change(&changes[i]))
	}
	if waiting > 0 && r.waiting == 0 {
		lines = append(lines, format.Counted(waiting, "more change")+" will follow.")
	}
	r.waiting = waiting
	return lines
}

func (r *report) change(c *rowChange) string {
	position, isThere := r.store.View().Book().Find(c.now.Key)
	facts := r.name(c.now.Key) + ": " + r.facts(&position, c)
	switch c.kind {
	case openedKind:
		return "Opened, " + facts
	case goneKind:
		return r.gone(&position, isThere, c)
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
func (r *report) gone(position *model.Position, isThere bool, c *rowChange) string {
	name := r.name(c.now.Key)
	switch {
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

func (r *report) name(key model.Key) string {
	return strings.ReplaceAll(r.store.Format().Position(key), draw.Fence, "")
}

// facts are size, unrealised PnL, margin ratio and status of a position. The size is there only if a position opens or
// flips.
func (r *report) facts(position *model.Position, c *rowChange) string {
	var facts []string
	if c != nil && (c.kind == openedKind || c.kind == flippedKind) {
		facts = append(facts, "size "+r.store.Format().Number(position, model.OpenVolume).Marked(format.RawWord))
	}
	profit := "unrealised PnL " + r.store.Format().Number(position, model.UnrealisedPnl).Marked(format.RawWord)
	if c != nil && c.kind == movedKind {
		profit += ", was " + r.store.Format().Number(&c.before.Position, model.UnrealisedPnl).Marked(format.RawWord)
	}
	facts = append(facts, profit)
	if ratio, ok := store.ShownRatio(r.store, position); ok {
		words := strings.TrimSuffix(ratio.String(), "%") + " percent"
		switch {
		case ratio.IsEstimate:
			words = "about " + words + ", estimated"
		case ratio.HasEnded():
			words += " " + format.Ago(ratio.EndedFor(r.store.ServiceNow()))
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
func (r *report) summary(rows []followedRow) []string {
	view := r.store.View()
	scope := view.Scope()
	counts := format.Counted(view.Open(), "open position")
	if closed := view.Rows() - view.Open(); closed > 0 {
		counts += ", " + format.Grouped(closed) + " closed"
	}
	lines := []string{format.OneLine(r.service) + ", " + strings.ReplaceAll(r.store.Format().Scope(&scope),
		draw.Fence, "") + ": " + counts + "."}
	if filter := strings.Join(strings.Fields(view.Filter.Text), " "); filter != "" {
		lines = append(lines, format.Counted(view.Len(), "position")+" with the filter "+format.OneLine(filter)+".")
	}
	totals := view.Totals()
	for i, total := range totals {
		if i == totalsInSummary {
			lines = append(lines, "Totals of "+format.Counted(len(totals)-i, "more asset")+".")
			break
		}
		lines = append(lines, r.total(total))
	}
	switch worst := min(len(rows), worstInSummary); worst {
	case 0:
	case 1:
		lines = append(lines, "The worst:")
	default:
		lines = append(lines, fmt.Sprintf("The %d worst:", worst))
	}
	for _, row := range rows[:min(len(rows), worstInSummary)] {
		lines = append(lines, r.name(row.Key)+": "+r.facts(&row.Position, nil))
	}
	if view.Len() > MaxRows {
		lines = append(lines, "Only the worst "+format.Grouped(MaxRows)+" positions are followed, without lines for positions that open or close. "+
			"Narrow with --party, --market or --filter.")
	}
	return lines
}

func (r *report) total(total *view.Total) string {
	f := r.store.Format()
	if total.Asset.IsZero() {
		return format.Counted(total.Rows, "position") + " of unknown assets, without a total."
	}
	decimals := f.Decimals(total.Asset)
	words := f.Asset(total.Asset) + ", " + format.Counted(total.Rows, "position") + ": unrealised PnL " +
		f.Amount(total.Sum(model.UnrealisedPnl).Amount(decimals), total.Asset, true).Marked(format.RawWord) +
		", realised PnL " + f.Amount(total.Sum(model.RealisedPnl).Amount(decimals), total.Asset, true).Marked(format.RawWord)
	if left := total.LeftOut(decimals); left > 0 {
		words += ", without " + format.Counted(left, "number") + " that cannot be added"
	}
	return words + "."
}

// stateLines returns a line about how far the rows can be trusted, if that is new: a quiet stream is live, and another
// retry is no new state. That of a recording says so.
func (r *report) stateLines(streams *status.Streams) []string {
	state, words := freshnessOf(streams)
	if state == r.state {
		return nil
	}
	r.state = state
	if streams.Replay != "" && streams.Ended == "" {
		words = "Replay, recorded as: " + words
	}
	return []string{words}
}

// freshnessOf returns the state in one word, and the line about it.
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
		if worst.IsLate(now) {
			return "late", "Live, but the updates come late: the last ones were " + format.Age(worst.LateBy) + " old."
		}
		return "live", "Live."
	case model.FreshPartial:
		return "partial", "Partial. " + streams.Partial(worst)
	case model.FreshBehind:
		return "behind", "Behind. " + streams.Behind(worst)
	case model.FreshStale:
		return "stale", "Stale since " + streams.Format.Clock(now.Add(-since)) + problem(streams, worst)
	case model.FreshConnecting:
		if worst.Problem != nil {
			return "not connected", "Not connected" + problem(streams, worst)
		}
		return "connecting", "Connecting."
	}
	return how.String(), how.String() + "."
}

// problem returns what is wrong with a stream and when it is tried again.
func problem(streams *status.Streams, link *model.Link) string {
	if link.Problem == nil {
		return "."
	}
	return ": " + streams.Problem(link)
}
