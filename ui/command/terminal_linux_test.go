package command

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"blotter/ui/command/exit"
)

// TestSignalWhileTheOutputIsBlocked: a terminal that nobody reads, and one that was stopped, keep no process alive, and
// have their modes back.
func TestSignalWhileTheOutputIsBlocked(t *testing.T) {
	for name, block := range map[string]func(*tty){
		"nobody reads": func(y *tty) { y.lookAway() },
		"stopped":      func(y *tty) { y.stop() },
	} {
		t.Run(name, func(t *testing.T) {
			y := onTerminal(t, "main", "--demo").shows("LIVE")
			block(y)
			for range 40 { // redraws, until there is no room for more
				y.types("\x0c")
				time.Sleep(20 * time.Millisecond)
			}
			y.gets(syscall.SIGTERM).exits(exit.CodeInterrupted)
			if after := y.stty(); after != y.before {
				t.Errorf("stty -a says\n%s\nnot\n%s", after, y.before)
			}
		})
	}
}

func TestFullDiskForTheLogOfADashboard(t *testing.T) {
	y := onTerminal(t, "main", "--demo", "--log-file", "/dev/full").shows("LIVE").types("?").shows("help")
	y.types("qq").exits(exit.CodeDone).isGivenBack().shows("blotter: --log-file: /dev/full: at least ")
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

// TestReplayOnATerminal: speed and start are those of the flags, and the keys work.
func TestReplayOnATerminal(t *testing.T) {
	y := onTerminal(t, "main", "replay", corpus+"/chaos-1.zst", "--speed", "0.5", "--from", "2000-01-01T00:00:02Z").shows("REPLAY")
	y.types(" ").shows("paused").types("q").exits(exit.CodeDone).isGivenBack()
}
