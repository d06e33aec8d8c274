package command

import (
	"cmp"
	"context"
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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGABRT)
	defer stop()
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
		Getenv: os.Getenv, Hangups: hangups,
	})
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
	case <-time.After(grace):
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

// handleHangups calls what the command does at a hang-up, until ctx ends. Other commands end.
func (p *program) handleHangups(ctx context.Context, end context.CancelFunc) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.Hangups:
		}
		if do := p.onHangup.Load(); do != nil {
			(*do)()
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

// execute runs the command line.
func (p *program) execute(ctx context.Context) error {
	root := newRoot(p)
	root.SetArgs(p.Arguments)
	root.SetIn(p.Input)
	root.SetOut(p.stdout)
	root.SetErr(p.Errors)
	err := root.ExecuteContext(ctx)
	return cmp.Or(p.failure, cli.OutputError(p.stdout.FirstError()), asUsage(err))
}
