package record

import "blotter/model"

// everything is the subscription of a recording of all positions.
var everything = model.Subscription{Epoch: 1}

// played returns the subscriptions to play. From a recording of all positions, the positions of any party or market can
// be selected (see narrowed).
func (p *Player) played() []model.Subscription {
	if p.isNarrowed() {
		return []model.Subscription{everything}
	}
	return p.wanted
}

// isNarrowed reports whether a part of a recording of all positions is wanted. The lock is held.
func (p *Player) isNarrowed() bool {
	isOfAll := len(p.header.Parties) == 0 && len(p.header.Markets) == 0
	return isOfAll && len(p.wanted) > 0 && p.wanted[0].Key != everything.Key
}

// narrowed returns the part of a delta of all positions that belongs to the wanted subscriptions, for each of them.
func narrowed(delta model.Delta, wanted []model.Subscription) model.Delta {
	part := model.Delta{More: delta.More, Missed: delta.Missed}
	for _, s := range wanted {
		for _, link := range delta.Links {
			link.Subscription = s
			part.Links = append(part.Links, link)
		}
		for _, snapshot := range delta.Snapshots {
			rows := model.NewRows()
			for row := range snapshot.Rows.All {
				if s.Covers(row.Key) {
					rows.Put(&row)
				}
			}
			snapshot.Subscription, snapshot.Rows = s, rows
			snapshot.Superseded = covered(s, snapshot.Superseded)
			part.Snapshots = append(part.Snapshots, snapshot)
		}
		for _, updates := range delta.Updates {
			updates.Subscription, updates.Positions = s, covered(s, updates.Positions)
			part.Updates = append(part.Updates, updates)
		}
		for _, page := range delta.Audits {
			page.Subscription, page.Positions = s, covered(s, page.Positions)
			part.Audits = append(part.Audits, page)
		}
	}
	return part
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
