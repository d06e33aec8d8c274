package follow

import (
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
)

// notAfter returns the latest time of change that counts, in nanoseconds since the Unix epoch. It goes by the clock of
// the service where the service sends its time: that of the trader's machine may be wrong by minutes.
func (f *Follower) notAfter(now time.Time) int64 {
	return now.Add(f.link.ClockOffset + model.AheadFor).UnixNano()
}

// setClock records how the service's clock differs from this machine's. A difference of a second or two comes from
// the time of the transfer, and from the whole seconds in the header.
func (f *Follower) setClock(stream *endpoint.Stream) {
	const ignored = 2 * time.Second
	if stream == nil {
		return
	}
	if offset, known := stream.ClockOffset(); known && offset.Abs() > ignored {
		f.link.ClockOffset = offset
	} else {
		f.link.ClockOffset = 0
	}
}

// rowTimes are the latest times of change that the subscription has received.
type rowTimes struct {
	newest int64 // on the stream that is open
	shown  int64 // on all streams so far
	seen   int64 // by the last audit that saw more than the stream has sent
}

// restart begins a new stream.
func (t *rowTimes) restart() { t.newest, t.seen = 0, 0 }

// add records the times of rows of the stream that is open.
func (t *rowTimes) add(rows []model.Position, notAfter int64) {
	for i := range rows {
		if at, usable := rows[i].ChangedAt(notAfter); usable && at > t.newest {
			t.newest = at
		}
	}
	t.shown = max(t.shown, t.newest)
}

// behind returns by how much the newest row of the open stream is older than what was shown before: a reconnect can
// reach a node that is behind. It is 0 where no row of the stream has a usable time.
func (t *rowTimes) behind() time.Duration {
	if t.newest == 0 {
		return 0
	}
	return time.Duration(t.shown - t.newest)
}
