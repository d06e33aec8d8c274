package command

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	tea "charm.land/bubbletea/v2"
)

// panicError is a panic in any goroutine. It ends the command in order, so that the terminal is given back first.
type panicError struct {
	reason any
	trace  string // where the stack trace is, or how to get it
}

func (e *panicError) Error() string {
	return fmt.Sprintf("internal error, please report it: %v; %s", e.reason, e.trace)
}

// panicOf returns the panic that ended ctx, and nil where something else did.
func panicOf(ctx context.Context) error {
	if e, ok := errors.AsType[*panicError](context.Cause(ctx)); ok {
		return e
	}
	return nil
}

// onPanic ends the program because of a panic, and writes the stack trace to the log where there is one. Further panics
// are ignored: they may be consequences of the first.
func (p *program) onPanic(reason any, trace []byte) {
	p.panicked.Do(func() {
		e := &panicError{reason, "run it again with --log-file to keep the stack trace"}
		if p.log != nil {
			e.trace = "the stack trace is in " + p.logFile
			fmt.Fprintf(p.log.File(), "%s panic: %v\n\n%s\n", time.Now().Format(time.RFC3339Nano), reason, trace)
		}
		p.end(e)
	})
}

// guard is to be deferred. It passes a panic to onPanic.
func (p *program) guard() {
	if reason := recover(); reason != nil {
		p.onPanic(reason, debug.Stack())
	}
}

// guarded is a screen whose panics, with those of its commands, are passed to onPanic. Bubble Tea would recover them
// too, but for a command it writes the trace to the terminal before it gives it back.
type guarded struct {
	tea.Model
	program *program
}

func (g guarded) Init() (command tea.Cmd) {
	defer g.program.guard()
	return g.command(g.Model.Init())
}

func (g guarded) Update(message tea.Msg) (next tea.Model, command tea.Cmd) {
	next = g
	defer g.program.guard()
	g.Model, command = g.Model.Update(message)
	return g, g.command(command)
}

func (g guarded) View() (view tea.View) {
	view.AltScreen = true // after a panic the screen stays until the terminal is given back
	defer g.program.guard()
	return g.Model.View()
}

// command guards a command, and the commands of a batch.
func (g guarded) command(command tea.Cmd) tea.Cmd {
	if command == nil {
		return nil
	}
	return func() tea.Msg {
		defer g.program.guard()
		message := command()
		if batch, ok := message.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = g.command(batch[i])
			}
		}
		return message
	}
}
