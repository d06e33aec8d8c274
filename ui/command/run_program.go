package command

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

const (
	programTime = 10 * time.Second       // the time limit of a program of the configuration
	pipeTime    = 100 * time.Millisecond // how long its output is read after its end: a child may keep the pipe open
)

// runProgram runs a program of the configuration, its path or name and then its arguments, until it ends, ctx is done
// or the limit is over. The error has no output of the program, because that may be secret.
func runProgram(ctx context.Context, line []string, limit time.Duration, prepare func(*exec.Cmd)) error {
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	command := exec.CommandContext(timed, line[0], line[1:]...)
	command.WaitDelay = pipeTime
	prepare(command)
	err := command.Run()
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case ctx.Err() != nil:
		return whyDone(ctx)
	case timed.Err() != nil:
		return fmt.Errorf("%s did not end within %s", line[0], limit)
	case ended:
		return fmt.Errorf("%s failed (%s); run it by hand to see why", line[0], exit.ProcessState)
	case err != nil && !errors.Is(err, exec.ErrWaitDelay):
		return fmt.Errorf("%s cannot be run: %w", line[0], withoutPath(err))
	}
	return nil
}
