package command

import (
	"cmp"
	"context"
	"fmt"
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

// patience is how long a run that was interrupted has to put things in order.
const patience = 700 * time.Millisecond

// Main runs the program as the operating system started it, and returns its exit code. The first SIGINT or
// SIGTERM interrupts; a second one kills.
func Main() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	// A reader of our output that goes away is an error of a write, not a death by signal. The signal is
	// caught and not ignored, because programs that this one starts would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return Run(ctx, Process{
		Arguments: os.Args[1:],
		Input:     os.Stdin, Output: os.Stdout, Errors: os.Stderr,
		Getenv: os.Getenv,
	})
}

// Run runs one command line and returns its exit code. When ctx is done it returns within a second, also
// where a write to a reader that has stalled does not: what is still under way then ends with the process.
func Run(ctx context.Context, process Process) int {
	restore := keepTerminal(process.Input)
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, &process) }()
	select {
	case code := <-ended:
		return code
	case <-ctx.Done():
	}
	select {
	case code := <-ended:
		return code
	case <-time.After(patience):
		restore()
		return exitInterrupted
	}
}

func run(ctx context.Context, process *Process) int {
	var failure error // of a command that ran
	root := newRoot(process, &failure)
	root.SetArgs(process.Arguments)
	root.SetIn(process.Input)
	root.SetOut(process.Output)
	root.SetErr(process.Errors)
	err := fang.Execute(ctx, root,
		fang.WithVersion(version()),
		fang.WithoutManpage(),
		fang.WithErrorHandler(func(io.Writer, fang.Styles, error) {}),
	)
	err = cmp.Or(asUsage(err), failure)
	code := codeOf(err)
	if err != nil && code != exitInterrupted && code != exitDone {
		fmt.Fprintln(process.Errors, oneLine(err))
	}
	return code
}
