package system

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// panicError is a panic in any goroutine.
type panicError struct {
	reason any
	trace  string // where the stack trace is, or how to get it
}

func (e *panicError) Error() string {
	return fmt.Sprintf("internal error, please report it: %v; %s", e.reason, e.trace)
}

// PanicOf returns the panic that ended ctx, and nil if something else did.
func PanicOf(ctx context.Context) error {
	if e, ok := errors.AsType[*panicError](context.Cause(ctx)); ok {
		return e
	}
	return nil
}

// PanicHandler handles the panics of a run.
type PanicHandler struct {
	once    sync.Once
	end     context.CancelCauseFunc
	log     io.Writer // nil if there is none
	logFile string    // its name
}

// Start returns the context of the run, which a panic ends, and a function that releases it.
func (h *PanicHandler) Start(ctx context.Context) (_ context.Context, stop func()) {
	ctx, h.end = context.WithCancelCause(ctx)
	return ctx, func() { h.end(nil) }
}

// LogTo makes the handler write stack traces to a log.
func (h *PanicHandler) LogTo(log io.Writer, name string) { h.log, h.logFile = log, name }

// Handle ends the run because of a panic. Further panics are ignored: they may be consequences of the first. If the
// reason has a stack trace, which another goroutine has passed on with it, that counts.
func (h *PanicHandler) Handle(reason any, trace []byte) {
	if passedOn, ok := reason.(interface{ Stack() []byte }); ok {
		trace = passedOn.Stack()
	}
	h.once.Do(func() {
		e := &panicError{reason, "run it again with --log-file to keep the stack trace"}
		if h.log != nil {
			e.trace = "the stack trace is in " + h.logFile
			fmt.Fprintf(h.log, "%s panic: %v\n\n%s\n", time.Now().Format(time.RFC3339Nano), reason, trace)
		}
		h.end(e)
	})
}

// Recover is to be deferred. It passes a panic to Handle.
func (h *PanicHandler) Recover() {
	if reason := recover(); reason != nil {
		h.Handle(reason, debug.Stack())
	}
}

// Screen returns the screen with its panics, and those of its commands, passed to Handle. Bubble Tea would recover them
// too, but it writes the trace of a command to the terminal before it resets the terminal.
func (h *PanicHandler) Screen(model tea.Model) tea.Model { return guardedScreen{model, h} }

type guardedScreen struct {
	tea.Model
	handler *PanicHandler
}

func (s guardedScreen) Init() (command tea.Cmd) {
	defer s.handler.Recover()
	return s.command(s.Model.Init())
}

func (s guardedScreen) Update(message tea.Msg) (next tea.Model, command tea.Cmd) {
	next = s
	defer s.handler.Recover()
	s.Model, command = s.Model.Update(message)
	return s, s.command(command)
}

func (s guardedScreen) View() (view tea.View) {
	view.AltScreen = true // after a panic the screen stays until the terminal is reset
	defer s.handler.Recover()
	return s.Model.View()
}

// command returns a command whose panics, and those of the commands of a batch, are passed to Handle.
func (s guardedScreen) command(command tea.Cmd) tea.Cmd {
	if command == nil {
		return nil
	}
	return func() tea.Msg {
		defer s.handler.Recover()
		message := command()
		if batch, ok := message.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = s.command(batch[i])
			}
		}
		return message
	}
}
