package remote

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/ssh"
)

// Trader is a person who may connect.
type Trader struct {
	Name string
	Keys []ssh.PublicKey
}

// maxKeys is how many keys a trader may have.
const maxKeys = 32

// ParseKeys returns the keys of a text in the format of authorized_keys: a key a line, with an optional comment. Empty
// lines, and those that begin with #, are skipped. Options of a key, such as from= or command=, are refused: blotter
// does not follow them.
func ParseKeys(text string) ([]ssh.PublicKey, error) {
	var keys []ssh.PublicKey
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		key, err := parseKey(line)
		if err == nil && len(keys) == maxKeys {
			err = fmt.Errorf("more than %d keys", maxKeys)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// parseKey returns the key of a line of authorized_keys.
func parseKey(line string) (ssh.PublicKey, error) {
	key, _, options, rest, err := ssh.ParseAuthorizedKey([]byte(line))
	switch {
	case err != nil:
		return nil, errors.New(`not a public key such as "ssh-ed25519 AAAA… comment"`)
	case len(options) > 0:
		return nil, fmt.Errorf("options of a key, such as %s, cannot be used", options[0])
	case len(bytes.TrimSpace(rest)) > 0:
		return nil, errors.New("more than one key on a line")
	case strings.Contains(key.Type(), "-cert-"):
		return nil, errors.New("a certificate cannot be used, only a public key")
	}
	return key, nil
}

// CheckTraders returns an error if no trader has a key, or if two have the same.
func CheckTraders(traders []Trader) error {
	_, err := newOwners(traders)
	return err
}

// owners has the trader of each key.
type owners map[string]string

// newOwners returns the trader of each key. A key of two traders is an error.
func newOwners(traders []Trader) (owners, error) {
	result := make(owners)
	for _, trader := range traders {
		for _, key := range trader.Keys {
			id := string(key.Marshal())
			if other, isTaken := result[id]; isTaken && other != trader.Name {
				return nil, fmt.Errorf("traders %s and %s have the same key %s", other, trader.Name, ssh.FingerprintSHA256(key))
			}
			result[id] = trader.Name
		}
	}
	if len(result) == 0 {
		return nil, errors.New("no trader has a key")
	}
	return result, nil
}

// of returns the trader of a key; empty if no trader has it.
func (o owners) of(key ssh.PublicKey) string { return o[string(key.Marshal())] }
