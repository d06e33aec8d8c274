package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"blotter/model"
	"blotter/ui/command/cli"
	"blotter/ui/command/config"
	"blotter/ui/command/system"
)

// configInit writes a configuration with what a service has.
type configInit struct {
	*settings
	timeout  time.Duration
	replayed string // the recording to read from
}

// maxInitRecords is how many margin records are read for the assets of markets.
const maxInitRecords = 50_000

func newConfigInit(s *settings) *cobra.Command {
	c := &configInit{settings: s}
	command := &cobra.Command{
		Use:   "init [FILE]",
		Short: "Write a configuration with all that a service has, ready for names",
		Long: "Reads the positions and margin levels of the service, and writes a configuration with the parties, markets and assets in scope, at most 2,000 of each: " +
			"to the standard place, or to FILE. Names and decimals are those of the present configuration: the service does not have them. " +
			"An existing file is never replaced. With - it prints to standard output. The token is not written.",
		Example: `  blotter config init --base-url https://node.example.com
  blotter config init desk.toml --party network
  blotter config init - --replay monday.zst`,
		Args: oneFile,
		RunE: func(command *cobra.Command, arguments []string) error { return c.run(command.Context(), arguments) },
	}
	set := command.Flags()
	set.StringVar(&c.replayed, "replay", "", "take what this recording has; no service is used")
	set.DurationVar(&c.timeout, "timeout", time.Minute, "the longest time from the start of the program to a complete result")
	s.flags.register(command)
	return command
}

// oneFile checks the arguments of a command that takes the name of one file or none.
func oneFile(command *cobra.Command, arguments []string) error {
	switch {
	case len(arguments) > 1:
		return cli.UsageError("name one file: see %s --help", command.CommandPath())
	case len(arguments) == 1 && arguments[0] == "":
		return cli.UsageError("the name of the file is empty")
	}
	return nil
}

func (c *configInit) run(ctx context.Context, arguments []string) error {
	path, err := c.target(arguments)
	if err != nil {
		return err
	}
	found, err := c.find(ctx)
	if err != nil {
		return err
	}
	text := found.Text()
	if _, err := config.Parse("the configuration", text); err != nil {
		return fmt.Errorf("nothing is written, because it would be wrong: %w", err)
	}
	if path == standardOutput {
		return cli.Print(c.stdout, func(output io.Writer) error { _, err := output.Write(text); return err })
	}
	switch err := system.CreateFile(path, text); {
	case errors.Is(err, fs.ErrExist):
		return cli.UsageError("%s exists already, and is not replaced", path)
	case err != nil:
		return err
	}
	parties, markets, assets := found.Counts()
	return c.printLine(fmt.Sprintf("%s: written; parties: %d, markets: %d, assets: %d; put in missing names and decimals, then run blotter config check",
		path, parties, markets, assets))
}

// standardOutput is the file name that means standard output.
const standardOutput = "-"

// target returns where the configuration is written.
func (c *configInit) target(arguments []string) (string, error) {
	path, _ := c.configPath()
	if len(arguments) > 0 {
		path = arguments[0]
	} else {
		c.withoutConfig = true // it is yet to be written
	}
	switch _, err := os.Lstat(path); {
	case path == standardOutput:
		return path, nil
	case path == "":
		return "", cli.UsageError("there is no configuration folder: set $HOME, or name a file")
	case err == nil:
		return "", cli.UsageError("%s exists already, and is not replaced: name another file, or - to print", path)
	case !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("%s cannot be written: %w", path, system.WithoutPath(err))
	}
	return path, nil
}

// find returns what the service or the recording has.
func (c *configInit) find(ctx context.Context) (*config.Found, error) {
	if c.replayed != "" {
		return c.findReplayed(ctx)
	}
	timed, configured, err := c.configureWithin(ctx, c.timeout)
	if err != nil {
		return nil, err
	}
	defer configured.close()
	shortenBackoff(&configured.feed.Times, c.timeout)
	source, err := configured.newFeed()
	if err != nil {
		return nil, err
	}
	w := c.newWatch(source, configured, nil)
	if err := w.Snapshot(timed, c.timeout); err != nil {
		return nil, err
	}
	address := strings.Join(configured.feed.BaseURLs, ", ")
	if c.demo {
		address = "the demo"
	}
	walked, err := source.Walk(timed, model.PageRequest{Scope: configured.scope, Size: 1000, NewestFirst: true}, maxInitRecords)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		c.warn(fmt.Errorf("the assets of some markets are not known: %w", marginsError(err, address, c.timeout)))
	}
	found := config.NewFound(w.SortedRows(), walked.Records, configured.instruments)
	found.From = c.from(address, time.Now())
	if !c.demo {
		found.BaseURLs = configured.feed.BaseURLs
	}
	return found, nil
}

// findReplayed returns what a recording has at its end.
func (c *configInit) findReplayed(ctx context.Context) (*config.Found, error) {
	r, err := c.replayedAt(ctx, &replayedFlags{file: c.replayed})
	if err != nil {
		return nil, err
	}
	defer r.close()
	if err := r.checkComplete(); err != nil {
		return nil, err
	}
	found := config.NewFound(r.watch.SortedRows(), r.margins(), r.instruments)
	found.From = c.from("the recording "+filepath.Base(c.replayed), r.player.Header().Start)
	return found, nil
}

// from returns where and when all was found, and whether that was only a part of what the service has.
func (c *configInit) from(where string, at time.Time) string {
	words := where + " on " + at.UTC().Format("2006-01-02 15:04 MST")
	if len(c.parties)+len(c.markets) > 0 {
		words += ", narrowed by --party or --market"
	}
	return words
}
