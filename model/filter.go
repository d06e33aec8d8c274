package model

import (
	"strings"
	"time"
)

// Query is a parsed filter. A nil Query matches every row. It never changes.
type Query struct{ terms []term }

// term is one term of a filter: a row matches where it meets one of the conditions, or none where it is negated.
type term struct {
	negated bool
	any     []condition
}

// condition is one of: textCondition, sideCondition, amountCondition, ratioCondition, ageCondition, timeCondition,
// eventCondition.
type condition interface{}

// textCondition is met where a text contains another one, or equals it.
type textCondition struct {
	field fieldName // partyField, marketField, assetField, statusField, or anyName for the party or the market
	text  string    // in lower case
	whole bool
}

// sideCondition is met by one side.
type sideCondition struct{ side side }

// amountCondition compares a number of the position.
type amountCondition struct {
	number   Field
	operator operator
	limit    decimal
}

// ratioCondition compares the margin ratio with a limit in percent.
type ratioCondition struct {
	operator operator
	limit    MarginRatio
}

// ageCondition compares the time since the position changed.
type ageCondition struct {
	operator operator
	limit    time.Duration
}

// timeCondition compares the time when the position changed.
type timeCondition struct {
	operator operator
	limit    time.Time // a date and time without a zone
	today    bool      // it is a time of day
}

// fieldName is the name of a field of the language, such as "party".
type fieldName string

// The fields whose conditions need more than their name.
const (
	anyName      fieldName = ""
	partyField   fieldName = "party"
	marketField  fieldName = "market"
	assetField   fieldName = "asset"
	statusField  fieldName = "status"
	sideField    fieldName = "side"
	ratioField   fieldName = "m%"
	ageField     fieldName = "age"
	updatedField fieldName = "updated"
)

// queryField is a field of the language.
type queryField struct {
	name   fieldName
	number Field // fields where it is no number of the position
}

// queryFields are all fields, in the order of messages.
var queryFields = [...]queryField{
	{partyField, fields}, {marketField, fields}, {assetField, fields}, {statusField, fields}, {sideField, fields},
	{"size", OpenVolume}, {"entry", AverageEntryPrice}, {"upnl", UnrealisedPnl}, {"rpnl", RealisedPnl},
	{ratioField, fields}, {ageField, fields}, {updatedField, fields},
}

// QueryFields returns the names of all fields.
func QueryFields() []string {
	var names []string
	for _, field := range queryFields {
		names = append(names, string(field.name))
	}
	return names
}

// numberOf returns the number of a position that a field names.
func (f fieldName) numberOf() (Field, bool) {
	for _, field := range queryFields {
		if field.name == f {
			return field.number, field.number != fields
		}
	}
	return 0, false
}

func (f fieldName) exists() bool {
	for _, field := range queryFields {
		if field.name == f {
			return true
		}
	}
	return false
}

// takesText reports whether the field is searched for a text.
func (f fieldName) takesText() bool {
	return f == anyName || f == partyField || f == marketField || f == assetField || f == statusField
}

// sideNames are the sides in the language.
var sideNames = [sides]string{flat: "flat", long: "long", short: "short"}

// operator compares two values.
type operator string

// holds reports whether the operator holds for values that compare as order does: negative, 0 or positive.
func (o operator) holds(order int) bool {
	switch o {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	case "=":
		return order == 0
	}
	return order != 0
}

// reversed returns the operator for the two values in the other order.
func (o operator) reversed() operator {
	return operator(strings.NewReplacer("<", ">", ">", "<").Replace(string(o)))
}

// UsesTime reports whether the rows that match change as time passes.
func (q *Query) UsesTime() bool {
	return q.has(func(c condition) bool {
		at, isTime := c.(timeCondition)
		_, isAge := c.(ageCondition)
		return isAge || isTime && at.today
	})
}

// UsesMargins reports whether the rows that match change with margin records.
func (q *Query) UsesMargins() bool {
	return q.has(func(c condition) bool { _, is := c.(ratioCondition); return is })
}

// allTerms returns the terms of the query. They must not be changed.
func (q *Query) allTerms() []term {
	if q == nil {
		return nil
	}
	return q.terms
}

// MatchesAll reports whether the query has no terms.
func (q *Query) MatchesAll() bool { return q == nil || len(q.terms) == 0 }

// has reports whether a condition of the query passes a test.
func (q *Query) has(test func(condition) bool) bool {
	if q == nil {
		return false
	}
	for _, t := range q.terms {
		for _, c := range t.any {
			if test(c) {
				return true
			}
		}
	}
	return false
}
