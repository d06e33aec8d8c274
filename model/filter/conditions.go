package filter

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"blotter/model"
)

func (c TextCondition) matches(texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool {
		text = compared(text)
		return c.Whole && text == c.Text || !c.Whole && strings.Contains(text, c.Text)
	})
}

// compared returns a text as it is compared: in lower case, without quotes, because a filter leaves them out, and
// neutralised, because what is typed and completed is.
func compared(text string) string {
	return strings.ToLower(model.Neutralise(strings.ReplaceAll(text, `"`, "")))
}

// MatchesParty reports whether the condition is met by a party.
func (c TextCondition) MatchesParty(p model.Party) bool {
	return (c.Field == anyName || c.Field == PartyField) && c.matches(p.Label(), p.ID.String())
}

// MatchesMarket reports whether the condition is met by a market, which settles in an asset.
func (c TextCondition) MatchesMarket(m model.Market, a model.Asset) bool {
	switch c.Field {
	case anyName, MarketField:
		return c.matches(m.Label(), m.ID.String())
	case AssetField:
		return c.matches(a.Label(), a.ID.String())
	}
	return false
}

// Groups returns the groups of instruments that the condition is met by; none if it is of another field.
func (c TextCondition) Groups(in *model.Instruments) (set model.GroupSet) {
	if c.Field != GroupField {
		return 0
	}
	for i, g := range in.Groups() {
		if c.matches(g.Name) {
			set |= 1 << i
		}
	}
	return set
}

// matchesGroupOf reports whether the condition is met by a group that a position is in.
func (c TextCondition) matchesGroupOf(key model.Key, in *model.Instruments) bool {
	groups := c.Groups(in)
	return groups != 0 && in.GroupsOf(key)&groups != 0
}

// MatchesStatus reports whether the condition is met by a status: by its name as the service or as the screen writes
// it.
func (c TextCondition) MatchesStatus(name string) bool {
	return c.Field == StatusField && c.matches(name, StatusText(name))
}

// StatusText returns the name of a status as filters and the screen write it: ORDERS CLOSED for
// POSITION_STATUS_ORDERS_CLOSED.
func StatusText(name string) string {
	return strings.ReplaceAll(strings.TrimPrefix(name, "POSITION_STATUS_"), "_", " ")
}

// AmountLimit is what amounts in one market are compared with.
type AmountLimit struct {
	operator Operator
	limit    Decimal
	decimals int // of the integers there; model.Unscaled if they are not known
}

// In returns the limit for a market in which the integers of the field have these decimals, which may be
// model.Unscaled.
func (c AmountCondition) In(decimals int) AmountLimit {
	return AmountLimit{c.Operator, c.Limit.scaledUp(decimals), decimals}
}

// Matches reports whether an amount meets the condition; a text that is no number does not. isCompared is false if the
// amount is a number that cannot be compared because its decimals are not known.
func (l *AmountLimit) Matches(a model.Amount) (matches, isCompared bool) {
	if l.decimals == l.limit.Decimals && !l.limit.Raw && a.Packed().IsInteger() { // as nearly all are
		return l.operator.Holds(a.Compare(l.limit.Integer)), true
	}
	if !a.IsNumber() {
		return false, true
	}
	isCompared = l.limit.comparesWith(a, l.decimals)
	return isCompared && l.limit.holds(l.operator, a, l.decimals), isCompared
}

// TimeLimit is what the times of positions are compared with, in nanoseconds since the Unix epoch.
type TimeLimit struct {
	operator Operator
	at       int64
	notAfter int64 // later times meet no condition
	isKnown  bool
}

// In returns the limit. Ages are counted from now. They are not known if that is zero.
func (c AgeCondition) In(now time.Time) TimeLimit {
	return TimeLimit{c.Operator.Reversed(), now.Add(-c.Limit).UnixNano(), now.Add(model.AheadFor).UnixNano(), !now.IsZero()}
}

// In returns the limit. A time of day is not known if now is zero.
func (c TimeCondition) In(now time.Time) TimeLimit {
	return TimeLimit{c.Operator, c.time(now).UnixNano(), math.MaxInt64, !c.IsTimeOfDay || !now.IsZero()}
}

// Matches reports whether a time of a position meets the condition.
func (l *TimeLimit) Matches(a model.Amount) bool {
	at, unit := a.Nanoseconds()
	return l.isKnown && unit != model.NoTime && at <= l.notAfter && l.operator.Holds(cmp.Compare(at, l.at))
}

// time returns the limit, in the time zone of now if it has none. A time of day is the last one before now: just after
// midnight, 23:50 is ten minutes ago.
func (c TimeCondition) time(now time.Time) time.Time {
	if c.HasZone {
		return c.Limit
	}
	if !c.IsTimeOfDay {
		return c.on(c.Limit, now.Location())
	}
	if today := c.on(now, now.Location()); !today.After(now) {
		return today
	}
	return c.on(now.AddDate(0, 0, -1), now.Location())
}

// on returns the limit on a day.
func (c TimeCondition) on(day time.Time, zone *time.Location) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), c.Limit.Hour(), c.Limit.Minute(), c.Limit.Second(), 0, zone)
}

// IsOfSide reports whether the comparison is decided by the side of a position: the size is compared with 0.
func (c AmountCondition) IsOfSide() bool {
	return c.Number == model.OpenVolume && c.Limit.Integer.IsZero() && !c.Limit.Raw
}

// MatchesSide reports whether a condition is decided by the side of a position, and is met by this one.
func MatchesSide(c Condition, s model.Side) bool {
	switch c := c.(type) {
	case SideCondition:
		return c.Side == s
	case AmountCondition:
		return c.IsOfSide() && s != model.UnknownSide && c.Operator.Holds(map[model.Side]int{model.Short: -1, model.Long: +1}[s])
	}
	return false
}
