//go:build unix

// Package terminaltest has the tests of the program as a process of its own on a terminal of the system. They wait in
// real time.
package terminaltest

import (
	"log"
	"os"
	"os/exec"
	ossignal "os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/ui/command"
	"blotter/ui/command/cli"
)

// TestMain runs the program under test if the environment names a mode.
func TestMain(m *testing.M) {
	switch mode := os.Getenv("BLOTTER_TEST_MODE"); mode {
	case "":
		os.Exit(m.Run())
	case "main":
		os.Exit(command.Main())
	case "standard logger":
		code := command.Main()
		log.Print("written by a library")
		os.Exit(code)
	case "empty screen":
		_, _ = tea.NewProgram(emptyScreen{}).Run()
	default:
		os.Exit(runWithPanic(mode))
	}
}

// emptyScreen is the smallest program of Bubble Tea, with which BenchmarkIdle compares.
type emptyScreen struct{}

func (emptyScreen) Init() tea.Cmd { return nil }

func (s emptyScreen) Update(message tea.Msg) (tea.Model, tea.Cmd) {
	if _, pressed := message.(tea.KeyPressMsg); pressed {
		return s, tea.Quit
	}
	return s, nil
}

func (emptyScreen) View() tea.View { return tea.NewView("empty") }

// TestStandardLoggerWritesNothingWithoutALog: what libraries write to it would be on the screen.
func TestStandardLoggerWritesNothingWithoutALog(t *testing.T) {
	command := exec.Command(os.Args[0], "--version")
	command.Env = append(os.Environ(), "BLOTTER_TEST_MODE=standard logger")
	var output, errors strings.Builder
	command.Stdout, command.Stderr = &output, &errors
	if err := command.Run(); err != nil || errors.String() != "" || !strings.Contains(output.String(), "version") {
		t.Errorf("%v: %q, %q", err, output.String(), errors.String())
	}
}

func TestQuitResetsTheTerminal(t *testing.T) {
	onTerminal(t, "main", "--demo").shows("LIVE").types("q").exits(cli.ExitDone).isReset()
}

// TestFirstRun: without an address the demo is offered, or an address can be typed.
func TestFirstRun(t *testing.T) {
	t.Run("demo", func(t *testing.T) {
		y := onTerminal(t, "main").shows("To start without this screen")
		y.types("node\r").shows("is not an address").types("\t\r").shows("LIVE").shows("DEMO").types("q").exits(cli.ExitDone).isReset()
	})
	t.Run("address", func(t *testing.T) {
		y := onTerminal(t, "main", "--party", "desk-1").shows("Address")
		y.types("http://127.0.0.1:1\r").shows("blotter  127.0.0.1:1").shows("Connection refused").types("q").exits(cli.ExitDone).isReset()
	})
	t.Run("neither", func(t *testing.T) {
		onTerminal(t, "main").shows("Address").types("\x1b").exits(cli.ExitDone).isReset()
	})
	t.Run("signal", func(t *testing.T) {
		onTerminal(t, "main").shows("Address").gets(syscall.SIGTERM).exits(cli.ExitInterrupted).isReset()
	})
}

func TestSignalsResetTheTerminal(t *testing.T) {
	for _, signal := range []os.Signal{syscall.SIGTERM, syscall.SIGHUP, os.Interrupt, syscall.SIGQUIT, syscall.SIGABRT} {
		t.Run(signal.String(), func(t *testing.T) {
			if ossignal.Ignored(signal) {
				t.Skip("the tests run with this signal ignored, as nohup does")
			}
			onTerminal(t, "main", "--demo").shows("LIVE").gets(signal).exits(cli.ExitInterrupted).isReset()
		})
	}
}

// withoutHangUp is the dashboard if SIGHUP is ignored, as nohup has it.
var withoutHangUp = []string{"sh", "-c", `trap "" HUP; exec "$0" --demo`, os.Args[0]}

func TestIgnoredHangUpDoesNotEndTheDashboard(t *testing.T) {
	newTTY(t).start("main", withoutHangUp...).shows("LIVE").gets(syscall.SIGHUP).types("?").shows("help").types("\x03").shows("ctrl+c again quits").types("\x03").exits(cli.ExitDone).isReset()
}

func TestClosedTerminalEndsTheDashboard(t *testing.T) {
	y := newTTY(t).start("main", withoutHangUp...).shows("LIVE") // there is no signal either
	y.slave.Close()
	y.pty.Close()
	y.exits(cli.ExitInterrupted)
}

func TestSuspend(t *testing.T) {
	y := newTTY(t).start("main", "sh", "-i").shows("$")
	y.before = y.stty()
	y.types(os.Args[0] + " --demo\n").shows("LIVE")
	y.types("\x1a").shows("Stopped").isReset()
	y.types("fg\n").shows("LIVE").types("q").isReset()
	y.types("echo it ended with $?\n").shows("it ended with 0")
}

// TestSuspendWithoutAShell: the system ignores it, because nothing could continue the program. So it goes on.
func TestSuspendWithoutAShell(t *testing.T) {
	y := onTerminal(t, "main", "--demo").shows("LIVE").types("\x1a").shows("Not suspended: no shell")
	y.types("?").shows("help").types("\x03").shows("ctrl+c again quits").types("\x03").exits(cli.ExitDone).isReset()
}

// TestSuspendOfTheFirstScreenWithoutAShell says the same.
func TestSuspendOfTheFirstScreenWithoutAShell(t *testing.T) {
	y := onTerminal(t, "main").shows("Address").types("\x1a").shows("Not suspended: no shell")
	y.types("http").shows("http").types("\x1b").exits(cli.ExitDone).isReset()
}

// TestKeysAfterAnUnterminatedPaste, or one whose end a decoder could take for a part of its text.
func TestKeysAfterAnUnterminatedPaste(t *testing.T) {
	for name, ctrlC := range map[string]string{"legacy": "\x03", "Kitty": "\x1b[99;5u"} {
		t.Run(name, func(t *testing.T) {
			y := onTerminal(t, "main", "--demo").shows("LIVE").types("\x1b[200~\x1b]52;c;")
			time.Sleep(100 * time.Millisecond) // or else all of it is read as one
			y.types(ctrlC).shows("ctrl+c again quits").types(ctrlC).exits(cli.ExitDone).isReset()
		})
	}
	t.Run("end", func(t *testing.T) {
		y := onTerminal(t, "main", "--demo").shows("LIVE").types("\x1b[200~\x1b]52;c;\x1b[201~")
		y.types("?").shows("help").types("\x03").shows("ctrl+c again quits").types("\x03").exits(cli.ExitDone).isReset()
	})
}

// TestNextRunBeginsWithTheStateOfTheLast on a real terminal.
func TestNextRunBeginsWithTheStateOfTheLast(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	y := newTTY(t).start("main", "sh", "-i").shows("$")
	y.before = y.stty()
	run := func(flags, sees string) {
		y.types(os.Args[0] + " --demo " + flags + "\n").shows("LIVE").shows(sees)
	}
	run("--state "+path, "uPnL/MM ▲")
	y.types("s").types("r").shows("rPnL ▲").types("q").isReset()
	run("--state "+path, "rPnL ▲")
	y.types("q").isReset()
	run("--no-state", "uPnL/MM ▲")
	y.types("q").isReset()
	if err := os.WriteFile(path, []byte("my shopping list"), 0o600); err != nil {
		t.Fatal(err)
	}
	run("--state "+path, "the state is neither used nor replaced: blotter")
	y.types("q").isReset().types("echo last ended with $?\n").shows("last ended with 0")
}
