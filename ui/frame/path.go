package frame

import (
	"slices"
	"strings"

	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
)

// Step is a step on the first line: a scope that was watched, or the filter that is on.
type Step struct {
	Scope    model.Scope
	IsFilter bool
}

// stepGap is between the steps on the first line.
const stepGap = " › "

// shownStep is a step in words.
type shownStep struct {
	words  string
	now    bool // it holds now: the scope, or the filter
	filter bool
}

// putSteps puts the steps of scope and filter on the first line, the latest last. If there is not enough room, the
// oldest scopes are left out, and then the scope is cut; the filter stays.
func (f *Frame) putSteps(l *draw.Line, room int, filter string) {
	shown := f.shownSteps(filter)
	widthOf := func(parts []shownStep) int {
		width := -draw.Width(stepGap)
		for _, part := range parts {
			width += draw.Width(stepGap) + draw.Width(part.words)
		}
		return width
	}
	const more = "…" // in place of the scopes that are left out
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
		at := slices.IndexFunc(shown, func(part shownStep) bool { return !part.filter })
		cut := draw.Cut(shown[at].words, max(draw.Width(shown[at].words)-over, 0))
		if shown[at].words = cut; cut == "" {
			shown = slices.Delete(shown, at, at+1)
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

// shownSteps returns the steps in words. The last scope is that of now.
func (f *Frame) shownSteps(filter string) []shownStep {
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

// filterWords are the filter on the first line, in so many cells; empty if there is none, and while it is typed.
func (f *Frame) filterWords(cells int) string {
	filter := f.Store.Settings().Filter
	if strings.TrimSpace(filter) == "" || f.IsTyping {
		return ""
	}
	return "[" + draw.CutMiddle(format.Name(strings.Join(strings.Fields(filter), " ")), cells) + "]"
}
