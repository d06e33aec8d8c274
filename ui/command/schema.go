package command

import (
	"github.com/spf13/cobra"

	"blotter/ui/command/cli"
	"blotter/ui/export"
)

func newSchema(o *outputs) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON Schema of what the other commands print",
		Long: "Prints one JSON Schema document of the JSON that positions, margins and events print, of the lines of positions --follow, and of what " +
			"the commands of alerts get. " +
			"Each kind of output is a definition in it: positions, followLine, marginRecords, events, alertEvent and others.",
		Example: `  blotter schema > blotter.schema.json
  blotter schema | jq '."$defs" | keys'`,
		DisableFlagsInUseLine: true,
		RunE: func(*cobra.Command, []string) error {
			return cli.OutputError(export.WriteSchema(o.stdout))
		},
	}
}
