//go:build unix

package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// atTheLatest is how long a test waits for what a process should do. The machine may be busy.
const atTheLatest = time.Minute

// started returns commands, and a function that runs one and waits for its end. When the test ends, so do they and what
// they have left behind.
func started(t *testing.T, lines map[string][]string) (c *alertCommands, run func(name string) error, end func()) {
	ctx, cancel := context.WithCancel(t.Context())
	c = newAlertCommands(lines)
	end = func() {
		cancel()
		c.left.Wait()
	}
	t.Cleanup(end)
	return c, func(name string) error { return c.run(ctx, name, []byte("{}\n")) }, end
}

// childOf returns the process whose number is in a file, and waits until it is there.
func childOf(t *testing.T, path string) int {
	t.Helper()
	for began := time.Now(); time.Since(began) < atTheLatest; time.Sleep(time.Millisecond) {
		text, _ := os.ReadFile(path)
		if child, err := strconv.Atoi(strings.TrimSuffix(string(text), "\n")); err == nil && strings.HasSuffix(string(text), "\n") {
			t.Cleanup(func() { _ = syscall.Kill(child, syscall.SIGKILL) })
			return child
		}
	}
	t.Fatal("there is no child")
	return 0
}

func expectEnds(t *testing.T, child int) {
	t.Helper()
	for began := time.Now(); alive(child); time.Sleep(time.Millisecond) {
		if time.Since(began) > atTheLatest {
			t.Fatalf("the child %d is still there", child)
		}
	}
}

// TestCommandIsKilledWithItsChildren when its time is over.
func TestCommandIsKilledWithItsChildren(t *testing.T) {
	t.Parallel() // it takes real time
	path := filepath.Join(t.TempDir(), "child")
	c, run, _ := started(t, map[string][]string{"slow": {"sh", "-c", "sleep 600 & echo $! > " + path + "; wait"}})
	for c.limit = 2 * time.Second; ; c.limit *= 2 { // a busy machine needs longer to start it
		if err := run("slow"); err == nil || err.Error() != fmt.Sprintf("sh did not end within %s", c.limit) {
			t.Fatalf("the error is %v", err)
		}
		if text, err := os.ReadFile(path); err == nil && len(text) > 0 || c.limit > atTheLatest {
			break
		}
	}
	expectEnds(t, childOf(t, path))
}

// TestWhatACommandLeavesBehindEnds at the limit of time, and not before: a sound may play on.
func TestWhatACommandLeavesBehindEnds(t *testing.T) {
	t.Parallel() // it takes real time
	path := filepath.Join(t.TempDir(), "child")
	c, run, _ := started(t, map[string][]string{"sound": {"sh", "-c", "sleep 600 & echo $! > " + path}})
	c.limit = time.Second
	began := time.Now()
	err := run("sound")
	for err != nil && err.Error() == fmt.Sprintf("sh did not end within %s", c.limit) && c.limit < atTheLatest {
		c.limit *= 2 // a busy machine needs longer for it
		began, err = time.Now(), run("sound")
	}
	if err != nil {
		t.Fatalf("the error is %v", err)
	}
	child := childOf(t, path)
	if ended := !alive(child); ended && time.Since(began) < c.limit/2 {
		t.Error("the child ended with the command")
	}
	expectEnds(t, child)
}

// TestTheEndEndsWhatCommandsHaveLeftBehind.
func TestTheEndEndsWhatCommandsHaveLeftBehind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "child")
	c, run, end := started(t, map[string][]string{"sound": {"sh", "-c", "sleep 600 & echo $! > " + path}})
	c.limit = time.Hour
	if err := run("sound"); err != nil {
		t.Errorf("the error is %v", err)
	}
	child := childOf(t, path)
	if !alive(child) {
		t.Error("the child ended with the command")
	}
	end()
	expectEnds(t, child)
}

// TestFewGroupsAreLeftBehind: when there are too many, what a command leaves behind ends with it.
func TestFewGroupsAreLeftBehind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "children")
	c, run, end := started(t, map[string][]string{"sound": {"sh", "-c", "sleep 600 & echo $! >> " + path}})
	c.limit = time.Hour
	for range maxAlertGroups + 10 {
		if err := run("sound"); err != nil {
			t.Errorf("the error is %v", err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var children []int
	for word := range strings.FieldsSeq(string(text)) {
		child, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		children = append(children, child)
	}
	if len(children) != maxAlertGroups+10 {
		t.Errorf("there were %d children", len(children))
	}
	for i, child := range children {
		if i >= maxAlertGroups {
			expectEnds(t, child)
		} else if !alive(child) {
			t.Errorf("child %d has ended", i)
		}
	}
	end()
	for _, child := range children {
		expectEnds(t, child)
	}
}

// TestCommandInheritsNoDescriptor, also none that this program has inherited itself: those are not closed by Go.
func TestCommandInheritsNoDescriptor(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "inherited"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	inherited, err := syscall.Dup(int(file.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(inherited)
	_, run, _ := started(t, map[string][]string{"a": {"sh", "-c", fmt.Sprintf("[ -e /dev/fd/0 ] && ! [ -e /dev/fd/%d ] && ! [ -e /dev/fd/%d ]", inherited, file.Fd())}})
	if err := run("a"); err != nil {
		t.Errorf("it inherited a descriptor: %v", err)
	}
}

// alive reports whether a process runs. A zombie does not.
func alive(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) == nil
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(after, "Z")
}

// TestTheEndEndsCommands, and no command runs after it.
func TestTheEndEndsCommands(t *testing.T) {
	path := filepath.Join(t.TempDir(), "started")
	_, run, end := started(t, map[string][]string{"slow": {"sh", "-c", "echo x >> " + path + "; sleep 600"}})
	ended := make(chan error)
	go func() { ended <- run("slow") }()
	text := func() string {
		text, _ := os.ReadFile(path)
		return string(text)
	}
	for text() == "" {
		time.Sleep(time.Millisecond)
	}
	end()
	if err := <-ended; err == nil {
		t.Error("it did not fail")
	}
	if err := run("slow"); err == nil {
		t.Error("a command runs after the end")
	}
	if got := text(); got != "x\n" {
		t.Errorf("it ran %d times", strings.Count(got, "x"))
	}
}

// TestCommandDoesNotGetTheToken of the service.
func TestCommandDoesNotGetTheToken(t *testing.T) {
	t.Setenv("BLOTTER_TOKEN", "s3cret")
	path := filepath.Join(t.TempDir(), "environment")
	_, run, _ := started(t, map[string][]string{"a": {"sh", "-c", "env > " + path}})
	if err := run("a"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || strings.Contains(string(text), "s3cret") || !strings.Contains(string(text), "PATH=") {
		t.Errorf("%v: the environment is %s", err, text)
	}
}
