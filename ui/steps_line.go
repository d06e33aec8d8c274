package ui

import (
	"blotter/model"
	"blotter/ui/draw"
	"blotter/ui/format"
	"slices"
	"strings"
)

// stepGap is between the steps on the first line.
const stepGap = " › "

// putSteps puts the steps of scope and filter on the first line, the latest last. If there is not enough room, the
// oldest scopes are left out, and then the scope is cut; the filter stays.
func (m *Model) putSteps(l *draw.Line, room int, filter string) {
	shown := m.shownSteps(filter)
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
		style := m.styles.Dim
		switch {
		case part.filter:
			style = m.styles.Reverse
		case part.now:
			style = draw.Plain
		}
		if i > 0 {
			l.Put(m.styles.Dim, stepGap)
		}
		l.Put(style, part.words)
	}
}

// shownStep is a step on the first line.
type shownStep struct {
	words  string
	now    bool // it holds now: the scope, or the filter
	filter bool
}

// shownSteps are the scopes since the first one and the filter, in the order of the steps.
func (m *Model) shownSteps(filter string) []shownStep {
	var scopes []model.Scope // the one before each change, and that of now
	for i := range m.steps {
		switch each := m.steps[i].(type) {
		case scopeStep:
			scopes = append(scopes, each.before)
		case viewStep:
			scopes = append(scopes, each.shown.Scope)
		}
	}
	scopes = append(scopes, m.store.Settings().Scope)
	shown := []shownStep{{words: m.store.Format().Scope(&scopes[0])}}
	filterAt := m.steps.filter()
	for i := range m.steps {
		if changesScope(m.steps[i]) {
			if !scopes[1].Equal(scopes[0]) {
				shown = append(shown, shownStep{words: m.store.Format().Scope(&scopes[1])})
			}
			scopes = scopes[1:]
		}
		if i == filterAt {
			shown = append(shown, shownStep{words: filter, now: true, filter: true})
		}
	}
	now := len(shown) - 1
	if shown[now].filter {
		now--
	}
	shown[now].now = true
	return slices.DeleteFunc(shown, func(part shownStep) bool { return part.words == "" })
}

// filter returns where the step is that set the filter of now: its own, or that of the latest view; -1 if there
// is neither.
func (s steps) filter() int {
	for i, each := range slices.Backward(s) {
		switch each.(type) {
		case filterStep, viewStep:
			return i
		}
	}
	return -1
}

// maxFilter is how many cells a kept filter has on the first line.
const maxFilter = 24

// filterWords are the filter on the first line, in so many cells; empty if there is none, and while it is typed.
func (m *Model) filterWords(cells int) string {
	filter := m.store.Settings().Filter
	if strings.TrimSpace(filter) == "" || m.isFiltering() {
		return ""
	}
	return "[" + draw.CutMiddle(format.Name(strings.Join(strings.Fields(filter), " ")), cells) + "]"
}
