package command

import (
	"context"
	"io"

	tea "charm.land/bubbletea/v2"

	"blotter/ui"
	"blotter/ui/command/stdout"
)

// isPlain reports whether lines of words are written in place of the screen: with --plain, and by default where TERM is
// dumb.
func (p *program) isPlain(flags *looksFlags) bool {
	if flags.set.Changed("plain") {
		return flags.plain
	}
	return p.Getenv("TERM") == "dumb"
}

// runPlain writes lines of words about the data of source, until ctx is done.
func (p *program) runPlain(ctx context.Context, source ui.Source, options ui.Options) error {
	write := func(lines string) error {
		_, err := io.WriteString(p.Output, lines)
		return err
	}
	plain := ui.NewPlain(ctx, source, options, write)
	program := tea.NewProgram(p.panics.Screen(plain), tea.WithContext(ctx), tea.WithoutSignalHandler(),
		tea.WithoutRenderer(), tea.WithInput(nil), tea.WithOutput(io.Discard))
	_, err := program.Run()
	if plain.Err() != nil {
		return stdout.Error(plain.Err())
	}
	return screenError(ctx, err)
}
