package system

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is the job object of a command: the command and the programs that it has started. Windows ends them when the
// job is closed, also if this program is killed.
type group struct {
	command *exec.Cmd
	job     windows.Handle
}

// newGroup creates the job. The command starts suspended, so that it starts no other program before it is in the job.
func newGroup(command *exec.Cmd) (*group, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return &group{command: command}, fmt.Errorf("creating its job object: %w", err)
	}
	g := &group{command, job}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err != nil {
		return g, fmt.Errorf("setting up its job object: %w", err)
	}
	command.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_SUSPENDED}
	return g, nil
}

// run runs the command until it ends.
func (g *group) run() error {
	command := g.command
	if err := command.Start(); err != nil {
		return err
	}
	var assignErr error
	err := command.Process.WithHandle(func(process uintptr) {
		assignErr = windows.AssignProcessToJobObject(g.job, windows.Handle(process))
	})
	if err = errors.Join(err, assignErr); err == nil {
		err = resume(uint32(command.Process.Pid))
	}
	if err != nil {
		_ = command.Process.Kill()
		_ = command.Wait()
		return fmt.Errorf("putting it into its job object: %w", err)
	}
	return command.Wait()
}

// resume lets the threads of a suspended process run. Go closes the handle of its thread, so it is searched for.
func resume(process uint32) error {
	threads, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer windows.CloseHandle(threads)
	thread := windows.ThreadEntry32{Size: uint32(unsafe.Sizeof(windows.ThreadEntry32{}))}
	for err = windows.Thread32First(threads, &thread); err == nil; err = windows.Thread32Next(threads, &thread) {
		if thread.OwnerProcessID != process {
			continue
		}
		handle, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, thread.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(handle)
		windows.CloseHandle(handle)
		if err != nil {
			return err
		}
	}
	if err != windows.ERROR_NO_MORE_FILES {
		return err
	}
	return nil
}

func (g *group) kill() error { return windows.TerminateJobObject(g.job, 1) }

// isEmpty reports whether no process of the job is left.
func (g *group) isEmpty() bool {
	var accounting struct { // JOBOBJECT_BASIC_ACCOUNTING_INFORMATION
		totalUserTime, totalKernelTime, periodUserTime, periodKernelTime      int64
		pageFaults, totalProcesses, activeProcesses, totalTerminatedProcesses uint32
	}
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&accounting)), uint32(unsafe.Sizeof(accounting)), nil)
	return err != nil || accounting.activeProcesses == 0
}

func (g *group) close() {
	if g.job != 0 {
		windows.CloseHandle(g.job)
	}
}

// closeOnExec does nothing: on Windows, Go names the handles that a program inherits.
func closeOnExec() {}
