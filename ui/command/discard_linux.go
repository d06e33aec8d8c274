package command

import (
	"os"

	"golang.org/x/sys/unix"
)

// discardOutput throws away what the terminal has not taken so far, and starts its output where that was stopped. Only
// the start of what was stopped wakes a write that waits.
func discardOutput(output *os.File) {
	fd := int(output.Fd())
	_ = unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCOFLUSH)
	_ = unix.IoctlSetInt(fd, unix.TCXONC, unix.TCOOFF)
	_ = unix.IoctlSetInt(fd, unix.TCXONC, unix.TCOON)
}
