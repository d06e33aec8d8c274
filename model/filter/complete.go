package filter

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"blotter/model"
	"blotter/model/event"
)

// maxCandidates is how many candidates a completion has at most.
const maxCandidates = 100

// Complete returns what the end of the text of a filter can be completed to: text[:start] with one of the candidates
// after it. They are fields, or the values of the field that the text ends with: those of names for a party, market,
// asset or status.
func Complete(text string, known Names) (start int, candidates []string) {
	return complete(text, Fields(), known)
}

// CompleteEvents does what Complete does, for a filter of events.
func CompleteEvents(text string, known Names) (start int, candidates []string) {
	return complete(text, eventQueryFields(), known)
}

func complete(text string, fields []string, known Names) (start int, candidates []string) {
	w := lastAlternative(text)
	name, operator, value := w.split()
	if operator == "" {
		for _, field := range fields {
			if Field(field).takesColon() {
				field += ":"
			}
			candidates = append(candidates, field)
		}
		if candidates = completions(w.String(), candidates); len(candidates) > 0 {
			return w.start, candidates
		}
	}
	field := Field(name.unquoted()).canonical()
	if operator == "" || !field.exists() {
		field, value = anyName, w
	} else if operator != ":" {
		return len(text), nil
	}
	if strings.HasPrefix(value.String(), "=") {
		value.start++
	}
	for _, candidate := range valuesOf(field, known) {
		if candidate = quoted(typeable(candidate)); candidate != "" {
			candidates = append(candidates, candidate)
		}
	}
	return value.start, completions(value.withoutQuotes(), candidates)
}

// lastAlternative returns the last alternative of the last term, without the ! before a term.
func lastAlternative(text string) word {
	w := word{&source{text: text}, 0, len(text)}
	quoted := false
	for i, r := range text {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '|' || unicode.IsSpace(r):
			w.start = i + utf8.RuneLen(r)
		case r == '!' && i == w.start:
			w.start = i + 1
		}
	}
	return w
}

// Exactly returns the term for those whose field is one of the texts, in upper or lower case.
func Exactly(field string, texts ...string) string {
	alternatives := make([]string, len(texts))
	for i, text := range texts {
		alternatives[i] = "=" + quoted(typeable(text))
	}
	return field + ":" + strings.Join(alternatives, "|")
}

// OfParties returns the term for the positions of parties.
func OfParties(in *model.Instruments, parties ...model.ID) string {
	name := func(id model.ID) string { return in.Party(id).Name }
	return Exactly(string(PartyField), namesOfOne(parties, in.Parties(), name)...)
}

// OfMarkets returns the term for the positions in markets.
func OfMarkets(in *model.Instruments, markets ...model.ID) string {
	name := func(id model.ID) string { return in.Market(id).Name }
	return Exactly(string(MarketField), namesOfOne(markets, in.Markets(), name)...)
}

// namesOfOne returns the name of each identifier if a filter can have the name and it means no other identifier; else
// the identifier.
func namesOfOne(ids, all []model.ID, name func(model.ID) string) (texts []string) {
	for _, id := range ids {
		isShared := func(other model.ID) bool { return other != id && strings.EqualFold(name(other), name(id)) }
		if name(id) == "" || strings.Contains(name(id), `"`) || slices.ContainsFunc(all, isShared) {
			texts = append(texts, id.String())
		} else {
			texts = append(texts, name(id))
		}
	}
	return texts
}

// AnyOf returns the term for those in which one of the texts is found.
func AnyOf(texts []string) string {
	alternatives := make([]string, len(texts))
	for i, text := range texts {
		alternatives[i] = quoted(typeable(text))
	}
	return strings.Join(alternatives, "|")
}

// typeable returns a text as it can be typed as one value: neutralised but for letters from right to left, and without
// quotes. Conditions match the text by that too.
func typeable(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '"':
		case model.IsRightToLeft(r):
			b.WriteRune(r)
		default:
			b.WriteString(model.Neutralise(string(r)))
		}
	}
	return b.String()
}

// quoted returns a text with quotes, if it needs them to be one value.
func quoted(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(":<>=!|", r) }) {
		return `"` + text + `"`
	}
	return text
}

// takesColon reports whether a colon is between the field and its value.
func (f Field) takesColon() bool { return f.takesText() || f == sideField || f == eventField }

// valuesOf returns the values that a field can be searched for.
func valuesOf(field Field, known Names) []string {
	switch field {
	case sideField:
		return slices.Clone(sideNames[:])
	case eventField:
		return slices.Clone(event.KindNames())
	}
	return known.of(field)
}

// completions returns those of the values that begin with a text, in upper or lower case: in order, each once, and at
// most maxCandidates.
func completions(begin string, values []string) []string {
	begin = strings.ToLower(begin)
	values = slices.DeleteFunc(values, func(value string) bool {
		return !strings.HasPrefix(strings.ToLower(strings.TrimPrefix(value, `"`)), begin)
	})
	slices.SortFunc(values, func(a, b string) int { return model.CompareNatural(strings.ToLower(a), strings.ToLower(b)) })
	values = slices.Compact(values)
	return values[:min(len(values), maxCandidates)]
}
