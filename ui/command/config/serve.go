package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"blotter/feed/access"
)

// Serve is how blotter serve is reached.
type Serve struct {
	Listen      string
	HostKey     string // the path of the private key; empty: in the folder of the state
	MaxSessions int
}

// Trader is a section [[trader]]: who may connect to blotter serve.
type Trader struct {
	Name     string
	Keys     []string // lines of authorized_keys
	KeysFile string   // the path of a file with such lines
	Parties  []string // names or identifiers; "*" alone says all
	Markets  []string // the same of markets
}

const traderSection = "trader"

func (s *Serve) keys() keys {
	return keys{
		{name: "listen", kind: textOr(&s.Listen, "127.0.0.1:2222", "an address"),
			help: "The address of blotter serve. With 0.0.0.0:2222 other machines can connect; without a host, only this machine can connect."},
		{name: "host_key", kind: text(&s.HostKey, "the path of a file with a private key"), sample: `"host_key"`,
			help: "The private key with which the server proves its identity, without a passphrase. Only you may be able to read it. " +
				"Default: a new key in the folder of the state, which is made once."},
		{name: "max_sessions", kind: number(&s.MaxSessions, 128, 1, 1024),
			help: "How many screens there can be together. A key can have four."},
	}
}

func (t *Trader) keys() keys {
	return keys{
		{name: "name", kind: text(&t.Name, "a text that is not empty"), sample: `"trader-1"`,
			help: "The name in the log, on the first line of the screen and of the state: letters, digits, - and _."},
		{name: "keys", kind: list(&t.Keys, "public keys"), sample: `["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ example"]`,
			help: "The public keys of SSH, as in authorized_keys, without options."},
		{name: "keys_file", kind: text(&t.KeysFile, "the path of a file with public keys"), sample: `"trader-1.pub"`,
			help: "A file with more of them, one a line."},
		{name: "parties", kind: list(&t.Parties, "names or identifiers"), sample: `["desk-1", "desk-2"]`,
			help: `All parties that the trader may see: names or identifiers, or ["*"] for all. It must be given.`},
		{name: "markets", kind: list(&t.Markets, "names or identifiers"), sample: `["*"]`,
			help: `The same of markets.`},
	}
}

// checkTraders checks what depends on several keys of [[trader]].
func (f *File) checkTraders() error {
	taken := make(map[string]string)
	for i := range f.Traders {
		t, section := &f.Traders[i], fmt.Sprintf("%s[%d]", traderSection, i)
		if t.Name == "" {
			return f.Wrap(section, errors.New("must have a name"))
		}
		if !isFileName(t.Name) {
			return f.refuse(section+".name", "must be letters, digits, - and _, at most 64: it is also the name of a file")
		}
		name := strings.ToLower(t.Name) // some file systems do not tell upper and lower case apart
		if other, isTaken := taken[name]; isTaken {
			return f.sameAs(section+".name", other, "")
		}
		taken[name] = section + ".name"
		if err := t.check(section, &f.places); err != nil {
			return err
		}
	}
	return nil
}

// check checks that the trader in a section has keys and rights.
func (t *Trader) check(section string, at *places) error {
	if len(t.Keys) == 0 && t.KeysFile == "" {
		return at.Wrap(section, errors.New("must have keys or keys_file"))
	}
	return cmp.Or(checkRights(section, "parties", t.Parties, at), checkRights(section, "markets", t.Markets, at))
}

// checkRights checks the parties or the markets of a trader.
func checkRights(section, key string, names []string, at *places) error {
	switch {
	case len(names) == 0:
		return at.Wrap(section, fmt.Errorf(`must have %s: names, or ["*"] for all`, key))
	case len(names) > 1 && slices.Contains(names, access.All):
		return at.refuse(section+"."+key, `must not have "*" beside names: it says all`)
	}
	return at.refuseEmptyName(section+"."+key, names)
}

// isFileName reports whether a name can be the name of a file on every system.
func isFileName(name string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return len(name) <= 64 && strings.Trim(name, allowed) == "" && name[0] != '-'
}
