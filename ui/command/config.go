package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"blotter/model"
	"blotter/ui"
	"blotter/ui/command/cli"
	"blotter/ui/command/config"
	"blotter/ui/command/credentials"
	"blotter/ui/command/saved"
	"blotter/ui/persist"
)

func newConfig(s *settings) *cobra.Command {
	command := &cobra.Command{
		Use:   "config",
		Short: "Write, check or show the configuration",
		Long: "Writes a configuration with what a service has, checks the file, prints where it is, or shows the settings in effect. Flags override the environment, and the " +
			"environment overrides the file. A profile is a part of the file.",
		Example: `  blotter config init --base-url https://node.example.com
  blotter config check
  blotter config show --profile testnet
  "$EDITOR" "$(blotter config path)"`,
		RunE: func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	check := &cobra.Command{
		Use:   "check [FILE]",
		Short: "Check the configuration file with all its profiles",
		Long: "Reads the configuration file, or FILE, the names beside it that were given on the screen, and the certificates and keys of traders that it names, and prints what is in it. The first problem is an error " +
			"with its file and line (exit code 2). It uses no service: see blotter doctor.",
		Example: `  blotter config check
  blotter config check desk.toml --profile testnet`,
		Args: oneFile,
		RunE: func(command *cobra.Command, arguments []string) error {
			if len(arguments) > 0 {
				if s.isGiven("config") {
					return cli.UsageError("name the file once: as an argument, or with --config")
				}
				s.config = arguments[0]
			}
			return s.checkConfig(command.Context())
		},
	}
	path := &cobra.Command{
		Use:   "path",
		Short: "Print where the configuration file is",
		Long:  "Prints the path of the configuration file, whether or not there is one.",
		Example: `  blotter config path
  "$EDITOR" "$(blotter config path)"`,
		RunE: func(*cobra.Command, []string) error { return s.printConfigPath() },
	}
	show := &cobra.Command{
		Use:   "show",
		Short: "Print each setting in effect, and where it is set",
		Long: "Prints each key of the configuration that has a value, with its value and where that is from: a flag, an environment " +
			"variable, a line of the file or of the names that were given on the screen, or the default. It prints no token and no values of headers.",
		Example: `  blotter config show
  blotter config show --profile testnet --party desk-1`,
		RunE: func(command *cobra.Command, _ []string) error { return s.showConfig(command.Context()) },
	}
	for _, ofFile := range []*cobra.Command{check, path, show} {
		s.flags.registerFile(ofFile)
	}
	s.flags.registerService(show)
	command.AddCommand(newConfigInit(s), check, path, show)
	return command
}

// checkConfig reads the file, and prints what is in it.
func (s *settings) checkConfig(ctx context.Context) error {
	file, err := s.readConfig(ctx)
	if err != nil {
		return err
	}
	if s.namesProblem != nil {
		return &cli.ExitError{Code: cli.ExitUsage, Err: s.namesProblem}
	}
	withNames := ""
	if names := file.Names(); names != nil {
		withNames = fmt.Sprintf("; names and decimals of %d parties, markets and assets are in %s", names.Count(), names.Path())
	}
	if file.Path == "" {
		path, _ := s.configPath()
		return s.printLine(fmt.Sprintf("there is no file %s: the defaults apply", path) + withNames)
	}
	for _, name := range append(file.Profiles(), "") {
		chosen, err := file.WithProfile(name)
		if err != nil {
			return err
		}
		if err := chosen.CheckViewFilters(); err != nil {
			return err
		}
		if _, err := credentials.TLS(ctx, chosen); err != nil {
			return err
		}
	}
	if err := s.checkAlertGroups(file); err != nil {
		return err
	}
	if err := checkServe(ctx, file); err != nil {
		return err
	}
	for _, hint := range file.FilterHints() {
		s.warn(hint)
	}
	found := fmt.Sprintf("%s: no problem found; parties: %d, markets: %d", file.Path, len(file.Instruments.Parties()),
		len(file.Instruments.Markets()))
	if views := len(file.Views); views > 0 {
		found += fmt.Sprintf(", views: %d", views)
	}
	if alerts := len(file.Alerts); alerts > 0 {
		found += fmt.Sprintf(", alerts: %d", alerts)
	}
	if names := file.Profiles(); len(names) > 0 {
		found += ", profiles: " + strings.Join(names, " ")
	}
	return s.printLine(found + withNames)
}

// checkAlertGroups refuses alerts of groups that neither the file has nor the state of its service.
func (s *settings) checkAlertGroups(file *config.File) error {
	addresses, _ := s.givenAddresses(file)
	known := file.Instruments
	for i := range file.Alerts {
		name := file.Alerts[i].Group
		if name == "" || model.FindGroup(known.Groups(), name) >= 0 {
			continue
		}
		made, err := saved.NewStateFile(saved.StatePath(s.getenv), serviceName(file, addresses)).Groups()
		if err != nil {
			s.warn(err)
		}
		if known = persist.WithGroups(known, made); model.FindGroup(known.Groups(), name) < 0 {
			return file.Wrap(fmt.Sprintf("alert[%d].group", i),
				fmt.Errorf("there is no group %q: neither [[group]] nor one that was made on the screen", name))
		}
	}
	return nil
}

func (s *settings) printConfigPath() error {
	path, _ := s.configPath()
	if path == "" {
		return cli.UsageError("there is no configuration folder: set $HOME, or --config")
	}
	return s.printLine(path)
}

// showConfig prints each setting on a line: key = value # from.
func (s *settings) showConfig(ctx context.Context) error {
	file, err := s.readConfig(ctx)
	if err != nil {
		return err
	}
	s.warnOfNames()
	replaced := s.replacedSettings(file)
	var lines strings.Builder
	for _, setting := range append(file.Settings(), keySettings(file)...) {
		if by, ok := replaced[setting.Key]; ok {
			setting.Value, setting.From = by.Value, by.From
		}
		if setting.Value != "" {
			line := fmt.Sprintf("%-50s # %s", setting.Key+" = "+setting.Value, setting.From)
			lines.WriteString(model.Neutralise(line) + "\n")
		}
	}
	return s.printText(lines.String())
}

func keySettings(file *config.File) []config.Setting {
	var settings []config.Setting
	used := ui.DefaultKeys()
	used.Apply(file.Keys)
	for _, action := range used.Settings() {
		keys, given := file.Keys[action.Name]
		if !given {
			keys = action.Keys
		}
		name := "keys." + action.Name
		settings = append(settings, config.Setting{Key: name, Value: config.ListOf(keys), From: file.From(name)})
	}
	return settings
}

// replacedSettings returns the settings that flags and the environment replace, by their keys.
func (s *settings) replacedSettings(file *config.File) map[string]config.Setting {
	replaced := make(map[string]config.Setting)
	if addresses, place := s.givenAddresses(file); place != "service.base_urls" {
		replaced["service.base_urls"] = config.Setting{Value: config.ListOf(addresses), From: place}
	}
	if s.getenv("BLOTTER_TOKEN") != "" {
		replaced["service.token_file"] = config.Setting{Value: "a token, which is not shown", From: credentials.TokenVariable}
		replaced["service.token_command"] = config.Setting{}
	}
	if len(s.parties) > 0 {
		replaced["watch.parties"] = config.Setting{Value: config.ListOf(s.parties), From: "--party"}
	}
	if len(s.markets) > 0 {
		replaced["watch.markets"] = config.Setting{Value: config.ListOf(s.markets), From: "--market"}
	}
	return replaced
}
