package system

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"runtime/debug"
	"sync"
	"syscall"
)

// maxLogBytes is how large the file of the log becomes. Then it is renamed to FILE.1, in place of the one before.
const maxLogBytes = 10 << 20

// logFile is the file of the log. Libraries that do the same have no O_APPEND, so that two programs with one log damage
// it (timberjack), or leave a goroutine behind (lumberjack); and none moves the output of crashes to the new file.
type logFile struct {
	path    string
	limit   int64
	mu      sync.Mutex
	file    *os.File
	size    int64 // of a regular file; others have no limit
	regular bool
	crashes bool // the runtime writes crashes to it
}

func openLogFile(path string) (*logFile, error) {
	f := &logFile{path: path, limit: maxLogBytes}
	return f, f.open()
}

// open opens the file. Without O_NONBLOCK the program would wait for a reader of a FIFO.
func (f *logFile) open() error {
	file, err := os.OpenFile(f.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return err
	}
	f.file, f.size, f.regular = file, info.Size(), info.Mode().IsRegular()
	if f.crashes {
		_ = debug.SetCrashOutput(file, debug.CrashOptions{})
	}
	return nil
}

// Write appends to the file, or to a new one if the text does not fit.
func (f *logFile) Write(text []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.makeRoom(int64(len(text))); err != nil {
		return 0, err
	}
	n, err := f.file.Write(text)
	f.size += int64(n)
	return n, err
}

// makeRoom renames a file that is full, and opens a new one. If another program has renamed or removed it, makeRoom
// opens what has the name now: after a second rename there, what is written to the old file would be lost.
func (f *logFile) makeRoom(more int64) error {
	if f.file != nil && f.regular && !f.hasName() {
		f.release()
	}
	if f.file == nil {
		if err := f.open(); err != nil {
			return err
		}
	}
	if !f.regular || f.size == 0 || f.size+more <= f.limit {
		return nil
	}
	f.release()
	return cmp.Or(os.Rename(f.path, f.path+".1"), f.open())
}

// hasName reports whether the file is the one that has its name.
func (f *logFile) hasName() bool {
	named, err := os.Stat(f.path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	mine, err := f.file.Stat()
	return err != nil || os.SameFile(mine, named)
}

// release closes the file for a rename or for another file. Windows does not rename a file that is open.
func (f *logFile) release() {
	if f.crashes {
		_ = debug.SetCrashOutput(nil, debug.CrashOptions{})
	}
	f.file.Close()
	f.file = nil
}

func (f *logFile) catchCrashes() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.crashes = true; f.file != nil {
		_ = debug.SetCrashOutput(f.file, debug.CrashOptions{})
	}
}

func (f *logFile) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file != nil {
		f.file.Close()
	}
}
