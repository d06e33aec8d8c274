package status

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// Corrections are what audits corrected. The zero value has none.
type Corrections struct {
	counts   map[model.Subscription]int    // the rows
	latest   []correction                  // at most maxCorrections
	underWay map[model.Subscription]Report // of the audits that have not ended
}

// correction is a row that an audit corrected, and when.
type correction struct {
	book.Correction
	at time.Time
}

// maxCorrections is how many corrections are kept.
const maxCorrections = 500

// Add adds a row that an audit corrected at a time. The audit has not ended.
func (c *Corrections) Add(row book.Correction, at time.Time) {
	if c.counts == nil {
		c.counts, c.underWay = make(map[model.Subscription]int), make(map[model.Subscription]Report)
	}
	c.counts[row.Subscription]++
	c.latest = append(c.latest, correction{row, at})
	c.latest = c.latest[max(0, len(c.latest)-maxCorrections):]
	report := c.underWay[row.Subscription]
	report.add(row.Key())
	c.underWay[row.Subscription] = report
}

// End ends the audit of a stream and returns what it corrected.
func (c *Corrections) End(stream model.Subscription) Report {
	report := c.underWay[stream]
	delete(c.underWay, stream)
	return report
}

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
	rows  int
	first []model.Key // the first rows, at most rowsNamed
}

// rowsNamed is how many rows a report names.
const rowsNamed = 3

func (r *Report) add(key model.Key) {
	if r.rows++; r.rows <= rowsNamed {
		r.first = append(r.first, key)
	}
}

// Words returns what an audit corrected, with the names of the first rows; empty where it corrected nothing.
func (r *Report) Words(f *format.Formatter) string {
	if r.rows == 0 {
		return ""
	}
	var names []string
	for _, key := range r.first {
		names = append(names, f.Position(key))
	}
	words := "Audit corrected " + model.Counted(r.rows, "row") + ": " + strings.Join(names, ", ")
	if r.rows > len(r.first) {
		words += ", …"
	}
	return words
}

// correctionLines are a title and the corrections that are kept, the newest first: when, which row, and what was
// changed in it. There are none where nothing was corrected.
func (s *Streams) correctionLines(width int) []string {
	latest := s.Corrections.latest
	if len(latest) == 0 {
		return nil
	}
	note := format.Grouped(len(latest))
	if len(latest) == maxCorrections {
		note = "the last " + note
	}
	const indent = 3
	lines := []string{draw.Rule(width, s.Styles.Dim, s.Styles.Dim, "corrected by audits, newest first", note)}
	for _, c := range slices.Backward(latest) {
		key := c.Key()
		words := s.Format.ClockOn(c.at, s.Now) + "  " + s.Format.Market(key.Market) + "  " + s.Format.Party(key.Party) + "  " + s.changes(&c.Correction)
		for i, part := range draw.Wrap(words, max(width-1-indent, 1)) {
			lines = append(lines, draw.NewLine(width).Space(1+min(i, 1)*indent).Put(draw.Plain, part).String())
		}
	}
	return lines
}

// changes returns what a correction changed: each field with its value before and after. Of a row that was missing
// or was removed they name the fields that are not 0.
func (s *Streams) changes(c *book.Correction) string {
	var changes []string
	whole := c.Before == nil || c.After == nil
	switch {
	case c.Before == nil:
		changes = append(changes, "was missing")
	case c.After == nil:
		changes = append(changes, "removed")
	}
	for _, f := range correctedFields {
		was, is := s.correctedValue(c.Before, f.field, whole), s.correctedValue(c.After, f.field, whole)
		changes = appendChange(changes, f.name, was, is)
	}
	switch {
	case c.Before == nil:
		changes = appendChange(changes, "status", "", format.Status(c.After))
	case c.After == nil:
		changes = appendChange(changes, "status", format.Status(c.Before), "")
	default:
		changes = appendChange(changes, "status", cmp.Or(format.Status(c.Before), "none"), cmp.Or(format.Status(c.After), "none"))
	}
	return s.Format.Change(strings.Join(changes, ", "))
}

// appendChange appends the name of a field with the values that it has or had, where they differ.
func appendChange(changes []string, name, was, is string) []string {
	switch {
	case was == is:
		return changes
	case was == "":
		return append(changes, name+" "+is)
	case is == "":
		return append(changes, name+" "+was)
	}
	return append(changes, name+" "+was+" → "+is)
}

// correctedFields are the numbers that a correction can change.
var correctedFields = []struct {
	name  string
	field model.Field
}{
	{"size", model.OpenVolume}, {"entry price", model.AverageEntryPrice}, {"uPnL", model.UnrealisedPnl}, {"rPnL", model.RealisedPnl},
	{"loss socialised", model.LossSocialisationAmount}, {"updated", model.UpdatedAt},
}

// correctedValue formats a field; empty where there is no position, or the number is 0 and need not be named.
func (s *Streams) correctedValue(p *model.Position, field model.Field, withoutZero bool) string {
	if p == nil || withoutZero && p.Number(field).IsZero() {
		return ""
	}
	if at, ok := p.Number(field).Time(); ok && field == model.UpdatedAt {
		return s.Format.Local(at).Format("15:04:05.000")
	}
	return s.Format.ExactNumber(p, field)
}
