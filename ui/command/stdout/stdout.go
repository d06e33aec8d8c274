// Package stdout is the standard output of a run: what is printed there, the error of a write with its exit code, and
// the width of the terminal. A reader that has ended, such as head, is no error.
package stdout

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

	"blotter/ui/command/exit"
	"blotter/ui/command/files"
)

// Print calls print with a buffer for w.
func Print(w io.Writer, print func(io.Writer) error) error {
	buffer := bufio.NewWriterSize(w, 1<<16)
	err := print(buffer)
	if err == nil {
		err = buffer.Flush()
	}
	return Error(err)
}

// Error returns the error of a write to standard output with its exit code. If the reader has ended, the run is
// done.
func Error(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EPIPE):
		return &exit.Error{Code: exit.CodeDone, Err: err}
	}
	return fmt.Errorf("writing the output: %w", files.WithoutPath(err))
}

// Checked keeps the first error of its writes, for libraries and commands that do not check it.
type Checked struct {
	io.Writer
	mu  sync.Mutex
	err error
}

// Check returns a writer to output, and where its first error is kept. The writer has the descriptor of a file, because
// fang needs it.
func Check(output io.Writer) (io.Writer, *Checked) {
	checked := &Checked{Writer: output}
	if file, ok := output.(*os.File); ok {
		return checkedFile{checked, file, file.Fd()}, checked
	}
	return checked, checked
}

func (c *Checked) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.err = cmp.Or(c.err, err)
	}
	return n, err
}

// FirstError returns the first error of a write.
func (c *Checked) FirstError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// checkedFile is a Checked of a file that may be a terminal.
type checkedFile struct {
	*Checked
	io.ReadCloser
	fd uintptr
}

func (c checkedFile) Fd() uintptr { return c.fd }

// Width returns the width of the terminal that a writer of Check writes to; 0 if it is no terminal.
func Width(w io.Writer) int {
	file, ok := w.(checkedFile)
	if !ok || !term.IsTerminal(file.fd) {
		return 0
	}
	width, _, err := term.GetSize(file.fd)
	if err != nil {
		return 0
	}
	return width
}
