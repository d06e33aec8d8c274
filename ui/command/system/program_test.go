//go:build unix

package system

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"
)

func sh(script string) []string { return []string{"sh", "-c", script} }

// run runs a program with a limit, and returns what it wrote.
func run(ctx context.Context, line []string, limit time.Duration) (string, error) {
	var output bytes.Buffer
	err := RunProgram(ctx, line, limit, func(command *exec.Cmd) { command.Stdout = &output })
	return output.String(), err
}

func TestOutputOfAProgram(t *testing.T) {
	if got, err := run(t.Context(), sh("echo $0"), time.Minute); err != nil || got != "sh\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestChildThatKeepsThePipe is no error, and its end is not waited for.
func TestChildThatKeepsThePipe(t *testing.T) {
	if got, err := run(t.Context(), sh("echo done; sleep 20 &"), 10*time.Second); err != nil || got != "done\n" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestErrorsOfPrograms(t *testing.T) {
	timed, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	for name, test := range map[string]struct {
		ctx   context.Context
		line  []string
		limit time.Duration
		want  string
	}{
		"exit code":       {t.Context(), sh("echo s3cret >&2; exit 3"), time.Minute, "sh failed (exit status 3); run it by hand to see why"},
		"no such program": {t.Context(), []string{"/no/such/program"}, time.Minute, "/no/such/program cannot be run: no such file or directory"},
		"limit":           {t.Context(), sh("exec sleep 20"), 50 * time.Millisecond, "sh did not end within 50ms"},
		"timeout":         {timed, sh("exec sleep 20"), time.Minute, "the timeout is over"},
		"interrupted":     {interrupted, sh("exec sleep 20"), time.Minute, "context canceled"},
	} {
		_, err := run(test.ctx, test.line, test.limit)
		if err == nil || err.Error() != test.want || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
