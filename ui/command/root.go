package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// program is one run of the program: its surroundings and the flags that all commands share.
type program struct {
	*Process
	flags
	onPanic func(reason any, trace []byte) // ends the command
}

// newRoot is the tree of commands. What a command itself fails with goes to failure, and not back through
// cobra to fang: that one would ask the terminal for its colours before it hands an error over.
func newRoot(process *Process, failure *error) *cobra.Command {
	p := &program{Process: process}
	root := newDashboard(p)
	p.register(root)
	root.AddCommand(newPositions(p), newMargins(p), newDoctor(p), newSimulate(p))
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SuggestionsMinimumDistance = 2
	for _, command := range append(root.Commands(), root) {
		command.Args = noArguments
		work := command.RunE
		command.RunE = func(command *cobra.Command, arguments []string) error {
			ctx, cancel := context.WithCancelCause(command.Context())
			defer cancel(nil)
			p.onPanic = func(reason any, trace []byte) { cancel(&defect{reason, trace}) }
			command.SetContext(ctx)
			*failure = work(command, arguments)
			if d, ok := errors.AsType[*defect](context.Cause(ctx)); ok {
				fmt.Fprintf(p.Errors, "%s\n", d.trace)
				*failure = d
			}
			return nil
		}
	}
	return root
}

// defect is a panic in a goroutine of the feed.
type defect struct {
	reason any
	trace  []byte
}

func (d *defect) Error() string { return fmt.Sprintf("a defect of blotter itself: %v", d.reason) }

// noArguments refuses what stands on the command line and is no flag, with the command that was perhaps meant.
func noArguments(command *cobra.Command, arguments []string) error {
	if len(arguments) == 0 {
		return nil
	}
	if meant := command.SuggestionsFor(arguments[0]); len(meant) > 0 {
		return usage("%q is not a command: did you mean %q?", arguments[0], command.Name()+" "+meant[0])
	}
	if command.HasSubCommands() {
		return usage("%q is not a command: see blotter --help", arguments[0])
	}
	return usage("%s takes flags alone, and %q is none: see %s --help", command.CommandPath(), arguments[0], command.CommandPath())
}

// asUsage has an error of cobra's own count as one of usage.
func asUsage(err error) error {
	if _, ok := errors.AsType[*exitError](err); ok || err == nil {
		return err
	}
	return &exitError{exitUsage, err}
}
