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

	"blotter/model"
	"blotter/model/view"
)

// atTheLatest is how long a test waits for what a process should do. The machine may be busy.
const atTheLatest = time.Minute

// eventOf returns an event of an alert.
func eventOf(name string) []view.AlertEvent {
	return []view.AlertEvent{{Rule: view.AlertRule{Name: name}, Instruments: model.NewInstruments(nil, nil, nil)}}
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
	c := newAlertCommands(t.Context(), map[string][]string{"slow": {"sh", "-c", "sleep 600 & echo $! > " + path + "; wait"}})
	defer c.Close()
	for c.limit = 2 * time.Second; ; c.limit *= 2 { // a busy machine needs longer to start it
		if err := c.Run(eventOf("slow")); err == nil || err.Error() != fmt.Sprintf("sh did not end within %s", c.limit) {
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
	c := newAlertCommands(t.Context(), map[string][]string{"sound": {"sh", "-c", "sleep 600 & echo $! > " + path}})
	defer c.Close()
	c.limit = time.Second
	began := time.Now()
	err := c.Run(eventOf("sound"))
	for err != nil && err.Error() == fmt.Sprintf("sh did not end within %s", c.limit) && c.limit < atTheLatest {
		c.limit *= 2 // a busy machine needs longer for it
		began, err = time.Now(), c.Run(eventOf("sound"))
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

// TestCloseEndsWhatCommandsHaveLeftBehind, and so does the end of the run.
func TestCloseEndsWhatCommandsHaveLeftBehind(t *testing.T) {
	for name, end := range map[string]func(*alertCommands, func()){
		"close":       func(c *alertCommands, _ func()) { c.Close() },
		"interrupted": func(c *alertCommands, interrupt func()) { interrupt() },
	} {
		ctx, interrupt := context.WithCancel(t.Context())
		path := filepath.Join(t.TempDir(), name)
		c := newAlertCommands(ctx, map[string][]string{"sound": {"sh", "-c", "sleep 600 & echo $! > " + path}})
		c.limit = time.Hour
		if err := c.Run(eventOf("sound")); err != nil {
			t.Errorf("%s: the error is %v", name, err)
		}
		child := childOf(t, path)
		if !alive(child) {
			t.Errorf("%s: the child ended with the command", name)
		}
		end(c, interrupt)
		expectEnds(t, child)
		c.Close()
		interrupt()
	}
}

// TestFewGroupsAreLeftBehind: when there are too many, what a command leaves behind ends with it.
func TestFewGroupsAreLeftBehind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "children")
	c := newAlertCommands(t.Context(), map[string][]string{"sound": {"sh", "-c", "sleep 600 & echo $! >> " + path}})
	c.limit = time.Hour
	for range maxAlertGroups + 10 {
		if err := c.Run(eventOf("sound")); err != nil {
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
	c.Close()
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
	c := newAlertCommands(t.Context(), map[string][]string{"a": {"sh", "-c", fmt.Sprintf("[ -e /dev/fd/0 ] && ! [ -e /dev/fd/%d ] && ! [ -e /dev/fd/%d ]", inherited, file.Fd())}})
	defer c.Close()
	if err := c.Run(eventOf("a")); err != nil {
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

// TestCloseEndsCommands, and no command runs after it.
func TestCloseEndsCommands(t *testing.T) {
	path := filepath.Join(t.TempDir(), "started")
	c := newAlertCommands(t.Context(), map[string][]string{"slow": {"sh", "-c", "echo x >> " + path + "; sleep 600"}})
	ended := make(chan error)
	go func() { ended <- c.Run(eventOf("slow")) }()
	started := func() string {
		text, _ := os.ReadFile(path)
		return string(text)
	}
	for started() == "" {
		time.Sleep(time.Millisecond)
	}
	c.Close()
	if err := <-ended; err != nil {
		t.Errorf("the error is %v", err)
	}
	if err := c.Run(eventOf("slow")); err != nil {
		t.Errorf("the error is %v", err)
	}
	if got := started(); got != "x\n" {
		t.Errorf("it ran %d times", strings.Count(got, "x"))
	}
}

// TestTooManyEventsAreDropped with an error.
func TestTooManyEventsAreDropped(t *testing.T) {
	c := newAlertCommands(t.Context(), map[string][]string{"slow": {"sleep", "600"}})
	ended := make(chan error)
	var events []view.AlertEvent
	for range maxAlertEvents {
		events = append(events, eventOf("slow")...)
	}
	go func() { ended <- c.Run(events) }()
	for c.waiting() < maxAlertEvents {
		time.Sleep(time.Millisecond)
	}
	if err := c.Run(eventOf("slow")); err == nil || err.Error() != "not run: 32 events wait already" {
		t.Errorf("the error is %v", err)
	}
	c.Close()
	<-ended
}

func (c *alertCommands) waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.events
}

// TestCommandDoesNotGetTheToken of the service.
func TestCommandDoesNotGetTheToken(t *testing.T) {
	t.Setenv("BLOTTER_TOKEN", "s3cret")
	path := filepath.Join(t.TempDir(), "environment")
	c := newAlertCommands(t.Context(), map[string][]string{"a": {"sh", "-c", "env > " + path}})
	defer c.Close()
	if err := c.Run(eventOf("a")); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || strings.Contains(string(text), "s3cret") || !strings.Contains(string(text), "PATH=") {
		t.Errorf("%v: the environment is %s", err, text)
	}
}

// TestAnAlertWithoutCommandFails, and waits for nothing.
func TestAnAlertWithoutCommandFails(t *testing.T) {
	c := newAlertCommands(t.Context(), nil)
	defer c.Close()
	err := c.Run([]view.AlertEvent{{Rule: view.AlertRule{Name: "other"}}})
	if err == nil || err.Error() != "not run: the configuration has no command for it" {
		t.Errorf("%v", err)
	}
}
