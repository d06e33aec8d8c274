package command

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// logLines is how many lines may wait for the disk, and logPatience for how long the program waits at its end.
const (
	logLines    = 1024
	logPatience = 200 * time.Millisecond
)

// logFile is a log that keeps nobody waiting and fails nothing: a disk that is full or slow costs lines of the log,
// and a word about it at the end.
type logFile struct {
	file  *os.File
	lines chan []byte
	idle  chan struct{} // closed once all is written

	mu     sync.Mutex
	lost   int
	reason error
}

// openLogFile opens the file, or makes it: for its owner's eyes alone.
func openLogFile(path string) (*logFile, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	l := &logFile{file: file, lines: make(chan []byte, logLines), idle: make(chan struct{})}
	go l.run()
	return l, nil
}

func (l *logFile) logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// Write takes a line. It never waits and never fails.
func (l *logFile) Write(line []byte) (int, error) {
	select {
	case l.lines <- append([]byte(nil), line...):
	default:
		l.lose(errSlowDisk)
	}
	return len(line), nil
}

var errSlowDisk = errors.New("it takes less than there is to write")

func (l *logFile) run() {
	defer close(l.idle)
	for line := range l.lines {
		if _, err := l.file.Write(line); err != nil {
			l.lose(withoutPath(err))
		}
	}
}

func (l *logFile) lose(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost++
	l.reason = err
}

// trace writes the trace of a panic, at once and as it is.
func (l *logFile) trace(reason any, trace []byte) {
	fmt.Fprintf(l.file, "%s panic: %v\n\n%s\n", time.Now().Format(time.RFC3339Nano), reason, trace)
}

// end writes what waits and closes the file. It returns an error where the log is not whole.
func (l *logFile) end() error {
	close(l.lines)
	select {
	case <-l.idle:
		l.file.Close()
	case <-time.After(logPatience):
		l.lose(errSlowDisk)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost == 0 {
		return nil
	}
	return fmt.Errorf("--log-file: %s lacks %d lines: %w", l.file.Name(), l.lost, l.reason)
}
