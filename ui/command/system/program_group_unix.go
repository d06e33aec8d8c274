//go:build unix

package system

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// group is the process group of a command: the command and the programs that it has started.
type group struct{ command *exec.Cmd }

func newGroup(command *exec.Cmd) (*group, error) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return &group{command}, nil
}

// run runs the command until it ends.
func (g *group) run() error { return g.command.Run() }

// signal sends a signal to all processes of the group. Its number is that of its first process.
func (g *group) signal(signal syscall.Signal) error {
	if g.command.Process == nil { // it has not started
		return syscall.ESRCH
	}
	return syscall.Kill(-g.command.Process.Pid, signal)
}

func (g *group) kill() error { return g.signal(syscall.SIGKILL) }

// isEmpty reports whether no process of the group is left. The system gives its number to no other process while one is
// left; so it is checked often, and never again after it was empty.
func (g *group) isEmpty() bool { return g.signal(0) == syscall.ESRCH }

func (g *group) close() {}

// closeOnExec makes programs inherit no descriptor but the three standard ones. Go opens none that they would inherit;
// but the program that started this one may have left some.
func closeOnExec() {
	open, _ := os.ReadDir("/dev/fd")
	for _, entry := range open {
		if descriptor, err := strconv.Atoi(entry.Name()); err == nil && descriptor > 2 {
			syscall.CloseOnExec(descriptor)
		}
	}
}
