package system

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
)

// WhyDone returns why ctx is done.
func WhyDone(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errors.New("the timeout is over")
	}
	return ctx.Err()
}

// ReadFile reads a file of at most limit bytes, until ctx is done: the end of a FIFO may never come. Nothing can end
// such a read, so its goroutine stays until the process ends.
func ReadFile(ctx context.Context, path string, limit int64) ([]byte, error) {
	type result struct {
		text []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		text, err := readAll(path, limit)
		done <- result{text, err}
	}()
	select {
	case r := <-done:
		return r.text, r.err
	case <-ctx.Done():
		return nil, FileErrorf(path, "cannot be read: %w", WhyDone(ctx))
	}
}

// ReadRegular reads a regular file of at most limit bytes, which check may refuse. It may wait for as long as the
// system does, but not for a FIFO or a device, which are refused.
func ReadRegular(path string, limit int64, check func(fs.FileInfo) error) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, FileErrorf(path, "cannot be read: %w", WithoutPath(err))
	}
	if !info.Mode().IsRegular() {
		return nil, FileErrorf(path, "is not a regular file")
	}
	if err := check(info); err != nil {
		return nil, FileErrorf(path, "%w", err)
	}
	return readAll(path, limit)
}

// readAll reads a file of at most limit bytes. It may wait for as long as the system does.
func readAll(path string, limit int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, FileErrorf(path, "cannot be read: %w", WithoutPath(err))
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, limit+1))
	switch {
	case err != nil:
		return nil, FileErrorf(path, "cannot be read: %w", WithoutPath(err))
	case int64(len(text)) > limit:
		return nil, FileErrorf(path, "has more than %d bytes", limit)
	}
	return text, nil
}

// WithoutPath returns an error of a file without the path, for a message that names the path already.
func WithoutPath(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		return path.Err
	}
	return err
}
