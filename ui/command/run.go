package command

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/feed"
	"blotter/ui/command/cli"
	"blotter/ui/command/system"
)

// Process is what a run has of its process. Tests make their own.
type Process struct {
	Arguments []string // without the name of the program
	Input     io.Reader
	Output    io.Writer
	Errors    io.Writer
	Getenv    func(string) string
	// Dial connects to services, in place of the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Listen opens a listener, in place of the network.
	Listen func(ctx context.Context, network, address string) (net.Listener, error)
	// Hangups has a value for each hang-up of the terminal. It ends a command that does not use it. Nil if there are
	// none.
	Hangups <-chan os.Signal
	// Again is closed at a second signal, which ends the run at once; nil if there is none.
	Again <-chan struct{}
	// ConfigureFeed changes the configuration of the feed, if it is not nil.
	ConfigureFeed func(*feed.Config)
	// WrapScreen returns the model that runs in place of the screen; nil: the screen itself.
	WrapScreen func(tea.Model) tea.Model
}

const (
	grace     = time.Second            // for a run to end after it was interrupted
	resetTime = 100 * time.Millisecond // to reset the terminal if the run does not end
)

// Main runs the program as the operating system started it, and returns its exit code.
func Main() int {
	ctx, again := watchSignals()
	hangups := make(chan os.Signal, 1)
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		signal.Notify(hangups, syscall.SIGHUP)
	}
	log.SetOutput(io.Discard) // of libraries: it would be on the screen, with texts of the service
	// When the reader of the output ends, the write fails; the signal must not end the program. It is caught and
	// not ignored, because the programs that this one starts would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return Run(ctx, Process{
		Arguments: os.Args[1:],
		Input:     os.Stdin, Output: os.Stdout, Errors: os.Stderr,
		Getenv: os.Getenv, Hangups: hangups, Again: again,
	})
}

// errTerminated is why the context of a run is done after SIGTERM.
var errTerminated = errors.New("terminated")

// watchSignals returns a context that ends at the first signal that ends programs, and a channel that is closed at the
// second one.
func watchSignals() (ctx context.Context, again <-chan struct{}) {
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGABRT)
	ctx, end := context.WithCancelCause(context.Background())
	second := make(chan struct{})
	go func() { // until the process ends
		if <-signals == syscall.SIGTERM {
			end(errTerminated)
		} else {
			end(nil)
		}
		<-signals
		close(second)
	}()
	return ctx, second
}

// asService is how a command runs that is a service.
type asService struct {
	hangUp func()        // is called at a hang-up, which does not end it
	grace  time.Duration // for its end after it was interrupted
}

// Run runs one command line and returns its exit code. When ctx is done it waits for the end of the run, but only for a
// time: a write to a terminal or a pipe that is not read may never end.
func Run(ctx context.Context, process Process) int {
	p := newProgram(process)
	return p.run(ctx, p.execute)
}

// run runs the work, reports its error, and returns the exit code.
func (p *program) run(ctx context.Context, work func(context.Context) error) int {
	ctx, stop := p.panics.Start(ctx)
	defer stop()
	ctx, hangUp := context.WithCancel(ctx)
	defer hangUp()
	go p.handleHangups(ctx, hangUp)
	ended := make(chan int, 1)
	go func() {
		err := p.do(ctx, work)
		p.report(err)
		ended <- cli.ExitCode(err)
	}()
	select {
	case code := <-ended:
		return code
	case <-ctx.Done():
	}
	select {
	case code := <-ended:
		return code
	case <-time.After(p.grace()):
	case <-p.Again:
	}
	err := cmp.Or(system.PanicOf(ctx), context.Canceled)
	reset := make(chan struct{})
	go func() {
		defer close(reset)
		p.display.terminal.Reset()
		p.report(err)
	}()
	select {
	case <-reset:
	case <-time.After(resetTime): // the terminal may be what the run waits for
	}
	return cli.ExitCode(err)
}

// grace returns how long the run may take to end after it was interrupted.
func (p *program) grace() time.Duration {
	if service := p.runs.Load(); service != nil {
		return service.grace
	}
	return grace
}

// handleHangups calls what a service does at a hang-up, until ctx ends. Other commands end.
func (p *program) handleHangups(ctx context.Context, end context.CancelFunc) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.Hangups:
		}
		if service := p.runs.Load(); service != nil {
			service.hangUp()
		} else {
			end()
		}
	}
}

// do runs the work. If a goroutine panicked, that is the error.
func (p *program) do(ctx context.Context, work func(context.Context) error) (err error) {
	defer func() { err = cmp.Or(system.PanicOf(ctx), err) }()
	defer p.panics.Recover()
	return work(ctx)
}

func (p *program) execute(ctx context.Context) error {
	root := newRoot(p)
	root.SetArgs(p.Arguments)
	root.SetIn(p.Input)
	root.SetOut(p.stdout)
	root.SetErr(p.Errors)
	err := root.ExecuteContext(ctx)
	return cmp.Or(p.failure, cli.OutputError(p.stdout.FirstError()), asUsage(err))
}
