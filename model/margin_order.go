package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// marginOrder is an order of margin records.
type marginOrder struct {
	key     string
	compare func(in *Instruments, a, b *MarginLevels) int
}

// marginOrders returns the orders of margin records. Names are in natural order. Amounts are ordered by asset, then by
// value.
func marginOrders() []marginOrder {
	orders := []marginOrder{
		{"party", func(in *Instruments, a, b *MarginLevels) int { return in.CompareParties(a.Party, b.Party) }},
		{"market", func(in *Instruments, a, b *MarginLevels) int { return in.CompareMarkets(a.Market, b.Market) }},
		{"asset", func(in *Instruments, a, b *MarginLevels) int {
			return in.CompareGroups(UnitGroup{asset: a.Asset}, UnitGroup{asset: b.Asset})
		}},
	}
	for n := range MarginNumberCount {
		orders = append(orders, marginOrder{n.Key(), func(in *Instruments, a, b *MarginLevels) int {
			if n.IsTime() {
				return a.Number(n).CompareTime(b.Number(n))
			}
			return in.CompareInUnits(a.Number(n), in.UnitOfAsset(a.Asset), b.Number(n), in.UnitOfAsset(b.Asset))
		}})
	}
	return orders
}

// MarginSortKeys returns the keys that SortMargins can sort by.
func MarginSortKeys() []string {
	var keys []string
	for _, order := range marginOrders() {
		keys = append(keys, order.key)
	}
	return keys
}

// SortMargins sorts margin records by one of MarginSortKeys, then by party, market and asset. The error lists the keys.
func SortMargins(rows []MarginLevels, key string, descending bool, in *Instruments) error {
	for _, order := range marginOrders() {
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
