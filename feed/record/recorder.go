package record

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"blotter/feed/endpoint"
)

// DefaultSize is how many bytes a file of a recording has where Options.Size is 0.
const DefaultSize = 1 << 30

// Options are how a Recorder works.
type Options struct {
	Path    string // of the first file, which is compressed where it ends in .zst or .gz
	Size    int64  // of a file, in bytes; then the recording continues in Path.1, Path.2, …; 0 is DefaultSize
	Header  Header // Start is set by Create
	Secrets *endpoint.Secrets
	// Stopped, where it is not nil, is called once where the recording stops because of an error.
	Stopped func(error)

	// create replaces the file system in tests.
	create func(path string) (io.WriteCloser, error)
}

// The limits of what waits to be written.
const (
	maxQueued     = 1 << 16  // events
	maxQueuedSize = 64 << 20 // bytes of bodies
)

// flushEvery is the longest time for which what came is not in the file.
const flushEvery = time.Second

// ErrTooSlow is why a recording stops where the disk does not keep up with the service.
var ErrTooSlow = errors.New("the disk is too slow")

// Recorder writes a recording. No request waits for it. Its methods may be called by any goroutine.
type Recorder struct {
	options Options
	queue   chan event
	written chan struct{} // closed when nothing is written any more

	mu       sync.Mutex
	requests int64
	queued   int // bytes of bodies in the queue
	closed   bool
	err      error // why the recording has stopped
}

// Create creates the first file and starts the recording. A file that exists already is an error.
func Create(options Options) (*Recorder, error) {
	if options.Size == 0 {
		options.Size = DefaultSize
	}
	if options.create == nil {
		options.create = createFile
	}
	if options.Secrets == nil {
		options.Secrets = new(endpoint.Secrets)
	}
	options.Header.Start = time.Now()
	files := &files{options: &options}
	if err := files.open(); err != nil {
		return nil, err
	}
	r := &Recorder{options: options, queue: make(chan event, maxQueued), written: make(chan struct{})}
	go func() {
		defer close(r.written)
		r.write(files)
	}()
	return r, nil
}

// Close writes what waits, and closes the file. It returns why the recording had stopped before.
func (r *Recorder) Close() error {
	r.put(event{Kind: closed})
	r.mu.Lock()
	if !r.closed {
		r.closed = true
		close(r.queue)
	}
	r.mu.Unlock()
	<-r.written
	return r.Err()
}

// Err returns why the recording has stopped; nil while it continues, and where it was ended by Close.
func (r *Recorder) Err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

// put queues an event that happens now. It never waits.
func (r *Recorder) put(e event) {
	r.mu.Lock()
	if r.closed || r.err != nil {
		r.mu.Unlock()
		return
	}
	e.At = time.Since(r.options.Header.Start)
	size := len(e.Bytes)
	if r.queued+size <= maxQueuedSize {
		select {
		case r.queue <- e:
			r.queued += size
			r.mu.Unlock()
			return
		default:
		}
	}
	r.mu.Unlock()
	r.stop(ErrTooSlow)
}

// next numbers a request.
func (r *Recorder) next() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests++
	return r.requests
}

// stop ends the recording because of an error.
func (r *Recorder) stop(err error) {
	r.mu.Lock()
	first := r.err == nil
	if first {
		r.err = fmt.Errorf("%s: the recording has stopped: %w", r.options.Path, err)
		err = r.err
	}
	r.mu.Unlock()
	if first && r.options.Stopped != nil {
		r.options.Stopped(err)
	}
}

// write writes events until the queue is closed. After an error it only empties the queue.
func (r *Recorder) write(files *files) {
	hider := newHider(r.options.Secrets.Hide)
	flush := time.NewTimer(flushEvery)
	flush.Stop()
	unflushed := false
	fail := func(err error) {
		if err != nil {
			r.stop(err)
		}
	}
	for {
		select {
		case e, more := <-r.queue:
			if !more {
				fail(files.close())
				return
			}
			r.mu.Lock()
			r.queued -= len(e.Bytes)
			stopped := r.err != nil
			r.mu.Unlock()
			if stopped {
				continue
			}
			if !unflushed {
				unflushed = true
				flush.Reset(flushEvery)
			}
			for _, e := range hider.hide(e) {
				fail(files.write(&e))
			}
		case <-flush.C:
			unflushed = false
			if r.Err() == nil {
				fail(files.flush())
			}
		}
	}
}
