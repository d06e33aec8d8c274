//go:build unix

package alertcommands

import (
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

// eventOf returns an event of an alert.
func eventOf(name string) []view.AlertEvent {
	return []view.AlertEvent{{Rule: view.AlertRule{Name: name}, Instruments: model.NewInstruments(nil, nil, nil)}}
}

// TestCommandIsKilledWithItsChildren when its time is over.
func TestCommandIsKilledWithItsChildren(t *testing.T) {
	t.Parallel() // it takes real time
	path := filepath.Join(t.TempDir(), "child")
	c := New(map[string][]string{"slow": {"sh", "-c", "sleep 600 & echo $! > " + path + "; wait"}})
	defer c.Close()
	c.limit = 2 * time.Second
	if err := c.Run(eventOf("slow")); err == nil || err.Error() != "sh did not end within 2s" {
		t.Errorf("the error is %v", err)
	}
	text, err := os.ReadFile(path)
	child, err2 := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	for began := time.Now(); alive(child); time.Sleep(time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Errorf("the child %d is still there", child)
			_ = syscall.Kill(child, syscall.SIGKILL)
			break
		}
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
	c := New(map[string][]string{"slow": {"sh", "-c", "echo x >> " + path + "; sleep 600"}})
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
	c := New(map[string][]string{"slow": {"sleep", "600"}})
	ended := make(chan error)
	var events []view.AlertEvent
	for range maxEvents {
		events = append(events, eventOf("slow")...)
	}
	go func() { ended <- c.Run(events) }()
	for c.waiting() < maxEvents {
		time.Sleep(time.Millisecond)
	}
	if err := c.Run(eventOf("slow")); err == nil || err.Error() != "not run: 32 events wait already" {
		t.Errorf("the error is %v", err)
	}
	c.Close()
	<-ended
}

func (c *Commands) waiting() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.events
}

// TestCommandDoesNotGetTheToken of the service.
func TestCommandDoesNotGetTheToken(t *testing.T) {
	t.Setenv("BLOTTER_TOKEN", "s3cret")
	path := filepath.Join(t.TempDir(), "environment")
	c := New(map[string][]string{"a": {"sh", "-c", "env > " + path}})
	defer c.Close()
	if err := c.Run(eventOf("a")); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || strings.Contains(string(text), "s3cret") || !strings.Contains(string(text), "PATH=") {
		t.Errorf("%v: the environment is %s", err, text)
	}
}
