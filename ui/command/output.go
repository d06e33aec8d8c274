package command

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"blotter/ui/export"
)

// outputFlags are those of the commands that print and end.
type outputFlags struct {
	output  string
	timeout time.Duration
}

func (o *outputFlags) register(command *cobra.Command) {
	set := command.Flags()
	set.StringVarP(&o.output, "output", "o", string(export.Table), "table, csv, json or ndjson")
	set.DurationVar(&o.timeout, "timeout", 15*time.Second, "how long to wait for all of it")
	completions := cobra.FixedCompletions(export.Formats(), cobra.ShellCompDirectiveNoFileComp)
	_ = command.RegisterFlagCompletionFunc("output", completions) // fails for an unknown flag alone
}

// check finds the format that is meant.
func (o *outputFlags) check() (export.Format, error) {
	format, err := export.ParseFormat(o.output)
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
	return outputError(err)
}

// outputError judges the error of a write to standard output. A reader that has seen enough is no failure.
func outputError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EPIPE):
		return &exitError{exitDone, err}
	}
	return fmt.Errorf("writing the output: %w", withoutPath(err))
}

// checkedWriter keeps the first error of its writes, for libraries and commands that do not look at it.
type checkedWriter struct {
	io.Writer
	mu  sync.Mutex
	err error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.err = cmp.Or(c.err, err)
	}
	return n, err
}

func (c *checkedWriter) firstError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// checkedFile is a checkedWriter that can be asked whether it is a terminal.
type checkedFile struct {
	*checkedWriter
	io.ReadCloser
	fd uintptr
}

func (c checkedFile) Fd() uintptr { return c.fd }

// check has the errors of writes to a file, or to something else, kept.
func check(output io.Writer) (io.Writer, *checkedWriter) {
	checked := &checkedWriter{Writer: output}
	if file, ok := output.(*os.File); ok {
		return checkedFile{checked, file, file.Fd()}, checked
	}
	return checked, checked
}
