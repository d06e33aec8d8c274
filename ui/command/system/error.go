package system

import "fmt"

// FileError is what is wrong with a file.
type FileError struct {
	Path string
	Err  error
}

// FileErrorf returns an error about a file. Its text is the path, a space and the formatted text.
func FileErrorf(path, format string, arguments ...any) error {
	return &FileError{path, fmt.Errorf(format, arguments...)}
}

func (e *FileError) Error() string { return e.Path + " " + e.Err.Error() }

// Unwrap returns the error without the path.
func (e *FileError) Unwrap() error { return e.Err }

// Place returns the path, with which the text of the error begins.
func (e *FileError) Place() string { return e.Path }
