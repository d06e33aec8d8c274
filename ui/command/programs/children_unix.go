//go:build unix

package programs

import (
	"os/exec"
	"syscall"
)

// EndWithChildren makes the end of a command also kill the programs that it has started.
func EndWithChildren(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	command.Cancel = func() error { return syscall.Kill(-command.Process.Pid, syscall.SIGKILL) }
}
