package system

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// ProgramLimit is how long a program of the configuration may run.
const ProgramLimit = 10 * time.Second

// pipeTime is how long the output of a program is read after its end: a child may keep the pipe open.
const pipeTime = 100 * time.Millisecond

// RunProgram runs a program of the configuration, its path or name and then its arguments, until it ends, ctx is done
// or the limit is over. The error has no output of the program, because that may be secret.
func RunProgram(ctx context.Context, line []string, limit time.Duration, prepare func(*exec.Cmd)) error {
	timed, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	command := newCommand(timed, line, prepare)
	return runError(ctx, timed, line, limit, command.Run())
}

// RunProgramGroup runs a program like RunProgram. The programs that it has started end with it when ctx is done or the
// limit is over; if it ends earlier, they may run until then. The caller must call rest, which waits for their end,
// also after an error.
func RunProgramGroup(ctx context.Context, line []string, limit time.Duration, prepare func(*exec.Cmd)) (rest func(), err error) {
	timed, cancel := context.WithTimeout(ctx, limit)
	command := newCommand(timed, line, prepare)
	group, err := newGroup(command)
	if err == nil {
		command.Cancel = func() error { return errors.Join(group.kill(), command.Process.Kill()) }
		err = group.run()
	}
	return func() {
		defer cancel()
		group.end(timed)
	}, runError(ctx, timed, line, limit, err)
}

func newCommand(ctx context.Context, line []string, prepare func(*exec.Cmd)) *exec.Cmd {
	closeOnExec()
	command := exec.CommandContext(ctx, line[0], line[1:]...)
	command.WaitDelay = pipeTime
	prepare(command)
	return command
}

// runError returns in plain words why a program failed; nil if it did not.
func runError(ctx, timed context.Context, line []string, limit time.Duration, err error) error {
	exit, ended := errors.AsType[*exec.ExitError](err)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return WhyDone(ctx)
	case timed.Err() != nil:
		return fmt.Errorf("%s did not end within %s", line[0], limit)
	case ended:
		return fmt.Errorf("%s failed (%s); run it by hand to see why", line[0], exit.ProcessState)
	case !errors.Is(err, exec.ErrWaitDelay):
		return fmt.Errorf("%s cannot be run: %w", line[0], WithoutPath(err))
	}
	return nil
}

// groupPause is how often it is checked whether the processes of a group have ended.
const groupPause = 100 * time.Millisecond

// end waits until no process of the group is left, and kills what is left when ctx is done.
func (g *group) end(ctx context.Context) {
	defer g.close()
	check := time.NewTicker(groupPause)
	defer check.Stop()
	for !g.isEmpty() {
		select {
		case <-check.C:
		case <-ctx.Done():
			_ = g.kill()
			return
		}
	}
}
