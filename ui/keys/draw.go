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

// DrawHelp draws the help of all keys: first those of a day, then all, in the columns that fit. A key that does nothing
// now is dim, with the reason in parentheses in place of what it does. The groups of first are before the others.
func (k *Map) DrawHelp(first []*Group, parts []any, c *pane.Context, width int) []string {
	return slices.Concat(k.ofDay().drawHelp(nil, c), []string{""}, k.drawAll(first, parts, c, width))
}

func (k *Map) drawAll(first []*Group, parts []any, c *pane.Context, width int) []string {
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
		if a.ShownKeys() == "" {
			continue
		}
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

// columnsOf puts blocks of text into the columns that fit. The help of Bubbles is not used: it draws each group as
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

// WideLine is the width from which on the last line always has the keys of the pages that are used most.
const WideLine = 120

// Hint is an action on the last line of the screen.
type Hint struct {
	Name, Key   string // of the action, and its first key
	Shown, Text string // its keys as people read them, and what it does in a word
	priority    int    // as in Action
	pinnedFrom  int    // as in Action
}

// AppendHinted appends the actions of groups that have a word for the last line here. A key that does nothing now
// because of the data has one too, and says why when it is pressed. An action is left out if one of the groups before
// has its key.
func AppendHinted(hinted []Hint, parts []any, c *pane.Context, before []*Group, groups ...*Group) []Hint {
	for g, a := range all(groups) {
		if a.Hint == "" || len(a.Keys) == 0 || HasKey(a.Keys[0], before...) || HasKey(a.Keys[0], groups[:slices.Index(groups, g)]...) {
			continue
		}
		if shown := a.ShownKeys(); shown != "" && a.isHintedHere(parts, c) {
			hinted = append(hinted, Hint{a.Name, a.Keys[0], shown, a.Hint, a.Priority, a.PinnedFrom})
		}
	}
	return hinted
}

// isHintedHere reports whether the last line has the action, which has a word for it.
func (a *Action[P]) isHintedHere(parts []any, c *pane.Context) bool {
	at := slices.IndexFunc(parts, a.belongs)
	if at < 0 {
		return true
	}
	return !(a.OnlyLive && c.WhyNotLive != "") && (a.HintIf == nil || a.HintIf(parts[at].(P), c))
}

// UsualHints is for how many actions of the last line there is room at first.
const UsualHints = 32

// hints is the last line of the screen as it was drawn last.
type hints struct {
	of    []Hint
	width int
	dim   draw.Style
	line  string
}

// DrawHints draws the last line of the screen: the actions that fit, by their priority, and at its end those
// that are pinned. The line is kept until another one is needed: Lip Gloss takes a third of a frame for it.
func (k *Map) DrawHints(of []Hint, s *theme.Styles, width int) string {
	if last := &k.hints; last.width == width && last.dim == s.Dim && slices.Equal(last.of, of) {
		return last.line
	}
	h := help.New()
	h.ShortSeparator = "  "
	h.Styles = help.Styles{ShortKey: s.Block.Strong, ShortDesc: s.Block.Dim}
	h.SetWidth(width - 1)
	k.hints = hints{of, width, s.Dim, draw.Cut(" "+h.ShortHelpView(bindingsThatFit(of, width)), width)}
	return k.hints.line
}

// bindingsThatFit returns the actions of the last line: those that fit, by their priority, then those that are pinned.
func bindingsThatFit(of []Hint, width int) []key.Binding {
	var hinted, pinned []Hint
	byPriority := slices.SortedStableFunc(slices.Values(of), func(a, b Hint) int { return a.priority - b.priority })
	for _, h := range byPriority {
		if h.pinnedFrom > 0 && width >= h.pinnedFrom {
			pinned = append(pinned, h)
		}
	}
	left := width + 1 - hintsWidth(pinned) // the first has one space before it
	for _, h := range byPriority {
		if takes := hintsWidth([]Hint{h}); takes <= left && !slices.Contains(pinned, h) {
			hinted = append(hinted, h)
			left -= takes
		}
	}
	var bindings []key.Binding
	for _, h := range append(hinted, pinned...) {
		bindings = append(bindings, key.NewBinding(key.WithKeys(h.Key), key.WithHelp(h.Shown, h.Text)))
	}
	return bindings
}

// hintsWidth is how many cells actions take on the last line, with two spaces before each.
func hintsWidth(of []Hint) int {
	width := 0
	for _, h := range of {
		width += 2 + draw.Width(h.Shown) + 1 + draw.Width(h.Text)
	}
	return width
}
