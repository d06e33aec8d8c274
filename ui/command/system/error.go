package system

import "fmt"

// fileError is what is wrong with a file.
type fileError struct {
	path string
	err  error
}

// FileErrorf returns an error about a file. Its text is the path, a space and the formatted text.
func FileErrorf(path, format string, arguments ...any) error {
	return &fileError{path, fmt.Errorf(format, arguments...)}
}

func (e *fileError) Error() string { return e.path + " " + e.err.Error() }

// Unwrap returns the error without the path.
func (e *fileError) Unwrap() error { return e.err }

// Place returns the path, with which the text of the error begins.
func (e *fileError) Place() string { return e.path }
