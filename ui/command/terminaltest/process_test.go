//go:build linux

package terminaltest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// cpuOf returns how long a process has used a processor, in itself and in the kernel.
func cpuOf(tb testing.TB, process *exec.Cmd) time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process.Process.Pid))
	if err != nil {
		tb.Fatal(err)
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	ticks := 0
	for _, field := range fields[11:13] { // utime and stime
		n, _ := strconv.Atoi(field)
		ticks += n
	}
	return time.Duration(ticks) * time.Second / 100
}

// memoryOf returns a figure of the memory of a process, in MiB: VmHWM is the most until now, VmRSS what it has now.
func memoryOf(tb testing.TB, process *exec.Cmd, figure string) float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", process.Process.Pid))
	if err != nil {
		tb.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), figure+":")
	var kibibytes float64
	if _, err := fmt.Sscan(after, &kibibytes); err != nil {
		tb.Fatalf("%s in %q: %v", figure, text, err)
	}
	return kibibytes / 1024
}
