package record

import (
	"fmt"
	"io"
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
	Secrets *secrets.Hider
	// Stopped, if it is not nil, is called once if the recording stops because of an error.
	Stopped func(error)

	// create replaces the file system in tests, and hide the hiding of secrets.
	create func(path string) (io.WriteCloser, error)
	hide   func(event) []event
}

// The limits of what waits to be written.
const (
	maxQueued     = 1 << 16  // events
	maxQueuedSize = 64 << 20 // bytes of bodies
)

// flushEvery is the longest time for which what came is not in the file.
const flushEvery = time.Second

// TooSlowError is why a recording stops if more waits to be written than may wait.
type TooSlowError struct{ Cause string } // what takes the time: hiding, compressing or the disk

func (e *TooSlowError) Error() string {
	return fmt.Sprintf("more than %d MB or %d events wait to be written, because %s", maxQueuedSize>>20, maxQueued, e.Cause)
}

// work is what is done with an event, one after the other.
type work int

const (
	hiding work = iota
	encoding
	writing
	works
)

// tooSlow says what of the work is too slow.
var tooSlow = [works]string{
	"hiding secrets in what the service sends is too slow",
	"compressing is too slow: a file whose name does not end in .zst or .gz is not compressed",
	"the disk is too slow",
}

// Recorder writes a recording. No request waits for it. Its methods may be called by any goroutine.
type Recorder struct {
	options Options
	queue   chan event
	written chan struct{} // closed when nothing is written any more

	mu       sync.Mutex
	requests int64
	queued   int // bytes of bodies in the queue
	closed   bool
	err      error                // why the recording has stopped
	spent    [works]time.Duration // since nothing waited
	doing    work
	since    time.Time // when that began
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
		options.Secrets = new(secrets.Hider)
	}
	options.Header.Start = time.Now()
	r := &Recorder{options: options, queue: make(chan event, maxQueued), written: make(chan struct{}), since: time.Now()}
	files := &files{options: &options, do: r.do}
	if err := files.open(); err != nil {
		return nil, err
	}
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

// Err returns why the recording has stopped; nil while it continues, and if it was ended by Close.
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
	r.count()
	slowest := hiding
	for w, spent := range r.spent {
		if spent > r.spent[slowest] {
			slowest = work(w)
		}
	}
	r.mu.Unlock()
	r.stop(&TooSlowError{tooSlow[slowest]})
}

// do sets what is done now, and returns what was done before.
func (r *Recorder) do(next work) (before work) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before = r.doing
	r.count()
	r.doing = next
	return before
}

// count counts the time of what is done. The lock is held.
func (r *Recorder) count() {
	now := time.Now()
	r.spent[r.doing] += now.Sub(r.since)
	r.since = now
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
	hider := newHider(r.options.Secrets)
	hide := hider.hide
	if r.options.hide != nil {
		hide = r.options.hide
	}
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
			if r.queued == 0 {
				r.spent = [works]time.Duration{}
			}
			r.doing, r.since = hiding, time.Now()
			r.mu.Unlock()
			if stopped {
				continue
			}
			if !unflushed {
				unflushed = true
				flush.Reset(flushEvery)
			}
			hidden := hide(e)
			r.do(encoding)
			for _, e := range hidden {
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
