package sim

import (
	"log/slog"
	"time"
)

// Config says what a Node is. Its zero value is a service without a market,
// without faults and without rate limits: what a script starts from.
type Config struct {
	// Seed chooses the market. The same seed makes the same world and the
	// same history; only the times come from the clock.
	Seed uint64

	// Parties and Markets are how many of each the market has. One of the
	// parties is "network". Zero of either makes no market.
	Parties, Markets int

	// Dense puts every party into every market. Otherwise about half of the
	// pairs have a position.
	Dense bool

	// Rate is how many positions change each second. At 0 the market stands
	// still.
	Rate int

	// Chaos is the seed of the faults that Serve injects while it runs; 0
	// injects none.
	Chaos uint64

	// Log is told of each fault of Chaos. Nil discards.
	Log *slog.Logger

	// Limits are how much the service takes from its clients.
	Limits Limits

	// Gap is how long a stream waits between the end of its snapshot and the
	// start of its subscription. What changes in between is lost to it. The
	// gap is there at 0 too, and is as wide as the writing takes.
	Gap time.Duration
}

// Limits are what one service allows to all of its clients together, the way
// a gateway's address is shared by those behind it.
type Limits struct {
	// Streams is how many streams may be open at once; 0 means 250, the
	// public service's own limit.
	Streams int

	// Backlog is how many blocks of updates may wait for a slow reader; 0
	// means 10, and 100 of the many small ones that a fast market makes. A
	// stream that still has more after Patience is dropped.
	Backlog int

	// Patience is how long a stream may stay above Backlog; 0 means 40 ms.
	Patience time.Duration

	// Requests per second of margin levels, after a first Burst of them;
	// 0 does not limit. The public service allows 20, and a burst of 100.
	Requests, Burst int

	// BanAfter is how many refused requests in a row lead to a ban; 0 means 100.
	BanAfter int

	// Ban is how long a ban lasts; 0 means ten minutes.
	Ban time.Duration
}

func (l Limits) withDefaults(rate int) Limits {
	backlog := 10
	if rate >= fastRate {
		backlog = 100
	}
	orDefault(&l.Streams, 250)
	orDefault(&l.Backlog, backlog)
	orDefault(&l.Patience, 40*time.Millisecond)
	orDefault(&l.Burst, 1)
	orDefault(&l.BanAfter, 100)
	orDefault(&l.Ban, 10*time.Minute)
	return l
}

func orDefault[T int | time.Duration](value *T, usual T) {
	if *value == 0 {
		*value = usual
	}
}
