package cli

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"

	"github.com/charmbracelet/x/term"

	"blotter/ui/command/system"
)

// Print calls print with a buffer for w.
func Print(w io.Writer, print func(io.Writer) error) error {
	buffer := bufio.NewWriterSize(w, 1<<16)
	err := print(buffer)
	if err == nil {
		err = buffer.Flush()
	}
	return OutputError(err)
}

// OutputError returns the error of a write to standard output with its exit code. If the reader has ended, the run is
// done.
func OutputError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EPIPE):
		return &ExitError{Code: ExitDone, Err: err}
	}
	return fmt.Errorf("writing the output: %w", system.WithoutPath(err))
}

// CheckedOutput keeps the first error of its writes, for libraries and commands that do not check it.
type CheckedOutput struct {
	io.Writer // the output
	mu        sync.Mutex
	err       error
}

func (c *CheckedOutput) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.err = cmp.Or(c.err, err)
	}
	return n, err
}

// FirstError returns the first error of a write.
func (c *CheckedOutput) FirstError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// File returns the file that the output is; nil if it is none.
func (c *CheckedOutput) File() *os.File {
	file, _ := c.Writer.(*os.File)
	return file
}

// Width returns the width of the terminal that the output is; 0 if it is no terminal.
func (c *CheckedOutput) Width() int {
	file := c.File()
	if file == nil {
		return 0
	}
	width, _, _ := term.GetSize(file.Fd()) // 0 with an error
	return width
}
