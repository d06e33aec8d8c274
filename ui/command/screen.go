package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"blotter/model/view"
	"blotter/ui"
	"blotter/ui/columns"
	"blotter/ui/command/cli"
	"blotter/ui/command/config"
	"blotter/ui/command/system"
	"blotter/ui/command/terminal"
	"blotter/ui/history"
	"blotter/ui/pane"
	"blotter/ui/store"
	"blotter/ui/views"
)

// fileOptions returns how a screen begins, as far as the file says it. The screen has no access to anything yet.
func (c *configuration) fileOptions() ui.Options {
	options := ui.Options{
		Service:         c.service,
		Instruments:     c.instruments,
		Shown:           views.Shown{Settings: c.file.Screen.Settings},
		PageSize:        c.file.Screen.PageSize,
		OldestFirst:     c.file.Screen.OldestFirst,
		Location:        c.file.Screen.Zone,
		Days:            &history.Days{Begins: c.file.Screen.DayBegins},
		DisplayDecimals: c.file.DisplayDecimals(),
		Keys:            c.file.Keys,
		WithoutMarks:    !c.file.Screen.MarkChanges,
		Demo:            c.demo,
		Alerts:          c.file.ScreenAlerts(),
	}
	options.Scope = c.scope
	return options
}

// uiOptions returns how the screen begins of someone who may see everything and write files.
func (c *configuration) uiOptions() ui.Options {
	options := c.fileOptions()
	options.Extent = store.Whole(c.feed.Limits.Rows)
	options.Log = c.feed.Logger
	options.WatchAllIfHeldBack = c.file.Feed.WatchAllIfHeldBack
	if c.recorder != nil {
		options.Recording = c.recorder.Err
	}
	folder, _ := os.Getwd() // without one, a path is shown as it is typed
	options.Files = screenFiles{folder}
	if c.memory != nil {
		options.Memory = rewindMemory{c.memory, folder}
	}
	if c.names != nil {
		options.Names = c.names
	}
	options.Note(c.namesProblem)
	return options
}

// screenFiles writes files that the trader asks for, beside where the program was started.
type screenFiles struct{ folder string }

// Place returns the path of a file in the folder.
func (f screenFiles) Place(name string) string { return filepath.Join(f.folder, name) }

// Create writes a new file.
func (screenFiles) Create(path string, text []byte) error {
	err := system.CreateFile(path, text)
	if errors.Is(err, fs.ErrExist) {
		return system.FileErrorf(path, "is there already: type another name")
	}
	return err
}

// addViews adds the views of the configuration to the options of a screen. What a view does not have is as the options
// have it.
func (c *configuration) addViews(o *ui.Options) {
	for i := range c.file.Views {
		o.Views = append(o.Views, c.viewOf(&c.file.Views[i], o))
	}
}

func (c *configuration) viewOf(from *config.View, o *ui.Options) views.View {
	v := views.View{Number: from.Number, Name: from.Name, Shown: o.Shown}
	if from.Parties != nil {
		v.Scope.Parties = identifiers(from.Parties, c.instruments.FindParty)
	}
	if from.Markets != nil {
		v.Scope.Markets = identifiers(from.Markets, c.instruments.FindMarket)
	}
	if from.Order != nil {
		v.Order = view.Order{Column: *from.Order}
	}
	if from.Columns != nil {
		v.Columns = columns.Only(from.Columns)
	}
	setIfGiven(&v.Filter, from.Filter)
	setIfGiven(&v.Order.Descending, from.Descending)
	setIfGiven(&v.ShowClosed, from.ShowClosed)
	setIfGiven(&v.Group, from.Group)
	return v
}

// setIfGiven sets a variable to a value that may be nil.
func setIfGiven[T any](to, value *T) {
	if value != nil {
		*to = *value
	}
}

// display is where a command shows a screen: the terminal, or lines of words in its place.
type display struct {
	*outputs
	terminal *terminal.Terminal
	wrap     func(tea.Model) tea.Model // see Process.WrapScreen
}

// show runs the screen on the terminal until the user quits, ctx is done or the terminal is closed.
func (d *display) show(ctx context.Context, screen tea.Model) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if d.wrap != nil {
		screen = d.wrap(screen)
	}
	input := terminal.NewInput(d.terminal.Input, terminal.LocalKeyTime, cancel)
	program := tea.NewProgram(d.panics.Screen(screen), tea.WithContext(ctx), tea.WithoutSignalHandler(),
		tea.WithInput(input.Of(d.terminal.Input)), tea.WithOutput(d.terminal.Output),
		tea.WithEnvironment(environment()), tea.WithFilter(refuseSuspend))
	if d.log != nil { // for a panic in a goroutine of a library, which cannot be recovered here
		d.log.CatchCrashes()
	}
	defer paceCollector()()
	var tasks sync.WaitGroup
	tasks.Go(func() {
		defer d.panics.Recover()
		paceThreads(ctx, time.Tick(idleAfter), idleMemory)
	})
	tasks.Go(func() {
		defer d.panics.Recover()
		input.Run(ctx, program.Send)
	})
	d.terminal.HasScreen.Store(true)
	_, err := program.Run()
	d.terminal.HasScreen.Store(false)
	err = screenError(ctx, err)
	cancel()
	tasks.Wait()
	return err
}

// refuseSuspend replaces a suspension by words about it if the system would ignore it: Bubble Tea would wait for ever
// for its end.
func refuseSuspend(_ tea.Model, msg tea.Msg) tea.Msg {
	if _, suspends := msg.(tea.SuspendMsg); suspends && !terminal.CanSuspend() {
		return pane.Said("Not suspended: no shell has started blotter that could continue it.")
	}
	return msg
}

// runPlain writes lines of words about the data of source to output, until ctx is done.
func (d *display) runPlain(ctx context.Context, source store.Source, options ui.Options, output io.Writer) error {
	write := func(lines string) error {
		_, err := io.WriteString(output, lines)
		return err
	}
	plain := ui.NewPlain(ctx, source, options, write)
	program := tea.NewProgram(d.panics.Screen(plain), tea.WithContext(ctx), tea.WithoutSignalHandler(),
		tea.WithoutRenderer(), tea.WithInput(nil), tea.WithOutput(io.Discard))
	_, err := program.Run()
	if plain.Err() != nil {
		return cli.OutputError(plain.Err())
	}
	return screenError(ctx, err)
}

// screenError returns why the screen ended, and nil if it was quit.
func screenError(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, tea.ErrInterrupted):
		return context.Canceled
	}
	return fmt.Errorf("the screen ended: %w", err)
}
