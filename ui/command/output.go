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

	"blotter/ui/command/exit"
	"blotter/ui/command/files"
	"blotter/ui/export"
)

// outputFlags are the flags of the commands that print and end.
type outputFlags struct {
	output  string
	timeout time.Duration
}

func (o *outputFlags) register(command *cobra.Command) {
	set := command.Flags()
	set.StringVarP(&o.output, "output", "o", string(export.Table), "table, csv, json or ndjson")
	set.DurationVar(&o.timeout, "timeout", 15*time.Second, "the longest time from the start of the program to a complete result")
	completions := cobra.FixedCompletions(export.Formats(), cobra.ShellCompDirectiveNoFileComp)
	_ = command.RegisterFlagCompletionFunc("output", completions) // fails only for an unknown flag
}

// check checks the flags and returns the format.
func (o *outputFlags) check() (export.Format, error) {
	format, err := export.ParseFormat(o.output)
	if err != nil {
		return "", exit.Usage("--output: %w", err)
	}
	if o.timeout <= 0 {
		return "", exit.Usage("--timeout: must be longer than 0s")
	}
	return format, nil
}

// printTo calls print with a buffer for w.
func printTo(w io.Writer, print func(io.Writer) error) error {
	buffer := bufio.NewWriterSize(w, 1<<16)
	err := print(buffer)
	if err == nil {
		err = buffer.Flush()
	}
	return outputError(err)
}

// outputError returns the error of a write to standard output with its exit code. Where the reader has ended,
// that is no failure.
func outputError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EPIPE):
		return &exit.Error{Code: exit.CodeDone, Err: err}
	}
	return fmt.Errorf("writing the output: %w", files.WithoutPath(err))
}

// checkedWriter keeps the first error of its writes, for libraries and commands that do not check it.
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

// checkedFile is a checkedWriter of a file that may be a terminal: fang needs the descriptor.
type checkedFile struct {
	*checkedWriter
	io.ReadCloser
	fd uintptr
}

func (c checkedFile) Fd() uintptr { return c.fd }

// newCheckedWriter returns a writer to output, and where its first error is kept.
func newCheckedWriter(output io.Writer) (io.Writer, *checkedWriter) {
	checked := &checkedWriter{Writer: output}
	if file, ok := output.(*os.File); ok {
		return checkedFile{checked, file, file.Fd()}, checked
	}
	return checked, checked
}
