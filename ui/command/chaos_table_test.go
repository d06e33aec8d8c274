package command

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed"
	"blotter/feed/hub"
	"blotter/feed/sim"
	"blotter/model"
	"blotter/model/view"
	"blotter/ui/store"
)

var (
	chaosTable   = flag.String("chaos-table", "", `print the table of TestChaos for these services, separated by commas, or "all"`)
	chaosRows    = flag.String("chaos-rows", "20,5000,50000", "for these numbers of rows")
	chaosParties = flag.String("chaos-parties", "1,60,0", "and of parties that are watched; 0 is all")
	chaosDesk    = flag.Bool("chaos-desk", false, "of a session of a desk")
	chaosSeeds   = flag.Int("chaos-seeds", 3, "the number of runs; one less for each 20,000 rows")
)

const (
	oldAfter  = 2 * time.Second // a state of a row is old if the row has had another one for longer
	mostLive  = 15 * time.Second
	mostQuiet = 30 * time.Second
)

// wrongService is a service with something that is wrong all the time.
type wrongService struct {
	name  string
	spoil func(*sim.Node)
	nodes int  // of several, the last one is wrong
	works bool // one of the nodes works, and nothing delays what it sends
}

var wrongServices = []wrongService{
	{"one node", func(*sim.Node) {}, 1, true},
	{"lag 60s", func(n *sim.Node) { n.StartReplicas(0, 0, time.Minute) }, 3, true},
	{"hang", func(n *sim.Node) { hangLater(n, 0, 0, 0) }, 3, true},
	{"lag and hang", func(n *sim.Node) { hangLater(n, 0, time.Minute, 0) }, 3, true},
	{"empty store", func(n *sim.Node) { n.StartReplicas(0, 0, 0); n.EmptyReplica(2) }, 3, true},
	{"older store", func(n *sim.Node) { n.StartReplicas(0, 0, 0); n.SkipChanges(2, 20*time.Second) }, 3, true},
	{"lag 60s, cuts", func(n *sim.Node) {
		n.StartReplicas(0, 0, time.Minute)
		n.SetProxy(sim.Proxy{CutSilent: time.Minute})
	}, 3, true},
	{"late 12s", func(n *sim.Node) { n.DelayUpdates(12 * time.Second) }, 1, false},
	{"late 40s", func(n *sim.Node) { n.DelayUpdates(40 * time.Second) }, 1, false},
	{"proxy buffers", func(n *sim.Node) { n.SetProxy(sim.Proxy{Buffer: 8 << 10}) }, 1, false},
}

// hangLater makes the last of several nodes hang after half a minute.
func hangLater(n *sim.Node, behind ...time.Duration) {
	n.StartReplicas(behind...)
	time.AfterFunc(30*time.Second, func() { n.HangReplica(len(behind) - 1) })
}

// TestChaos measures for how long rows that are old stand under LIVE and under QUIET, beside services that are wrong
// all the time. Rows of a stream whose updates come late do not count: that is said. It is short; -chaos-table prints
// more.
func TestChaos(t *testing.T) {
	sizes, watches, seeds, names := []int{20}, []int{1, 60, 0}, 1, []string{"lag 60s", "hang"}
	if *chaosTable != "" {
		sizes, watches, seeds, names = numbers(t, *chaosRows), numbers(t, *chaosParties), *chaosSeeds, strings.Split(*chaosTable, ",")
	}
	const line = "%-14s %6v  %-11s  %5v %9v  %5v %9v  %10v %8v\n"
	if *chaosTable != "" {
		fmt.Printf(line, "service", "rows", "watched", "LIVE", "unaudited", "QUIET", "unaudited", "requests/s", "at rest")
	}
	for _, service := range wrongServices {
		if !slices.Contains(names, service.name) && *chaosTable != "all" {
			continue
		}
		for _, rows := range sizes {
			for _, parties := range watches {
				watched := cmp.Or(map[int]string{0: "all", 1: "1 party"}[parties], fmt.Sprint(parties, " parties"))
				var worst oldRows
				for seed := range max(1, seeds-rows/20_000) {
					c := &chaosTrial{service: service, parties: parties, desk: *chaosDesk,
						table: make([]changingRow, rows), random: rand.New(rand.NewPCG(uint64(seed), 45))}
					synctest.Test(t, c.run)
					worst.add(&c.worst)
				}
				if *chaosTable != "" {
					l := worst.longest
					requests := [2]string{fmt.Sprintf("%.2f", worst.requests), fmt.Sprintf("%.2f", worst.atRest)}
					fmt.Printf(line, service.name, rows, watched, l[0], l[1], l[2], l[3], requests[0], requests[1])
				}
				times := time.Duration(1)
				if *chaosTable == "" {
					times = 3 // audits begin at random times, and reach random nodes
				}
				if live := worst.longest[0]; service.works && live > times*mostLive {
					t.Errorf("%s, %d rows of %s: old for %s under LIVE", service.name, rows, watched, live)
				}
				if quiet := worst.longest[2]; service.works && quiet > times*mostQuiet {
					t.Errorf("%s, %d rows of %s: old for %s under QUIET", service.name, rows, watched, quiet)
				}
			}
		}
	}
}

// numbers returns the numbers in a text, separated by commas.
func numbers(t *testing.T, text string) (all []int) {
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	return all
}

// oldRows are figures of the rows that were old.
type oldRows struct {
	longest          [4]time.Duration // under LIVE, under LIVE and not audited, under QUIET, under QUIET and not audited
	requests, atRest float64          // a second, and a second while few rows change
}

func (o *oldRows) add(other *oldRows) {
	for i, d := range other.longest {
		o.longest[i] = max(o.longest[i], d)
	}
	o.requests, o.atRest = max(o.requests, other.requests), max(o.atRest, other.atRest)
}

// chaosTrial is a service that is watched for some minutes.
type chaosTrial struct {
	service wrongService
	parties int  // that are watched; 0 for all
	desk    bool // through a desk
	random  *rand.Rand
	node    *sim.Node
	table   []changingRow
	worst   oldRows
}

// changingRow is a row of the service. Its volume is the number of its state.
type changingRow struct {
	key   model.Key
	since []time.Time  // when its states began, from number 1 on
	under [4]time.Time // since when it is old under each of oldRows.longest; zero if it is not
}

// run watches the service. The first streams reach the last node; later connections reach any node, at random.
func (c *chaosTrial) run(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	c.node = sim.New(sim.Config{})
	listener, served := sim.Listen(), make(chan error, 1)
	go func() { served <- c.node.Serve(ctx, listener) }()
	defer func() { stop(); <-served }()
	scope := c.fill()
	c.service.spoil(c.node)
	if c.service.nodes > 1 {
		c.node.Route([]int{c.service.nodes - 1}, []int{0})
	}
	var config feed.Config
	config.BaseURLs, config.Dial = []string{"http://sim.test"}, listener.DialContext
	source, err := feed.New(config)
	if err != nil {
		t.Fatal(err)
	}
	watched, closeAll := readBy(t, ctx, source, c.desk)
	defer closeAll()
	s := newStoreOf(ctx, watched, store.Options{Settings: view.Settings{Scope: scope, Order: view.Order{Column: view.MarketColumn}}})
	s.Start()
	s.pass(time.Second)
	if c.service.nodes > 1 {
		c.node.RouteConnections(c.random.Uint64())
	}
	const busy, calm = time.Minute, 2 * time.Minute
	for range 2 {
		c.pass(s, busy, min(max(1, len(c.table)/100), 500))
		before := len(c.node.Requests())
		c.pass(s, calm, 0)
		c.worst.atRest = max(c.worst.atRest, float64(len(c.node.Requests())-before)/calm.Seconds())
	}
	c.worst.requests = float64(len(c.node.Requests())) / (2 * (busy + calm)).Seconds()
	stop()
	time.Sleep(time.Minute) // what waits ends
}

// readBy returns what a screen reads of a feed: the feed, or a session of a desk; and a function that closes all.
func readBy(t *testing.T, ctx context.Context, f *feed.Feed, desk bool) (store.Source, func()) {
	if !desk {
		return f, f.Close
	}
	h := hub.New(f, hub.Options{Limits: hub.Limits{Backlog: 5}})
	session, err := h.Join(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return session, func() { h.Close(); f.Close() }
}

// fill gives all rows their first state, and returns the scope.
func (c *chaosTrial) fill() (scope model.Scope) {
	parties, all := c.parties, make([]int, len(c.table))
	if parties == 0 {
		parties = 100
	}
	id := func(i int) model.ID { return model.MakeID(fmt.Sprintf("%064x", i+1)) }
	for i := range c.table {
		c.table[i].key, all[i] = model.Key{Party: id(i % parties), Market: id(i / parties)}, i
	}
	for i := range c.parties {
		scope.Parties = append(scope.Parties, id(i))
	}
	positions, margins := c.next(all)
	c.node.Put(positions...)
	c.node.PutMargins(margins...)
	return scope
}

// next returns the next states of rows.
func (c *chaosTrial) next(rows []int) (positions []sim.Position, margins []sim.MarginLevels) {
	now := time.Now()
	for _, i := range rows {
		r := &c.table[i]
		r.since = append(r.since, now)
		party, market := r.key.Party.String(), r.key.Market.String()
		positions = append(positions, sim.Position{Party: party, Market: market, OpenVolume: int64(len(r.since)), UpdatedAt: now.UnixNano()})
		margins = append(margins, sim.MarginLevels{Party: party, Market: market, Asset: "a5", Timestamp: now.UnixNano(),
			Maintenance: "1", Search: "2", Initial: "3", Release: "4"})
	}
	return positions, margins
}

// pass changes the given number of rows each second, or one every 20 seconds, and measures the rows that are old.
func (c *chaosTrial) pass(s *storeOf, lasts time.Duration, each int) {
	for second := range int(lasts / time.Second) {
		var rows []int
		for range each {
			rows = append(rows, c.random.IntN(len(c.table)))
		}
		if each == 0 && second%20 == 10 {
			rows = append(rows, c.random.IntN(len(c.table)))
		}
		slices.Sort(rows)
		positions, margins := c.next(slices.Compact(rows))
		c.node.Update(positions...)
		c.node.PutMargins(margins...)
		s.pass(time.Second)
		c.measure(s)
	}
}

// measure measures the rows that are old now.
func (c *chaosTrial) measure(s *storeOf) {
	now, links, b := time.Now(), s.Flow().Links(), s.Book()
	for i := range c.table {
		r := &c.table[i]
		shown, _ := b.Find(r.key) // 0 if there is none
		state, _ := shown.Number(model.OpenVolume).Int64()
		var under [4]bool
		if int(state) < len(r.since) && now.Sub(r.since[state]) > oldAfter {
			if link := model.LinkOf(links, r.key); link != nil {
				how, _ := link.Freshness(now)
				isLive, isQuiet := how == model.FreshLive && link.LateBy == 0, how == model.FreshQuiet && link.LateBy == 0
				isUnaudited := !b.IsAudited(link.Subscription)
				under = [4]bool{isLive, isLive && isUnaudited, isQuiet, isQuiet && isUnaudited}
			}
		}
		for word, is := range under {
			switch {
			case !is:
				r.under[word] = time.Time{}
			case r.under[word].IsZero():
				r.under[word] = now
			default:
				c.worst.longest[word] = max(c.worst.longest[word], now.Sub(r.under[word]))
			}
		}
	}
}

// TestRequestsAtRest: while hardly anything changes, the service gets two requests a second at most, however many
// parties are watched.
func TestRequestsAtRest(t *testing.T) {
	for parties, most := range map[int]float64{1: 0.5, 60: 2.05} {
		c := &chaosTrial{service: wrongServices[0], parties: parties, table: make([]changingRow, 60), random: rand.New(rand.NewPCG(1, 45))}
		synctest.Test(t, c.run)
		if c.worst.atRest > most || c.worst.atRest < most/2 {
			t.Errorf("%d parties: %.2f requests a second, want %.2f at most", parties, c.worst.atRest, most)
		}
	}
}
