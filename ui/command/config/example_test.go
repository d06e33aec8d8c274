package config

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"blotter/feed"
	"blotter/model/view"
	"blotter/ui"
)

const exampleFile = "../../../config.example.toml"

var update = flag.Bool("update", false, "write config.example.toml anew")

// described are the keys that the words of their section, or of the key before, describe too.
var described = strings.Fields(`service.client_key watch.parties watch.markets party.id party.name market.id market.name
	market.price_decimals asset.id asset.symbol asset.decimals screen.descending view.markets
	view.filter view.descending view.show_closed feed.probe_every feed.max_backoff`)

// TestEveryKeyIsDescribed: the example and the help about the configuration have words about each key.
func TestEveryKeyIsDescribed(t *testing.T) {
	for _, section := range Default().sections() {
		keys := section.keys
		if section.list != nil {
			keys = section.list()
		}
		for _, key := range keys {
			if name := section.name + "." + key.name; (key.help == "") != slices.Contains(described, name) {
				t.Errorf("%s has the words %q", name, key.help)
			}
		}
	}
}

// TestExampleIsUpToDate: after a change of a key run go test ./ui/command/config -update.
func TestExampleIsUpToDate(t *testing.T) {
	if *update {
		if err := os.WriteFile(exampleFile, []byte(example()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(exampleFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != example() {
		t.Error("config.example.toml differs from the keys; write it anew with: go test ./ui/command/config -update")
	}
}

// TestExampleHasTheDefaults: a file with all defaults is the same as no file.
func TestExampleHasTheDefaults(t *testing.T) {
	f, err := Parse("", []byte(example()))
	if err != nil {
		t.Fatal(err)
	}
	if err := ui.DefaultKeys().Check(f.Keys); err != nil {
		t.Error(err)
	}
	for _, action := range ui.DefaultKeys().Settings() {
		if !slices.Equal(f.Keys[action.Name], action.Keys) {
			t.Errorf("keys.%s is %q, not %q", action.Name, f.Keys[action.Name], action.Keys)
		}
	}
	want := Default()
	f.places, want.places, f.Keys, f.plain, want.plain = places{}, places{}, nil, nil, nil
	if f.Service.BaseURLs = nil; len(f.Watch.Parties)+len(f.Watch.Markets) == 0 {
		f.Watch = Watch{}
	}
	if len(f.Feed.MetricsHosts) == 0 {
		f.Feed.MetricsHosts = nil
	}
	if !reflect.DeepEqual(f, want) {
		t.Errorf("got  %+v\nwant %+v", f, want)
	}
}

// TestExampleValuesAreAllowed: the values in comments too.
func TestExampleValuesAreAllowed(t *testing.T) {
	inForce := regexp.MustCompile(`(?m)^# ([a-z_.]+ = |\[)`).ReplaceAllString(example(), "$1")
	inForce = strings.Replace(inForce, "token_command = ", "# ", 1) // which excludes token_file
	inForce = strings.Replace(inForce, "\nfor = ", "\n# ", 1)       // which needs another value of on
	alerts := strings.Index(inForce, "[[alert]]")
	inForce = inForce[:alerts] + regexp.MustCompile(`(?m)^(group|asset) = `).ReplaceAllString(inForce[alerts:], "# ") // the same
	f, err := Parse("example", []byte(inForce))
	if err != nil {
		t.Fatal(err)
	}
	m := f.Instruments.Market(f.Instruments.Markets()[0])
	if a := f.Instruments.Asset(m.Asset); m.PriceDecimals != 1 || m.SizeDecimals != 3 || a.Symbol != "USDT" || a.Decimals != 6 {
		t.Errorf("%+v %+v", m, a)
	}
	testnet, err := f.WithProfile("testnet")
	if err != nil || testnet.Service.Name != "testnet" || testnet.Screen.Order.Column != view.UnrealisedColumn {
		t.Errorf("%v %+v", err, testnet)
	}
	if f.Service.TokenFile != "token" || f.Service.Headers["X-Desk"] != "7" {
		t.Errorf("%+v", f.Service)
	}
}

// TestEveryTimeAndLimitHasAKey: without one its default would be 0.
func TestEveryTimeAndLimitHasAKey(t *testing.T) {
	check := func(got, want reflect.Value) {
		for i := range got.NumField() {
			if !got.Field(i).Equal(want.Field(i)) {
				t.Errorf("no key sets %s.%s: it is %v, not %v", got.Type(), got.Type().Field(i).Name, got.Field(i), want.Field(i))
			}
		}
	}
	check(reflect.ValueOf(Default().Feed.Times), reflect.ValueOf(feed.DefaultTimes()))
	check(reflect.ValueOf(Default().Feed.Limits), reflect.ValueOf(feed.DefaultLimits()))
}

const exampleHead = "blotter's configuration, with every key. Begin with the file that blotter config init writes, and take from here what you need; or " +
	"copy this file to blotter/config.toml in your configuration folder (~/.config on Linux). Do only one: config init never replaces a file.\n\n" +
	"A line that is not a comment is the default. Flags override the environment, and the environment overrides this file."

// example returns the text of config.example.toml: all keys with what they are for, their ranges and their defaults. A
// key without a default is a comment with a value to begin with.
func example() string {
	var b strings.Builder
	writeComment(&b, exampleHead)
	for _, section := range Default().sections() {
		b.WriteString("\n")
		writeComment(&b, section.help)
		if section.sample != "" {
			b.WriteString("# " + strings.ReplaceAll(strings.TrimSpace(section.sample), "\n", "\n# ") + "\n")
			continue
		}
		if section.name == keysSection {
			writeActions(&b)
			continue
		}
		if section.list == nil {
			b.WriteString("[" + section.name + "]\n")
			section.keys.write(&b, "")
		} else {
			b.WriteString("# [[" + section.name + "]]\n")
			section.list().write(&b, "# ")
		}
	}
	return b.String()
}

// writeActions writes the keys of every action, with what it does.
func writeActions(b *strings.Builder) {
	b.WriteString("[" + keysSection + "]\n")
	place := ""
	for _, action := range ui.DefaultKeys().Settings() {
		if action.Place != place {
			place = action.Place
			b.WriteString("\n# " + place + ":\n")
		}
		value := cmp.Or(ListOf(action.Keys), "[]")
		if len(action.Keys) == 1 {
			value = strconv.Quote(action.Keys[0])
		}
		fmt.Fprintf(b, "%-45s # %s\n", action.Name+" = "+value, action.Help)
	}
}

// write writes each key after its comment. Keys of a list of sections are comments, because there is none by default.
func (k keys) write(b *strings.Builder, prefix string) {
	for i, key := range k {
		if i > 0 && key.help != "" {
			b.WriteString("\n")
		}
		help, value := key.help, cmp.Or(key.sample, key.kind.usual)
		if bounds := key.kind.bounds; bounds != "" && prefix == "" {
			help = strings.TrimSpace(help + " " + strings.ToUpper(bounds[:1]) + bounds[1:] + ".")
		}
		writeComment(b, help)
		if (key.sample != "" || key.remembered) && prefix == "" {
			b.WriteString("# ")
		}
		b.WriteString(prefix + key.name + " = " + value + "\n")
	}
}
