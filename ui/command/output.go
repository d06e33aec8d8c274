package command

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"blotter/ui/plain"
)

// outputFlags are those of the commands that print and end.
type outputFlags struct {
	output  string
	timeout time.Duration
}

func (o *outputFlags) register(command *cobra.Command) {
	set := command.Flags()
	set.StringVarP(&o.output, "output", "o", string(plain.Table), "table, csv, json or ndjson")
	set.DurationVar(&o.timeout, "timeout", 15*time.Second, "how long to wait for all of it")
	completions := cobra.FixedCompletions(plain.Formats(), cobra.ShellCompDirectiveNoFileComp)
	_ = command.RegisterFlagCompletionFunc("output", completions) // fails for an unknown flag alone
}

// check finds the format that is meant.
func (o *outputFlags) check() (plain.Format, error) {
	format, err := plain.ParseFormat(o.output)
	if err != nil {
		return "", usage("--output: %w", err)
	}
	if o.timeout <= 0 {
		return "", usage("--timeout: must be longer than 0s")
	}
	return format, nil
}

// printTo has print write to w, through a buffer.
func printTo(w io.Writer, print func(io.Writer) error) error {
	buffer := bufio.NewWriterSize(w, 1<<16)
	err := print(buffer)
	if err == nil {
		err = buffer.Flush()
	}
	return written(err)
}

// written judges the error of a write to standard output. A reader that has seen enough is no failure.
func written(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EPIPE):
		return &exitError{exitDone, err}
	}
	return fmt.Errorf("writing the output: %w", err)
}
