package follow

import (
	"slices"
	"time"

	"blotter/model"
)

// compareEvery is the shortest time between two checks because of the times of rows.
const compareEvery = 30 * time.Second

// compareClocks requests a check, which shows the service's time, if an update has a time ahead of the service's clock,
// or much earlier than the one before of its row: one of the clocks may have been set.
func (p *probing) compareClocks(rows []model.Position, sent *sentTimes, notAfter int64, now time.Time) {
	if now.Sub(p.comparedAt) < compareEvery {
		return
	}
	isAhead := func(row model.Position) bool {
		at, _ := row.ChangedAt(notAfter)
		return at > notAfter
	}
	if sent.setBack || slices.ContainsFunc(rows, isAhead) {
		p.compare, p.comparedAt = true, now
	}
	sent.setBack = false
}
