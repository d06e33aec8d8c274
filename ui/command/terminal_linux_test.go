package command

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestSignalWhileTheOutputIsBlocked is about a terminal that nobody reads, and one that was stopped.
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
			began := time.Now()
			y.gets(syscall.SIGTERM).exits(exitInterrupted)
			if took := time.Since(began); took < patience {
				t.Errorf("its output was not blocked: it ended in order, after %s", took)
			}
			if name == "nobody reads" {
				y.lookAgain()
			}
			y.isGivenBack()
		})
	}
}

func TestFullDiskForTheLogOfADashboard(t *testing.T) {
	y := onTerminal(t, "main", "--demo", "--log-file", "/dev/full").shows("LIVE").types("?").shows("help")
	y.types("q").exits(exitDone).isGivenBack().shows("blotter: --log-file: /dev/full lacks ")
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
