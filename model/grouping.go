package model

import (
	"fmt"
	"strings"
)

// Grouping is what the rows of a view are grouped by.
type Grouping uint8

// The groupings, in the order in which the screen offers them.
const (
	Ungrouped Grouping = iota
	GroupByParty
	GroupByMarket
	GroupByAsset // the asset that a market settles in
	groupings
)

// groupingKeys are the names of the groupings in the configuration.
var groupingKeys = [groupings]string{Ungrouped: "", GroupByParty: "party", GroupByMarket: "market", GroupByAsset: "asset"}

// String returns the name of the grouping in the configuration: "party", "market", "asset", and "" for no groups.
func (g Grouping) String() string { return groupingKeys[g] }

// Next returns the grouping that the screen offers after this one.
func (g Grouping) Next() Grouping { return (g + 1) % groupings }

// GroupingKeys returns the names of all groupings but the empty one.
func GroupingKeys() []string { return append([]string(nil), groupingKeys[Ungrouped+1:]...) }

// ParseGrouping returns the grouping with the name. The error lists the names.
func ParseGrouping(name string) (Grouping, error) {
	for g, key := range groupingKeys {
		if key == name {
			return Grouping(g), nil
		}
	}
	return Ungrouped, fmt.Errorf("must be one of %s, or empty", strings.Join(GroupingKeys(), ", "))
}
