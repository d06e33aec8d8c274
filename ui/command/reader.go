package command

import (
	"context"
	"errors"
	"syscall"

	"blotter/ui/command/cli"
	"blotter/ui/command/system"
)

// errReaderEnded is why the context of a command is done if the reader of its output has ended.
var errReaderEnded = errors.New("the reader of the output has ended")

// whileRead runs a command that writes now and then, until the reader of its output ends: on a quiet service the next
// write, which would fail, may never come.
func (p *program) whileRead(ctx context.Context, run func(context.Context) error) error {
	file := p.stdout.File()
	if file == nil {
		return run(ctx)
	}
	ctx, end := context.WithCancelCause(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer p.panics.Recover()
		if system.WaitForReaderEnd(ctx, file) {
			end(errReaderEnded)
		}
	}()
	err := run(ctx)
	end(nil)
	<-ended
	if errors.Is(context.Cause(ctx), errReaderEnded) {
		return cli.OutputError(syscall.EPIPE)
	}
	return err
}

// writesNowAndThen reports whether the command that runs writes for as long as it runs: with --follow, and the screen,
// which may be lines of words.
func (p *program) writesNowAndThen() bool {
	return p.isGiven("follow") || p.given.Lookup("plain") != nil
}
