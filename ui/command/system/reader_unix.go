//go:build unix

package system

import (
	"context"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// WaitForReaderEnd waits until nothing reads the pipe or socket that a file is, and reports whether that is so. It
// returns false when ctx is done, and at once if the file is no pipe and no socket.
func WaitForReaderEnd(ctx context.Context, file *os.File) bool {
	status, err := file.Stat()
	if err != nil || status.Mode()&(os.ModeNamedPipe|os.ModeSocket) == 0 {
		return false
	}
	read, write, err := os.Pipe()
	if err != nil {
		return false
	}
	defer read.Close()
	closed := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { defer close(closed); write.Close() })
	defer func() {
		if stop() {
			write.Close()
		} else {
			<-closed
		}
	}()
	// No events are asked for: poll returns only for an error or the end of a reader, or when the other pipe is closed.
	watched := []unix.PollFd{{Fd: int32(file.Fd())}, {Fd: int32(read.Fd())}}
	for {
		_, err := unix.Poll(watched, -1)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil || watched[1].Revents != 0:
			return false
		case watched[0].Revents != 0:
			return true
		}
	}
}
