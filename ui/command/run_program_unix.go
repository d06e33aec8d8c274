//go:build unix

package command

import (
	"os/exec"
	"syscall"
)

// endWithChildren makes the end of a command also kill the programs that it has started.
func endWithChildren(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
}
