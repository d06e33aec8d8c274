package endpoint

import (
	"bytes"
	"log"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"blotter/feed/secrets"
)

// TestGoStandardLogger: what net/http writes to Go's standard logger, and so to the screen, is written to the log of
// the configuration, in one line and without the token.
func TestGoStandardLogger(t *testing.T) {
	stderr := log.Writer()
	defer func() {
		log.SetOutput(stderr)
		log.SetFlags(log.LstdFlags)
	}()
	var screen, out lockedBuffer
	secrets := new(secrets.Hider)
	config := withSecret()
	config.Secrets, config.InsecureToken = secrets, true

	log.SetOutput(&screen)
	unsolicited(t, config)
	if !strings.Contains(screen.String(), "Unsolicited response") {
		t.Fatalf("net/http does not write what this test is about, but %q", screen.String())
	}
	before := screen.String()
	log.SetFlags(0)
	log.SetOutput(StandardLog(slog.New(slog.NewTextHandler(&out, nil)), secrets))
	unsolicited(t, config)
	if screen.String() != before {
		t.Errorf("on the screen is %q", screen.String())
	}
	got := out.String()
	if !strings.Contains(got, "Unsolicited response") || !strings.Contains(got, "[token]") || leaked(got) || strings.Contains(got, "\x1b") {
		t.Errorf("the log has %s", got)
	}
}

// unsolicited makes services send a response without a request, and unknown frames of HTTP/2, with the token
// in them.
func unsolicited(t *testing.T, config Config) {
	t.Helper()
	play(t, config, func(s *scene) {
		s.page()
		synctest.Wait()
		if s.connections.SendUnsolicited("HTTP/1.1 200 OK\r\nX: \x1b[2J"+secret+"\r\n\r\n") == 0 {
			t.Fatal("there is no idle connection")
		}
		synctest.Wait()
	})
	secured(t, config, "one.test", func(s *scene) {
		s.stream()
		const unknown, continuation = 0xee, 9
		if s.connections.SendFrames(1, unknown, 0, secret) == 0 || s.connections.SendFrames(1, continuation, 0, secret) == 0 {
			t.Fatal("there is no HTTP/2 connection")
		}
		synctest.Wait()
	})
}

// lockedBuffer is a buffer for many writers.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}
