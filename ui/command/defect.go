package command

import (
	"fmt"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
)

// defect is a panic: a fault of the program itself. It ends the command in order, with the terminal given back.
type defect struct {
	reason any
	advice string
}

func (d *defect) Error() string {
	return fmt.Sprintf("a defect of blotter itself: %v; %s", d.reason, d.advice)
}

// onPanic ends the program because of a panic in any of its goroutines, and keeps the trace where there is a log.
func (p *program) onPanic(reason any, trace []byte) {
	p.defective.Do(func() { // what breaks because of it is of no interest
		d := &defect{reason, "run it again with --log-file to keep the trace"}
		if p.log != nil {
			d.advice = "the trace is in " + p.logFile
			p.log.trace(reason, trace)
		}
		p.end(d)
	})
}

// guard is to be deferred: it hands a panic over.
func (p *program) guard() {
	if reason := recover(); reason != nil {
		p.onPanic(reason, debug.Stack())
	}
}

// guarded is a screen whose panics, those of its commands included, are handed over. Bubble Tea would catch them
// too, but write a trace of many lines to the terminal.
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
	view.AltScreen = true // where there is a panic the screen stays what it is until it is given back
	defer g.program.guard()
	return g.Model.View()
}

// command guards a command, and those that a batch of them is made of.
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
