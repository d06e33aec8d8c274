package record

import (
	"blotter/model"
	"blotter/model/book"
)

// Recorded returns the subscriptions of the recording that have the positions of a scope, and perhaps others. A caller
// that selects the positions in scope by itself can watch them in place of those of the scope.
func (p *Player) Recorded(scope model.Scope) []model.Subscription {
	needed := scope.Subscriptions(nil, 1)
	if p.isPartOfRecorded(needed) {
		return p.recorded()
	}
	return needed
}

// recorded returns the subscriptions of the scope that the recording began with.
func (p *Player) recorded() []model.Subscription {
	identifiers := func(texts []string) (ids []model.ID) {
		for _, text := range texts {
			ids = append(ids, model.MakeID(text))
		}
		return ids
	}
	scope := model.Scope{Parties: identifiers(p.header.Parties), Markets: identifiers(p.header.Markets)}
	return scope.Subscriptions(nil, 1)
}

// played returns the subscriptions to play. From a recording of all positions, the positions of any party or market can
// be selected (see narrowed), and from one of markets, their positions of any party (see joined). The lock is held.
func (p *Player) played() []model.Subscription {
	if p.isPartOfRecorded(p.watched) {
		return p.recorded()
	}
	return p.watched
}

// isPartOfRecorded reports whether the subscriptions were not recorded, but their positions were, in other
// subscriptions.
func (p *Player) isPartOfRecorded(subscriptions []model.Subscription) bool {
	switch {
	case len(subscriptions) == 0 || len(p.header.Parties) > 0:
		return false
	case len(p.header.Markets) > 0:
		return !subscriptions[0].Party.IsZero()
	}
	return subscriptions[0].Key != model.Key{}
}

// narrowed returns the part of a delta of one recorded subscription that belongs to the watched ones, for each of them.
func narrowed(delta book.Delta, watched []model.Subscription) book.Delta {
	part := book.Delta{More: delta.More, Missed: delta.Missed}
	for _, s := range watched {
		for _, link := range delta.Links {
			link.Subscription = s
			part.Links = append(part.Links, link)
		}
		for _, snapshot := range delta.Snapshots {
			rows := book.NewRows()
			for row := range snapshot.Rows.All {
				if s.Covers(row.Key) {
					rows.Put(&row)
				}
			}
			snapshot.Subscription, snapshot.Rows = s, rows
			snapshot.Superseded = covered(s, snapshot.Superseded)
			part.Snapshots = append(part.Snapshots, snapshot)
		}
		part.Updates = appendCovered(part.Updates, s, delta.Updates)
		for _, page := range delta.Audits {
			for i := range page.Positions {
				if at, usable := page.Positions[i].ChangedAt(page.NotAfter); usable {
					page.LeftOutNewest = max(page.LeftOutNewest, at)
				}
			}
			page.Subscription, page.Positions = s, covered(s, page.Positions)
			part.Audits = append(part.Audits, page)
		}
	}
	return part
}

// appendCovered appends the part of the updates that belongs to a subscription.
func appendCovered(some []book.Updates, s model.Subscription, all []book.Updates) []book.Updates {
	for _, updates := range all {
		if updates.Positions = covered(s, updates.Positions); len(updates.Positions) > 0 || updates.BeginsPartial {
			updates.Subscription = s
			some = append(some, updates)
		}
	}
	return some
}

// covered returns the positions of a subscription.
func covered(s model.Subscription, positions []model.Position) []model.Position {
	var some []model.Position
	for i := range positions {
		if s.Covers(positions[i].Key) {
			some = append(some, positions[i])
		}
	}
	return some
}
