package follow

import (
	"cmp"
	"log/slog"
	"time"

	"blotter/feed/endpoint"
	"blotter/model"
)

// StreamTimes are the time limits of a Follower.
type StreamTimes struct {
	SnapshotSilence time.Duration // without progress of a snapshot, or with half a message: the stream is closed
	ProbeAfter      time.Duration // of silence: then the service is checked
	ProbeEvery      time.Duration // how often it is checked again while the silence lasts
	AuditEvery      time.Duration // between audits of a small snapshot; negative for none
}

// DefaultTimes has the default of each time.
func DefaultTimes() StreamTimes {
	return StreamTimes{SnapshotSilence: 30 * time.Second, ProbeAfter: 10 * time.Second,
		ProbeEvery: 15 * time.Second, AuditEvery: 5 * time.Minute}
}

// WithDefaults returns the times with the default in place of each zero.
func (t StreamTimes) WithDefaults() StreamTimes {
	d := DefaultTimes()
	t.SnapshotSilence, t.AuditEvery = cmp.Or(t.SnapshotSilence, d.SnapshotSilence), cmp.Or(t.AuditEvery, d.AuditEvery)
	t.ProbeAfter, t.ProbeEvery = cmp.Or(t.ProbeAfter, d.ProbeAfter), cmp.Or(t.ProbeEvery, d.ProbeEvery)
	return t
}

// Config is what the Followers of a feed share.
type Config struct {
	Pool   *endpoint.Pool
	Sink   Sink
	News   *News
	Shared *SharedAudits
	Left   *Left
	Logger *slog.Logger
	Go     func(task func()) // starts a goroutine that the owner of the feed waits for
	Times  StreamTimes

	Rows int // how many positions one snapshot may have

	Now func() time.Time // the clock that shows a sleep of the machine; nil is time.Now
}

// notAfter returns the latest time of change that counts, as that of a Follower.
func (c *Config) notAfter(address string) int64 {
	return time.Now().Add(c.Pool.ClockOffset(address) + model.AheadFor).UnixNano()
}
