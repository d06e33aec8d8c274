package command

import (
	"context"
	"fmt"
	"net"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blotter/feed"
	"blotter/model"
	"blotter/model/filter"
	"blotter/model/match"
	"blotter/ui/command/cli"
	"blotter/ui/command/config"
)

// flags are the flags that several commands have.
type flags struct {
	config   string
	profile  string
	baseURLs []string
	parties  []string
	markets  []string
	demo     bool
	chaos    uint64
	logFile  string
	filter   string

	parseFilter func(text string) (*filter.Query, error) // filter.Parse if nil
	given       *pflag.FlagSet                           // of the command that runs, or nil before it does
}

// settings make the configuration of a command: from its flags, the environment and the file.
type settings struct {
	flags
	*outputs
	getenv        func(string) string
	dial          func(ctx context.Context, network, address string) (net.Conn, error) // see Process.Dial
	configureFeed func(*feed.Config)                                                   // see Process.ConfigureFeed
	hasScreen     func() bool                                                          // reports whether a screen is on the terminal now

	served        *served // of a command of a trader of a desk; nil if it is another one
	state         stateFlags
	programs      alertPrograms
	withoutConfig bool  // the configuration is not read: config init is about to write it
	namesProblem  error // what is wrong with the names beside the configuration; nil if they are used
	warnedOfNames bool
}

// isGiven reports whether a flag is on the command line.
func (f *flags) isGiven(name string) bool { return f.given != nil && f.given.Changed(name) }

// register adds the flags of a command that uses a service.
func (f *flags) register(command *cobra.Command) {
	f.registerFile(command)
	f.registerService(command)
	set := command.Flags()
	set.BoolVar(&f.demo, "demo", false, "use a simulated service inside the program")
	set.Uint64Var(&f.chaos, "chaos", 0, "with --demo: random faults with this seed; 0 for none")
	set.StringVar(&f.logFile, "log-file", "", "write a line for each connection and error to this file")
	set.SortFlags = false
}

// registerFile adds the flags that choose the configuration.
func (f *flags) registerFile(command *cobra.Command) {
	set := command.Flags()
	set.StringVar(&f.config, "config", "", "the configuration file (default $BLOTTER_CONFIG, or blotter/config.toml in your configuration folder)")
	set.StringVar(&f.profile, "profile", "", "use this profile of the configuration file: [profile.NAME]")
	set.SortFlags = false
}

// registerService adds the flags that replace what the configuration has.
func (f *flags) registerService(command *cobra.Command) {
	set := command.Flags()
	set.StringArrayVar(&f.baseURLs, "base-url", nil, "the address of the service; can be given several times: if one does not work, the next is tried (default $BLOTTER_BASE_URL)")
	f.registerScope(command)
}

const filterHelp = `the filter at first, as typed after /, such as "side:long upnl<-1000"`

// registerFilter adds the flag that narrows what is shown or printed.
func (f *flags) registerFilter(command *cobra.Command, help string) {
	command.Flags().StringVar(&f.filter, "filter", "", help)
}

// useFilter puts the filter of the command line in place of that of the file. An empty one is no filter.
func (s *settings) useFilter(screen *config.Screen) (*filter.Query, error) {
	if s.isGiven("filter") {
		screen.Filter = s.filter
	}
	if hint := filter.Hint(s.filter); hint != "" {
		s.warn(fmt.Errorf("the filter: %s", hint))
	}
	return s.query()
}

// query returns the filter of the command line.
func (f *flags) query() (*filter.Query, error) {
	parse := filter.Parse
	if f.parseFilter != nil {
		parse = f.parseFilter
	}
	query, err := parse(f.filter)
	if err != nil {
		return nil, cli.UsageError("--filter: %w", err)
	}
	return query, nil
}

// registerScope adds the flags that choose what is watched.
func (f *flags) registerScope(command *cobra.Command) {
	set := command.Flags()
	set.StringArrayVar(&f.parties, "party", nil, "watch only this party, by name or identifier; can be given several times")
	set.StringArrayVar(&f.markets, "market", nil, "watch only this market, by name or identifier; can be given several times")
}

// scope returns what is watched: the parties of the command line, or else those of the file, and the same for markets.
func (s *settings) scope(file *config.File, instruments *model.Instruments) (scope model.Scope, err error) {
	watch := file.Watch
	if s.demo { // its parties and markets are not those of the file
		watch = config.Watch{Parties: demoParties(instruments)}
	}
	party := func(id model.ID) string { return instruments.Party(id).Name }
	scope.Parties, err = s.identifiersOfFlag("--party", s.parties, watch.Parties, instruments.FindParty, instruments.Parties(), party)
	if err != nil {
		return scope, err
	}
	market := func(id model.ID) string { return instruments.Market(id).Name }
	scope.Markets, err = s.identifiersOfFlag("--market", s.markets, watch.Markets, instruments.FindMarket, instruments.Markets(), market)
	return scope, err
}

// identifiersOfFlag returns the identifiers that the texts of a flag mean, or else those of the file, each once.
func (s *settings) identifiersOfFlag(flag string, given, configured []string, find func(string) model.ID,
	known []model.ID, name func(model.ID) string) ([]model.ID, error) {
	for _, text := range given {
		id := find(text)
		if id.IsZero() {
			return nil, cli.UsageError("%s: must be a name or an identifier, not an empty text", flag)
		}
		if len(known) > 0 && !slices.Contains(known, id) && !id.IsWellFormed() {
			var names []string
			for _, id := range known {
				names = append(names, name(id))
			}
			s.warn(fmt.Errorf("%s: %q is not in the configuration; sent as typed%s", flag, text, match.Suggestion(text, names)))
		}
	}
	if len(given) == 0 {
		given = configured
	}
	return identifiers(given, find), nil
}

// identifiers returns what names or identifiers mean, each once.
func identifiers(texts []string, find func(string) model.ID) []model.ID {
	seen := make(map[model.ID]bool, len(texts))
	var ids []model.ID
	for _, text := range texts {
		if id := find(text); !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}
