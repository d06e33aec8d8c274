package command

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"charm.land/fang/v2"
)

// Process is what a run of the program has of the world around it. Tests make their own.
type Process struct {
	Arguments []string // without the name of the program
	Input     io.Reader
	Output    io.Writer
	Errors    io.Writer
	Getenv    func(string) string
	// Dial connects to services, in place of the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// How long a run that was interrupted has to put things in order, and its last words to be read.
const (
	patience  = 700 * time.Millisecond
	lastWords = 200 * time.Millisecond
)

// Main runs the program as the operating system started it, and returns its exit code.
func Main() int {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGABRT}
	if !signal.Ignored(syscall.SIGHUP) { // as nohup has it
		signals = append(signals, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), signals...)
	defer stop()
	// A reader of our output that goes away is an error of a write, not a death by signal. The signal is
	// caught and not ignored, because programs that this one starts would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return Run(ctx, Process{
		Arguments: os.Args[1:],
		Input:     os.Stdin, Output: os.Stdout, Errors: os.Stderr,
		Getenv: os.Getenv,
	})
}

// Run runs one command line and returns its exit code. When ctx is done it returns within two seconds, also
// where a write to a reader that has stalled does not: what is still under way then ends with the process.
func Run(ctx context.Context, process Process) int {
	p := newProgram(process)
	return p.attend(ctx, p.execute)
}

// attend has work done and returns its exit code. Once ctx is done, or because of a panic, it ends in order where that
// is possible in time, or else by force.
func (p *program) attend(ctx context.Context, work func(context.Context) error) int {
	ctx, p.end = context.WithCancelCause(ctx)
	defer p.end(nil)
	ended := make(chan error, 1)
	go func() {
		err := context.Canceled
		defer func() { ended <- err }()
		defer p.guard()
		err = work(ctx)
	}()
	err, ok := await(ctx, ended, patience)
	if !ok {
		err = p.terminal.release(ended)
	}
	if !ok || p.terminal.taken.Load() {
		p.terminal.giveBack()
	}
	if d, ok := errors.AsType[*defect](context.Cause(ctx)); ok {
		err = d
	}
	told := make(chan error, 1)
	go func() {
		p.tell(err)
		told <- nil
	}()
	_, _ = await(ctx, told, lastWords)
	return codeOf(err)
}

// await waits for a result, and where ctx is done for no longer than patience.
func await(ctx context.Context, result <-chan error, patience time.Duration) (error, bool) {
	select {
	case err := <-result:
		return err, true
	case <-ctx.Done():
	}
	select {
	case err := <-result:
		return err, true
	case <-time.After(patience):
		return nil, false
	}
}

// execute runs the command line.
func (p *program) execute(ctx context.Context) error {
	root := newRoot(p)
	root.SetArgs(p.Arguments)
	root.SetIn(p.Input)
	root.SetOut(p.Output)
	root.SetErr(p.Errors)
	err := fang.Execute(ctx, root,
		fang.WithVersion(version()),
		fang.WithoutManpage(),
		fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}),
	)
	return cmp.Or(p.failure, outputError(p.written.firstError()), asUsage(err))
}

// tell says on standard error what went wrong, if anything did.
func (p *program) tell(err error) {
	if code := codeOf(err); code != exitInterrupted && code != exitDone {
		p.warn(err)
	}
}
