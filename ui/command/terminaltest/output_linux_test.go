package terminaltest

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"blotter/ui/command/cli"
)

// TestSignalWhileTheOutputIsBlocked: the process ends, and the modes of the terminal are restored, if the output of
// the terminal is not read and if it was stopped.
func TestSignalWhileTheOutputIsBlocked(t *testing.T) {
	for name, block := range map[string]func(*tty){
		"not read": func(y *tty) { y.stopReading() },
		"stopped":  func(y *tty) { y.stop() },
	} {
		t.Run(name, func(t *testing.T) {
			y := onTerminal(t, "main", "--demo").shows("LIVE")
			block(y)
			for range 40 { // redraws, until there is no room for more
				y.types("\x0c")
				time.Sleep(20 * time.Millisecond)
			}
			y.gets(syscall.SIGTERM).exits(cli.ExitInterrupted)
			if after := y.stty(); after != y.before {
				t.Errorf("stty -a prints\n%s\nnot\n%s", after, y.before)
			}
		})
	}
}

func TestWarningOfADashboardLogOnAFullDisk(t *testing.T) {
	y := onTerminal(t, "main", "--demo", "--log-file", "/dev/full").shows("LIVE").types("?").shows("help")
	y.types("\x03").shows("ctrl+c again quits").types("\x03").exits(cli.ExitDone).isReset().shows("blotter: --log-file: /dev/full: at least ")
	if lines := strings.Count(strings.TrimSpace(y.screen()), "\n"); lines > 0 {
		t.Errorf("more than a line is left:\n%s", y.screen())
	}
}

// stop stops the terminal's output, as ctrl+s does.
func (y *tty) stop() {
	if err := unix.IoctlSetInt(int(y.slave.Fd()), unix.TCXONC, unix.TCOOFF); err != nil {
		y.t.Fatal(err)
	}
}

// TestReplayOnATerminal: speed and start are those of the flags, and keys control it.
func TestReplayOnATerminal(t *testing.T) {
	y := onTerminal(t, "main", "replay", "../../../feed/record/testdata/chaos-1.zst", "--speed", "0.5", "--from", "2000-01-01T00:00:02Z").shows("REPLAY")
	y.types(" ").shows("paused").types("q").exits(cli.ExitDone).isReset()
}
