package layout

import (
	"slices"
	"strings"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// PathStep is a step on the first line: a scope that was watched, or the filter that is on.
type PathStep struct {
	Scope    model.Scope
	IsFilter bool
}

// stepGap is between the steps on the first line.
const stepGap = " › "

// shownStep is a step in words.
type shownStep struct {
	words  string
	now    bool // it is the current scope, or the filter
	filter bool
}

// more is in place of the scopes that are left out.
const more = "…"

// putSteps puts the steps of scope and filter on a line, the latest last. If there is not enough room, the oldest
// scopes are left out, and then names of the scope; the filter stays.
func (f *Bars) putSteps(l *draw.Line, room int, shown []shownStep) {
	for widthOf(shown) > room {
		at := slices.IndexFunc(shown, func(part shownStep) bool { return !part.now && part.words != more })
		if at < 0 {
			break
		}
		shown = slices.Delete(shown, at, at+1)
		if shown[0].words != more {
			shown = slices.Insert(shown, 0, shownStep{words: more})
		}
	}
	if widthOf(shown) > room && shown[0].words == more {
		shown = shown[1:]
	}
	if over := widthOf(shown) - room; over > 0 {
		if at := slices.IndexFunc(shown, func(part shownStep) bool { return !part.filter }); at >= 0 {
			shown[at].words = f.Store.Format().ScopeIn(f.scope(), draw.Width(shown[at].words)-over)
			shown = slices.DeleteFunc(shown, func(part shownStep) bool { return part.words == "" })
		}
	}
	for i, part := range shown {
		style := f.Styles.Dim
		switch {
		case part.filter:
			style = f.Styles.Reverse
		case part.now:
			style = draw.Plain
		}
		if i > 0 {
			l.Put(f.Styles.Dim, stepGap)
		}
		l.Put(style, part.words)
	}
}

func widthOf(parts []shownStep) int {
	width := -draw.Width(stepGap)
	for _, part := range parts {
		width += draw.Width(stepGap) + draw.Width(part.words)
	}
	return width
}

// shownSteps returns the steps in words: the scopes, the last of which is the current one, and the filter.
func (f *Bars) shownSteps(filter string) []shownStep {
	var shown []shownStep
	now := 0
	for i := range f.Path {
		part := shownStep{words: filter, now: true, filter: true}
		if !f.Path[i].IsFilter {
			part = shownStep{words: f.Store.Format().Scope(&f.Path[i].Scope)}
			now = i
		}
		shown = append(shown, part)
	}
	shown[now].now = true
	return slices.DeleteFunc(shown, func(part shownStep) bool { return part.words == "" })
}

func (f *Bars) scope() *model.Scope {
	for _, step := range slices.Backward(f.Path) {
		if !step.IsFilter {
			return &step.Scope
		}
	}
	return nil
}

// scopeLine draws the second line of a narrow screen without a message: the steps of the scope.
func (f *Bars) scopeLine(width int) string {
	l := draw.NewLine(width).Space(1)
	f.putSteps(l, width-2, f.shownSteps(""))
	return l.String()
}

// filterWords are the filter on the first line, in the given number of cells; empty if there is none, and while it is
// typed.
func (f *Bars) filterWords(cells int) string {
	filter := f.Store.Settings().Filter
	if strings.TrimSpace(filter) == "" || f.IsTyping {
		return ""
	}
	return "[" + draw.CutMiddle(format.Name(strings.Join(strings.Fields(filter), " ")), cells) + "]"
}
