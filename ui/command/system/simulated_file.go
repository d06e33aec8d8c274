package system

import (
	"bytes"
	"errors"
	"fmt"
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
	if errors.Is(err, fs.ErrExist) {
		if !isSimulated(path) {
			return fmt.Errorf("%s exists already, and was not written by simulate", path)
		}
		err = ReplaceFile(path, text)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, WithoutPath(err))
	}
	return nil
}

func isSimulated(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	before, err := os.ReadFile(path)
	return err == nil && bytes.HasPrefix(before, []byte(simulatedMark))
}
