package command

import (
	"bytes"
	"context"
	"net"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/sim"
)

// service is a simulated service on which command lines are run, inside a bubble.
type service struct {
	*sim.Node
	t           *testing.T
	listener    *sim.Listener
	environment map[string]string
	outputFails error         // of each write to the output
	blocked     chan struct{} // until it is closed, the output is not read
	// readsConfigFor is how long the program takes to read its configuration.
	readsConfigFor time.Duration
	dial           func(ctx context.Context, network, address string) (net.Conn, error)
	listen         func(ctx context.Context, network, address string) (net.Listener, error) // for metrics; nil is the network
	listensAt      string                                                                   // the address that was listened on
}

func withService(t *testing.T, test func(*service)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &service{t: t, Node: sim.New(sim.Config{}), listener: sim.Listen()}
		w := newSandbox(t)
		w.write(t, "blotter/config.toml", "[screen]\ntime_zone = 'UTC'")
		s.environment = w.environment
		s.environment["BLOTTER_BASE_URL"] = "http://sim.test"
		ctx, stop := context.WithCancel(t.Context())
		var serving sync.WaitGroup
		serving.Go(func() { _ = s.Serve(ctx, s.listener) })
		s.dial = s.listener.DialContext
		test(s)
		stop()
		serving.Wait()
	})
}

// after lets time pass.
func (s *service) after(d time.Duration) { time.Sleep(d); synctest.Wait() }

// run runs a command line to its end.
func (s *service) run(arguments ...string) *result {
	s.t.Helper()
	return s.start(arguments...).result()
}

// start runs a command line.
func (s *service) start(arguments ...string) *invocation {
	ctx, end := context.WithCancelCause(s.t.Context())
	r := &invocation{
		t: s.t, line: strings.Join(arguments, " "), ended: make(chan *result, 1), hangups: make(chan os.Signal), again: make(chan struct{}),
		interrupt: func() { end(nil) }, terminate: func() { end(errTerminated) },
	}
	r.output.fails, r.output.blocked = s.outputFails, s.blocked
	began := time.Now()
	go func() {
		code := Run(ctx, Process{
			Arguments: arguments, Input: strings.NewReader(""), Output: &r.output, Errors: &r.errors,
			Getenv: func(name string) string {
				if name == "BLOTTER_BASE_URL" {
					time.Sleep(s.readsConfigFor)
				}
				return s.environment[name]
			},
			Dial: s.dial, Listen: s.listen, Hangups: r.hangups, Again: r.again,
		})
		errors, audits := withoutAudits(r.errors.take())
		r.ended <- &result{t: s.t, line: r.line, code: code, output: r.output.take(), errors: errors, audits: audits, time: time.Since(began)}
	}()
	return r
}

// invocation is a command line under way.
type invocation struct {
	t              *testing.T
	line           string
	output, errors capture
	interrupt      func()
	terminate      func() // as SIGTERM
	ended          chan *result
	hangups        chan os.Signal
	again          chan struct{}
}

func (r *invocation) result() *result {
	got := <-r.ended
	r.interrupt()
	return got
}

// hasPrinted checks what was printed since the last call.
func (r *invocation) hasPrinted(want string) {
	r.t.Helper()
	if got := r.output.take(); got != want {
		r.t.Errorf("%s printed\n%s\nnot\n%s", r.line, got, want)
	}
}

// result is the output and the exit code of a command line.
type result struct {
	t              *testing.T
	line           string
	code           int
	output, errors string
	audits         string // the lines of standard error about audits, which most positions get; errors has the others
	time           time.Duration
}

func (r *result) exits(code int) *result {
	r.t.Helper()
	if r.code != code {
		r.t.Errorf("%s: exit code %d, not %d: %s", r.line, r.code, code, r.errors)
	}
	return r
}

func (r *result) prints(want string) *result {
	r.t.Helper()
	if r.output != want {
		r.t.Errorf("%s printed\n%s\nnot\n%s", r.line, r.output, want)
	}
	return r
}

func (r *result) printsErrors(want string) *result {
	r.t.Helper()
	if r.errors != want {
		r.t.Errorf("%s wrote to standard error\n%s\nnot\n%s", r.line, r.errors, want)
	}
	return r
}

// withoutAudits returns what was written to standard error without the lines about audits, and those lines.
func withoutAudits(written string) (others, audits string) {
	return auditLine.ReplaceAllString(written, ""), strings.Join(auditLine.FindAllString(written, -1), "")
}

var auditLine = regexp.MustCompile(`(?m)^blotter: (.* not verified: |a check has compared ).*\n`)

// took checks the time that it took, to the tenth of a second.
func (r *result) took(want time.Duration) *result {
	r.t.Helper()
	if r.time < want || r.time > want+100*time.Millisecond {
		r.t.Errorf("%s took %s, not %s", r.line, r.time, want)
	}
	return r
}

// capture keeps what is written to it.
type capture struct {
	mu      sync.Mutex
	text    bytes.Buffer
	fails   error
	blocked chan struct{}
}

func (c *capture) Write(p []byte) (int, error) {
	if c.blocked != nil {
		<-c.blocked
	}
	if c.fails != nil {
		return 0, c.fails
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.Write(p)
}

// take returns what was written since the last call.
func (c *capture) take() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := c.text.String()
	c.text.Reset()
	return text
}
