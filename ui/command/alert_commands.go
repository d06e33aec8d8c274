package command

import (
	"bytes"
	"context"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"blotter/ui/alerts"
	"blotter/ui/command/delivery"
	"blotter/ui/command/saved"
	"blotter/ui/command/system"
	"blotter/ui/metrics"
)

// alertPrograms are the programs of the alerts of this run: of the profile that is shown.
type alertPrograms struct {
	current atomic.Pointer[delivery.Delivery] // nil if no alert has a program
}

// Figures returns the figures of the programs.
func (a *alertPrograms) Figures() []metrics.Program {
	if delivers := a.current.Load(); delivers != nil {
		return delivers.Figures()
	}
	return nil
}

// start starts what delivers the events of alerts to their programs, until the configuration is closed. What waits, and
// what is in alert, is kept beside the state, if there is one. Failures go to warn; nil if the screen shows them.
func (a *alertPrograms) start(ctx context.Context, c *configuration, state *saved.StateFile, warn func(error)) (alerts.Programs, error) {
	lines := make(map[string][]string)
	for _, alert := range c.file.Alerts {
		if len(alert.Command) > 0 {
			lines[alert.Name] = alert.Command
		}
	}
	commands := newAlertCommands(lines)
	delivers, end, problem := startDelivery(ctx, state, delivery.Options{
		Rules: slices.Sorted(maps.Keys(lines)), Run: commands.run, Scope: c.scope, Warn: warn,
	})
	c.closers = append(c.closers, commands.left.Wait, end)
	a.current.Store(delivers)
	return delivers, problem
}

// startDelivery starts a Delivery that keeps all beside a state, and returns what ends it.
func startDelivery(ctx context.Context, state *saved.StateFile, options delivery.Options) (*delivery.Delivery, func(), error) {
	file := state.Alerts()
	if file == nil {
		started, problem := delivery.Start(ctx, options)
		return started, started.Close, problem
	}
	host, _ := os.Hostname()
	options.File = keptAlerts{file}
	options.Self = delivery.Holder{Process: os.Getpid(), Host: host, Scope: options.Scope, Rules: options.Rules}
	started, problem := delivery.Start(ctx, options)
	return started, func() {
		started.Close()
		file.Close()
	}, problem
}

// keptAlerts keeps in a file what a Delivery needs.
type keptAlerts struct{ *saved.AlertsFile }

// Change changes what is kept.
func (f keptAlerts) Change(change func(*delivery.Kept) bool) error {
	var kept delivery.Kept
	return f.AlertsFile.Change(&kept, func() bool { return change(&kept) })
}

// The limits of commands.
const (
	maxAlertCommands = 4  // that run at the same time
	maxAlertGroups   = 16 // of processes that commands have left behind when they ended
)

type alertCommands struct {
	lines  map[string][]string // the program and its arguments, by the name of the alert
	limit  time.Duration       // for one of them
	slots  chan struct{}       // has an element for each command that runs
	groups chan struct{}       // has an element for each group of processes that was left behind
	left   sync.WaitGroup      // these groups
}

// newAlertCommands returns the commands, each a program and its arguments, by the names of their alerts.
func newAlertCommands(lines map[string][]string) *alertCommands {
	return &alertCommands{
		lines: lines, limit: system.ProgramLimit,
		slots: make(chan struct{}, maxAlertCommands), groups: make(chan struct{}, maxAlertGroups),
	}
}

// run runs the command of an alert with a message on its standard input, and waits for its end. It does not get the
// token of the service.
func (c *alertCommands) run(ctx context.Context, name string, message []byte) error {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	ctx, end := context.WithCancel(ctx)
	rest, err := system.RunProgramGroup(ctx, c.lines[name], c.limit, func(command *exec.Cmd) {
		command.Stdin = bytes.NewReader(message)
		command.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "BLOTTER_TOKEN=") })
	})
	c.keep(rest, end)
	return err
}

// keep does not end the processes that a command has left behind before their limit of time, unless there are too many
// groups of them.
func (c *alertCommands) keep(rest, end func()) {
	select {
	case c.groups <- struct{}{}:
		c.left.Go(func() {
			defer func() { <-c.groups }()
			defer end()
			rest()
		})
	default:
		end()
		rest()
	}
}
