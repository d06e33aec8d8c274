//go:build darwin || dragonfly || freebsd || netbsd || openbsd

package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// writeQueue is FWRITE of <sys/fcntl.h>: what was written and not taken.
const writeQueue = 2

// discardOutput throws away what the terminal has not taken so far, and starts its output where that was stopped.
func discardOutput(output *os.File) {
	fd := int(output.Fd())
	_ = unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, writeQueue)
	_ = unix.IoctlSetInt(fd, unix.TIOCSTART, 0)
}
