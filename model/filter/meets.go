package filter

import (
	"time"

	"blotter/model"
)

// Subject is what a condition is about: a position, or the sums of a group in one asset. The answer beside a value is
// Yes if the subject has the value, No if it does not, and Unknown if that is not known.
type Subject interface {
	HasText(c TextCondition) Answer
	Number(f model.Field) (model.Amount, Answer)
	Maintenance() (model.Amount, Answer)
	Day() (model.Amount, Answer) // the change of the PnL since the day began
	Estimate(ofMark bool) (model.Estimate, Answer)
	Ratio() (model.MarginRatio, Answer)
	Distance(to model.RatioLimit) (model.Distance, Answer)
	Figure(of model.Figure) (model.MarginRatio, Answer)

	// Decimals returns the decimals of the integers of a field, model.Unscaled if they are not known.
	Decimals(f model.Field) int
	// Uncompared returns the answer for a number that cannot be compared because its decimals are not known.
	Uncompared() Answer
}

// At returns the condition as of a time by the service's clock, whose location is the zone of times of day.
func At(now time.Time, c Condition) Condition {
	if c, ok := c.(interface{ In(time.Time) TimeLimit }); ok {
		return c.In(now)
	}
	return c
}

// Meets returns whether a subject meets a condition that At has returned. It is generic so that a view can ask for many
// rows: none is allocated.
func Meets[S Subject](c Condition, s S) Answer {
	switch c := c.(type) {
	case TextCondition:
		return s.HasText(c)
	case SideCondition:
		size, has := s.Number(model.OpenVolume)
		return has.then(MatchesSide(c, model.SideOf(size)))
	case AmountCondition:
		number, has := s.Number(c.Number)
		if c.IsOfSide() {
			return has.then(MatchesSide(c, model.SideOf(number)))
		}
		return compare(s, c.Number, number, has, c.Operator, c.Limit)
	case MaintenanceCondition:
		maintenance, has := s.Maintenance()
		return compare(s, model.UnrealisedPnl, maintenance, has, c.Operator, c.Limit)
	case DayCondition:
		change, has := s.Day()
		return compare(s, model.UnrealisedPnl, change, has, c.Operator, c.Limit)
	case EstimateCondition:
		return meetsEstimate(c, s)
	case RatioCondition:
		ratio, has := s.Ratio()
		return has.then(c.Operator.Holds(ratio.Compare(c.Limit)))
	case DistanceCondition:
		distance, has := s.Distance(c.To)
		return has.then(c.Operator.Holds(distance.CompareSize(c.Limit)))
	case FigureCondition:
		figure, has := s.Figure(c.Of)
		return has.then(c.Operator.Holds(figure.Compare(c.Limit)))
	case TimeLimit:
		at, has := s.Number(model.UpdatedAt)
		return has.then(c.Matches(at))
	}
	return No
}

// compare returns whether an amount in the decimals of a field, if the subject has it, is as the operator and the limit
// say. A text that is no number is not.
func compare[S Subject](s S, f model.Field, a model.Amount, has Answer, o Operator, limit Decimal) Answer {
	if has != Yes {
		return has
	}
	matches, isCompared := (&AmountLimit{o, limit, s.Decimals(f)}).Matches(a)
	if !isCompared {
		return s.Uncompared()
	}
	return AnswerOf(matches)
}

// meetsEstimate returns whether an estimate meets the condition whatever the rounding is of the numbers that it is made
// of.
func meetsEstimate[S Subject](c EstimateCondition, s S) Answer {
	unit := model.UnrealisedPnl
	if c.OfMark {
		unit = model.AverageEntryPrice
	}
	estimate, has := s.Estimate(c.OfMark)
	decimals := s.Decimals(unit)
	least, most, isKnown := estimate.Bounds(decimals)
	switch {
	case has != Yes || !isKnown:
		return has.then(false)
	case !c.Limit.comparesWith(least, decimals):
		return s.Uncompared()
	case c.Operator == "!=":
		return AnswerOf(c.Limit.holds(">", least, decimals) || c.Limit.holds("<", most, decimals))
	}
	return AnswerOf(c.Limit.holds(c.Operator, least, decimals) && c.Limit.holds(c.Operator, most, decimals))
}
