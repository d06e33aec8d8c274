package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	gossh "golang.org/x/crypto/ssh"
)

// withCommands makes a server run commands with a function.
func withCommands(run func(ctx context.Context, command string, errors io.Writer) int) func(*Options) {
	return func(options *Options) {
		options.Run = func(ctx context.Context, _ Session, command string, _, errors io.Writer) int {
			return run(ctx, command, errors)
		}
	}
}

// exec starts a command on a connection of its own. The function waits for its end.
func (d *desk) exec(t *testing.T, seed byte, line string) (wait func() (code int, errors string)) {
	t.Helper()
	client := d.connect(t, seed)
	session, err := client.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	var words bytes.Buffer
	session.Stderr = &words
	if err := session.Start(line); err != nil {
		t.Fatal(err)
	}
	return func() (int, string) {
		t.Helper()
		err := session.Wait()
		client.Close()
		exit, ok := errors.AsType[*gossh.ExitError](err)
		switch {
		case err == nil:
			return 0, words.String()
		case !ok:
			t.Errorf("%.40s: %v", line, err)
			return -1, words.String()
		}
		return exit.ExitStatus(), words.String()
	}
}

// TestATraderStartsTwoCommandsASecond: more wait, and those of another trader do not.
func TestATraderStartsTwoCommandsASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var began []string
		begin := time.Now()
		d := newDesk(t, withCommands(func(_ context.Context, command string, _ io.Writer) int {
			mu.Lock()
			defer mu.Unlock()
			began = append(began, fmt.Sprint(command, " after ", time.Since(begin).Round(100*time.Millisecond)))
			return 0
		}))
		var waits []func() (int, string)
		for range 6 {
			waits = append(waits, d.exec(t, 1, "one"))
			synctest.Wait()
		}
		waits = append(waits, d.exec(t, 2, "two"))
		for _, wait := range waits {
			if code, words := wait(); code != 0 {
				t.Errorf("it ended with %d: %s", code, words)
			}
		}
		want := "one after 0s, one after 0s, two after 0s, one after 500ms, one after 1s, one after 1.5s, one after 2s"
		if got := strings.Join(began, ", "); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	})
}

// TestFewerRightsEndACommand that runs, or that waits for its start, with 1 and a line, also if it would end with
// something else.
func TestFewerRightsEndACommand(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, withCommands(func(ctx context.Context, _ string, errors io.Writer) int {
			<-ctx.Done()
			return 130
		}))
		var ofOne []func() (int, string)
		for range 3 {
			ofOne = append(ofOne, d.exec(t, 1, "one"))
		}
		ofTwo := d.exec(t, 2, "two")
		synctest.Wait()
		if err := d.SetTraders(d.options.Traders, map[string]bool{"one": true}); err != nil {
			t.Fatal(err)
		}
		for _, wait := range ofOne {
			if code, words := wait(); code != 1 || words != "blotter: the rights or the key of the trader have changed\n" {
				t.Errorf("it ended with %d: %q", code, words)
			}
		}
		if got := d.Stats().Sessions; got != 1 {
			t.Errorf("%d sessions are left, want that of the other trader", got)
		}
		if err := d.SetTraders(d.options.Traders[:1], nil); err != nil { // the key of the other one is removed
			t.Fatal(err)
		}
		if code, words := ofTwo(); code != 1 || !strings.Contains(words, "the key of the trader have changed") {
			t.Errorf("it ended with %d: %q", code, words)
		}
	})
}

// TestALongCommandLineIsRefused with words, and not run.
func TestALongCommandLineIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, withCommands(func(_ context.Context, command string, _ io.Writer) int { return len(command) / 1024 }))
		if code, words := d.exec(t, 1, strings.Repeat("x", maxCommand))(); code != 4 {
			t.Errorf("it ended with %d: %s", code, words)
		}
		if code, words := d.exec(t, 1, strings.Repeat("x", maxCommand+1))(); code != 2 || !strings.Contains(words, "more than 4096 bytes") {
			t.Errorf("it ended with %d: %s", code, words)
		}
	})
}
