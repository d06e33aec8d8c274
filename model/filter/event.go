package filter

import (
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/event"
)

// eventField is the field of the language that only events have.
const eventField Field = "event"

// eventCondition is met by an event of one of the kinds.
type eventCondition struct{ kinds event.Kinds }

// ParseEvents parses a filter of events. It is in the language of filters, with event:closed, and so each of
// event.KindNames. Conditions are about the position after the event. It refuses the fields that events do not have:
// the entry price, the profits, and what is worked out of them or of margin records.
func ParseEvents(text string) (*Query, error) { return Names(nil).ParseEvents(text) }

// eventQueryFields returns the names of the fields that events have.
func eventQueryFields() []string {
	return append(slices.DeleteFunc(Fields(), isOfPositions), string(eventField))
}

// FieldsOfPositions returns the names of the fields that events do not have.
func FieldsOfPositions() []string {
	return slices.DeleteFunc(Fields(), func(name string) bool { return !isOfPositions(name) })
}

// isOfPositions reports whether events do not have a field.
func isOfPositions(name string) bool {
	number, isNumber := Field(name).numberOf()
	_, isDistance := Field(name).distanceTo()
	_, isFigure := Field(name).figureOf()
	isOther := isDistance || isFigure || slices.Contains([]Field{ratioField, markField, notionalField, maintenanceField}, Field(name))
	return isNumber && number != model.OpenVolume || isOther
}

// checkEventTerm refuses the conditions that an event cannot meet.
func (w word) checkEventTerm(t Term) error {
	for _, c := range t.Any {
		isRefused := false
		switch c := c.(type) {
		case RatioCondition, DistanceCondition, FigureCondition, EstimateCondition, MaintenanceCondition:
			isRefused = true
		case AmountCondition:
			isRefused = c.Number != model.OpenVolume
		}
		if isRefused {
			return w.wrong("events have no such number; fields: %s", strings.Join(eventQueryFields(), " "))
		}
	}
	return nil
}

// checkPositionTerm refuses the conditions that a position cannot meet.
func (w word) checkPositionTerm(t Term) error {
	for _, c := range t.Any {
		if _, isEvent := c.(eventCondition); isEvent {
			return w.wrong("event: is a field of events; fields of positions: %s", strings.Join(Fields(), " "))
		}
	}
	return nil
}

// eventCondition returns nil if there is nothing to search for.
func (w word) eventCondition() (Condition, error) {
	text := strings.TrimPrefix(w.unquoted(), "=")
	if text == "" {
		return nil, nil
	}
	for i, name := range event.KindNames() {
		if strings.HasPrefix(name, text) {
			return eventCondition{1 << i}, nil
		}
	}
	return nil, w.wrong("unknown event %q; events: %s", w.shown(), strings.Join(event.KindNames(), " "))
}

// MatchesEvent reports whether an event matches a query that ParseEvents has returned. Its time counts as the time of
// the position.
func (q *Query) MatchesEvent(e *event.Event, in Context) bool {
	if q.MatchesAll() {
		return true
	}
	p := e.After()
	at, _ := e.At()
	p.SetNumber(model.UpdatedAt, model.AmountOf(at.UnixNano()))
	return q.isMetBy(func(c Condition) bool {
		if event, is := c.(eventCondition); is {
			return e.Kinds&event.kinds != 0
		}
		return row{p, &in}.meets(c)
	})
}
