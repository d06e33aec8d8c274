package config

import (
	"strings"
	"testing"

	"blotter/model"
	"blotter/ui/persist"
)

func names(t *testing.T, text string) *Names {
	t.Helper()
	n, err := ParseNames("n.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestConfigurationOverridesNames: of each key on its own.
func TestConfigurationOverridesNames(t *testing.T) {
	f := parse(t, `
[[party]]
id = 'a'
name = 'desk-1'
[[market]]
id = 'm'
size_decimals = 3
[[asset]]
id = 'u'
symbol = 'USD'`)
	err := f.AddNames(names(t, `
[[party]]
id = 'a'
name = 'mine'
[[party]]
id = 'b'
name = 'desk-2'
[[market]]
id = 'm'
name = 'BTC'
size_decimals = 5
price_decimals = 1
asset = 'USD'
[[asset]]
id = 'u'
symbol = 'X'
decimals = 6`))
	if err != nil {
		t.Fatal(err)
	}
	in, m := f.Instruments, model.MakeID("m")
	if in.Party(model.MakeID("a")).Name != "desk-1" || in.FindParty("desk-2") != model.MakeID("b") {
		t.Errorf("the parties are %v", in.Parties())
	}
	want := model.Market{ID: m, Name: "BTC", Asset: model.MakeID("u"), PriceDecimals: 1, SizeDecimals: 3}
	if in.Market(m) != want || in.Asset(want.Asset) != (model.Asset{ID: want.Asset, Symbol: "USD", Decimals: 6}) {
		t.Errorf("the market is %+v, the asset %+v", in.Market(m), in.Asset(want.Asset))
	}
}

// TestAmbiguousNameIsNotUsed, and the rest is used.
func TestAmbiguousNameIsNotUsed(t *testing.T) {
	f := parse(t, "[[party]]\nid = 'a'\nname = 'desk-1'\n[[market]]\nid = 'm'")
	err := f.AddNames(names(t, "[[party]]\nid = 'b'\nname = 'desk-1'\n[[party]]\nid = 'c'\nname = 'desk-3'\n[[market]]\nid = 'n'\nname = 'm'\nsize_decimals = 2"))
	if want := `n.toml:3: party.name: "desk-1" means something else in a.toml`; err == nil || err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
	in := f.Instruments
	if in.FindParty("desk-1") != model.MakeID("a") || in.Party(model.MakeID("b")).Name != "" || in.FindParty("desk-3") != model.MakeID("c") ||
		in.FindMarket("m") != model.MakeID("m") || in.Decimals(model.OpenVolume, model.MakeID("n")) != 2 {
		t.Errorf("%+v", in)
	}
}

func TestNamesHaveNoOtherSettings(t *testing.T) {
	for text, want := range map[string]string{
		"[[party]]\nid = 'a'\n[service]\nname = 'x'": "n.toml:4: service.name: is not a setting of this file: ",
		"[[view]]\nnumber = 1\nname = 'x'":           "n.toml:1: view: is not a setting of this file: ",
		"[[alert]]\nname = 'x'\nfilter = 'x'":        "n.toml:1: alert: is not a setting of this file: ",
		"[profile.x]":                                "n.toml:1: profile: is not a setting of this file: ",
		"[keys]\nfilter = 'x'":                       "n.toml:2: keys.filter: is not a setting of this file: ",
		"[[party]]\nid = 'a'\nsize = 3":              "n.toml:3: party.size: is not a setting",
		"[[party]]\nid = ":                           "n.toml:2: ",
	} {
		if _, err := ParseNames("n.toml", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestNamesAreWrittenAsTheyWereRead, whatever they are.
func TestNamesAreWrittenAsTheyWereRead(t *testing.T) {
	n := names(t, "[[asset]]\nid = 'u'\ndisplay_decimals = 4\n[[party]]\nid = 'gone'\nname = 'x'")
	set := func(section, id, key, value string) {
		t.Helper()
		if err := n.Set(persist.NameField{Section: section, ID: model.MakeID(id), Key: key}, value); err != nil {
			t.Error(err)
		}
	}
	set("party", "a", "name", "desk \"1\" \\ \x1b[31m \u202e \U0001F9F1")
	set("party", "gone", "name", "")
	set("market", "m\n[[party]]", "name", "BTC")
	set("market", "m\n[[party]]", "price_decimals", "0")
	set("market", "m\n[[party]]", "asset", "u")
	set("asset", "u", "decimals", "6")
	set("asset", "u", "symbol", "7")
	want := namesHead + `
[[party]]
id = "a"
name = "desk \"1\" \\ \u001B[31m \u202E 🧱"

[[market]]
id = "m\n[[party]]"
name = "BTC"
asset = "u"
price_decimals = 0

[[asset]]
id = "u"
symbol = "7"
decimals = 6
display_decimals = 4
`
	if got := string(n.Text()); got != want {
		t.Errorf("it is\n%s\nnot\n%s", got, want)
	}
	if again := names(t, want); string(again.Text()) != want {
		t.Errorf("read again it is\n%s", again.Text())
	}
	for at, value := range map[persist.NameField]string{
		{Section: "party", ID: model.MakeID("a"), Key: "decimals"}:        "1",
		{Section: "market", ID: model.MakeID("a"), Key: "price_decimals"}: "x",
		{Section: "market", ID: model.MakeID("b"), Key: "price_decimals"}: "39",
		{Section: "view", ID: model.MakeID("a"), Key: "name"}:             "x",
	} {
		if err := n.Set(at, value); err == nil {
			t.Errorf("%v can be %s", at, value)
		}
	}
}

func TestNamePlaces(t *testing.T) {
	places := parse(t, "[[party]]\nid = 'a'\n[[market]]\nid = 'm'\n\nsize_decimals = 0\n[[party]]\nid = 'b'\nname = 'x'").NamePlaces()
	if len(places) != 2 || places[persist.NameField{Section: "market", ID: model.MakeID("m"), Key: "size_decimals"}] != "a.toml:6" ||
		places[persist.NameField{Section: "party", ID: model.MakeID("b"), Key: "name"}] != "a.toml:9" {
		t.Errorf("%v", places)
	}
}

// FuzzQuote: whatever a text is, TOML gives it back.
func FuzzQuote(f *testing.F) {
	for _, text := range []string{"", "a", `"\`, "\x00\x1b\x7f\u0080\u202e", "\n\r\t\b\f", "\U0001F9F1", "'''", "\xff"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.TrimSpace(text) == "" {
			return
		}
		file, err := Parse("a.toml", []byte("[service]\nname = "+quote(text)+"\ncompression = true"))
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if want := strings.ToValidUTF8(text, "\uFFFD"); file.Service.Name != want && file.Service.Name != string([]rune(text)) {
			t.Errorf("%q comes back as %q", text, file.Service.Name)
		}
	})
}
