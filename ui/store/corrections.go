package store

import (
	"log/slog"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/format"
)

// Corrections are what audits corrected. The zero value is empty.
type Corrections struct {
	counts   map[model.Subscription]int    // how many rows
	latest   []Correction                  // at most MaxCorrections
	underWay map[model.Subscription]Report // of the audits that have not ended

	listsFlat bool // the service lists flat rows
}

// Correction is a row that an audit corrected, and when.
type Correction struct {
	book.Correction
	At time.Time
}

// MaxCorrections is how many corrections are kept.
const MaxCorrections = 500

// Add adds a row that an audit corrected at a time. The audit has not ended. Its report names the row if it is of the
// scope.
func (c *Corrections) Add(row book.Correction, at time.Time, isOfScope bool) {
	if c.counts == nil {
		c.counts, c.underWay = make(map[model.Subscription]int), make(map[model.Subscription]Report)
	}
	c.counts[row.Subscription]++
	c.latest = append(c.latest, Correction{row, at})
	c.latest = c.latest[max(0, len(c.latest)-MaxCorrections):]
	report := c.underWay[row.Subscription]
	if row.After == nil && row.Before.IsOpen() {
		report.gone++
	}
	report.at = at
	if isOfScope {
		report.rows++
	}
	if isOfScope && report.rows <= rowsNamed {
		report.first = append(report.first, row.Key())
	}
	c.underWay[row.Subscription] = report
}

// End ends the audit of a stream and returns what it corrected in its rows, which are those of b.
func (c *Corrections) End(stream model.Subscription, b *book.Book) Report {
	report := c.underWay[stream]
	delete(c.underWay, stream)
	report.of, report.isLoss = stream, c.isLoss(stream, report.gone, b)
	return report
}

// IsUnderWay reports whether an audit that has not ended has removed open positions of the stream of a key.
func (c *Corrections) IsUnderWay(key model.Key) bool {
	for stream, report := range c.underWay {
		if report.gone > 0 && stream.Covers(key) {
			return true
		}
	}
	return false
}

// isLoss reports whether gone open positions of a stream that are gone together are many, and were not just closed: at
// least a tenth of the stream, beside a service that lists flat rows, too. The rows that are left are in b.
func (c *Corrections) isLoss(stream model.Subscription, gone int, b *book.Book) bool {
	t := b.Table(stream)
	return c.listsFlat && t != nil && gone >= lossFrom && gone*10 >= gone+t.Rows().Len()
}

// lossFrom is from how many open positions on, which are gone together, a notice says that they are no longer sent.
const lossFrom = 3

// Latest returns the corrections that are kept, the newest last.
func (c *Corrections) Latest() []Correction { return c.latest }

// Count returns how many rows of a stream audits corrected.
func (c *Corrections) Count(stream model.Subscription) int { return c.counts[stream] }

// Total returns how many rows audits corrected.
func (c *Corrections) Total() int {
	total := 0
	for _, n := range c.counts {
		total += n
	}
	return total
}

// Report is what one audit corrected.
type Report struct {
	of     model.Subscription
	rows   int
	first  []model.Key // the first rows, at most rowsNamed
	gone   int         // of the rows: open ones that it has removed
	at     time.Time   // of the last one
	isLoss bool        // those that are gone are many, and were not just closed
}

// rowsNamed is how many rows a report names.
const rowsNamed = 3

// Words returns what an audit corrected, with the names of the first rows; empty if it corrected nothing.
func (r *Report) Words(f *format.Formatter) string {
	if r.rows == 0 {
		return ""
	}
	var names []string
	for _, key := range r.first {
		names = append(names, f.Position(key))
	}
	words := "A check corrected " + format.Counted(r.rows, "row") + ": " + strings.Join(names, ", ")
	if r.rows > len(r.first) {
		words += ", …"
	}
	return words
}

// LossWords returns how many positions are gone, if they are many and were not just closed; empty otherwise.
func (r *Report) LossWords(f *format.Formatter) string {
	if !r.isLoss {
		return ""
	}
	return format.Counted(r.gone, "position") + " are no longer sent, since " + f.Clock(r.at)
}

// reportCorrections reports in a notice and in the log what audits corrected, in one line for each.
func reportCorrections(reports []Report, f *format.Formatter, log *slog.Logger, notices *notices) tea.Cmd {
	var lines []string
	for i := range reports {
		for _, words := range []string{reports[i].Words(f), reports[i].LossWords(f)} {
			if words != "" {
				lines = append(lines, words)
			}
		}
	}
	if lines != nil {
		*notices = append(*notices, Notice{Text: lines[len(lines)-1]})
	}
	return logged(log, lines)
}

// logged returns the command that writes warnings to the log; nil if there are none. Only a command may do I/O.
func logged(log *slog.Logger, lines []string) tea.Cmd {
	if lines == nil {
		return nil
	}
	return func() tea.Msg {
		for _, line := range lines {
			log.Warn(line)
		}
		return nil
	}
}
