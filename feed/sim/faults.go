package sim

import (
	"bytes"
	"fmt"
	"net/http"
	"time"
)

// faults is all that chaos does. Each entry uses what tests use too: the methods of Node. When it has ended the service
// is well: what its streams and pages say is the truth, to whoever asks anew or reads on.
//
// A fault that is not here needs one entry more, and nothing else.
var faults = []fault{
	// Streams end.
	{name: "cut in the middle of a message", begin: func(c *chaos) { c.node.Raw(c.half()); c.node.Cut() }},
	{name: "cut between the pages of a snapshot", begin: (*chaos).holdSnapshot, lasts: seconds(2, 6), end: ends(cut, release)},
	{name: "drop, as of a slow reader", begin: func(c *chaos) { c.node.Kick() }},
	{name: "clean end without an error", begin: func(c *chaos) { c.node.End() }},
	{name: "error of a shutdown", begin: func(c *chaos) { c.node.Shutdown() }},
	{name: "error beside a result", begin: (*chaos).errorBesideResult},

	// Requests are refused.
	{name: "429 without a time", begin: refuse(overloaded(http.StatusTooManyRequests, "")), lasts: seconds(3, 8), end: ends(answerAsUsual)},
	{name: "429 with a time", begin: refuse(overloaded(http.StatusTooManyRequests, "2")), lasts: seconds(3, 8), end: ends(answerAsUsual)},
	{name: "403 with a time", begin: refuse(banned), lasts: seconds(3, 8), end: ends(answerAsUsual)},
	{name: "503", begin: refuse(overloaded(http.StatusServiceUnavailable, "")), lasts: seconds(3, 8), end: ends(answerAsUsual)},
	{name: "400, 401 or 404, once", begin: (*chaos).refuseOnce, lasts: seconds(5, 6), end: ends(answerAsUsual)},
	// Only on pages: a client may well stay away from the streams for as long, and then nobody sees the other faults.
	{name: "429 on margin levels, for 24 days", begin: limitMargins("2073600"), lasts: seconds(2, 6), end: ends(answerAsUsual)},
	{name: "429 on margin levels, until the year 9999", begin: limitMargins("Fri, 31 Dec 9999 23:59:59 GMT"), lasts: seconds(2, 6), end: ends(answerAsUsual)},
	{name: "margin levels fail", begin: answerMargins(Answer{Status: http.StatusInternalServerError, Body: string(streamDropped.text())}), lasts: seconds(5, 15), end: ends(answerAsUsual)},
	{name: "margin levels do not answer", begin: answerMargins(Answer{}), lasts: seconds(5, 15), end: ends(answerAsUsual)},

	// The service is silent, or as good as silent.
	{name: "streams without headers", begin: open(Answer{}), lasts: seconds(5, 12), end: ends(answerAsUsual, cut)},
	{name: "streams with headers alone", begin: open(Answer{Status: http.StatusOK, Open: true}), lasts: seconds(5, 12), end: ends(answerAsUsual, cut)},
	{name: "half a snapshot page, then silence", begin: (*chaos).openHalf, lasts: seconds(5, 12), end: ends(answerAsUsual, cut)},
	{name: "half an update, then silence", begin: func(c *chaos) { c.node.Raw(c.half()); c.node.Hang() }, lasts: seconds(10, 40), end: ends(cut)},
	{name: "white space every 2 s", begin: repeat(" \n"), lasts: seconds(10, 40), end: ends(cut)},
	{name: "{} every 2 s", begin: repeat("{}\n"), lasts: seconds(10, 40), end: ends(cut)},
	{name: "white space instead of a snapshot", begin: open(Answer{Status: http.StatusOK, Body: " \n", Every: 2 * time.Second}), lasts: seconds(5, 20), end: ends(answerAsUsual, cut)},
	{name: "whole service silent", begin: func(c *chaos) { c.node.Silence() }, lasts: seconds(3, 20), end: ends(speak)},
	{name: "messages in small pieces", begin: (*chaos).trickle, lasts: seconds(2, 5), end: ends(hurry)},
	{name: "a byte every 3 s", begin: func(c *chaos) { c.node.Trickle(1, 3*time.Second) }, lasts: seconds(8, 20), end: ends(hurry)},

	// What comes is not what it should be.
	{name: "garbage in a stream", begin: (*chaos).garbage},
	{name: "HTML with a 200", begin: answerBoth(2, Answer{Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}}, Body: "<html><body>Please log in</body></html>"}), lasts: seconds(2, 6), end: ends(answerAsUsual)},
	{name: "token in an error body, a header and a trailer", begin: (*chaos).echoToken, lasts: seconds(2, 6), end: ends(answerAsUsual)},
	{name: "HTTP/2 frames of an unknown type", begin: func(c *chaos) { c.node.SendFrame(0x42, "unknown "+c.token()) }},
	{name: "HTTP/2 GOAWAY with the token", begin: func(c *chaos) { c.node.SendFrame(goAway, noError+c.token()) }},
	{name: "response that nobody asked for", begin: (*chaos).unsolicited},

	// What is told is old, twice there or not there, and times say nothing.
	{name: "updates lost in the gap", begin: (*chaos).widenGap, lasts: seconds(2, 5), end: ends(release)},
	{name: "duplicates", begin: (*chaos).duplicate},
	{name: "old block time", begin: func(c *chaos) { c.node.Lag(c.within(seconds(20, 300))) }, lasts: seconds(8, 20), end: ends(current)},
	{name: "new requests reach a node that is behind", begin: startReplica, lasts: seconds(8, 30), end: ends(catchUp)},
	{name: "all reach a node that is behind", begin: func(c *chaos) { startReplica(c); c.node.Cut() }, lasts: seconds(8, 30), end: ends(catchUp)},
	{name: "times that stand still", begin: (*chaos).stopTime, lasts: seconds(4, 12), end: ends(trueTimes)},
	{name: "times that are absent", begin: func(c *chaos) { c.node.Stamp(func(time.Time) int64 { return NoTime }) }, lasts: seconds(4, 12), end: ends(trueTimes)},
	{name: "times of the future", begin: (*chaos).advanceTime, lasts: seconds(4, 12), end: ends(trueTimes)},
}

// Faults returns the names of all that Config.Chaos makes the service do.
func Faults() []string {
	names := make([]string, len(faults))
	for i, f := range faults {
		names[i] = f.name
	}
	return names
}

// How faults end.

func ends(steps ...func(*chaos)) []func(*chaos) { return steps }

func cut(c *chaos)       { c.node.Cut() }
func release(c *chaos)   { c.node.Release() }
func speak(c *chaos)     { c.node.Speak() }
func hurry(c *chaos)     { c.node.Trickle(0, 0) }
func current(c *chaos)   { c.node.Lag(0) }
func catchUp(c *chaos)   { c.node.StopReplica() }
func trueTimes(c *chaos) { c.node.restamp() }
func answerAsUsual(c *chaos) {
	c.node.AnswerStreams(0, Answer{})
	c.node.AnswerMargins(0, Answer{})
}

// How faults begin.

func (c *chaos) holdSnapshot() {
	c.node.HoldSnapshot(1 + c.random.IntN(3))
	c.node.Cut()
}

func (c *chaos) errorBesideResult() {
	message := c.message()
	c.node.Raw(append(message[:len(message)-1], `,"error":{"code":13,"message":"Internal error"}}`+"\n"...))
	c.node.End()
}

// overloaded refuses for now; retryAfter may be empty.
func overloaded(status int, retryAfter string) Answer {
	answer := Answer{Status: status, Body: `{"code":8,"message":"too busy to answer","details":[]}`}
	if retryAfter != "" {
		answer.Header = http.Header{"Retry-After": {retryAfter}}
	}
	return answer
}

var banned = Answer{
	Status: http.StatusForbidden,
	Header: http.Header{"Ratelimit-Retry-After": {"3"}},
	Body:   `{"code":7,"message":"temporarily banned for continuing to request while rate limited","details":[]}`,
}

// answerBoth gives an answer to so many of the next requests of either kind, and cuts the open streams.
func answerBoth(times int, answer Answer) func(*chaos) {
	return func(c *chaos) {
		c.node.AnswerStreams(times, answer)
		c.node.AnswerMargins(times, answer)
		c.node.Cut()
	}
}

// refuse gives an answer to all requests.
func refuse(answer Answer) func(*chaos) { return answerBoth(Always, answer) }

// refuseOnce gives an answer after which nobody tries again soon.
func (c *chaos) refuseOnce() {
	status := []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound}[c.random.IntN(3)]
	c.node.AnswerStreams(1, Answer{Status: status, Body: `{"code":16,"message":"refused, this once","details":[]}`})
	c.node.Cut()
}

// answerMargins gives an answer to all requests for margin levels.
func answerMargins(answer Answer) func(*chaos) {
	return func(c *chaos) { c.node.AnswerMargins(Always, answer) }
}

func limitMargins(retryAfter string) func(*chaos) {
	return answerMargins(overloaded(http.StatusTooManyRequests, retryAfter))
}

// open gives an answer to all streams, the open ones included.
func open(answer Answer) func(*chaos) {
	return func(c *chaos) {
		c.node.AnswerStreams(Always, answer)
		c.node.Cut()
	}
}

func (c *chaos) openHalf() {
	half := bytes.Replace(c.half(), []byte("updates"), []byte("snapshot"), 1)
	open(Answer{Status: http.StatusOK, Body: string(half), Open: true})(c)
}

// repeat makes the open streams send a text every 2 s, and nothing else.
func repeat(text string) func(*chaos) {
	return func(c *chaos) { c.node.Repeat(text, 2*time.Second) }
}

func (c *chaos) trickle() { c.node.Trickle(1+c.random.IntN(200), 20*time.Millisecond) }

func (c *chaos) garbage() {
	pieces := []string{"}{\n", "\x00\xff\xfe\n", "null\n", `{"result":` + "\n", "<html>\n", `{"result":{"updates":{"positions":[{"partyId":7}]}}}` + "\n"}
	c.node.Raw([]byte(pieces[c.random.IntN(len(pieces))]))
}

func (c *chaos) echoToken() {
	token := c.token()
	answer := overloaded(http.StatusServiceUnavailable, "")
	answer.Body = fmt.Sprintf(`{"code":8,"message":"too busy for %q","details":[]}`, token)
	answer.Header = http.Header{"X-Request-Authorization": {token}}
	answer.Trailer = http.Header{"X-Request-Authorization": {token}}
	answerBoth(2, answer)(c)
}

const (
	goAway  = 7                                  // the type of the HTTP/2 frame
	noError = "\x7f\xff\xff\xff\x00\x00\x00\x00" // what begins it: no stream is too new, and there is no error
)

func (c *chaos) unsolicited() {
	c.node.SendUnsolicited("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\nX-Request-Authorization: " + c.token() + "\r\n\r\n")
}

func (c *chaos) widenGap() {
	c.node.HoldSnapshot(AllPages)
	c.node.Cut()
}

// duplicate tells again what is true already. It needs the lock: what is not the latest would be no duplicate.
func (c *chaos) duplicate() {
	c.node.mu.Lock()
	defer c.node.mu.Unlock()
	some := c.some()
	c.node.main.tell(append(some, some...))
}

func startReplica(c *chaos) { c.node.StartReplica(c.within(seconds(3, 60))) }

func (c *chaos) stopTime() {
	stopped := time.Now().UnixNano()
	c.node.Stamp(func(time.Time) int64 { return stopped })
}

func (c *chaos) advanceTime() {
	ahead := c.within(seconds(10, 600))
	c.node.Stamp(func(now time.Time) int64 { return now.Add(ahead).UnixNano() })
}
