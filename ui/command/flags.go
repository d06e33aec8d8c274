package command

import (
	"github.com/spf13/cobra"

	"blotter/model/filter"
	"blotter/ui/command/config"
	"blotter/ui/command/exit"
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

	parseFilter func(text string) (*filter.Query, error) // filter.Parse where nil
}

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
	set.StringArrayVar(&f.baseURLs, "base-url", nil, "the address of the service; of several the next is tried when one does not work (default $BLOTTER_BASE_URL)")
	f.registerScope(command)
}

// filterHelp is the help of --filter for the dashboard.
const filterHelp = `the filter at first, as typed after /, such as "side:long upnl<-1000"`

// registerFilter adds the flag that narrows what is shown or printed.
func (f *flags) registerFilter(command *cobra.Command, help string) {
	command.Flags().StringVar(&f.filter, "filter", "", help)
}

// narrow puts the filter of the command line in place of that of the file.
func (f *flags) narrow(screen *config.Screen) (*filter.Query, error) {
	if f.filter != "" {
		screen.Filter = f.filter
	}
	return f.query()
}

// query returns the filter of the command line.
func (f *flags) query() (*filter.Query, error) {
	parse := filter.Parse
	if f.parseFilter != nil {
		parse = f.parseFilter
	}
	query, err := parse(f.filter)
	if err != nil {
		return nil, exit.Usage("--filter: %w", err)
	}
	return query, nil
}

// registerScope adds the flags that choose what is watched.
func (f *flags) registerScope(command *cobra.Command) {
	set := command.Flags()
	set.StringArrayVar(&f.parties, "party", nil, "watch only this party, by name or identifier; can be given several times")
	set.StringArrayVar(&f.markets, "market", nil, "watch only this market, by name or identifier; can be given several times")
}
