package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"blotter/model/view"
	"blotter/ui/command/system"
	"blotter/ui/export"
	"blotter/ui/format"
)

// The limits of commands.
const (
	maxAlertCommands = 4  // that run at the same time
	maxAlertEvents   = 32 // that run or wait
	maxAlertGroups   = 16 // of processes that commands have left behind when they ended
)

// alertCommands runs the commands of alerts: those of one alert one after the other, in order, and those of several at
// the same time.
type alertCommands struct {
	lines map[string][]string // the program and its arguments, by the name of the alert
	limit time.Duration       // for one of them

	ctx     context.Context
	stop    context.CancelFunc
	running sync.WaitGroup           // the calls of Run, and groups of processes
	turns   map[string]chan struct{} // by the name of the alert: full while its command runs
	slots   chan struct{}            // has an element for each command that runs
	groups  chan struct{}            // has an element for each group of processes that was left behind

	mu     sync.Mutex
	events int // that run or wait
}

// newAlertCommands returns the commands, each a program and its arguments, by the names of their alerts. They end with
// ctx.
func newAlertCommands(ctx context.Context, lines map[string][]string) *alertCommands {
	c := &alertCommands{
		lines: lines, limit: system.ProgramLimit, turns: make(map[string]chan struct{}),
		slots: make(chan struct{}, maxAlertCommands), groups: make(chan struct{}, maxAlertGroups),
	}
	c.ctx, c.stop = context.WithCancel(ctx)
	for name := range lines {
		c.turns[name] = make(chan struct{}, 1)
	}
	return c
}

// Close ends the running commands and what they have started, and waits for them. No command runs after it.
func (c *alertCommands) Close() {
	c.mu.Lock()
	c.stop()
	c.mu.Unlock()
	c.running.Wait()
}

// Run runs the command of an alert with each of its events, and waits for its end. The error is for the first that
// failed. If too many wait, the events are dropped.
func (c *alertCommands) Run(events []view.AlertEvent) error {
	if len(events) == 0 {
		return nil
	}
	turn, isKnown := c.turns[events[0].Rule.Name]
	if !isKnown {
		return errors.New("not run: the configuration has no command for it")
	}
	if entered, err := c.enter(len(events)); !entered {
		return err
	}
	defer c.leave(len(events))
	select {
	case turn <- struct{}{}:
		defer func() { <-turn }()
	case <-c.ctx.Done():
		return nil
	}
	var failed error
	for i := range events {
		if err := c.runOne(&events[i]); err != nil && failed == nil {
			failed = err
		}
	}
	return failed
}

// enter adds to the number of events that run or wait. It returns false if they must not be run.
func (c *alertCommands) enter(events int) (entered bool, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ctx.Err() != nil:
		return false, nil
	case c.events+events > maxAlertEvents:
		return false, fmt.Errorf("not run: %s wait already", format.Counted(c.events, "event"))
	}
	c.events += events
	c.running.Add(1)
	return true, nil
}

func (c *alertCommands) leave(events int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events -= events
	c.running.Done()
}

// runOne runs the command with one event on its standard input. It does not get the token of the service.
func (c *alertCommands) runOne(event *view.AlertEvent) error {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-c.ctx.Done():
		return nil
	}
	ctx, end := context.WithCancel(c.ctx)
	rest, err := system.RunProgramGroup(ctx, c.lines[event.Rule.Name], c.limit, func(command *exec.Cmd) {
		command.Stdin = bytes.NewReader(export.AppendAlertEvent(nil, event))
		command.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "BLOTTER_TOKEN=") })
	})
	c.keep(rest, end)
	if c.ctx.Err() != nil { // the program ends: that is no failure
		return nil
	}
	return err
}

// keep does not end the processes that a command has left behind before their limit of time, unless there are too many
// groups of them.
func (c *alertCommands) keep(rest, end func()) {
	select {
	case c.groups <- struct{}{}:
		c.running.Go(func() {
			defer func() { <-c.groups }()
			defer end()
			rest()
		})
	default:
		end()
		rest()
	}
}
