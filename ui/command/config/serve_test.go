package config

import (
	"strings"
	"testing"
)

func TestTraders(t *testing.T) {
	file, err := Parse("a.toml", []byte(`[serve]
listen = "0.0.0.0:22"
max_sessions = 10
[[trader]]
name = "trader-1"
keys = ["ssh-ed25519 AAAA desk"]
parties = ["desk-1", "desk-2"]
markets = ["*"]
[[trader]]
name = "two"
keys_file = "two.pub"
parties = ["*"]
markets = ["ETH/USDT"]
`))
	if err != nil {
		t.Fatal(err)
	}
	if file.Serve.Listen != "0.0.0.0:22" || file.Serve.MaxSessions != 10 || len(file.Traders) != 2 || file.Traders[1].KeysFile != "two.pub" {
		t.Errorf("%+v, %+v", file.Serve, file.Traders)
	}
	if Default().Serve != (Serve{Listen: "127.0.0.1:2222", MaxSessions: 128}) {
		t.Errorf("%+v", Default().Serve)
	}
}

func TestWrongTraders(t *testing.T) {
	const right = "[[trader]]\nname = \"one\"\nkeys = [\"k\"]\nparties = [\"*\"]\nmarkets = [\"*\"]\n"
	for want, text := range map[string]string{
		"must have a name":                                strings.Replace(right, "name = \"one\"\n", "", 1),
		"the name of a file":                              strings.Replace(right, "one", "../one", 1),
		"must have keys or keys_file":                     strings.Replace(right, "keys = [\"k\"]\n", "", 1),
		"must have parties":                               strings.Replace(right, "parties = [\"*\"]\n", "", 1),
		"must have markets":                               strings.Replace(right, "markets = [\"*\"]", "markets = []", 1),
		`must not have "*" beside names`:                  strings.Replace(right, "markets = [\"*\"]", `markets = ["*", "ETH"]`, 1),
		"a.toml:7: trader.name: is the same as on line 2": right + strings.Replace(right, "one", "ONE", 1),
		"max_sessions: must be a whole":                   "[serve]\nmax_sessions = 0\n",
		"serve.listen: must be":                           "[serve]\nlisten = \"\"\n",
		"a.toml:4: trader.parties: must be a name":        strings.Replace(right, `["*"]`, `["a", ""]`, 1),
	} {
		if _, err := Parse("a.toml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
