package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// CreateWhole creates a file, for its owner alone. The file gets its name when it is completely written, or before
// where the file system has no links. CreateWhole fails with fs.ErrExist where the name is in use.
func CreateWhole(path string, text []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".blotter-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(text)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err = os.Link(file.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		err = create(path, text)
	}
	return err
}

// Replace writes a new file, and gives it the name of another when it is completely written.
func Replace(path string, text []byte) error {
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

// create creates a file. It fails with fs.ErrExist where the name is in use.
func create(path string, text []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}
