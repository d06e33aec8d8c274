//go:build unix

package terminal

import "golang.org/x/sys/unix"

// CanSuspend reports whether the system suspends the program: not if it is in the process group that leads the session,
// as a terminal or ssh starts a program without a shell. Nothing could continue it, so the system ignores it.
func CanSuspend() bool {
	session, err := unix.Getsid(0)
	return err != nil || session != unix.Getpgrp()
}
