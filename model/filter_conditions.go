package model

import (
	"strings"
	"time"
)

func (c textCondition) matches(texts ...string) bool {
	for _, text := range texts {
		text = strings.ToLower(text)
		if c.whole && text == c.text || !c.whole && strings.Contains(text, c.text) {
			return true
		}
	}
	return false
}

// matchesParty reports whether the condition is met by a party.
func (c textCondition) matchesParty(p Party) bool {
	return (c.field == anyName || c.field == partyField) && c.matches(p.Name, p.ID.String())
}

// matchesMarket reports whether the condition is met by a market, which settles in an asset.
func (c textCondition) matchesMarket(m Market, a Asset) bool {
	switch c.field {
	case anyName, marketField:
		return c.matches(m.Name, m.ID.String())
	case assetField:
		return c.matches(a.Symbol, a.ID.String())
	}
	return false
}

// matchesStatus matches the name of a status as the service writes it, and as the screen does.
func (c textCondition) matchesStatus(name string) bool {
	return c.field == statusField && c.matches(name, statusWords(name))
}

// in returns the limit in the time zone, and for a time of day on the day, of now.
func (c timeCondition) in(now time.Time) time.Time {
	day := c.limit
	if c.today {
		day = now
	}
	return time.Date(day.Year(), day.Month(), day.Day(), c.limit.Hour(), c.limit.Minute(), c.limit.Second(), 0, now.Location())
}

// isOfSide reports whether the comparison is decided by the side of a position: the size is compared with 0.
func (c amountCondition) isOfSide() bool {
	return c.number == OpenVolume && c.limit.integer.IsZero() && !c.limit.raw
}

// matchesSide reports whether a condition is decided by the side of a position, and is met by this one.
func matchesSide(c condition, s side) bool {
	switch c := c.(type) {
	case sideCondition:
		return c.side == s
	case amountCondition:
		return c.isOfSide() && c.operator.holds(map[side]int{short: -1, long: +1}[s])
	}
	return false
}
