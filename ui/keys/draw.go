package keys

import (
	"math"
	"slices"
	"strings"

	"charm.land/bubbles/v2/help"
	"charm.land/bubbles/v2/key"

	"blotter/ui/draw"
	"blotter/ui/pane"
	"blotter/ui/theme"
)

// DrawHelp draws the help of all keys, in as many columns as fit. A key that does nothing now is dim, with the reason
// in parentheses in place of what it does. The groups of first are drawn first.
func (k *Map) DrawHelp(first []*Group, parts []any, c *pane.Context, width int) []string {
	var blocks [][]string
	for _, g := range k.HelpGroups(first) {
		blocks = append(blocks, g.drawHelp(parts, c))
	}
	return columnsOf(blocks, width)
}

func (g *Group) drawHelp(parts []any, c *pane.Context) []string {
	s := c.Styles
	widest := 0
	for i := range g.Actions {
		widest = max(widest, draw.Width(g.Actions[i].ShownKeys()))
	}
	lines := []string{s.Block.Accent.Render(g.Title)}
	for i := range g.Actions {
		a := &g.Actions[i]
		keyStyle, style, words := s.Strong, draw.Plain, a.Help
		if reason := Reason(a, parts, c); reason != "" {
			keyStyle, style, words = s.Dim, s.Dim, "("+reason+")"
		}
		lines = append(lines, draw.NewLine(math.MaxInt).Put(keyStyle, a.ShownKeys()).To(widest+1).Put(style, words).String())
	}
	return lines
}

// gapCells is the space between columns of help.
const gapCells = 4

// columnsOf puts blocks of text into as many columns as fit. The help of Bubbles is not used: it draws each group as
// one column without a title, and leaves out the columns for which there is no room.
func columnsOf(blocks [][]string, width int) []string {
	widest := 0
	for _, block := range blocks {
		for _, line := range block {
			widest = max(widest, draw.Width(line)+gapCells)
		}
	}
	columns := make([][]string, max(min((width+gapCells)/widest, 3), 1))
	for _, block := range blocks {
		shortest := &columns[0]
		for i := range columns {
			if len(columns[i]) < len(*shortest) {
				shortest = &columns[i]
			}
		}
		*shortest = append(append(*shortest, block...), "")
	}
	var lines []string
	for i, column := range columns {
		column = column[:max(len(column)-1, 0)] // without the space below the last block
		for y, line := range column {
			if y == len(lines) {
				lines = append(lines, strings.Repeat(" ", i*widest))
			}
			lines[y] += line + strings.Repeat(" ", widest-draw.Width(line))
		}
		for y := len(column); y < len(lines); y++ {
			lines[y] += strings.Repeat(" ", widest)
		}
	}
	return lines
}

// Hinted returns the actions of groups that work now and have a word for the last line.
func Hinted(parts []any, c *pane.Context, groups ...*Group) []Action[any] {
	var hinted []Action[any]
	for _, a := range all(groups) {
		if a.Hint != "" && a.ShownKeys() != "" && Reason(a, parts, c) == "" {
			hinted = append(hinted, *a)
		}
	}
	return hinted
}

// hints is the last line of the screen as it was drawn last.
type hints struct {
	bindings []key.Binding
	width    int
	dim      draw.Style
	line     string
}

// DrawHints draws the last line of the screen: as many of the actions as fit, by their priority, and at its end those
// that are pinned. The line is kept until another one is needed: Lip Gloss takes a third of a frame for it.
func (k *Map) DrawHints(actions []Action[any], s *theme.Styles, width int) string {
	bindings := hintsThatFit(actions, width)
	isSame := func(a, b key.Binding) bool { return a.Help() == b.Help() }
	if last := &k.hints; last.width == width && last.dim == s.Dim && slices.EqualFunc(last.bindings, bindings, isSame) {
		return last.line
	}
	h := help.New()
	h.ShortSeparator = "  "
	h.Styles = help.Styles{ShortKey: s.Block.Strong, ShortDesc: s.Block.Dim}
	h.SetWidth(width - 1)
	k.hints = hints{bindings, width, s.Dim, draw.Cut(" "+h.ShortHelpView(bindings), width)}
	return k.hints.line
}

// hintsThatFit returns the keys and words of as many of the actions as fit on the last line.
func hintsThatFit(actions []Action[any], width int) []key.Binding {
	var hinted, pinned []Action[any]
	for _, a := range actions {
		if a.Pinned {
			pinned = append(pinned, a)
		} else {
			hinted = append(hinted, a)
		}
	}
	slices.SortStableFunc(hinted, func(a, b Action[any]) int { return a.Priority - b.Priority })
	for len(hinted) > 0 && hintsWidth(hinted)+hintsWidth(pinned)-1 > width { // the first has one space before it
		hinted = hinted[:len(hinted)-1]
	}
	var bindings []key.Binding
	for _, a := range append(hinted, pinned...) {
		bindings = append(bindings, key.NewBinding(key.WithKeys(a.Keys...), key.WithHelp(a.ShownKeys(), a.Hint)))
	}
	return bindings
}

// hintsWidth is how many cells actions take on the last line, with two spaces before each.
func hintsWidth(actions []Action[any]) int {
	width := 0
	for i := range actions {
		width += 2 + draw.Width(actions[i].ShownKeys()) + 1 + draw.Width(actions[i].Hint)
	}
	return width
}
