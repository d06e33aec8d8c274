//go:build linux

package terminaltest

import (
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
)

// watchedScreen is what a dashboard writes to a terminal of 160x50, on which keys are pressed.
type watchedScreen struct {
	tb   testing.TB
	keys io.Writer

	mu       sync.Mutex
	screen   bytes.Buffer // all that was written
	frame    []byte       // what was written since the last frame
	emulator *vt.Emulator
	row      string         // the market and the party under the cursor
	moves    chan time.Time // when the frames were whole that changed it
}

func newWatchedScreen(tb testing.TB, keys io.Writer) *watchedScreen {
	s := &watchedScreen{tb: tb, keys: keys, emulator: vt.NewEmulator(160, 50), moves: make(chan time.Time, 1000)}
	go func() { _, _ = io.Copy(io.Discard, s.emulator) }() // its responses
	tb.Cleanup(func() { _ = s.emulator.InputPipe().(io.Closer).Close() })
	return s
}

// Write takes what the dashboard writes. It responds as a terminal that draws frames as a whole, so that frames have an
// end.
func (s *watchedScreen) Write(p []byte) (int, error) {
	now := time.Now()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.frame = append(s.frame, p...); bytes.Contains(s.frame, []byte(ansi.RequestModeSynchronizedOutput)) {
		s.types("\x1b[?2026;2$y")
		s.frame = nil
	}
	s.screen.Write(p)
	_, _ = s.emulator.Write(p)
	end := bytes.LastIndex(s.frame, []byte(ansi.ResetModeSynchronizedOutput))
	if end < 0 {
		return len(p), nil
	}
	s.frame = s.frame[end+1:]
	if row := s.cursor(); row != "" && row != s.row { // updates may move the row out of the window, and back
		s.row = row
		select {
		case s.moves <- now:
		default: // no key was pressed yet: the cursor is on the first row, whichever that is
		}
	}
	return len(p), nil
}

// cursor is the market and the party of the row under the cursor. After the first key only keys change it: the line
// changes with other rows too, and stays the same if a key scrolls.
func (s *watchedScreen) cursor() string {
	for y := range s.emulator.Height() {
		if cell := s.emulator.CellAt(0, y); cell == nil || cell.Content != "▌" {
			continue
		}
		row := ""
		for x := range 24 {
			if cell := s.emulator.CellAt(x, y); cell != nil {
				row += cell.Content
			}
		}
		return row
	}
	return ""
}

func (s *watchedScreen) types(keys string) {
	if _, err := io.WriteString(s.keys, keys); err != nil {
		s.tb.Error(err)
	}
}

// load waits until the snapshot is on the screen.
func (s *watchedScreen) load() {
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		s.mu.Lock()
		loaded := bytes.Contains(s.screen.Bytes(), []byte(" open"))
		s.mu.Unlock()
		if loaded {
			break
		}
		if time.Now().After(deadline) {
			s.tb.Fatal("the snapshot does not come")
		}
	}
	time.Sleep(time.Second)
	s.types("\x1b[6~\x1b[6~\x1b[6~") // to a row that is neither the first nor the last in any order: every key moves the cursor
}

// awaitAudit waits until the audit that follows a connection is over.
func (s *watchedScreen) awaitAudit() {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		s.mu.Lock()
		over := strings.Contains(s.emulator.String(), ", verified ")
		s.mu.Unlock()
		if over {
			break
		}
	}
	time.Sleep(2 * time.Second)
}

// presses moves the cursor the given number of times, down and up in turns or with other keys, and returns how long
// each move took to be on the screen.
func (s *watchedScreen) presses(times int, keys ...string) []time.Duration {
	if keys == nil {
		keys = []string{"j", "k"}
	}
	var took []time.Duration
	for i := range times {
		time.Sleep(20*time.Millisecond + rand.N(20*time.Millisecond))
		for len(s.moves) > 0 {
			<-s.moves // whatever moved it before
		}
		began := time.Now()
		s.types(keys[i%len(keys)])
		select {
		case at := <-s.moves:
			took = append(took, at.Sub(began))
		case <-time.After(10 * time.Second):
			s.tb.Fatalf("a key press moves nothing:\n%s", s.emulator)
		}
	}
	return took
}
