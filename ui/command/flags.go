package command

import (
	"github.com/spf13/cobra"
)

// flags are those of every command that asks a service.
type flags struct {
	config   string
	baseURLs []string
	parties  []string
	markets  []string
	demo     bool
	chaos    uint64
	logFile  string
}

func (f *flags) register(command *cobra.Command) {
	set := command.Flags()
	set.StringVar(&f.config, "config", "", "the configuration file (default $BLOTTER_CONFIG, or blotter/config.toml in the user's configuration folder)")
	set.StringArrayVar(&f.baseURLs, "base-url", nil, "the address of the service; repeat it for others to turn to (default $BLOTTER_BASE_URL)")
	set.StringArrayVar(&f.parties, "party", nil, "watch this party alone, by name or identifier; repeatable")
	set.StringArrayVar(&f.markets, "market", nil, "watch this market alone, by name or identifier; repeatable")
	set.BoolVar(&f.demo, "demo", false, "a made-up service inside the program, in place of a real one")
	set.Uint64Var(&f.chaos, "chaos", 0, "with --demo: all that a service can do wrong, at random by this seed; 0 for none")
	set.StringVar(&f.logFile, "log-file", "", "write a line for each connection, loss and answer to this file")
	set.SortFlags = false
}
