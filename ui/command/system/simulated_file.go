package system

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
)

// simulatedMark is the first line of every file that blotter simulate writes.
const simulatedMark = "# Written by blotter simulate.\n"

// WriteSimulatedFile writes a file of blotter simulate, for its owner alone, with a mark on the first line. It replaces
// only files that have the mark, and follows no link.
func WriteSimulatedFile(path string, text []byte) error {
	text = append([]byte(simulatedMark), text...)
	err := create(path, text)
	switch {
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrExist):
		return FileErrorf(path, "cannot be written: %w", WithoutPath(err))
	case !isSimulated(path):
		return FileErrorf(path, "exists already, and was not written by simulate")
	}
	return ReplaceFile(path, text)
}

func isSimulated(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	before, err := os.ReadFile(path)
	return err == nil && bytes.HasPrefix(before, []byte(simulatedMark))
}
