package record

import "io"

// SetCreate replaces how files are created.
func SetCreate(o *Options, create func(path string) (io.WriteCloser, error)) { o.create = create }
