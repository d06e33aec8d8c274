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

	create func(path string) (io.WriteCloser, error) // replaces the file system in tests
	clock  func() time.Time                          // replaces the clock in tests
}

// flushEvery is the longest time for which what came is not in the file, if the disk is fast enough.
const flushEvery = time.Second

// errTooSlow is why a recording stops if more waits to be written than may wait.
var errTooSlow = errors.New("too much waits to be written, because the disk is too slow")

// Recorder writes a recording. What it records never waits for it. Its methods may be called by any goroutine.
type Recorder struct {
	*queue
	options Options
	written chan struct{} // closed when nothing is written any more

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
	options.Header.Start = options.clock()
	r := &Recorder{options: options, queue: newQueue(options.Header.Start, options.clock), written: make(chan struct{})}
	r.isFull = func() { r.fail(errTooSlow) }
	w, err := newWriter(&r.options)
	if err != nil {
		return nil, err
	}
	go func() {
		defer close(r.written)
		r.write(w)
	}()
	return r, nil
}

// createFile creates a file that only its owner can read.
func createFile(path string) (io.WriteCloser, error) {
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// Close writes what waits, and closes the file. It returns why the recording had stopped before.
func (r *Recorder) Close() error {
	r.queue.close()
	<-r.written
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

// write writes what comes until the queue is closed and empty. After an error it only empties the queue, when it has
// written the rest of what the screen got at once.
func (r *Recorder) write(w *writer) {
	s := newTakingState(&r.options.Header, r.options.Rows, r.options.Secrets)
	s.emit = w.add
	flush := time.Tick(flushEvery)
	for {
		p, more, ok := r.queue.take()
		switch {
		case ok:
			if r.Err() == nil || p.at == s.at { // all that the screen got at once is written
				w.begin(p.at, s)
				s.take(&p)
			}
		case r.queue.ended():
			w.end(s.at, closed)
			r.fail(w.err)
			return
		default:
			select {
			case <-r.queue.wake:
			case <-flush:
				w.flush(false)
			}
		}
		w.flushOld(more)
		r.fail(w.err)
	}
}
