package files

import (
	"fmt"
	"log/slog"
	"os"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	maxLogLines = 1024                   // that wait to be written
	logEndTime  = 200 * time.Millisecond // for those at the end
)

// Log is a log that never blocks and never fails. Lines that a full or slow disk does not accept are lost and counted.
type Log struct {
	file    *os.File
	lines   chan []byte
	written chan struct{} // closed after the last line
	lost    atomic.Int64
}

// OpenLog opens the file or creates it, for its owner alone. A FIFO without a reader is an error; without O_NONBLOCK
// the program would wait for a reader.
func OpenLog(path string) (*Log, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, err
	}
	l := &Log{file: file, lines: make(chan []byte, maxLogLines), written: make(chan struct{})}
	go func() {
		defer close(l.written)
		for line := range l.lines {
			if _, err := file.Write(line); err != nil {
				l.lost.Add(1)
			}
		}
	}()
	return l, nil
}

// Logger returns a logger that writes to the file.
func (l *Log) Logger() *slog.Logger { return slog.New(slog.NewTextHandler(l, nil)) }

// File returns the file, for what must be written without the queue.
func (l *Log) File() *os.File { return l.file }

// Write queues a line.
func (l *Log) Write(line []byte) (int, error) {
	select {
	case l.lines <- append([]byte(nil), line...):
	default:
		l.lost.Add(1)
	}
	return len(line), nil
}

// Close writes the lines that wait, for as long as logEndTime. It returns an error where lines are lost.
func (l *Log) Close() error {
	close(l.lines)
	select {
	case <-l.written:
		l.file.Close()
	case <-time.After(logEndTime):
		l.lost.Add(1)
	}
	if lost := l.lost.Load(); lost > 0 {
		return fmt.Errorf("--log-file: %s: at least %d lines could not be written: the disk is full or slow", l.file.Name(), lost)
	}
	return nil
}
