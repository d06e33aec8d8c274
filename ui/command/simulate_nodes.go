package command

import (
	"time"

	"github.com/spf13/pflag"

	"blotter/feed/sim"
	"blotter/ui/command/cli"
)

// simulatedNodes are the nodes of blotter simulate, and the proxy before them: what is wrong with them all the time,
// while --chaos has one fault after the other. The first node is always correct.
type simulatedNodes struct {
	count        int
	lag, hang    time.Duration
	empty        bool
	skip, late   time.Duration
	growth       int // of the margin levels before each page
	buffer, gzip bool
}

const (
	maxNodes  = 16
	maxGrowth = 100
)

func (c *simulatedNodes) addFlags(set *pflag.FlagSet) {
	set.IntVar(&c.count, "nodes", 1, "how many nodes the service has; each connection reaches one of them, at random")
	set.DurationVar(&c.lag, "lag", 0, "one of the nodes is behind by this time")
	set.DurationVar(&c.hang, "hang", 0, "after this time, one of the nodes sends nothing more, and keeps its connections open")
	set.BoolVar(&c.empty, "empty", false, "one of the nodes has only what has changed since it started")
	set.DurationVar(&c.skip, "skip", 0, "one of the nodes has missed what changed in its first time of this length")
	set.DurationVar(&c.late, "late", 0, "updates are sent this time after they were made")
	set.IntVar(&c.growth, "margins-added", 0, "how many margin levels are added before each page of them")
	set.BoolVar(&c.buffer, "proxy-buffer", false, "a proxy sends on 8 KiB of a stream at a time, as nginx does by default")
	set.BoolVar(&c.gzip, "proxy-gzip", false, "a proxy compresses streams without flushing, for clients that ask for compression")
}

// check returns an error for flags that do not fit together.
func (c *simulatedNodes) check() error {
	for _, flag := range []struct {
		name string
		time time.Duration
	}{{"lag", c.lag}, {"hang", c.hang}, {"skip", c.skip}, {"late", c.late}} {
		if flag.time < 0 {
			return cli.UsageError("--%s: must be 0s or longer", flag.name)
		}
	}
	if c.count < 1 || c.count > maxNodes {
		return cli.UsageError("--nodes: must be from 1 to %d, not %d", maxNodes, c.count)
	}
	if c.growth < 0 || c.growth > maxGrowth {
		return cli.UsageError("--margins-added: must be from 0 to %d, not %d", maxGrowth, c.growth)
	}
	least := 1
	for _, wrong := range []bool{c.lag > 0, c.hang > 0, c.skip > 0, c.empty} {
		if wrong {
			least++
		}
	}
	if c.count < least {
		return cli.UsageError("--nodes: must be at least %d: --lag, --hang, --skip and --empty need a node each, and one is correct", least)
	}
	return nil
}

// start makes the service have these nodes and the proxy. The returned function stops a timer of its own.
func (c *simulatedNodes) start(service *sim.Node, seed uint64) (stop func() bool) {
	stop = func() bool { return false }
	service.DelayUpdates(c.late)
	service.GrowMargins(c.growth)
	proxy := sim.Proxy{Gzip: c.gzip}
	if c.buffer {
		proxy.Buffer = 8 << 10
	}
	service.SetProxy(proxy)
	if c.count == 1 {
		return stop
	}
	lags, last := make([]time.Duration, c.count), c.count-1
	if c.lag > 0 {
		lags[last] = c.lag
		last--
	}
	service.StartReplicas(lags...)
	service.RouteConnections(seed)
	if c.empty {
		service.EmptyReplica(last)
		last--
	}
	if c.skip > 0 {
		service.SkipChanges(last, c.skip)
		last--
	}
	if c.hang > 0 {
		stop = time.AfterFunc(c.hang, func() { service.HangReplica(last) }).Stop
	}
	return stop
}
