package config

import (
	"flag"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"blotter/feed"
)

const exampleFile = "../../../config.example.toml"

var update = flag.Bool("update", false, "write config.example.toml anew")

// TestExampleIsUpToDate: after a change of a key run go test ./ui/command/config -update.
func TestExampleIsUpToDate(t *testing.T) {
	if *update {
		if err := os.WriteFile(exampleFile, []byte(Example()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(exampleFile)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != Example() {
		t.Error("config.example.toml differs from the keys; write it anew with: go test ./ui/command/config -update")
	}
}

// TestExampleHasTheDefaults: a file that says all defaults is the same as no file.
func TestExampleHasTheDefaults(t *testing.T) {
	f, err := Parse("", []byte(Example()))
	if err != nil {
		t.Fatal(err)
	}
	f.text = nil
	if f.Service.BaseURLs = nil; len(f.Watch.Parties)+len(f.Watch.Markets) == 0 {
		f.Watch = Watch{}
	}
	if want := Default(); !reflect.DeepEqual(f, want) {
		t.Errorf("got  %+v\nwant %+v", f, want)
	}
}

// TestExampleValuesAreAllowed: the values in comments too.
func TestExampleValuesAreAllowed(t *testing.T) {
	inForce := regexp.MustCompile(`(?m)^# ([a-z_]+ = |\[\[)`).ReplaceAllString(Example(), "$1")
	inForce = strings.Replace(inForce, "token_command = ", "# ", 1) // which excludes token_file
	f, err := Parse("example", []byte(inForce))
	if err != nil {
		t.Fatal(err)
	}
	m := f.Instruments.Market(f.Instruments.Markets()[0])
	if a := f.Instruments.Asset(m.Asset); m.PriceDecimals != 1 || m.SizeDecimals != 3 || a.Symbol != "USDT" || a.Decimals != 6 {
		t.Errorf("%+v %+v", m, a)
	}
	if f.Service.TokenFile != "token" || f.Service.Headers["X-Desk"] != "7" {
		t.Errorf("%+v", f.Service)
	}
}

// TestEveryTimeHasAKey, and by it a default.
func TestEveryTimeHasAKey(t *testing.T) {
	got, want := reflect.ValueOf(Default().Feed.Times), reflect.ValueOf(feed.DefaultTimes())
	for i := range got.NumField() {
		if name := got.Type().Field(i).Name; name != "PairSilence" && !got.Field(i).Equal(want.Field(i)) {
			t.Errorf("no key sets feed.Times.%s: it is %v, not %v", name, got.Field(i), want.Field(i))
		}
	}
}
