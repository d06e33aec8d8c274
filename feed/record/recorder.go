package record

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"blotter/feed/secrets"
)

// DefaultSize is how many bytes a file of a recording has if Options.Size is 0.
const DefaultSize = 1 << 30

// Options are how a Recorder works.
type Options struct {
	Path    string // of the first file, which is compressed if it ends in .zst or .gz
	Size    int64  // of a file, in bytes; then the recording continues in Path.1, Path.2, …; 0 is DefaultSize
	Header  Header // Start is set by Create
	Rows    int    // how many positions are kept at most; 0 is no limit
	Secrets *secrets.Hider
	// Stopped, if it is not nil, is called once if the recording stops because of an error.
	Stopped func(error)
	// OnPanic, if it is not nil, is called on a panic while recording, with the stack trace. It must restore the
	// terminal and end the program.
	OnPanic func(reason any, trace []byte)

	create func(path string) (io.WriteCloser, error) // replaces the file system in tests
	clock  func() time.Time                          // replaces the clock in tests
}

// How often what came is written, and the longest time for which it then is not in the file yet, if the disk is fast
// enough.
const (
	writeEvery = time.Second / 4
	flushEvery = time.Second
)

// errTooSlow is why a recording stops if more waits to be written than may wait.
var errTooSlow = errors.New("too much waits to be written, because the disk is too slow")

// Recorder writes a recording. What it records never waits for it. Its methods may be called by any goroutine.
type Recorder struct {
	*queue
	options Options
	writer  *writer
	state   *state // after what was written

	mu  sync.Mutex
	err error // why the recording has stopped
}

// Create creates the first file and starts the recording. A file that exists already is an error.
func Create(options Options) (*Recorder, error) {
	options.Size = cmp.Or(options.Size, DefaultSize)
	if options.create == nil {
		options.create = createFile
	}
	if options.clock == nil {
		options.clock = time.Now
	}
	start := options.clock()
	options.Header.Start = start.Round(0) // without the monotonic clock, which a sleep of the machine stops
	r := &Recorder{options: options, queue: newQueue(start, options.clock)}
	r.isFull, r.onPanic = func() { r.fail(errTooSlow) }, options.OnPanic
	var err error
	if r.writer, err = newWriter(&r.options); err != nil {
		return nil, err
	}
	r.state = newTakingState(&options.Header, options.Rows, options.Secrets)
	r.state.emit = r.writer.writeEntry
	r.drainEvery(writeEvery, r.write, r.end)
	return r, nil
}

// createFile creates a file that only its owner can read.
func createFile(path string) (io.WriteCloser, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// Close writes what waits, and closes the file. It returns why the recording had stopped before.
func (r *Recorder) Close() error {
	r.queue.close()
	r.drains.Wait()
	return r.Err()
}

// Err returns why the recording has stopped; nil while it continues, and if it was ended by Close.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// fail ends the recording because of an error; nil is none.
func (r *Recorder) fail(err error) {
	r.mu.Lock()
	isFirst := err != nil && r.err == nil
	if isFirst {
		r.err = fmt.Errorf("%s: the recording has stopped: %w", r.options.Path, err)
		err = r.err
	}
	r.mu.Unlock()
	if !isFirst {
		return
	}
	r.queue.close()
	if r.options.Stopped != nil {
		r.options.Stopped(err)
	}
}

// write writes what has come. After an error it does nothing.
func (r *Recorder) write() {
	moments, dropped := r.takeAll()
	for i := range moments {
		if r.Err() != nil {
			return
		}
		r.writer.beginMoment(r.state)
		rows := moments[i].rows()
		r.state.applyMoment(&moments[i])
		r.recordedRows(rows)
		moments[i] = moment{} // its memory is free while the rest is written to a slow disk
		if dropped > 0 {
			r.writer.writeEntry(&entry{At: r.state.at, Dropped: dropped})
			dropped = 0
		}
		r.fail(r.writer.err)
	}
	r.writer.flushOld()
	r.fail(r.writer.err)
}

func (r *Recorder) end() {
	r.writer.end(r.state.at, closed)
	r.fail(r.writer.err)
}
