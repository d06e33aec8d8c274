package theme

import (
	"cmp"
	"image/color"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"blotter/model"
	"blotter/model/event"
	"blotter/ui/draw"
	"blotter/ui/table"
)

// Styles are the styles of the screen. Colours only repeat what signs, words or places show, so that nothing is missing
// on a terminal without colours.
type Styles struct {
	// Block has some of the styles for Lip Gloss: for blocks of text and borders. A line that is drawn in each frame
	// uses the sequences below: Style.Render takes 2 to 5 µs a call.
	Block Block

	Brand       draw.Style // the program's name
	Accent      draw.Style // the title of the focused pane, keys
	Dim         draw.Style // headings, rules, hints
	Quiet       draw.Style // less important numbers
	gain        draw.Style
	Loss        draw.Style
	mildLoss    draw.Style // without colours it looks as other numbers do
	Live        draw.Style // rows that can be trusted
	Warning     draw.Style // a state that needs attention
	Alarm       draw.Style // a state that needs action
	Stale       draw.Style // data that may be out of date: dim and without colour
	Cursor      draw.Style // the row under the cursor
	staleCursor draw.Style // the row under the cursor if it is stale
	chosen      draw.Style // the heading of the chosen column
	Reverse     draw.Style
	Strong      draw.Style
	Band        draw.Style // the background of the headline; empty: it is divided by a rule
	Risk        draw.Style // what needs action now, with a background if the terminal has one
	heat        [HeatSteps]draw.Style
	rise        draw.Style // of a gain in a table with heat
	bar         [barSteps]draw.Style
	// Those of a gain and of a loss that have just changed.
	strongGain, strongLoss draw.Style
}

// Terminal is what the styles need to know of a terminal.
type Terminal struct {
	IsDark  bool // its background
	Colours Colours
}

// Colours is how many colours a terminal shows.
type Colours uint8

// FewColours are 16 or none: there are no backgrounds near that of the terminal.
const (
	FewColours Colours = iota
	IndexedColours
	AllColours
)

// Block has styles as Lip Gloss has them. What they are for is written in Styles.
type Block struct {
	Brand, Accent, Dim, Warning, Strong lipgloss.Style

	Border lipgloss.Style // around what lies over the panes
}

// New returns the styles of a theme on a terminal. An empty name is Auto. If the theme has no colours, important texts
// are bold.
func (s *Set) New(name string, on Terminal) Styles {
	on = under(name, on)
	p := s.paletteOf(name, on)
	if on.Colours == FewColours {
		p.tints = tints{}
	}
	none := lipgloss.NewStyle()
	faint, bold, reverse := none.Faint(true), none.Bold(true), none.Reverse(true)
	inColour := func(style lipgloss.Style, c color.Color, otherwise lipgloss.Style) lipgloss.Style {
		if c != nil {
			return style.Foreground(c)
		}
		return otherwise
	}
	cursor := reverse
	if p.cursor != nil {
		cursor = none.Background(p.cursor)
	}
	tinted := func(style lipgloss.Style, ground color.Color) draw.Style {
		if ground == nil {
			return draw.Plain
		}
		return opening(inColour(style, p.tints.text, style).Background(ground))
	}
	stronger := func(c color.Color) draw.Style {
		if c == nil || on.IsDark {
			return opening(inColour(bold, c, bold))
		}
		return opening(bold.Foreground(lipgloss.Darken(c, darkerBy)))
	}
	accent, dim := inColour(none, p.accent, none), inColour(none, p.dim, faint)
	block := Block{
		Brand: inColour(bold, p.accent, bold), Accent: accent, Dim: dim, Warning: inColour(none, p.warning, bold), Strong: bold,
		Border: none.Border(lipgloss.RoundedBorder()).BorderForeground(accent.GetForeground()),
	}
	styles := Styles{
		Block:       block,
		Brand:       opening(block.Brand),
		Accent:      opening(accent),
		Dim:         opening(dim),
		Quiet:       opening(inColour(none, p.quiet, faint)),
		gain:        opening(inColour(none, p.gain, none)),
		Loss:        opening(inColour(none, p.loss, bold)),
		mildLoss:    opening(inColour(none, p.loss, none)),
		Live:        opening(inColour(bold, p.live, bold)),
		Warning:     opening(block.Warning),
		Alarm:       opening(inColour(bold, p.alarm, bold.Underline(true))),
		Stale:       opening(faint),
		Cursor:      opening(cursor.Bold(p.cursor == nil || on.Colours == FewColours)), // else bold cells have changed
		staleCursor: opening(cursor.Faint(true)),
		chosen:      opening(reverse),
		Reverse:     opening(reverse),
		Strong:      opening(bold),
		heat:        [HeatSteps]draw.Style{tinted(none, p.tints.heat[0]), tinted(bold, p.tints.heat[1]), tinted(bold, p.tints.heat[2])},
		rise:        tinted(none, p.tints.up),
		bar:         barStyles(p.warning, p.alarm),
		strongGain:  stronger(p.gain),
		strongLoss:  stronger(p.loss),
	}
	if p.cursor != nil && on.Colours != FewColours {
		styles.Band = opening(none.Background(bandOf(p.cursor, on.IsDark)))
	}
	styles.Risk = cmp.Or(styles.heat[HeatSteps-1], styles.Alarm)
	return styles
}

// bandOf returns the background of the headline: between that of the cursor and that of the terminal.
func bandOf(cursor color.Color, isDark bool) color.Color {
	if isDark {
		return lipgloss.Darken(cursor, 0.4)
	}
	return lipgloss.Lighten(cursor, 0.03)
}

// darkerBy is how much darker a number is on a light background while it has just changed.
const darkerBy = 0.4

const barSteps = 4

// barStyles returns the colours of bars, from that of a small loss to that of the largest.
func barStyles(first, last color.Color) (styles [barSteps]draw.Style) {
	if first == nil || last == nil {
		return styles
	}
	for i, c := range lipgloss.Blend1D(barSteps, first, last) {
		styles[i] = opening(lipgloss.NewStyle().Foreground(c))
	}
	return styles
}

func opening(style lipgloss.Style) draw.Style {
	const text = "x"
	before, _, _ := strings.Cut(style.Render(text), text)
	return draw.Style(before)
}

// Table returns the styles of a table.
func (s *Styles) Table() table.Styles {
	return table.Styles{Heading: s.Dim, Chosen: s.chosen, Ordered: s.Accent, Unit: s.Dim,
		Cursor: s.Cursor, Stale: s.Stale, StaleCursor: s.staleCursor}
}

// Profit returns the style of a gain or a loss.
func (s *Styles) Profit(sign int) draw.Style {
	switch sign {
	case -1:
		return s.Loss
	case +1:
		return s.gain
	}
	return draw.Plain
}

// The steps of a margin ratio, in thousandths: below these it is a loss at all, bold, and reversed.
const (
	lossBelow     = -10
	boldBelow     = -500
	reversedBelow = -1000
)

// HeatSteps is how many backgrounds losses have.
const HeatSteps = 3

// hottestBelow is below which margin ratio, in thousandths, the last background is; below boldBelow is the one before.
const hottestBelow = -750

// Heat returns the style of a gain or a loss by its step, from 0 to HeatSteps: how large it is among those beside it.
// On a terminal without backgrounds, large losses are bold, and the largest reversed.
func (s *Styles) Heat(sign, step int) draw.Style {
	switch {
	case step == 0 || sign == 0:
		return s.Profit(sign)
	case sign > 0:
		return cmp.Or(s.rise, s.gain)
	case s.heat[0] != draw.Plain:
		return s.heat[step-1]
	case step == HeatSteps:
		return s.Loss + s.Reverse
	case step == HeatSteps-1:
		return s.Loss
	}
	return s.mildLoss
}

// heatOf returns the style of a margin ratio by its heat; empty if it has none.
func (s *Styles) heatOf(permille model.Amount) draw.Style {
	switch {
	case permille.Compare(model.AmountOf(hottestBelow)) < 0:
		return s.heat[2]
	case permille.Compare(model.AmountOf(boldBelow)) < 0:
		return s.heat[1]
	}
	return draw.Plain
}

// Bar returns the style of the bar of a loss, in thousandths of the longest.
func (s *Styles) Bar(permille int64) draw.Style {
	return s.bar[min(permille*barSteps/1000, barSteps-1)]
}

// Stronger returns the style of a number that has just changed: bold, and in front of a light background darker.
func (s *Styles) Stronger(style draw.Style) draw.Style {
	switch style {
	case s.gain:
		return s.strongGain
	case s.Loss, s.mildLoss:
		return s.strongLoss
	}
	return style + s.Strong
}

// EstimatedRatio returns the style of a margin ratio that is an estimate.
func (s *Styles) EstimatedRatio(r model.MarginRatio) draw.Style {
	return cmp.Or(s.heatOf(r.Permille()), s.Quiet)
}

// Ratio returns the style of a margin ratio. Its steps differ without colours too.
func (s *Styles) Ratio(r model.MarginRatio) draw.Style {
	n := r.Permille()
	isBelow := func(limit int64) bool { return n.Compare(model.AmountOf(limit)) < 0 }
	heat := s.heatOf(n)
	switch {
	case r.Sign() >= 0:
		return s.Profit(r.Sign())
	case isBelow(reversedBelow):
		return s.mildLoss + s.Strong + s.Reverse
	case heat != draw.Plain:
		return heat
	case isBelow(boldBelow):
		return s.mildLoss + s.Strong
	case isBelow(lossBelow):
		return s.mildLoss
	}
	return s.Quiet
}

// Status returns the style of a position's status.
func (s *Styles) Status(status model.Status) draw.Style {
	switch status {
	case model.StatusUnspecified:
		return draw.Plain
	case model.StatusDistressed:
		return s.Risk
	}
	return s.Warning
}

// Story returns the style of a story of trouble with an outcome.
func (s *Styles) Story(outcome event.Outcome) draw.Style {
	switch outcome {
	case event.ClosedOut, event.PartlyClosedOut, event.ClosedDistressed:
		return s.Alarm
	case event.IsUnderWay:
		return s.Warning
	}
	return s.Quiet
}

// Dimmed returns lines as they are drawn if their data may be out of date: dim and without colour.
func (s *Styles) Dimmed(lines []string, width int) []string {
	dim := make([]string, len(lines))
	for i, line := range lines {
		dim[i] = draw.Text(width, s.Stale, ansi.Strip(line))
	}
	return dim
}
