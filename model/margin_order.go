package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// marginOrders are the orders of margin records by their keys. Names are in natural order. Amounts are
// ordered by asset, then by value.
var marginOrders = []struct {
	key     string
	compare func(in *Instruments, a, b *MarginLevels) int
}{
	{"party", func(in *Instruments, a, b *MarginLevels) int { return in.CompareParties(a.Party, b.Party) }},
	{"market", func(in *Instruments, a, b *MarginLevels) int { return in.CompareMarkets(a.Market, b.Market) }},
	{"asset", func(in *Instruments, a, b *MarginLevels) int {
		return in.CompareGroups(UnitGroup{asset: a.Asset}, UnitGroup{asset: b.Asset})
	}},
	{"maintenance", byLevel(func(m *MarginLevels) Amount { return m.Maintenance })},
	{"search", byLevel(func(m *MarginLevels) Amount { return m.Search })},
	{"initial", byLevel(func(m *MarginLevels) Amount { return m.Initial })},
	{"release", byLevel(func(m *MarginLevels) Amount { return m.Release })},
	{"recorded", func(_ *Instruments, a, b *MarginLevels) int { return a.Timestamp.Compare(b.Timestamp) }},
}

func byLevel(level func(*MarginLevels) Amount) func(in *Instruments, a, b *MarginLevels) int {
	return func(in *Instruments, a, b *MarginLevels) int {
		return in.CompareInUnits(level(a), in.UnitOfAsset(a.Asset), level(b), in.UnitOfAsset(b.Asset))
	}
}

// MarginSortKeys returns the keys that SortMargins can sort by.
func MarginSortKeys() []string {
	var keys []string
	for _, order := range marginOrders {
		keys = append(keys, order.key)
	}
	return keys
}

// SortMargins sorts margin records by one of MarginSortKeys, then by party, market and asset. The error lists the keys.
func SortMargins(rows []MarginLevels, key string, descending bool, in *Instruments) error {
	for _, order := range marginOrders {
		if order.key != key {
			continue
		}
		slices.SortFunc(rows, func(a, b MarginLevels) int {
			by := order.compare(in, &a, &b)
			if descending {
				by = -by
			}
			return cmp.Or(by, a.MarginKey.Compare(b.MarginKey))
		})
		return nil
	}
	return fmt.Errorf("must be one of %s", strings.Join(MarginSortKeys(), ", "))
}
