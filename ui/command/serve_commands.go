package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blotter/feed/access"
	"blotter/feed/margins"
	"blotter/model"
	"blotter/model/book"
	"blotter/ui/command/cli"
	"blotter/ui/command/remote"
	"blotter/ui/command/saved"
	"blotter/ui/command/system"
	"blotter/ui/persist"
)

// served is what a command of a trader of a desk runs on, in place of a file and a connection of its own.
type served struct {
	rights access.Rights
	config *configuration // what the trader may have of that of the desk
	source *servedSource
}

// connect sets what the configuration of a command has of the desk.
func (s *served) connect(c *configuration) {
	c.service, c.instruments, c.demo = s.config.service, s.config.instruments, s.config.demo
	c.feed.BaseURLs = []string{s.config.service} // for errors
}

// The commands of a trader, and their flags: those that only read.
var (
	servedCommands = []string{"positions", "margins", "events"}
	servedFlags    = []string{
		"output", "columns", "names", "scaled", "sort", "descending", "group", "totals", "limit", "filter", "party", "market", "follow",
		"until", "timeout",
	}
)

// refusedCommand is the error for everything else.
func refusedCommand(what string) error {
	return cli.UsageError("%s cannot be used on a desk, which runs %s, with --%s", what, strings.Join(servedCommands, ", "),
		strings.Join(servedFlags, " --"))
}

// runCommand runs a command of a trader, and returns its exit code.
func (d *servedDesk) runCommand(ctx context.Context, session remote.Session, line string, output, errors io.Writer) int {
	p := newProgram(Process{Output: output, Errors: errors, Getenv: func(string) string { return "" }})
	if d.log != nil {
		p.panics.LogTo(d.log.Direct(), d.logFile)
	}
	ctx, stop := p.panics.Start(ctx)
	defer stop()
	err := p.do(ctx, func(ctx context.Context) error { return d.execute(ctx, p, session.Trader, line) })
	if system.PanicOf(ctx) != nil {
		err = errHidden
	}
	p.report(err)
	return cli.ExitCode(err)
}

func (d *servedDesk) execute(ctx context.Context, p *program, trader, line string) error {
	words, err := splitWords(line)
	switch {
	case err != nil:
		return cli.UsageError("%w", err)
	case len(words) == 0 || !slices.Contains(servedCommands, words[0]):
		return refusedCommand(fmt.Sprintf("%.40q", line))
	}
	rights := d.rightsOf(trader)
	state, problem := saved.NewStateFile(d.pathOf(trader, "state.json"), d.service).Groups()
	if problem != nil {
		_ = d.hide(problem)
	}
	c, made := visibleConfig(rights, d.configuration, &persist.State{Groups: state})
	d.addNames(ctx, c, trader, rights)
	c.instruments = persist.WithGroups(c.instruments, made.Groups)
	joined, err := d.hub.Join(ctx)
	if err != nil {
		return cli.UnavailableError("%w", err)
	}
	source := &servedSource{access.New(joined, rights, d.deskName()), rights}
	defer source.Close()
	p.served = &served{rights, c, source}
	root := newServedRoot(p)
	root.SetArgs(words)
	root.SetOut(io.Discard)
	root.SetErr(io.Discard)
	err = root.ExecuteContext(ctx)
	return cmp.Or(p.failure, cli.OutputError(p.stdout.FirstError()), asUsage(err))
}

// newServedRoot returns the commands of a trader. They are those of the program, with fewer flags.
func newServedRoot(p *program) *cobra.Command {
	root := &cobra.Command{Use: "blotter", SilenceUsage: true, SilenceErrors: true}
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(newPositions(p.settings, p.network), newMargins(p.settings), newEvents(p.settings))
	root.SetHelpFunc(func(*cobra.Command, []string) { p.failure = refusedCommand("--help") })
	root.SetFlagErrorFunc(flagError)
	p.prepare(root)
	for _, command := range root.Commands() {
		run := command.RunE
		command.RunE = func(command *cobra.Command, arguments []string) error {
			if p.failure = refuseFlags(command.Flags()); p.failure != nil {
				return nil
			}
			return run(command, arguments)
		}
	}
	return root
}

// refuseFlags refuses flags that do more than read.
func refuseFlags(given *pflag.FlagSet) (err error) {
	given.Visit(func(flag *pflag.Flag) {
		if !slices.Contains(servedFlags, flag.Name) {
			err = refusedCommand("--" + flag.Name)
		}
	})
	return err
}

// splitWords splits a line at blanks. As in a shell, quotes and a backslash keep blanks, and between double quotes a
// backslash is kept unless a shell would remove it; nothing else has a meaning.
func splitWords(line string) (words []string, err error) {
	var word strings.Builder
	isWord, quote, isEscaped := false, rune(0), false
	for _, r := range line {
		switch {
		case isEscaped:
			if quote == '"' && !strings.ContainsRune("\"\\$`", r) {
				word.WriteByte('\\')
			}
			word.WriteRune(r)
			isEscaped = false
		case r == '\\' && quote != '\'':
			isWord, isEscaped = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			isWord, quote = true, r
		case strings.ContainsRune(" \t\r\n", r):
			if isWord {
				words = append(words, word.String())
			}
			isWord = false
			word.Reset()
		default:
			isWord = true
			word.WriteRune(r)
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("a %c is not closed", quote)
	case isEscaped:
		return nil, errors.New("there is nothing after the last backslash")
	case isWord:
		words = append(words, word.String())
	}
	return words, nil
}

// servedSource is what a trader may have of the feed of a desk, for commands.
type servedSource struct {
	*access.Access
	rights access.Rights
}

// Walk reads all margin levels of a scope once, as the feed does: what the desk knows, and what has changed since then.
// After errors it goes on until ctx ends. The error is then that of ctx joined with the last one, if there was one.
func (s *servedSource) Walk(ctx context.Context, request model.PageRequest, _ int) (margins.Walked, error) {
	s.WatchMargins(request.Scope)
	if seen, ok := s.rights.Scope(request.Scope); ok {
		s.HurryMargins(seen.Parties)
	}
	all, problem := book.New(0), error(nil)
	for {
		read, err := s.NextMargins(ctx)
		if err != nil {
			if problem != nil {
				err = errors.Join(err, problem)
			}
			return margins.Walked{}, err
		}
		problem = cmp.Or(read.Err, problem)
		if read.Page != nil {
			all.MergeMargins(read.Page)
		}
		if read.Whole {
			break
		}
	}
	return walked(all.Margins(), time.Now()), nil
}

// walked returns all records, the newest first, with a warning that says for how long the oldest may have been known.
func walked(all *book.Margins, now time.Time) margins.Walked {
	var w margins.Walked
	oldest := now
	for levels, readAt := range all.All {
		w.Records = append(w.Records, levels)
		if readAt.Before(oldest) {
			oldest = readAt
		}
	}
	slices.SortFunc(w.Records, func(a, b model.MarginLevels) int {
		return cmp.Or(b.Timestamp.CompareTime(a.Timestamp), a.MarginKey.Compare(b.MarginKey))
	})
	w.Warning = fmt.Sprintf("the margin levels were read %s ago or later", now.Sub(oldest).Round(time.Second))
	return w
}
