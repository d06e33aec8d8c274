package sim

import (
	"context"
	"time"
)

// Config describes a Node. Its zero value is a service without a market, without faults and without rate limits, for
// scripts.
type Config struct {
	// Seed chooses the market. The same seed makes the same market and the same history; only the times come from the
	// clock.
	Seed uint64

	// Parties and Markets are how many of each the market has. One of the parties is "network". Zero of either makes no
	// market.
	Parties, Markets int

	// Dense puts every party into every market. Otherwise about half of the pairs have a position.
	Dense bool

	// Rate is how many positions change each second. At 0 nothing changes.
	Rate int

	// Faults change the service by its methods while Serve runs, until the context ends. Package faulty has them. Nil
	// are none.
	Faults interface{ Run(context.Context, *Node) }

	// Limits are how much the service allows to its clients.
	Limits Limits

	// Gap is how long a stream waits between the end of its snapshot and the start of its subscription. Changes in
	// between are not sent on it. At 0 there is still a gap, as long as the writing takes.
	Gap time.Duration
}
