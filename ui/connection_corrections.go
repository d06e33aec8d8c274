package ui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// correction is a row that an audit corrected, and when.
type correction struct {
	book.Correction
	at time.Time
}

// maxCorrections is how many corrections are kept.
const maxCorrections = 500

// auditReport is what one audit corrected.
type auditReport struct {
	rows  int
	first []model.Key // the first rows, at most correctionsNamed
}

// correctionsNamed is how many rows a report names.
const correctionsNamed = 3

func (r *auditReport) add(key model.Key) {
	if r.rows++; r.rows <= correctionsNamed {
		r.first = append(r.first, key)
	}
}

// reportCorrections reports on the screen and in the log what audits corrected, in one line for each.
func (m *Model) reportCorrections(reports []auditReport) tea.Cmd {
	var lines []string
	for _, r := range reports {
		if r.rows > 0 {
			lines = append(lines, m.correctionWords(&r))
		}
	}
	if lines == nil {
		return nil
	}
	m.notify(lines[len(lines)-1])
	log := m.options.Log
	return func() tea.Msg {
		for _, line := range lines {
			log.Warn(line)
		}
		return nil
	}
}

// correctionWords returns what an audit corrected, with the names of the first rows.
func (m *Model) correctionWords(r *auditReport) string {
	var names []string
	for _, key := range r.first {
		names = append(names, m.format.Position(key))
	}
	words := "Audit corrected " + model.Counted(r.rows, "row") + ": " + strings.Join(names, ", ")
	if r.rows > len(r.first) {
		words += ", …"
	}
	return words
}

// correctionLines are the corrections that are kept, the newest first: when, which row, and what was changed in it.
func (m *Model) correctionLines(width int) []string {
	const indent = 3
	var lines []string
	for _, c := range slices.Backward(m.data.corrected) {
		key := c.Key()
		words := m.format.ClockOn(c.at, m.now()) + "  " + m.format.Market(key.Market) + "  " + m.format.Party(key.Party) + "  " + m.changeWords(&c.Correction)
		for i, part := range draw.Wrap(words, max(width-1-indent, 1)) {
			lines = append(lines, draw.NewLine(width).Space(1+min(i, 1)*indent).Put(draw.Plain, part).String())
		}
	}
	return lines
}

// changeWords returns what a correction changed: each field with its value before and after. Of a row that was missing
// or was removed they name the fields that are not 0.
func (m *Model) changeWords(c *book.Correction) string {
	var changes []string
	whole := c.Before == nil || c.After == nil
	switch {
	case c.Before == nil:
		changes = append(changes, "was missing")
	case c.After == nil:
		changes = append(changes, "removed")
	}
	for _, f := range correctedFields {
		was, is := m.correctedValue(c.Before, f.field, whole), m.correctedValue(c.After, f.field, whole)
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
	return m.format.Change(strings.Join(changes, ", "))
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
func (m *Model) correctedValue(p *model.Position, field model.Field, withoutZero bool) string {
	if p == nil || withoutZero && p.Number(field).IsZero() {
		return ""
	}
	if at, ok := p.Number(field).Time(); ok && field == model.UpdatedAt {
		return m.format.Local(at).Format("15:04:05.000")
	}
	return m.format.ExactNumber(p, field)
}
