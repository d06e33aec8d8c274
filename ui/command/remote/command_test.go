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

// TestCommandsAndScreensCountAlone, and those of each trader.
func TestCommandsAndScreensCountAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		run := func(ctx context.Context, command string, _ io.Writer) int {
			if command == "short" {
				return 0
			}
			<-ctx.Done()
			return 0
		}
		d := newDesk(t, withCommands(run))
		for range maxSessionsOfKey {
			o := show(t, d.connect(t, 1))
			until(t, "the screen", func() bool { return o.has("one keys=") })
		}
		for i := range maxCommandsOfTrader {
			d.exec(t, 1, "long")
			time.Sleep(time.Second)
			if got := d.Stats().Sessions; got != maxSessionsOfKey+i+1 {
				t.Errorf("%d sessions with %d commands", got, i+1)
			}
		}
		if code, words := d.exec(t, 1, "short")(); code != 1 || words != "blotter: 8 commands of this trader run already\n" {
			t.Errorf("the ninth command ended with %d: %q", code, words)
		}
		if code, words := d.exec(t, 2, "short")(); code != 0 {
			t.Errorf("a command of another trader ended with %d: %q", code, words)
		}
	})
}

// TestACommandOfAKeyThatWasRemovedIsRefused, also on a connection that was open before.
func TestACommandOfAKeyThatWasRemovedIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, withCommands(func(context.Context, string, io.Writer) int { return 0 }))
		client := d.connect(t, 2)
		if err := d.SetTraders(d.options.Traders[:1], nil); err != nil {
			t.Fatal(err)
		}
		session, err := client.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		exit, ok := session.Run("positions").(*gossh.ExitError)
		if !ok || exit.ExitStatus() != 1 {
			t.Errorf("it ended with %v", exit)
		}
	})
}

// TestTheEndWaitsForNoHandshake: a connection without a key is closed at once.
func TestTheEndWaitsForNoHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		conn := d.socket(t)
		if _, err := io.WriteString(conn, "SSH-2.0-stalls\r\n"); err != nil {
			t.Fatal(err)
		}
		go func() { _, _ = io.Copy(io.Discard, conn) }()
		synctest.Wait()
		begin := time.Now()
		if d.stop(); time.Since(begin) != 0 {
			t.Errorf("it has stopped after %s", time.Since(begin))
		}
	})
}

// TestATraderMaySendMoreThanAHandshake: the limit is of clients without a verified key.
func TestATraderMaySendMoreThanAHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		o := show(t, d.connect(t, 1))
		until(t, "the screen", func() bool { return o.has("one keys=") })
		for range 2 * handshakeBytes / 1024 {
			o.press(t, "\x1b[200~"+strings.Repeat("x", 1000)+"\x1b[201~")
			time.Sleep(time.Second)
		}
		o.press(t, "q")
		if err := o.Wait(); err != nil {
			t.Error(err)
		}
	})
}

// TestTheFirstDeniedKeyIsReported, with the number of all.
func TestTheFirstDeniedKeyIsReported(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(t, nil)
		if _, err := d.dial(t, gossh.PublicKeys(newKey(t, 7), newKey(t, 8), newKey(t, 9))); err == nil {
			t.Fatal("it is connected")
		}
		until(t, "the report", func() bool { return d.lastReport().Denied == 3 })
		if got, want := d.lastReport().Fingerprint, gossh.FingerprintSHA256(newKey(t, 7).PublicKey()); got != want {
			t.Errorf("the key %s is reported, want %s", got, want)
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
