package filter

import (
	"slices"
	"strings"
	"time"

	"blotter/model"
)

// Query is a parsed filter. A nil Query matches every row. It never changes.
type Query struct {
	terms []Term
	named []word // the parts of the text that are names because known names have them
}

// Term is one term of a filter: a row matches if it meets one of the conditions, or none if it is negated.
type Term struct {
	Negated bool
	Any     []Condition
}

// Condition is one of: TextCondition, SideCondition, AmountCondition, RatioCondition, DistanceCondition,
// FigureCondition, EstimateCondition, MaintenanceCondition, DayCondition, AgeCondition, TimeCondition, TimeLimit,
// eventCondition. Meets returns whether it is met.
type Condition any

// TextCondition is met if a text contains another one, or equals it.
type TextCondition struct {
	Field Field  // PartyField, MarketField, AssetField, StatusField, GroupField, or anyName for the party or the market
	Text  string // in lower case
	Whole bool
}

// SideCondition is met by one side.
type SideCondition struct{ Side model.Side }

// AmountCondition compares a number of the position.
type AmountCondition struct {
	Number   model.Field
	Operator Operator
	Limit    Decimal
}

// RatioCondition compares the margin ratio with a limit in percent.
type RatioCondition struct {
	Operator Operator
	Limit    model.MarginRatio
}

// DistanceCondition compares the size of the distance to a limit with a change of the price in percent.
type DistanceCondition struct {
	To       model.RatioLimit
	Operator Operator
	Limit    model.MarginRatio
}

// FigureCondition compares a figure.
type FigureCondition struct {
	Of       model.Figure
	Operator Operator
	Limit    model.MarginRatio
}

// EstimateCondition compares the estimate of a mark price, or of a notional, also of the net notional of a group.
type EstimateCondition struct {
	OfMark   bool // else of the notional
	Operator Operator
	Limit    Decimal
}

// DayCondition compares the change of the PnL since the day began. Only rules of alerts have it.
type DayCondition struct {
	Operator Operator
	Limit    Decimal
}

// MaintenanceCondition compares the maintenance margin.
type MaintenanceCondition struct {
	Operator Operator
	Limit    Decimal
}

// AgeCondition compares the time since the position changed. A position whose time is ahead of the service's clock, by
// more than model.AheadFor, has no age and meets no condition.
type AgeCondition struct {
	Operator Operator
	Limit    time.Duration
}

// TimeCondition compares the time when the position changed.
type TimeCondition struct {
	Operator Operator
	Limit    time.Time
	HasZone  bool // without a zone, Limit is a date and time in that of the screen
	// IsTimeOfDay is true for a time without a date: the last one before now.
	IsTimeOfDay bool
}

// Field is the name of a field of the language, such as "party".
type Field string

// The fields whose conditions need more than their name.
const (
	anyName      Field = ""
	PartyField   Field = "party"
	MarketField  Field = "market"
	AssetField   Field = "asset"
	StatusField  Field = "status"
	GroupField   Field = "group"
	sideField    Field = "side"
	ratioField   Field = "upnl/mm"
	ageField     Field = "age"
	updatedField Field = "updated"
)

// otherNames are those of columns, and those that filters had before.
var otherNames = map[Field]Field{"m%": ratioField, "pnl/mm": ratioField, "idle": ageField}

// IsRatio reports whether a name is one of the margin ratio, and IsAge whether it is one of the age.
func IsRatio(name string) bool { return Field(name).canonical() == ratioField }
func IsAge(name string) bool   { return Field(name).canonical() == ageField }

// Fields returns the names of all fields, in the order of messages.
func Fields() []string {
	fields := []Field{PartyField, MarketField, AssetField, StatusField, GroupField, sideField}
	for number := range model.FieldCount {
		if name := number.FilterName(); name != "" {
			fields = append(fields, Field(name))
		}
	}
	var names []string
	fields = append(fields, ratioField)
	for limit := range model.RatioLimitCount {
		fields = append(fields, Field(limit.Key()))
	}
	fields = append(fields, markField, notionalField, maintenanceField)
	for figure := range model.FigureCount {
		fields = append(fields, Field(figure.Key()))
	}
	for _, field := range append(fields, ageField, updatedField) {
		names = append(names, string(field))
	}
	return names
}

// canonical returns the field whose other name, such as that of its column, the field is; itself if it has no other.
func (f Field) canonical() Field {
	if other, ok := otherNames[f]; ok {
		return other
	}
	for number := range model.FieldCount {
		if name := number.FilterName(); name != "" && number.Key() == string(f) {
			return Field(name)
		}
	}
	return f
}

// exists reports whether a filter of positions or events has the field.
func (f Field) exists() bool { return slices.Contains(Fields(), string(f)) || f == eventField }

// isCompared reports whether the field is compared with a number or a time.
func (f Field) isCompared() bool {
	f = f.canonical()
	return f != anyName && f.exists() && !f.takesText() && f != eventField && f != sideField
}

// numberOf returns the number of a position that a field names.
func (f Field) numberOf() (model.Field, bool) {
	for number := range model.FieldCount {
		if f != anyName && number.FilterName() == string(f) {
			return number, true
		}
	}
	return 0, false
}

// distanceTo returns the limit to which a field is the distance.
func (f Field) distanceTo() (model.RatioLimit, bool) {
	for limit := range model.RatioLimitCount {
		if string(f) == limit.Key() {
			return limit, true
		}
	}
	return 0, false
}

// figureOf returns the figure that a field names.
func (f Field) figureOf() (model.Figure, bool) {
	for figure := range model.FigureCount {
		if string(f) == figure.Key() {
			return figure, true
		}
	}
	return 0, false
}

// takesText reports whether the field is searched for a text.
func (f Field) takesText() bool {
	return slices.Contains([]Field{anyName, PartyField, MarketField, AssetField, StatusField, GroupField}, f)
}

// sideNames are the sides in the language.
var sideNames = [...]string{model.Flat: "flat", model.Long: "long", model.Short: "short"}

// Operator compares two values.
type Operator string

// Holds reports whether the operator holds for values that compare as order does: negative, 0 or positive.
func (o Operator) Holds(order int) bool {
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

// Reversed returns the operator for the two values in the other order.
func (o Operator) Reversed() Operator {
	return Operator(strings.NewReplacer("<", ">", ">", "<").Replace(string(o)))
}

// UsesTime reports whether the rows that match change as time passes.
func (q *Query) UsesTime() bool {
	return q.has(func(c Condition) bool {
		at, isTime := c.(TimeCondition)
		_, isAge := c.(AgeCondition)
		return isAge || isTime && at.IsTimeOfDay
	})
}

// UsesMargins reports whether the rows that match change with margin records.
func (q *Query) UsesMargins() bool {
	return q.has(func(c Condition) bool {
		switch c := c.(type) {
		case RatioCondition, DistanceCondition, MaintenanceCondition:
			return true
		case FigureCondition:
			return c.Of.UsesMargins()
		}
		return false
	})
}

// UsesDay reports whether the query compares the PnL of the day.
func (q *Query) UsesDay() bool {
	return q.has(func(c Condition) bool {
		_, isDay := c.(DayCondition)
		return isDay
	})
}

// UsesEstimates reports whether rows whose market is not linear do not match a comparison.
func (q *Query) UsesEstimates() bool {
	return q.has(func(c Condition) bool {
		figure, isFigure := c.(FigureCondition)
		_, isDistance := c.(DistanceCondition)
		_, isEstimate := c.(EstimateCondition)
		return isDistance || isEstimate || isFigure && figure.Of.IsOfPrices()
	})
}

// UnknownGroup returns the text of a condition on groups that no group of the instruments meets; empty if there is
// none.
func (q *Query) UnknownGroup(in *model.Instruments) (text string) {
	q.has(func(c Condition) bool {
		group, ok := c.(TextCondition)
		if ok && group.Field == GroupField && group.Groups(in) == 0 {
			text = group.Text
		}
		return text != ""
	})
	return text
}

// Terms returns the terms of the query. They must not be changed.
func (q *Query) Terms() []Term {
	if q == nil {
		return nil
	}
	return q.terms
}

// MatchesAll reports whether the query has no terms.
func (q *Query) MatchesAll() bool { return len(q.Terms()) == 0 }

// has reports whether a condition of the query passes a test.
func (q *Query) has(test func(Condition) bool) bool {
	return slices.ContainsFunc(q.Terms(), func(t Term) bool { return slices.ContainsFunc(t.Any, test) })
}
