package faulty

import (
	"bytes"
	"fmt"
	"net/http"
	"time"

	"blotter/feed/sim"
)

// fault is something that the service does wrong. Chaos ends it with Node.Heal.
type fault struct {
	name  string
	begin func(*Chaos)
	lasts span // atOnce if it is over when it has begun
	cuts  bool // its end cuts the streams: they would hang
}

// faults are all faults of Chaos. A new fault needs one entry here, made of the methods of sim.Node, as in tests. When
// a fault has ended, streams and pages are correct for a client that sends its requests again.
var faults = []fault{
	// Streams end.
	{"cut in the middle of a message", cutInMessage, atOnce, false},
	{"cut between the pages of a snapshot", cutAndHoldPages, seconds(2, 6), true},
	{"drop, as of a slow reader", func(c *Chaos) { c.node.Drop() }, atOnce, false},
	{"clean end without an error", func(c *Chaos) { c.node.End() }, atOnce, false},
	{"error of a shutdown", func(c *Chaos) { c.node.Shutdown() }, atOnce, false},
	{"error beside a result", errorBesideResult, atOnce, false},

	// A proxy stands before the service.
	{"a proxy that cuts silent streams", cutSilent, seconds(4, 10), false},
	{"a proxy that cuts all streams", cutAll, seconds(6, 12), false},
	{"a proxy that holds back what streams send", holdBack, seconds(8, 20), false},
	{"a proxy that sends on 8 KiB at a time", standBehind(sim.Proxy{Buffer: 8 << 10}), seconds(8, 25), true},
	{"a proxy that compresses, and sends on 8 KiB at a time", standBehind(sim.Proxy{Buffer: 8 << 10, Gzip: true}), seconds(8, 20), true},
	{"a proxy that compresses without flushing", standBehind(sim.Proxy{Gzip: true}), seconds(8, 20), true},

	// Requests are refused.
	{"429 without a time", refuse(busy(http.StatusTooManyRequests, "")), seconds(3, 8), false},
	{"429 with a time", refuse(busy(http.StatusTooManyRequests, "2")), seconds(3, 8), false},
	{"403 with a time", refuse(banned), seconds(3, 8), false},
	{"503", refuse(busy(http.StatusServiceUnavailable, "")), seconds(3, 8), false},
	{"400, 401 or 404, once", refuseOnce, seconds(5, 6), false},
	{"margin levels fail", respondToMargins(failed), seconds(5, 15), false},
	{"no response to margin levels", respondToMargins(sim.Response{}), seconds(5, 15), false},

	// Streams are silent, or send nothing of use.
	{"streams without headers", openStreams(sim.Response{}), seconds(5, 12), true},
	{"streams with headers alone", openStreams(sim.Response{Status: http.StatusOK, Open: true}), seconds(5, 12), true},
	{"half a snapshot page, then silence", openHalf, seconds(5, 12), true},
	{"white space instead of a snapshot", openStreams(whiteSpace), seconds(5, 20), true},
	{"half an update, then silence", hangInMessage, seconds(10, 40), true},
	{"white space every 2 s", repeat(" \n", 2*time.Second), seconds(10, 40), true},
	{"{} every 2 s", repeat("{}\n", 2*time.Second), seconds(10, 40), true},
	{"a byte every 3 s", repeat("1", 3*time.Second), seconds(8, 20), true},
	{"whole service silent", func(c *Chaos) { c.node.Silence() }, seconds(3, 20), false},

	// Faults in the content of responses.
	{"garbage in a stream", garbage, atOnce, false},
	{"HTML with a 200", respondToBoth(2, loginPage), seconds(2, 6), false},
	{"token in an error body, a header and a trailer", echoToken, seconds(2, 6), false},

	// Data that is old, comes twice, or has a wrong time.
	{"updates lost in the gap", widenGap, seconds(2, 5), false},
	{"updates between the pages of a snapshot", partSnapshots(sim.Snapshots{UpdatesBetween: true}), seconds(4, 8), false},
	{"no last page of a snapshot", partSnapshots(sim.Snapshots{NoLastPage: true}), seconds(4, 8), false},
	{"a market that streams lose", loseMarket, seconds(8, 20), false},
	{"duplicates", duplicate, atOnce, false},
	{"updates that come late", delayUpdates, seconds(8, 20), true},
	{"margin levels that are added between pages", growMargins, seconds(5, 10), false},
	{"old block time", ageBlocks, seconds(8, 20), false},
	{"new requests reach a node that is behind", startReplica, seconds(8, 30), false},
	{"all requests reach a node that is behind", startReplicaForAll, seconds(8, 30), false},
	// Several nodes are behind one address.
	{"connections to several nodes, some of them behind", balance(lagOne), seconds(8, 30), false},
	{"connections to several nodes, one of them hangs", balance(hangOne), seconds(8, 30), false},
	{"connections to several nodes, one of them without old data", balance(emptyOne), seconds(8, 20), true},
	{"connections to several nodes, one of them with an older store", balance(ageOne), seconds(8, 20), true},
	{"times that stand still", stopTime, seconds(4, 12), false},
	{"times that are absent", omitTime, seconds(4, 12), false},
	{"times of the future", advanceTime, seconds(4, 12), false},
}

// Names returns the names of all faults that Chaos injects.
func Names() []string {
	names := make([]string, len(faults))
	for i, f := range faults {
		names[i] = f.name
	}
	return names
}

func cutInMessage(c *Chaos) {
	c.node.Raw(c.halfUpdate())
	c.node.Cut()
}

func cutAndHoldPages(c *Chaos) {
	c.node.HoldSnapshot(1 + c.random.IntN(3))
	c.node.Cut()
}

func errorBesideResult(c *Chaos) {
	message := c.update()
	c.node.Raw(append(message[:len(message)-1], `,"error":{"code":13,"message":"Internal error"}}`+"\n"...))
	c.node.End()
}

// busy refuses for a time. The Retry-After may be empty.
func busy(status int, retryAfter string) sim.Response {
	response := sim.Response{Status: status, Body: `{"code":8,"message":"too busy","details":[]}`}
	if retryAfter != "" {
		response.Header = http.Header{"Retry-After": {retryAfter}}
	}
	return response
}

var (
	banned = sim.Response{
		Status: http.StatusForbidden,
		Header: http.Header{"Ratelimit-Retry-After": {"3"}},
		Body:   `{"code":7,"message":"temporarily banned for continuing to request while rate limited","details":[]}`,
	}
	failed    = sim.Response{Status: http.StatusInternalServerError, Body: `{"code":13,"message":"Internal error"}`}
	loginPage = sim.Response{
		Status: http.StatusOK,
		Header: http.Header{"Content-Type": {"text/html"}},
		Body:   "<html><body>Please log in</body></html>",
	}
	whiteSpace = sim.Response{Status: http.StatusOK, Body: " \n", Every: 2 * time.Second}
)

// respondToBoth sets the response to the given number of the next requests of either kind, and cuts the open streams.
func respondToBoth(times int, response sim.Response) func(*Chaos) {
	return func(c *Chaos) {
		c.node.SetStreamResponse(times, response)
		c.node.SetMarginResponse(times, response)
		c.node.Cut()
	}
}

// refuse sets the response to all requests.
func refuse(response sim.Response) func(*Chaos) { return respondToBoth(sim.Always, response) }

// refuseOnce sets one response after which a client does not try again soon.
func refuseOnce(c *Chaos) {
	status := []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound}[c.random.IntN(3)]
	c.node.SetStreamResponse(1, sim.Response{Status: status, Body: `{"code":16,"message":"refused, this once","details":[]}`})
	c.node.Cut()
}

// respondToMargins sets the response to all requests for margin levels.
func respondToMargins(response sim.Response) func(*Chaos) {
	return func(c *Chaos) { c.node.SetMarginResponse(sim.Always, response) }
}

// openStreams sets the response to all requests for streams, and cuts the open ones.
func openStreams(response sim.Response) func(*Chaos) {
	return func(c *Chaos) {
		c.node.SetStreamResponse(sim.Always, response)
		c.node.Cut()
	}
}

func openHalf(c *Chaos) {
	half := bytes.Replace(c.halfUpdate(), []byte("updates"), []byte("snapshot"), 1)
	openStreams(sim.Response{Status: http.StatusOK, Body: string(half), Open: true})(c)
}

func hangInMessage(c *Chaos) {
	c.node.Raw(c.halfUpdate())
	c.node.Hang()
}

// repeat makes the open streams send a text again and again, and nothing else.
func repeat(text string, every time.Duration) func(*Chaos) {
	return func(c *Chaos) { c.node.Repeat(text, every) }
}

func garbage(c *Chaos) {
	pieces := []string{
		"}{\n", "\x00\xff\xfe\n", "null\n", `{"result":` + "\n", "<html>\n",
		`{"result":{"updates":{"positions":[{"partyId":7}]}}}` + "\n",
	}
	c.node.Raw([]byte(pieces[c.random.IntN(len(pieces))]))
}

// tokenHeader is where a response repeats the client's token.
const tokenHeader = "X-Request-Authorization"

func echoToken(c *Chaos) {
	token := c.token()
	response := busy(http.StatusServiceUnavailable, "")
	response.Body = fmt.Sprintf(`{"code":8,"message":%q}`, "too busy for "+token)
	response.Header = http.Header{tokenHeader: {token}}
	response.Trailer = http.Header{tokenHeader: {token}}
	respondToBoth(2, response)(c)
}

// partSnapshots parts the snapshots of all streams, which are opened again.
func partSnapshots(parts sim.Snapshots) func(*Chaos) {
	return func(c *Chaos) {
		parts.PageSize, parts.Pause = 1+c.random.IntN(20), c.within(seconds(1, 2))
		c.node.SetSnapshots(parts)
		c.node.Cut()
	}
}

// loseMarket makes the open streams lose the market of a position that changes.
func loseMarket(c *Chaos) {
	for _, p := range c.node.Some(c.random) {
		c.node.LoseMarkets(p.Market)
	}
}

// cutSilent cuts the streams that are silent between two blocks, and those without positions.
func cutSilent(c *Chaos) { c.node.SetProxy(sim.Proxy{CutSilent: 900 * time.Millisecond}) }

func cutAll(c *Chaos) {
	c.node.SetProxy(sim.Proxy{CutAfter: c.within(seconds(3, 8)), Clean: c.random.IntN(2) == 0})
}

func holdBack(c *Chaos) {
	c.node.SetProxy(sim.Proxy{Hold: c.within(seconds(3, 25))})
	c.node.Cut()
}

// standBehind puts a proxy before the service. The streams are opened again.
func standBehind(p sim.Proxy) func(*Chaos) {
	return func(c *Chaos) {
		c.node.SetProxy(p)
		c.node.Cut()
	}
}

func widenGap(c *Chaos) {
	c.node.HoldSnapshot(sim.AllPages)
	c.node.Cut()
}

func duplicate(c *Chaos) {
	var keys []sim.Key
	for _, p := range c.node.Some(c.random) {
		keys = append(keys, p.Key())
	}
	c.node.Resend(append(keys, keys...)...)
}

func ageBlocks(c *Chaos) { c.node.Lag(c.within(seconds(20, 300))) }

func delayUpdates(c *Chaos) { c.node.DelayUpdates(c.within(seconds(3, 20))) }

func growMargins(c *Chaos) { c.node.GrowMargins(1 + c.random.IntN(3)) }

// balance puts three nodes behind a load balancer that chooses one for each connection. Something is wrong with the
// last of them, and the streams are opened again.
func balance(spoilLast func(*Chaos)) func(*Chaos) {
	return func(c *Chaos) {
		spoilLast(c)
		c.node.RouteConnections(c.random.Uint64())
		c.node.Cut()
	}
}

func lagOne(c *Chaos) { c.node.StartReplicas(0, c.within(seconds(3, 10)), c.within(seconds(10, 60))) }

func hangOne(c *Chaos) {
	c.node.StartReplicas(0, 0, 0)
	c.node.HangReplica(2)
}

func emptyOne(c *Chaos) {
	c.node.StartReplicas(0, 0, 0)
	c.node.EmptyReplica(2)
}

func ageOne(c *Chaos) {
	c.node.StartReplicas(0, 0, 0)
	c.node.SkipChanges(2, c.within(seconds(2, 8)))
}

func startReplica(c *Chaos) { c.node.StartReplicas(c.within(seconds(3, 60))) }

func startReplicaForAll(c *Chaos) {
	startReplica(c)
	c.node.Cut()
}

func stopTime(c *Chaos) {
	stopped := time.Now().UnixNano()
	c.node.Stamp(func(time.Time) int64 { return stopped })
}

func omitTime(c *Chaos) { c.node.Stamp(func(time.Time) int64 { return sim.NoTime }) }

func advanceTime(c *Chaos) {
	ahead := c.within(seconds(10, 600))
	c.node.Stamp(func(now time.Time) int64 { return now.Add(ahead).UnixNano() })
}
