package follow

import (
	"slices"
	"time"

	"blotter/model"
)

// readClock records how the service's clock differs from this machine's, by all responses of the address so far.
func (f *Follower) readClock() { f.link.ClockOffset = f.Pool.ClockOffset(f.link.Address) }

func (f *Follower) serviceNow(now time.Time) time.Time { return now.Add(f.link.ClockOffset) }

// notAfter returns the latest time of change that counts, in nanoseconds since the Unix epoch. It goes by the clock of
// the service if the service sends its time: that of the trader's machine may be wrong by minutes.
func (f *Follower) notAfter(now time.Time) int64 {
	return f.serviceNow(now).Add(model.AheadFor).UnixNano()
}

// compareEvery is the shortest time between two checks because of the times of rows.
const compareEvery = 30 * time.Second

// compareClocks requests a check, which shows the service's time, if an update has a time ahead of the service's clock,
// or much earlier than the one before of its row: one of the clocks may have been set.
func (f *Follower) compareClocks(rows []model.Position, notAfter int64, now time.Time) {
	if now.Sub(f.probing.comparedAt) < compareEvery {
		return
	}
	isAhead := func(p model.Position) bool {
		at, _ := p.ChangedAt(notAfter)
		return at > notAfter
	}
	if f.judged.sent.setBack || slices.ContainsFunc(rows, isAhead) {
		f.probing.compare, f.probing.comparedAt = true, now
	}
	f.judged.sent.setBack = false
}
