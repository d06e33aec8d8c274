package system

import (
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	maxLogLines = 1024                   // that wait to be written
	maxLogLine  = 8 << 10                // bytes of one line; the rest is cut
	logEndTime  = 200 * time.Millisecond // for those at the end
)

// Log is a log that never blocks and never fails, and that has a bound: equal lines are counted, lines that come too
// fast are left out, and the file is replaced at a limit of bytes. Lines that a full or slow disk does not accept are
// lost and counted.
type Log struct {
	file    *logFile
	mu      sync.Mutex // guards limit and the order of lines
	limit   lineLimit
	lines   chan []byte
	closing chan struct{}
	written chan struct{} // closed after the last line
	lost    atomic.Int64
}

// OpenLog opens the file or creates it, for its owner alone. A FIFO without a reader is an error.
func OpenLog(path string) (*Log, error) {
	file, err := openLogFile(path)
	if err != nil {
		return nil, err
	}
	l := &Log{file: file, lines: make(chan []byte, maxLogLines), closing: make(chan struct{}), written: make(chan struct{})}
	go l.write()
	return l, nil
}

// write writes the lines to the file until the log is closed, and the counts of equal lines when their time is over.
func (l *Log) write() {
	defer close(l.written)
	counts := time.NewTicker(countedFor)
	defer counts.Stop()
	for {
		select {
		case line := <-l.lines:
			l.writeLine(line)
		case now := <-counts.C:
			l.mu.Lock()
			l.queue(l.limit.end(now))
			l.mu.Unlock()
		case <-l.closing:
			for len(l.lines) > 0 {
				l.writeLine(<-l.lines)
			}
			return
		}
	}
}

func (l *Log) writeLine(line []byte) {
	if _, err := l.file.Write(line); err != nil {
		l.lost.Add(1)
	}
}

// Logger returns a logger that writes to the file.
func (l *Log) Logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{ReplaceAttr: withoutTime}))
}

// withoutTime leaves the time out of a line: Write adds it to the lines that are written, and without it equal lines
// are equal.
func withoutTime(groups []string, attribute slog.Attr) slog.Attr {
	if len(groups) == 0 && attribute.Key == slog.TimeKey {
		return slog.Attr{}
	}
	return attribute
}

// Write queues a line without its time, or counts it.
func (l *Log) Write(line []byte) (int, error) {
	length := len(line)
	if length > maxLogLine {
		line = append(slices.Clone(line[:maxLogLine]), "…\n"...)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.queue(l.limit.next(string(line), time.Now()))
	return length, nil
}

func (l *Log) queue(lines []string) {
	for _, line := range lines {
		select {
		case l.lines <- []byte(line):
		default:
			l.lost.Add(1)
		}
	}
}

// Direct returns a writer to the file without the queue and without counts, for a program that is about to end.
func (l *Log) Direct() io.Writer { return l.file }

// CatchCrashes writes the stack traces of panics that cannot be recovered to the log too.
func (l *Log) CatchCrashes() { l.file.catchCrashes() }

// Close writes the lines that wait, for as long as logEndTime. It returns an error if lines are lost.
func (l *Log) Close() error {
	l.mu.Lock()
	l.queue(l.limit.end(time.Now()))
	l.mu.Unlock()
	close(l.closing)
	select {
	case <-l.written:
		l.file.close()
	case <-time.After(logEndTime):
		l.lost.Add(1)
	}
	if lost := l.lost.Load(); lost > 0 {
		return fmt.Errorf("--log-file: %s: at least %d lines could not be written: the disk is full or slow", l.file.path, lost)
	}
	return nil
}
