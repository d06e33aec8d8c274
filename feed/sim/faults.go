package sim

import (
	"bytes"
	"context"
	"net/http"
	"time"
)

// faults are all that chaos can do, each by means of the script.
var faults = []fault{
	{"cut in the middle of a message", (*chaos).cutMessage},
	{"cut between the pages of a snapshot", (*chaos).cutSnapshot},
	{"drop, as of a slow reader", func(c *chaos, _ context.Context) { c.node.Kick() }},
	{"clean end without a word", func(c *chaos, _ context.Context) { c.node.End() }},
	{"error of a shutdown", func(c *chaos, _ context.Context) { c.node.Shutdown() }},
	{"error beside a result", (*chaos).errorBesideResult},
	{"429 without a time", answers(overloaded, http.StatusTooManyRequests, "", "")},
	{"429 with a time", answers(overloaded, http.StatusTooManyRequests, "Retry-After", "2")},
	{"403 with a time", answers(banned, http.StatusForbidden, "Ratelimit-Retry-After", "3")},
	{"503", answers(overloaded, http.StatusServiceUnavailable, "", "")},
	{"400, 401 or 404, once", (*chaos).refuseOnce},
	{"streams without headers", opens(Answer{})},
	{"streams with headers alone", opens(Answer{Status: http.StatusOK, Open: true})},
	{"half a message, then silence", (*chaos).halfSilence},
	{"whole service silent", (*chaos).silence},
	{"garbage in a stream", (*chaos).garbage},
	{"HTML with a 200", (*chaos).html},
	{"updates lost in the gap", (*chaos).gap},
	{"duplicates", (*chaos).duplicates},
	{"trickle", (*chaos).trickle},
	{"margin levels fail", (*chaos).noMargins},
	{"margin levels do not answer", (*chaos).hangMargins},
	{"node lags behind", (*chaos).lag},
}

func (c *chaos) cutMessage(context.Context) {
	c.node.Raw(c.half())
	c.node.Cut()
}

func (c *chaos) cutSnapshot(ctx context.Context) {
	defer c.node.Release()
	c.node.HoldSnapshot(1 + c.random.IntN(3))
	c.node.Cut()
	c.wait(ctx, 2*time.Second, 6*time.Second)
	c.node.Cut()
}

func (c *chaos) errorBesideResult(context.Context) {
	message := c.message()
	c.node.Raw(append(message[:len(message)-1], `,"error":{"code":13,"message":"Internal error"}}`+"\n"...))
	c.node.End()
}

const (
	overloaded = `{"code":8,"message":"too busy to answer","details":[]}`
	banned     = `{"code":7,"message":"temporarily banned for continuing to request while rate limited","details":[]}`
)

// answers makes a fault: for a few seconds everything is refused.
func answers(body string, status int, header, value string) func(*chaos, context.Context) {
	answer := Answer{Status: status, Body: body}
	if header != "" {
		answer.Header = http.Header{header: {value}}
	}
	return func(c *chaos, ctx context.Context) {
		defer c.node.AnswerStreams(0, Answer{})
		defer c.node.AnswerMargins(0, Answer{})
		c.node.AnswerStreams(Always, answer)
		c.node.AnswerMargins(Always, answer)
		c.node.Cut()
		c.wait(ctx, 3*time.Second, 8*time.Second)
	}
}

// refuseOnce gives one of the answers after which nobody tries again soon.
func (c *chaos) refuseOnce(ctx context.Context) {
	defer c.node.AnswerStreams(0, Answer{})
	status := []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusNotFound}[c.random.IntN(3)]
	c.node.AnswerStreams(1, Answer{Status: status, Body: `{"code":16,"message":"refused, this once","details":[]}`})
	c.node.Cut()
	c.wait(ctx, 5*time.Second, 6*time.Second)
}

// opens makes a fault: for a while every stream is answered so, then cut.
func opens(answer Answer) func(*chaos, context.Context) {
	return func(c *chaos, ctx context.Context) { c.open(ctx, answer) }
}

func (c *chaos) open(ctx context.Context, answer Answer) {
	defer c.node.Cut()
	defer c.node.AnswerStreams(0, Answer{})
	c.node.AnswerStreams(Always, answer)
	c.node.Cut()
	c.wait(ctx, 5*time.Second, 12*time.Second)
}

func (c *chaos) halfSilence(ctx context.Context) {
	half := bytes.Replace(c.half(), []byte("updates"), []byte("snapshot"), 1)
	c.open(ctx, Answer{Status: http.StatusOK, Body: string(half), Open: true})
}

func (c *chaos) silence(ctx context.Context) {
	defer c.node.Speak()
	c.node.Silence()
	c.wait(ctx, 3*time.Second, 20*time.Second)
}

func (c *chaos) garbage(context.Context) {
	pieces := []string{"}{\n", "\x00\xff\xfe\n", "null\n", `{"result":` + "\n", "<html>\n", `{"result":{"updates":{"positions":[{"partyId":7}]}}}` + "\n"}
	c.node.Raw([]byte(pieces[c.random.IntN(len(pieces))]))
}

func (c *chaos) html(ctx context.Context) {
	defer c.node.AnswerStreams(0, Answer{})
	defer c.node.AnswerMargins(0, Answer{})
	page := Answer{Status: http.StatusOK, Header: http.Header{"Content-Type": {"text/html"}}, Body: "<html><body>Please log in</body></html>"}
	c.node.AnswerStreams(2, page)
	c.node.AnswerMargins(2, page)
	c.node.Cut()
	c.wait(ctx, 2*time.Second, 6*time.Second)
}

func (c *chaos) gap(ctx context.Context) {
	defer c.node.Release()
	c.node.HoldSnapshot(AllPages)
	c.node.Cut()
	c.wait(ctx, 2*time.Second, 5*time.Second)
}

// duplicates tells again what is true already. Under one lock: what is not the
// latest would not be a duplicate but a lie.
func (c *chaos) duplicates(context.Context) {
	c.node.mu.Lock()
	defer c.node.mu.Unlock()
	some := c.some()
	c.node.tell(append(some, some...))
}

func (c *chaos) trickle(ctx context.Context) {
	defer c.node.Trickle(0, 0)
	c.node.Trickle(1+c.random.IntN(200), 20*time.Millisecond)
	c.wait(ctx, 2*time.Second, 5*time.Second)
}

func (c *chaos) noMargins(ctx context.Context) {
	defer c.node.AnswerMargins(0, Answer{})
	c.node.AnswerMargins(Always, Answer{Status: http.StatusInternalServerError, Body: string(streamDropped.text())})
	c.wait(ctx, 5*time.Second, 20*time.Second)
}

func (c *chaos) hangMargins(ctx context.Context) {
	defer c.node.AnswerMargins(0, Answer{})
	c.node.AnswerMargins(Always, Answer{})
	c.wait(ctx, 5*time.Second, 20*time.Second)
}

func (c *chaos) lag(ctx context.Context) {
	defer c.node.Lag(0)
	c.node.Lag(c.span(20*time.Second, 5*time.Minute))
	c.wait(ctx, 10*time.Second, 30*time.Second)
}
