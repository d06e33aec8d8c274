package ui

import "blotter/ui/draw"

// Short names for what package draw has.

type style = draw.Style

const (
	plain   = draw.Plain
	plainly = draw.Reset
)

// line is a draw.Line.
type line struct{ *draw.Line }

func newLine(room int) line                        { return line{draw.NewLine(room)} }
func (l line) put(look style, text string) line    { l.Put(look, text); return l }
func (l line) number(look style, text string) line { l.PutNumber(look, text); return l }
func (l line) to(column int) line                  { l.To(column); return l }
func (l line) space(n int) line                    { l.Space(n); return l }
func (l line) left() int                           { return l.Left() }

func cells(text string) int                             { return draw.Width(text) }
func cut(text string, width int) string                 { return draw.Cut(text, width) }
func wrapped(text string, width int) []string           { return draw.Wrap(text, width) }
func textLine(room int, look style, text string) string { return draw.Text(room, look, text) }
func centred(room int, look style, text string) string  { return draw.Centred(room, look, text) }
func fit(lines []string, height int) []string           { return draw.Fit(lines, height) }
func rule(room int, look style, s *styles, title, right string) string {
	return draw.Rule(room, look, s.dim, title, right)
}
