//go:build unix

package terminaltest

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"blotter/feed"
	"blotter/ui/command"
	"blotter/ui/command/cli"
)

func TestPanicResetsTheTerminal(t *testing.T) {
	for _, mode := range []string{"update", "view", "command", "feed"} {
		t.Run(mode, func(t *testing.T) {
			y := onTerminal(t, mode)
			if mode != "feed" {
				y.shows("LIVE").types("?")
			}
			y.exits(cli.ExitFailed).isReset()
			y.shows("blotter: internal error, please report it: what is this?; the stack trace is in ")
			if lines := strings.Count(strings.TrimRight(y.screen(), "\n "), "\n"); lines > 2 {
				t.Errorf("the terminal has got more than a line:\n%s", y.screen())
			}
			trace, _ := os.ReadFile(y.log)
			if !strings.Contains(string(trace), "panic: what is this?\n") || !strings.Contains(string(trace), ".go:") {
				t.Errorf("the log has no trace: %s", trace)
			}
		})
	}
}

// runWithPanic runs the dashboard with a panic in it.
func runWithPanic(mode string) int {
	return command.Run(context.Background(), command.Process{
		Arguments: []string{"--demo", "--log-file", os.Getenv("BLOTTER_TEST_LOG")},
		Input:     os.Stdin, Output: os.Stdout, Errors: os.Stderr, Getenv: os.Getenv,
		ConfigureFeed: func(config *feed.Config) {
			if mode == "feed" {
				config.Logger = slog.New(panicking{slog.DiscardHandler})
				config.BaseURLs = []string{"http://localhost/wrong"}
			}
		},
		WrapScreen: func(screen tea.Model) tea.Model { return &panickingScreen{screen, mode} },
	})
}

type panicking struct{ slog.Handler }

func (panicking) Enabled(context.Context, slog.Level) bool  { return true }
func (panicking) Handle(context.Context, slog.Record) error { panic("what is this?") }

// panickingScreen breaks at its first key.
type panickingScreen struct {
	tea.Model
	mode string
}

func (d *panickingScreen) Update(message tea.Msg) (tea.Model, tea.Cmd) {
	screen, command := d.Model.Update(message)
	d.Model = screen
	if _, pressed := message.(tea.KeyPressMsg); pressed {
		switch d.mode {
		case "update":
			panic("what is this?")
		case "command":
			return d, tea.Batch(command, func() tea.Msg { panic("what is this?") })
		case "view":
			d.mode = "view now"
		}
	}
	return d, command
}

func (d *panickingScreen) View() tea.View {
	if d.mode == "view now" {
		panic("what is this?")
	}
	return d.Model.View()
}
