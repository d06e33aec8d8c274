package command

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ownFileMark is the first line of every file that simulate writes.
const ownFileMark = "# Written by blotter simulate.\n"

// writeOwnFile writes a file that begins with ownFileMark, for its owner alone. It replaces a file that begins so, but
// no other, and follows no link.
func writeOwnFile(path string, text []byte) error {
	text = append([]byte(ownFileMark), text...)
	err := createFile(path, text)
	if errors.Is(err, fs.ErrExist) {
		if !isOwnFile(path) {
			return fmt.Errorf("%s is there already, and was not written by simulate", path)
		}
		err = replaceFile(path, text)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, withoutPath(err))
	}
	return nil
}

// createFile fails with fs.ErrExist where there is something with that name.
func createFile(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}

func isOwnFile(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	before, err := os.ReadFile(path)
	return err == nil && bytes.HasPrefix(before, []byte(ownFileMark))
}

// replaceFile puts a new file in the place of another.
func replaceFile(path string, text []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".blotter-*")
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}
