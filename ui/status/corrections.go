package status

import (
	"cmp"
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/book"
	"blotter/ui/columns"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/store"
)

// correctionLines are a title and the corrections that are kept, the newest first: when, which row, and what was
// changed in it. There are none if nothing was corrected.
func (s *Streams) correctionLines(width int) []string {
	latest := s.Corrections.Latest()
	if len(latest) == 0 {
		return nil
	}
	note := format.Grouped(len(latest))
	if len(latest) == store.MaxCorrections {
		note = "the last " + note
	}
	const indent = 3
	lines := []string{draw.Rule(width, s.Styles.Dim, s.Styles.Dim, "corrected by checks, newest first", note)}
	for _, c := range slices.Backward(latest) {
		key := c.Key()
		words := s.Format.ClockOn(c.At, s.Now) + "  " + s.Format.Market(key.Market) + "  " + s.Format.Party(key.Party) + "  " + s.changes(&c.Correction)
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
	for f := range model.FieldCount {
		if !whole && !f.IsCompared() {
			continue
		}
		was, is := s.correctedValue(c.Before, f, whole), s.correctedValue(c.After, f, whole)
		changes = appendChange(changes, columns.NumberWords(f), was, is)
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

// appendChange appends the name of a field with the values that it has or had, if they differ.
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

// correctedValue formats a field; empty if there is no position, or the number is 0 and need not be named.
func (s *Streams) correctedValue(p *model.Position, field model.Field, withoutZero bool) string {
	if p == nil || withoutZero && p.Number(field).IsZero() {
		return ""
	}
	if at, ok := p.Number(field).Time(); ok && field.IsTime() {
		return s.Format.Local(at).Format("15:04:05.000")
	}
	return s.Format.ExactNumber(p, field)
}
