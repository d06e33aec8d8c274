package filter

import (
	"cmp"
	"strings"

	"blotter/model"
	"blotter/model/match"
)

// The fields that positions and the sums of a group have, besides the numbers with totals and the margin ratio. Groups
// have no mark price.
const (
	markField        Field = "mark"
	notionalField    Field = "notional"
	maintenanceField Field = "maintenance"
	dayField         Field = "day" // of rules alone
)

// ParseRule parses the filter of a rule about positions. It is in the language of filters, with day<-1k.
func ParseRule(text string) (*Query, error) {
	return (&source{text: text, ofRule: true}).parse(word.checkPositionTerm)
}

// ParseSums parses a filter of the sums of a group in one asset. It is in the language of filters, and refuses the
// fields of which a group has no sum.
func ParseSums(text string) (*Query, error) {
	return (&source{text: text, ofRule: true, ofGroup: true}).parse(word.checkSumTerm)
}

// SumFields returns the names of the fields of which a group has a sum.
func SumFields() []string {
	var names []string
	for _, number := range model.Summed() {
		names = append(names, number.FilterName())
	}
	return append(names, string(notionalField), string(maintenanceField), string(ratioField), string(dayField))
}

// has reports whether the filter can have a field.
func (s *source) has(f Field) bool { return f.exists() || s.ofRule && f == dayField }

// unknownField returns the error for an alternative whose field has no such name.
func (w word) unknownField(name word) error {
	if w.ofGroup {
		return name.wrong("unknown field %q%s the sums of a group: %s", name.shown(), meant(name, SumFields()), strings.Join(SumFields(), " "))
	}
	if Field(name.unquoted()) == dayField {
		return name.wrong("day is a field of rules of alerts alone; as a name: %s", shown(w.asName()))
	}
	return name.wrong("unknown field %q%s as a name: %s; fields: %s", name.shown(), meant(name, Fields()), shown(w.asName()),
		strings.Join(Fields(), " "))
}

// meant returns words about the field that is nearest to a name, or a semicolon if none is near.
func meant(name word, fields []string) string {
	return cmp.Or(match.Suggestion(name.shown(), fields), ";")
}

// checkSumTerm refuses the conditions that the sums of a group cannot meet.
func (w word) checkSumTerm(t Term) error {
	for _, c := range t.Any {
		hasSum := false
		switch c := c.(type) {
		case AmountCondition:
			hasSum = c.Number.IsSummed()
		case EstimateCondition:
			hasSum = !c.OfMark
		case RatioCondition, MaintenanceCondition, DayCondition:
			hasSum = true
		}
		if !hasSum {
			return w.wrong("%s: a group has no such sum; its sums: %s", w.shown(), strings.Join(SumFields(), " "))
		}
	}
	return nil
}
