// Package programs runs the programs that the configuration names, for tokens and for alerts, within a limit of time.
// No error has their output, which may be secret.
package programs

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"blotter/ui/command/files"
)

// Limit is the time limit of a program of the configuration.
const Limit = 10 * time.Second

// pipeTime is how long the output of a program is read after its end: a child may keep the pipe open.
const pipeTime = 100 * time.Millisecond

// Run runs a program of the configuration, its path or name and then its arguments, until it ends, ctx is done
// or the limit is over. The error has no output of the program, because that may be secret.
func Run(ctx context.Context, line []string, limit time.Duration, prepare func(*exec.Cmd)) error {
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	command := exec.CommandContext(timed, line[0], line[1:]...)
	command.WaitDelay = pipeTime
	prepare(command)
	err := command.Run()
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return files.WhyDone(ctx)
	case timed.Err() != nil:
		return fmt.Errorf("%s did not end within %s", line[0], limit)
	case ended:
		return fmt.Errorf("%s failed (%s); run it by hand to see why", line[0], exit.ProcessState)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return fmt.Errorf("%s cannot be run: %w", line[0], files.WithoutPath(err))
	}
	return nil
}
