package store

import "blotter/model"

// Extent is what a screen may have of a service. The zero value is nothing.
type Extent struct {
	streams streamsOf // nil: none
	name    string    // differs from that of other extents; empty for everything
	markets string    // differs from that of extents with other markets; empty for all markets
	rows    int
}

// streamsOf returns the streams of a scope, after the previous ones.
type streamsOf = func(of model.Scope, previous []model.Subscription, epoch uint64) []model.Subscription

// Whole returns the extent of a screen that may have everything. At most rows positions are kept; 0 is no limit.
func Whole(rows int) Extent { return Extent{streams: model.Scope.Subscriptions, rows: rows} }

// Part returns the extent of a screen that may have a part of everything: some parties and some markets, whose texts
// differ from those of other parts. All markets have none. The rows of the streams that a function returns for a scope
// are all that the screen may have of it. At most rows positions are kept.
func Part(parties, markets string, rows int, streams streamsOf) Extent {
	return Extent{streams, parties + " " + markets, markets, rows}
}

// Rows returns how many positions are kept at most; 0 is no limit.
func (e Extent) Rows() int { return e.rows }

// subscriptions returns the streams of a scope, after the previous ones.
func (e Extent) subscriptions(of model.Scope, previous []model.Subscription, epoch uint64) []model.Subscription {
	if e.streams == nil {
		return nil
	}
	return e.streams(of, previous, epoch)
}
