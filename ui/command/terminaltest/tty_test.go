//go:build unix

package terminaltest

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// atTheLatest is how long a test waits for what a process should do. The machine may be busy.
const atTheLatest = time.Minute

// The size of a terminal.
const (
	columns = 100
	rows    = 24
)

// tty is a terminal with a process on it.
type tty struct {
	t       *testing.T
	pty     *os.File // the end of the test, which reads the screen
	before  string   // the modes as they were
	slave   *os.File // the process's end, kept open to look at its modes
	process *exec.Cmd
	ended   chan error
	log     string

	mu       sync.Mutex
	emulator *vt.Emulator
	modes    map[ansi.Mode]bool
	reading  chan struct{} // held while the test does not read
}

// onTerminal starts a process on a terminal that shows what a shell has left there.
func onTerminal(t *testing.T, mode string, arguments ...string) *tty {
	t.Helper()
	return newTTY(t).start(mode, append([]string{os.Args[0]}, arguments...)...)
}

func newTTY(t *testing.T) *tty {
	t.Helper()
	t.Parallel()
	master, slave, err := pty.Open()
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	_ = pty.Setsize(master, &pty.Winsize{Rows: rows, Cols: columns})
	y := &tty{
		t: t, pty: master, slave: slave, ended: make(chan error, 1), log: filepath.Join(t.TempDir(), "log"),
		emulator: vt.NewEmulator(columns, rows), modes: make(map[ansi.Mode]bool), reading: make(chan struct{}, 1),
	}
	y.before = y.stty()
	y.emulator.SetCallbacks(vt.Callbacks{
		EnableMode:  func(mode ansi.Mode) { y.modes[mode] = true },
		DisableMode: func(mode ansi.Mode) { y.modes[mode] = false },
	})
	y.reading <- struct{}{}
	go y.read()
	go func() { _, _ = io.Copy(master, y.emulator) }() // the responses of a terminal
	t.Cleanup(func() {
		if y.process != nil {
			_ = y.process.Process.Kill()
			<-y.ended
		}
		master.Close()
		slave.Close()
		_ = y.emulator.InputPipe().(io.Closer).Close()
	})
	return y
}

// start runs a process as the leader of a session on the terminal.
func (y *tty) start(mode string, line ...string) *tty {
	y.t.Helper()
	y.process = exec.Command(line[0], line[1:]...)
	y.process.Env = append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8", "PS1=$ ", "ENV=", "BLOTTER_TEST_MODE="+mode,
		"GORACE=exitcode=0 log_path=/dev/null", // Bubble Tea, if it is killed, closes its input while it reads it
		"BLOTTER_TEST_LOG="+y.log, "XDG_CONFIG_HOME="+filepath.Dir(y.log), "XDG_STATE_HOME="+filepath.Dir(y.log))
	y.process.Stdin, y.process.Stdout, y.process.Stderr = y.slave, y.slave, y.slave
	y.process.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := y.process.Start(); err != nil {
		y.t.Fatal(err)
	}
	go func() { y.ended <- y.process.Wait() }()
	return y
}

// read draws what the process writes.
func (y *tty) read() {
	buffer := make([]byte, 4096)
	for {
		<-y.reading
		y.reading <- struct{}{}
		n, err := y.pty.Read(buffer)
		if err != nil {
			return
		}
		y.mu.Lock()
		_, _ = y.emulator.Write(buffer[:n])
		y.mu.Unlock()
	}
}

// stopReading stops the reading of what the process writes.
func (y *tty) stopReading() { <-y.reading }

func (y *tty) screen() string {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.emulator.String()
}

// shows waits for words on the screen, be they on more than one line.
func (y *tty) shows(words string) *tty {
	y.t.Helper()
	y.await(fmt.Sprintf("%q on the screen", words), func() bool { return strings.Contains(unwrapped(y.screen()), words) })
	return y
}

// unwrapped joins the lines of a screen. The screen has no spaces at the ends of its lines, but a text may go on behind
// them: where it wraps depends on what the terminal shows before it.
func unwrapped(screen string) string {
	var text strings.Builder
	for line := range strings.SplitSeq(screen, "\n") {
		text.WriteString(line + strings.Repeat(" ", max(0, columns-ansi.StringWidth(line))))
	}
	return text.String()
}

func (y *tty) await(what string, is func() bool) {
	y.t.Helper()
	for deadline := time.Now().Add(atTheLatest); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			y.t.Fatalf("no %s:\n%s", what, y.screen())
		}
	}
}

// types sends what is typed.
func (y *tty) types(text string) *tty {
	y.t.Helper()
	if _, err := y.pty.WriteString(text); err != nil {
		y.t.Fatal(err)
	}
	return y
}

// gets sends a signal.
func (y *tty) gets(signal os.Signal) *tty {
	y.t.Helper()
	if err := y.process.Process.Signal(signal); err != nil {
		y.t.Fatal(err)
	}
	return y
}

// exits waits for the end and checks the code.
func (y *tty) exits(code int) *tty {
	y.t.Helper()
	select {
	case <-y.ended:
		y.ended <- nil
	case <-time.After(atTheLatest):
		y.t.Fatalf("it does not end:\n%s", y.screen())
	}
	if got := y.process.ProcessState.ExitCode(); got != code {
		y.t.Errorf("exit code %d, not %d", got, code)
	}
	return y
}

// isReset checks that the terminal is as it was.
func (y *tty) isReset() *tty {
	y.t.Helper()
	y.await("main screen with a cursor", func() bool {
		y.mu.Lock()
		defer y.mu.Unlock()
		shown, changed := y.modes[ansi.ModeTextCursorEnable]
		return !y.emulator.IsAltScreen() && (shown || !changed)
	})
	y.await("modes as before", func() bool { return y.stty() == y.before }) // a shell does not wait for this test
	y.mu.Lock()
	defer y.mu.Unlock()
	for _, mode := range []ansi.Mode{ansi.ModeBracketedPaste, ansi.ModeMouseButtonEvent, ansi.ModeMouseAnyEvent, ansi.ModeFocusEvent} {
		if y.modes[mode] {
			y.t.Errorf("mode %v is still on", mode)
		}
	}
	return y
}

// stty returns the modes of the terminal as stty -a prints them.
func (y *tty) stty() string {
	y.t.Helper()
	command := exec.Command("stty", "-a")
	command.Stdin = y.slave
	text, err := command.Output()
	if err != nil {
		y.t.Skip("no stty here: ", err)
	}
	return string(text)
}
