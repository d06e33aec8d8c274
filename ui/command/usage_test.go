package command

import (
	"net"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blotter/model/filter"
	"blotter/ui/draw"
	"blotter/ui/export"
)

func TestUsageErrors(t *testing.T) {
	for line, want := range map[string]string{
		"":                                     "the dashboard needs a terminal; for pipes and scripts use blotter positions or blotter margins",
		"--demo":                               "the dashboard needs a terminal; for pipes and scripts use blotter positions or blotter margins",
		"--state a.json --no-state":            "--state and --no-state cannot be used together",
		"sim --help":                           `"sim" is not a command: did you mean "blotter simulate"?`,
		"positons":                             `"positons" is not a command: did you mean "blotter positions"?`,
		"desk-1":                               `"desk-1" is not a command: see blotter --help`,
		"help nonsense":                        `"nonsense" is not a command or a topic: see blotter --help, and blotter help for the topics`,
		"help scrits":                          `"scrits" is not a topic: did you mean "blotter help scripts"?`,
		"help positons":                        `"positons" is not a command: did you mean "blotter positions"?`,
		"positions desk-1":                     `unexpected argument "desk-1": see blotter positions --help`,
		"margins desk-1":                       `unexpected argument "desk-1": see blotter margins --help`,
		"simulate 8080":                        `unexpected argument "8080": see blotter simulate --help`,
		"positions --colour":                   "unknown flag: --colour: see blotter positions --help",
		"--bsae-url x":                         "unknown flag: --bsae-url: did you mean --base-url?",
		"positions --party":                    "flag needs an argument: --party",
		"positions --party=":                   "--party: must be a name or an identifier, not an empty text",
		"positions -o xml":                     `--output: must be one of table, csv, json, ndjson, not "xml"`,
		"positions --follow":                   "--follow: needs -o ndjson",
		"positions --follow -o json":           "--follow: needs -o ndjson",
		"positions --timeout 0s":               "--timeout: must be longer than 0s",
		"positions --timeout soon":             `--timeout: "soon" is not a duration, such as 15s`,
		"positions --timeout 5":                `--timeout: "5" is not a duration, such as 15s`,
		"positions --follow=perhaps":           `--follow: "perhaps" must be true or false`,
		"events":                               "events: needs --follow, or --replay with a recording: the service keeps no past events",
		"events --follow --replay x":           "--replay and --follow cannot be used together",
		"events --follow -o json":              "--follow: needs -o table, csv or ndjson",
		"events --replay x --record y":         "--record: needs --follow",
		"events --follow --filter m%<0":        "--filter: events have no such number; fields: party market asset status group side size age updated event",
		"positions --filter event:flip":        "--filter: event: is a field of events; fields of positions: " + strings.Join(filter.Fields(), " "),
		"margins --page-size abc":              `--page-size: "abc" is not a whole number`,
		"margins --limit 99999999999999999999": `--limit: "99999999999999999999" is out of range`,
		"replay a.zst --speed fast":            `--speed: "fast" is not a number`,
		"replay a.zst --speed NaN":             "--speed: must be from 0.015625 to 4096",
		"replay a.zst --from=":                 "--from: must not be empty",
		"positions --record=":                  "--record: must not be empty",
		"positions --replay=":                  "--replay: must not be empty",
		"positions --profile=":                 "--profile: must not be empty",
		"simulate --listen=":                   "--listen: must not be empty",
		`positions --columns a"b`:              `--columns: "a\"b" must be names with commas between them`,
		"positions --columns ,":                `--columns: unknown column ""; columns: ` + strings.Join(export.PositionKeys(), " "),
		"simulate --tls-cert a.pem":            "--tls-cert: needs --tls",
		"--record-size 4096":                   "--record-size: needs --record",
		"positions --follow -o ndjson --group party --base-url ftp://a": "--group and --follow cannot be used together",
		"simulate --nodes 0":                          "--nodes: must be from 1 to 16, not 0",
		"simulate --nodes 2 --lag 1m --hang 1m":       "--nodes: must be at least 3: --lag, --hang, --skip and --empty need a node each, and one is correct",
		"simulate --empty":                            "--nodes: must be at least 2: --lag, --hang, --skip and --empty need a node each, and one is correct",
		"simulate --margins-added 101":                "--margins-added: must be from 0 to 100, not 101",
		"simulate --nodes 3 --lag -1s":                "--lag: must be 0s or longer",
		"simulate --nodes 3 --chaos 7":                "--chaos and --nodes cannot be used together",
		"simulate --chaos x":                          `--chaos: "x" is not a whole number`,
		"positions --timeout -1s":                     "--timeout: must be longer than 0s",
		"doctor --timeout -1s":                        "--timeout: must be longer than 0s",
		"positions --base-url ftp://a":                `--base-url: "ftp://a" is not an address: it must begin with http:// or https:// and name a host`,
		"positions --base-url 127.0.0.1:80":           `--base-url: "127.0.0.1:80" is not an address: it must begin with http:// or https:// and name a host`,
		"positions --base-url node:80":                `--base-url: "node:80" is not an address: it must begin with http:// or https:// and name a host`,
		"positions --base-url http://u:s3cret@a:port": `--base-url: "http://...@a:port" is not an address: it must begin with http:// or https:// and name a host`,
		"positions --base-url u:s3cr/t?@a":            `--base-url: "...@a" is not an address: it must begin with http:// or https:// and name a host`,
		"positions --base-url http:/a?key=s3cret":     `--base-url: "http:/a?..." is not an address: it must begin with http:// or https:// and name a host`,
		"positions --base-url http://u:s3cret@a":      "--base-url: the address of a must not have a user or password: use a token",
		"positions --demo --base-url http://":         "--demo and --base-url cannot be used together",
		"positions --config /no/such/file":            "the configuration: /no/such/file cannot be read: no such file or directory",
		"margins --demo --log-file /no/such/file":     "--log-file: /no/such/file cannot be written: no such file or directory",
		"margins --limit -1":                          "--limit: must be 0 or more, not -1",
		"margins --page-size 0":                       "--page-size: must be from 1 to 5000, not 0",
		"margins --page-size 5001":                    "--page-size: must be from 1 to 5000, not 5001",
		"margins -o yaml":                             `--output: must be one of table, csv, json, ndjson, not "yaml"`,
		"config chekc":                                `"chekc" is not a command: did you mean "blotter config check"?`,
		"config nonsense":                             `"nonsense" is not a command: see blotter config --help`,
		"config check x":                              "the configuration: x cannot be read: no such file or directory",
		"config check x y":                            "name one file: see blotter config check --help",
		"config check x --config y":                   "name the file once: as an argument, or with --config",
		"replay a.zst --no-state":                     "--no-state: blotter replay does not have this flag: see blotter replay --help",
		"positions --view 1":                          "--view: blotter positions does not have this flag: see blotter positions --help",
		"simulate --party desk-1":                     "--party: blotter simulate does not have this flag: see blotter simulate --help",
		"--base-url http://a simulate":                "--base-url: blotter simulate does not have this flag: see blotter simulate --help",
		"simulate --config=blotter.toml":              "--config: blotter simulate does not have this flag: see blotter simulate --help",
		"simulate --parties 0":                        "--parties: must be from 1 to 100000, not 0",
		"simulate --rate -1":                          "--rate: must be from 0 to 1000000, not -1",
		"simulate --listen nowhere":                   "--listen: address nowhere: missing port in address",
	} {
		t.Run(line, func(t *testing.T) {
			withService(t, func(s *service) {
				s.run(strings.Fields(line)...).exits(2).prints("").printsErrors("blotter: " + want + "\n")
			})
		})
	}
}

func TestAddressInUse(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	address := listener.Addr().String()
	withService(t, func(s *service) {
		s.run("simulate", "--listen", address).exits(2).prints("").
			printsErrors("blotter: --listen: " + address + ": address already in use\n")
	})
}

// ofService are the flags of a command that uses a service. The exceptions have only some of them.
const ofService = "--config --profile --base-url --party --market --demo"

var exceptions = map[string]string{
	"blotter simulate": "", "blotter schema": "", "blotter completion": "", "blotter man": "", "blotter config": "",
	"blotter config check": "--config --profile", "blotter config path": "--config --profile",
	"blotter config show": "--config --profile --base-url --party --market",
	"blotter replay":      "--config --profile --party --market",
}

// withBelow returns a command and all those below it.
func withBelow(command *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{command}
	for _, below := range command.Commands() {
		all = append(all, withBelow(below)...)
	}
	return all
}

// TestHelp: the help of each command fits a terminal of 80x24, below the line that was typed.
func TestHelp(t *testing.T) {
	for _, command := range withBelow(newRoot(newProgram(Process{}))) {
		flags, isException := exceptions[command.CommandPath()]
		if !isException {
			flags = ofService
		}
		for _, flag := range strings.Fields(ofService) {
			if has, should := command.LocalFlags().Lookup(flag[2:]) != nil, strings.Contains(flags, flag); has != should {
				t.Errorf("%s has %s: %t", command.CommandPath(), flag, has)
			}
		}
		withService(t, func(s *service) {
			arguments := append(strings.Fields(command.CommandPath())[1:], "--help")
			output := s.run(arguments...).exits(0).printsErrors("").output
			lines := strings.Split(strings.TrimSuffix(output, "\n"), "\n")
			for _, line := range lines {
				if draw.Width(line) > 80 {
					t.Errorf("%s --help: %q", command.CommandPath(), line)
				}
			}
			if len(lines) > 23 || !strings.Contains(output, "\n  blotter") || !strings.Contains(output, "Usage: "+command.CommandPath()) {
				t.Errorf("%s --help has %d lines:\n%s", command.CommandPath(), len(lines), output)
			}
		})
	}
}

// TestHelpFlags lists every flag of every command.
func TestHelpFlags(t *testing.T) {
	withService(t, func(s *service) {
		list := s.run("help", "flags").exits(0).printsErrors("").output
		for _, command := range withBelow(newRoot(newProgram(Process{}))) {
			command.LocalFlags().VisitAll(func(flag *pflag.Flag) {
				if !regexp.MustCompile("--" + flag.Name + "\\s").MatchString(list) {
					t.Errorf("%s --%s is not listed", command.CommandPath(), flag.Name)
				}
			})
		}
	})
}

// TestExamplesInTheHelpAreValid: their flags are defined, and accept the values.
func TestExamplesInTheHelpAreValid(t *testing.T) {
	words := regexp.MustCompile(`(?m)^  (?:[A-Z_]+=\S+ )*blotter(.*?)(?: [|>].*)?$`)
	check := func(command *cobra.Command) {
		for _, example := range words.FindAllStringSubmatch(command.Example, -1) {
			found, rest, err := newRoot(newProgram(Process{})).Find(strings.Fields(example[1]))
			if err == nil {
				err = found.ParseFlags(rest)
			}
			if err == nil {
				err = found.ValidateArgs(found.Flags().Args())
			}
			if err != nil {
				t.Errorf("blotter%s: %v", example[1], err)
			}
		}
	}
	for _, command := range withBelow(newRoot(newProgram(Process{}))) {
		check(command)
	}
}

func TestHelpOfACommand(t *testing.T) {
	withService(t, func(s *service) {
		s.run("help", "positions").exits(0).printsErrors("").prints(s.run("positions", "--help").output)
	})
}

func TestVersion(t *testing.T) {
	withService(t, func(s *service) {
		if got := s.run("--version").exits(0).printsErrors(""); !strings.HasPrefix(got.output, "blotter version ") || strings.Count(got.output, "\n") != 1 {
			t.Errorf("%q", got.output)
		}
	})
}
