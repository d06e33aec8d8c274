package terminal

import (
	"context"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Input is the terminal's input for the screen. Bubble Tea reads it, but gets no byte: Run decodes what was read, and
// sends it to the screen as messages.
//
// Bubble Tea's own reader (StreamEvents of ultraviolet) decodes in a goroutine that nothing recovers, and a panic there
// leaves the terminal raw: at 33 parameters DecodeSequence of x/ansi 0.11.9 fails. It also decodes an unterminated
// string again from its beginning with each read. If ultraviolet limits both, only the end of a paste (paste.go) is
// still needed.
//
// On Windows ultraviolet reads the console by itself, and nothing here is used.
type Input struct {
	from    io.Reader
	keyTime time.Duration
	closed  func()
	chunks  chan []byte
	ended   chan struct{} // closed when Run has returned
}

// NewInput returns the input of a screen that is read from a terminal, where a key that may be the beginning of a
// sequence waits for keyTime. It calls closed when the terminal is closed.
func NewInput(from io.Reader, keyTime time.Duration, closed func()) *Input {
	return &Input{from: from, keyTime: keyTime, closed: closed, chunks: make(chan []byte), ended: make(chan struct{})}
}

// Read reads from the terminal for Run. It returns no byte.
func (i *Input) Read(p []byte) (int, error) {
	chunk := make([]byte, len(p))
	n, err := i.from.Read(chunk)
	if n > 0 {
		select {
		case i.chunks <- chunk[:n]:
		case <-i.ended:
		}
	}
	if err != nil {
		i.closed()
	}
	return 0, err
}

// Of returns the input as Bubble Tea needs it to change the modes of a terminal of this machine.
func (i *Input) Of(file *os.File) FileInput { return FileInput{file, i} }

// FileInput is the input from a terminal of this machine.
type FileInput struct {
	*os.File
	input *Input
}

// Read reads from the terminal for Run of the input. It returns no byte.
func (f FileInput) Read(p []byte) (int, error) { return f.input.Read(p) }

// Run sends what is read to the screen until ctx is done: keys, clicks, pastes and responses of the terminal.
func (i *Input) Run(ctx context.Context, send func(tea.Msg)) {
	defer close(i.ended)
	d := decoder{send: send, keyTime: i.keyTime}
	wait := time.NewTimer(time.Hour)
	for {
		wait.Stop()
		if d.held != nil {
			wait.Reset(d.timeout())
		}
		select {
		case <-ctx.Done():
			wait.Stop()
			return
		case chunk := <-i.chunks:
			for _, b := range chunk {
				d.addByte(b)
			}
		case <-wait.C:
			d.expire()
		}
	}
}
