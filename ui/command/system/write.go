package system

import (
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// CreateFile creates a file and its folder, for their owner alone. The file gets its name when it is completely
// written, or before if the file system has no links. CreateFile fails with fs.ErrExist if the name is in use.
func CreateFile(path string, text []byte) error {
	return writeWhole(path, text, func(temporary string) error {
		err := os.Link(temporary, path)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			err = create(path, text)
		}
		return err
	})
}

// ReplaceFile writes a new file, and gives it the name of another when it is completely written. It makes the folder
// if there is none.
func ReplaceFile(path string, text []byte) error {
	return writeWhole(path, text, func(temporary string) error {
		return rename(func() error { return os.Rename(temporary, path) }, isBusy)
	})
}

// writeWhole writes a temporary file beside a path, and calls name to give it this path. The error names the path.
func writeWhole(path string, text []byte, name func(temporary string) error) error {
	folder := filepath.Dir(path)
	err := os.MkdirAll(folder, 0o700)
	temporary := ""
	if err == nil {
		temporary, err = writeTemporary(folder, text)
	}
	if err == nil {
		err = name(temporary)
		os.Remove(temporary) // not there after a rename
	}
	if err != nil {
		return FileErrorf(path, "cannot be written: %w", WithoutPath(err))
	}
	return nil
}

// How long a rename is tried again on Windows, and how often.
const (
	maxRenameWait  = time.Second
	renameWaitStep = 20 * time.Millisecond
)

// rename renames a file, and tries again for a second while another program has it open.
func rename(try func() error, again func(error) bool) error {
	for until := time.Now().Add(maxRenameWait); ; time.Sleep(renameWaitStep) {
		if err := try(); err == nil || !again(err) || !time.Now().Before(until) {
			return err
		}
	}
}

// isBusy reports whether err means that another program has the file open, such as one that searches for viruses. Only
// Windows has such errors: access denied, and the sharing violation.
func isBusy(err error) bool {
	const sharingViolation = syscall.Errno(32)
	return runtime.GOOS == "windows" && (errors.Is(err, fs.ErrPermission) || errors.Is(err, sharingViolation))
}

// create creates a file. It fails with fs.ErrExist if the name is in use.
func create(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return writeSynced(file, text)
}

// temporaryName is how the name of a temporary file begins. Digits follow.
const temporaryName = ".blotter-"

// temporaryAge is after how long a temporary file must be of a program that was killed: writing one takes no second.
const temporaryAge = time.Hour

// writeTemporary writes a temporary file and returns its path. It removes those that programs have left behind.
func writeTemporary(folder string, text []byte) (path string, err error) {
	removeOldTemporary(folder, time.Now())
	file, err := os.CreateTemp(folder, temporaryName+"*")
	if err != nil {
		return "", err
	}
	if err := writeSynced(file, text); err != nil {
		os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}

// removeOldTemporary removes the temporary files of programs that were killed while they wrote.
func removeOldTemporary(folder string, now time.Time) {
	entries, _ := os.ReadDir(folder)
	for _, entry := range entries {
		number, isTemporary := strings.CutPrefix(entry.Name(), temporaryName)
		if !isTemporary || number == "" || strings.Trim(number, "0123456789") != "" || !entry.Type().IsRegular() {
			continue
		}
		if info, err := entry.Info(); err == nil && now.Sub(info.ModTime()) > temporaryAge {
			os.Remove(filepath.Join(folder, entry.Name()))
		}
	}
}

// syncedFile is what is needed of an os.File that is written.
type syncedFile interface {
	io.WriteCloser
	Sync() error
}

// writeSynced writes and closes a file. Without Sync, a file that gets its name before a power failure can be empty
// after it.
func writeSynced(file syncedFile, text []byte) error {
	_, err := file.Write(text)
	if err == nil {
		err = file.Sync()
	}
	return cmp.Or(err, file.Close())
}
