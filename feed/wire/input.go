package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// input keeps the text of one JSON value while it is read. It reads no more of the body than that value needs, so a
// whole value never waits for the bytes that follow it.
type input struct {
	body   io.Reader
	limit  int64        // of one value, in bytes
	extra  int64        // what the value takes in memory beside its text
	held   *reservation // what the value takes of a budget
	buffer []byte
	text   []byte // the part of the buffer that begins with the value; it may go on behind the value
	at     int    // the place in text of the next byte
	ended  error  // what the body returned with its last bytes
	err    error  // the first error; nothing is read after it
	depth  int
}

const smallestBuffer = 16 << 10

// beginValue begins the value that follows the one before.
func (in *input) beginValue(held *reservation) {
	in.text, in.at, in.extra, in.held = in.text[in.at:], 0, 0, held
	if len(in.buffer) > smallMessage && len(in.text) <= smallestBuffer {
		in.buffer = make([]byte, smallestBuffer)
		in.text = in.buffer[:copy(in.buffer, in.text)]
	}
}

// end checks the value that has been read, and returns the error that it has.
func (in *input) end() error {
	if in.err == nil && !utf8.Valid(in.text[:in.at]) {
		in.invalid()
	}
	in.checkSize(in.at)
	return in.err
}

// countRow counts the memory of a row whose text began at a place, if it is more than that of the text. So the limit
// of a value bounds the memory of its rows too.
func (in *input) countRow(start int, memory uintptr) {
	in.extra += max(0, int64(memory)-int64(in.at-start))
	in.checkSize(in.at)
}

// checkSize fails a value that has the given number of bytes of text if that is over a limit.
func (in *input) checkSize(text int) {
	size := int64(text) + in.extra
	if size > in.limit {
		in.fail(fmt.Errorf("%w of %d bytes", ErrTooLong, in.limit))
	} else if err := in.held.grow(size); err != nil {
		in.fail(err)
	}
}

// errCut is why a value that ends too early is refused.
var errCut error = cutError{}

type cutError struct{}

func (cutError) Error() string { return "connection lost (the response was cut short)" }
func (cutError) Unwrap() error { return io.ErrUnexpectedEOF }

// more reads more of the body, and reports whether there is more.
func (in *input) more() bool {
	in.checkSize(len(in.text) + 1)
	if in.err == nil && len(in.text) == cap(in.text) {
		if len(in.text) >= len(in.buffer)/2 {
			in.buffer = make([]byte, max(smallestBuffer, 2*len(in.buffer)))
		}
		in.text = in.buffer[:copy(in.buffer, in.text)]
	}
	for in.err == nil {
		switch {
		case in.ended == io.EOF && isBlank(in.text):
			in.fail(io.EOF)
		case in.ended == io.EOF, errors.Is(in.ended, io.ErrUnexpectedEOF):
			in.fail(errCut)
		case in.ended != nil:
			in.fail(in.ended)
		default:
			n, err := in.body.Read(in.text[len(in.text):cap(in.text)])
			in.text, in.ended = in.text[:len(in.text)+n], err
			if n > 0 {
				return true
			}
		}
	}
	return false
}

// peek returns the next byte that is not white space, and 0 if there is none.
func (in *input) peek() byte {
	for in.at < len(in.text) || in.more() {
		if c := in.text[in.at]; strings.IndexByte(blanks, c) < 0 {
			return c
		}
		in.at++
	}
	return 0
}

// fail keeps the first error.
func (in *input) fail(err error) {
	if in.err == nil {
		in.err = err
	}
}

const blanks = " \t\r\n"

// isBlank reports whether the text is white space only.
func isBlank(text []byte) bool { return len(bytes.Trim(text, blanks)) == 0 }
