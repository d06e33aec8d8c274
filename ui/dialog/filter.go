package dialog

import (
	"cmp"
	"strings"

	"blotter/model/filter"
	"blotter/ui/draw"
	"blotter/ui/format"
	"blotter/ui/keys"
	"blotter/ui/pane"
)

// FilterLine is the line, in place of the messages, in which a filter is typed, with what it finds and what is wrong
// with it. The rows are narrowed at each key.
type FilterLine struct {
	pane.TypedLine
	of FilterTarget
}

// FilterTarget is what is narrowed.
type FilterTarget struct {
	Parse    filter.Parser
	Complete func(typed string) (start int, candidates []string)
	Narrow   func(text string) pane.Effect
	Kept     []pane.Effect              // when the filter is kept
	Found    func(*pane.Context) string // what a filter without errors finds
}

// NewFilterLine returns a line with the current filter.
func NewFilterLine(text string, of FilterTarget) *FilterLine {
	return &FilterLine{pane.NewTypedLine(filterPrompt, text), of}
}

// FilterActions are the keys of the line.
func FilterActions() []keys.Action[*FilterLine] {
	return []keys.Action[*FilterLine]{
		{Name: "keep_filter", Keys: []string{"enter"}, Help: "keep the filter", Hint: "keep", Priority: 1, Do: (*FilterLine).keep},
		{Name: "clear_filter", Keys: keys.Esc, Help: "clear the filter", Hint: "clear", Priority: 2, Do: (*FilterLine).clear},
		{Name: "complete", Keys: []string{"tab"}, Help: "complete the field or value", Hint: "complete", Priority: 3, Do: (*FilterLine).complete},
	}
}

// Changed narrows the rows. Words that cannot be understood narrow nothing.
func (l *FilterLine) Changed(*pane.Context) []pane.Effect {
	_, words := l.advice()
	l.MakeRoom(words)
	return []pane.Effect{l.of.Narrow(filter.ValidPart(l.of.Parse, l.Typed()))}
}

// keep closes the line, but not while it shows what is wrong with the filter.
func (l *FilterLine) keep(*pane.Context) []pane.Effect {
	if wrong := filter.FirstError(l.of.Parse, l.Typed()); wrong != nil {
		if wrong.Unfinished { // the line does not show that while it is typed
			return l.say(wrong.Words)
		}
		return nil
	}
	return pane.Closing(l.of.Kept...)
}

// say shows words after the text.
func (l *FilterLine) say(words string) []pane.Effect {
	l.MakeRoom(words)
	return pane.Saying(words)
}

// clear closes the line and clears the filter.
func (l *FilterLine) clear(*pane.Context) []pane.Effect { return pane.Closing(l.of.Narrow("")) }

// complete completes the field or the value before the cursor, and lists the candidates if there are several.
func (l *FilterLine) complete(c *pane.Context) []pane.Effect {
	typed := l.Text().BeforeCursor()
	start, candidates := l.of.Complete(typed)
	if len(candidates) == 0 {
		return l.say("nothing to complete")
	}
	if common := draw.CommonPrefix(candidates); len(common) >= len(typed)-start {
		l.Text().ReplaceBefore(len([]rune(typed[start:])), common)
	}
	effects := l.Changed(c)
	if len(candidates) > 1 {
		for i, candidate := range candidates {
			candidates[i] = format.Name(candidate)
		}
		effects = append(effects, l.say(strings.Join(candidates, "  "))...)
	}
	return effects
}

const filterPrompt = " / "

// filterHint is the text while nothing is typed.
const filterHint = ` words, or party:x size>0 m%<-20; {complete} completes`

// advice returns what is wrong with the text while it is typed, nil if nothing is, and the words about that, or about
// what may have been meant.
func (l *FilterLine) advice() (wrong *filter.Error, words string) {
	wrong = filter.FirstError(l.of.Parse, l.Typed())
	if wrong == nil || wrong.Unfinished {
		return nil, filter.Hint(l.Typed())
	}
	return wrong, wrong.Words
}

// Prompt draws the line, with what the filter finds, what is wrong with it, or a notice.
func (l *FilterLine) Prompt(c *pane.Context, width int) string {
	s, text := c.Styles, l.Typed()
	wrong, words := l.advice()
	to := l.Start(c, width)
	if wrong != nil && l.Shown(width) == text {
		to = draw.NewLine(width).Put(s.Accent, filterPrompt).Put(draw.Plain, text[:wrong.Start]).
			Put(s.Warning, text[wrong.Start:wrong.End]).Put(draw.Plain, text[wrong.End:])
	}
	if format.Fenced(text) != text {
		to.Put(s.Dim, draw.Fence)
	}
	if hint := c.Keys.Fill(filterHint); text == "" && draw.Width(hint) < to.Left() {
		to.Put(s.Dim, hint)
	}
	if words = cmp.Or(c.Notice, words); words != "" {
		return to.Space(3).Put(s.Warning, words).String()
	}
	if found := l.of.Found(c); to.Left() > draw.Width(found)+1 {
		to.To(width-draw.Width(found)).Put(s.Dim, found)
	}
	return to.String()
}
