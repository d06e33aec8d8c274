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
	of     FilterTarget
	wrong  *filter.Error // what is wrong with the text; nil if nothing is
	right  string        // the last text with which nothing was wrong
	pasted string        // the term of a pasted column, while the line asks whether it is typed; empty if it does not
	names  int           // in it
}

// FilterTarget is what is narrowed.
type FilterTarget struct {
	Subject  string // what has the filter
	Parse    filter.Parser
	Complete func(typed string) (start int, candidates []string)
	Narrow   func(text string) pane.Effect
	Kept     []pane.Effect              // when the filter is kept
	Found    func(*pane.Context) string // what a filter without errors finds
}

// NewFilterLine returns a line with the current filter.
func NewFilterLine(text string, of FilterTarget) *FilterLine {
	l := &FilterLine{TypedLine: pane.NewTypedLine(filterPrompt, text), of: of}
	l.parse()
	return l
}

// FilterActions are the keys of the line.
func FilterActions() []keys.Action[*FilterLine] {
	return []keys.Action[*FilterLine]{
		{Name: "keep_filter", Keys: []string{"enter"}, Help: "keep the filter", Hint: "keep", Priority: 1, Do: (*FilterLine).keep},
		{Name: "clear_filter", Keys: keys.Esc, Help: "clear the filter", Hint: "clear", Priority: 2, Do: (*FilterLine).clear},
		{Name: "complete", Keys: []string{"tab"}, Help: "complete the field or value", Hint: "complete",
			Priority: 3, Do: (*FilterLine).complete},
	}
}

// Subject returns what is narrowed.
func (l *FilterLine) Subject() string { return l.of.Subject }

// Changed narrows the rows.
func (l *FilterLine) Changed(*pane.Context) []pane.Effect {
	l.pasted = ""
	l.parse()
	_, words := l.advice()
	l.MakeRoom(words)
	return []pane.Effect{l.of.Narrow(filter.Quoted(l.of.Parse, l.used()))}
}

// parse notes what is wrong with the text.
func (l *FilterLine) parse() {
	if l.wrong = filter.FirstError(l.of.Parse, l.Typed()); l.wrong == nil || l.wrong.Unfinished {
		l.right = l.Typed()
	}
}

// used returns the filter that narrows the rows: the last text with which nothing was wrong. If the wrong word was only
// searched as a text then, as status is before its colon, it is left out.
func (l *FilterLine) used() string {
	if l.wrong == nil || l.wrong.Unfinished || !filter.HasField(l.right, l.wrong.Start) {
		return filter.ValidPart(l.of.Parse, l.Typed())
	}
	return filter.ValidPart(l.of.Parse, l.right)
}

// Paste asks whether the lines of a pasted column become one term, which matches what has one of them.
func (l *FilterLine) Paste(c *pane.Context, lines []string) []pane.Effect {
	term := filter.AnyOf(lines)
	if before := l.Text().BeforeCursor(); before != "" && !strings.ContainsAny(before[len(before)-1:], " :|!") {
		term = " " + term
	}
	if !l.Text().CanInsert(term) {
		return l.say(format.Grouped(len(lines)) + " lines were pasted, more than a filter has room for")
	}
	l.pasted, l.names = term, len(lines)
	l.MakeRoom(l.question(c))
	return nil
}

func (l *FilterLine) question(c *pane.Context) string {
	return format.Grouped(l.names) + c.Keys.Fill(" lines pasted: {keep_filter} for any of them, {clear_filter} for none")
}

// keep closes the line, but not while it shows what is wrong with the filter. If the line asks about a pasted column,
// keep types its term.
func (l *FilterLine) keep(c *pane.Context) []pane.Effect {
	if l.pasted != "" {
		l.Text().Insert(l.pasted)
		return l.Changed(c)
	}
	if l.wrong != nil {
		if l.wrong.Unfinished { // the line does not show that while it is typed
			return l.say(l.wrong.Words)
		}
		return nil
	}
	return pane.Closing(l.of.Kept...)
}

func (l *FilterLine) say(words string) []pane.Effect {
	l.MakeRoom(words)
	return pane.Saying(words)
}

// clear closes the line and clears the filter. If the line asks about a pasted column, clear only drops that.
func (l *FilterLine) clear(*pane.Context) []pane.Effect {
	if l.pasted != "" {
		l.pasted = ""
		return nil
	}
	return []pane.Effect{pane.Leave{}, l.of.Narrow("")}
}

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
const filterHint = ` words, or party:x uPnL/MM<-20%; {complete} completes`

// advice returns what is wrong with the text while it is typed, nil if nothing is, and the words about that, or about
// what may have been meant.
func (l *FilterLine) advice() (wrong *filter.Error, words string) {
	if l.wrong == nil || l.wrong.Unfinished {
		return nil, filter.Hint(l.Typed())
	}
	return l.wrong, l.wrong.Words
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
	if l.pasted != "" {
		return to.Space(3).Put(s.Warning, l.question(c)).String()
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
