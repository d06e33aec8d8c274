package ui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model"
	"blotter/ui/draw"
)

// correction is a row that an audit corrected, and when.
type correction struct {
	model.Correction
	at time.Time
}

// maxCorrections is how many corrections are kept.
const maxCorrections = 500

// reportCorrections says on the screen and in the log what audits corrected.
func (m *Model) reportCorrections(corrected []correction) tea.Cmd {
	if len(corrected) == 0 {
		return nil
	}
	words, log := m.correctionWords(corrected), m.options.Log
	m.notify(words)
	return func() tea.Msg {
		log.Warn(words)
		return nil
	}
}

// correctionWords say what audits corrected, and name the first rows.
func (m *Model) correctionWords(corrected []correction) string {
	const named = 3
	var names []string
	for _, c := range corrected[:min(len(corrected), named)] {
		key := c.Key()
		names = append(names, m.format.market(key.Market)+" "+m.format.party(key.Party))
	}
	words := "Audit corrected " + model.Counted(len(corrected), "row") + ": " + strings.Join(names, ", ")
	if len(corrected) > named {
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
		words := m.clockOn(c.at) + "  " + m.format.market(key.Market) + "  " + m.format.party(key.Party) + "  " + m.changeWords(&c.Correction)
		for i, part := range draw.Wrap(words, max(width-1-indent, 1)) {
			lines = append(lines, draw.NewLine(width).Space(1+min(i, 1)*indent).Put(draw.Plain, part).String())
		}
	}
	return lines
}

// clockOn is the time of day, with the day where it is not today.
func (m *Model) clockOn(at time.Time) string {
	const day = "2006-01-02"
	clock := m.format.clock(at)
	if on := at.In(m.format.location).Format(day); on != m.now().In(m.format.location).Format(day) {
		return on + " " + clock
	}
	return clock
}

// changeWords say what a correction changed: each field with its value before and after. Of a row that was missing or was
// removed they name the fields that are not 0.
func (m *Model) changeWords(c *model.Correction) string {
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
		changes = appendChange(changes, "status", "", status(c.After))
	case c.After == nil:
		changes = appendChange(changes, "status", status(c.Before), "")
	default:
		changes = appendChange(changes, "status", cmp.Or(status(c.Before), "none"), cmp.Or(status(c.After), "none"))
	}
	return strings.Join(changes, ", ")
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
		return at.In(m.format.location).Format("15:04:05.000")
	}
	return m.format.number(p, field)
}
