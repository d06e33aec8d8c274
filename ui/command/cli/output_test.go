package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"
	"testing"
)

// failing fails with each of its errors, one after the other.
type failing struct{ errors []error }

func (f *failing) Write([]byte) (int, error) {
	err := f.errors[0]
	f.errors = f.errors[1:]
	return 0, err
}

func TestPrint(t *testing.T) {
	hello := func(w io.Writer) error { _, err := fmt.Fprint(w, "hello"); return err }
	var output bytes.Buffer
	if err := Print(&output, hello); err != nil || output.String() != "hello" {
		t.Errorf("%q, %v", &output, err)
	}
	full := &fs.PathError{Op: "write", Path: "/dev/stdout", Err: errors.New("no space left on device")}
	err := Print(&failing{[]error{full}}, hello)
	if err == nil || err.Error() != "writing the output: no space left on device" || ExitCode(err) != ExitFailed {
		t.Errorf("on a full disk: %v", err)
	}
	if err := Print(&failing{[]error{syscall.EPIPE}}, hello); err == nil || ExitCode(err) != ExitDone {
		t.Errorf("after the end of the reader: %v", err)
	}
}

func TestFirstErrorIsKept(t *testing.T) {
	first, second := errors.New("first"), errors.New("second")
	checked := &CheckedOutput{Writer: &failing{[]error{nil, first, second}}}
	for range 3 {
		_, _ = checked.Write(nil)
	}
	if err := checked.FirstError(); err != first {
		t.Errorf("the error is %v", err)
	}
	if width := checked.Width(); width != 0 {
		t.Errorf("%d columns, although it is no terminal", width)
	}
}
