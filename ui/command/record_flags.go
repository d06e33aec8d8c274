package command

import (
	"errors"
	"io/fs"
	"sync/atomic"

	"github.com/spf13/cobra"

	"blotter/feed/record"
	"blotter/ui/command/cli"
	"blotter/ui/command/system"
)

// recordFlags are the flags of the commands that can be recorded.
type recordFlags struct {
	file string
	size int64
}

func (f *recordFlags) register(command *cobra.Command) {
	set := command.Flags()
	set.StringVar(&f.file, "record", "", "record what is shown in this new file, for blotter replay; "+
		"compressed if the name ends in .zst or .gz")
	set.Int64Var(&f.size, "record-size", record.DefaultSize,
		"with --record: after this number of bytes, go on in FILE.1, FILE.2 and so on")
}

// newRecordedFeed returns the feed of a configuration. With --record it is recorded until the configuration is closed.
func (s *settings) newRecordedFeed(f recordFlags, c *configuration) (record.Feed, error) {
	const least = 1 << 10
	if f.size < least {
		return nil, cli.UsageError("--record-size: must be %d or more, not %d", least, f.size)
	}
	if f.file != "" {
		if err := s.record(f, c); err != nil {
			return nil, err
		}
	}
	source, err := s.openSource(c)
	if err != nil || f.file == "" {
		return source, err
	}
	return record.NewTap(source, c.recorder), nil
}

// record begins the recording of --record. If it stops, there is a warning at once: on standard error or, while there
// is a screen, on the screen, and then on standard error at the end.
func (s *settings) record(f recordFlags, c *configuration) error {
	var warned atomic.Bool
	recorder, err := record.Create(record.Options{
		Path: f.file, Size: f.size, Secrets: c.feed.Secrets, Rows: c.feed.Limits.Rows,
		Header:  record.Header{Version: cli.Version().Number, Service: c.service, Scope: c.scope},
		OnPanic: c.feed.OnPanic,
		Stopped: func(err error) {
			if !s.hasScreen() { // else the screen shows it
				warned.Store(true)
				s.warn(err)
			}
		},
	})
	switch {
	case errors.Is(err, fs.ErrExist):
		return cli.UsageError("--record: %s exists already, and a recording never replaces a file", f.file)
	case err != nil:
		return cli.UsageError("--record: %s cannot be written: %w", f.file, system.WithoutPath(err))
	}
	c.recorder = recorder
	c.closers = append(c.closers, func() {
		if err := recorder.Close(); err != nil && !warned.Load() {
			s.warn(err)
		}
	})
	return nil
}
