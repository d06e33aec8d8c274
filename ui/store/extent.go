package store

import (
	"fmt"

	"blotter/model"
)

// Extent is what a screen may have of a service. The zero value is nothing.
type Extent struct {
	streams streamsOf // nil: none
	part    model.Scope
	name    string // differs from that of other extents; empty for everything
	markets string // differs from that of extents with other markets; empty for all markets
	rows    int
}

// streamsOf returns the streams of a scope, after the previous ones.
type streamsOf = func(of model.Scope, previous []model.Subscription, epoch uint64) []model.Subscription

// Whole returns the extent of a screen that may have everything. At most rows positions are kept; 0 is no limit.
func Whole(rows int) Extent { return Extent{streams: model.Scope.Subscriptions, rows: rows} }

// Part returns the extent of a screen that may have a part of everything. The rows of the streams that a function
// returns for a scope are all that the screen may have of it. At most rows positions are kept.
func Part(part model.Scope, rows int, streams streamsOf) Extent {
	markets := ""
	if len(part.Markets) > 0 {
		markets = fmt.Sprint(part.Markets)
	}
	return Extent{streams, part, fmt.Sprint(part.Parties) + " " + markets, markets, rows}
}

// Part returns the parties and the markets that the screen may have; none if it may have all.
func (e Extent) Part() model.Scope { return e.part }

// Rows returns how many positions are kept at most; 0 is no limit.
func (e Extent) Rows() int { return e.rows }

// subscriptions returns the streams of a scope, after the previous ones.
func (e Extent) subscriptions(of model.Scope, previous []model.Subscription, epoch uint64) []model.Subscription {
	if e.streams == nil {
		return nil
	}
	return e.streams(of, previous, epoch)
}
