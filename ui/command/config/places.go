package config

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// places are where the keys of a file are, for errors and for config show.
type places struct {
	Path     string            // of the file; empty if there is none
	lines    lines             // of all keys
	inEffect map[string]string // service.name: service.name, or profile.x.service.name; only keys in the file
}

// IsSet reports whether the file has a key, such as screen.order.
func (p *places) IsSet(key string) bool { return p.inEffect[key] != "" }

// From returns FILE:LINE of a key in the file, such as keys.filter, and "default" if it is not there.
func (p *places) From(key string) string {
	if !p.IsSet(key) {
		return "default"
	}
	return p.at(key)
}

// at returns FILE:LINE of a key.
func (p *places) at(key string) string { return fmt.Sprintf("%s:%d", p.Path, p.Line(key)) }

// Line returns the line of a key, such as keys.filter or market[2].name. For a key that the file does not have, it is
// that of the nearest section around it; 0 if the file does not have that either.
func (p *places) Line(key string) int { return p.lines.line(p.place(key)) }

var settingOf = regexp.MustCompile(`^[a-z_]+(\.[a-z_]+)?`)

// place returns where a key, such as service.base_urls[1] or view[0].name, is in the file: the key itself, or that of
// the profile in use.
func (p *places) place(key string) string {
	setting := settingOf.FindString(key)
	if at, given := p.inEffect[setting]; given {
		return at + strings.TrimPrefix(key, setting)
	}
	return key
}

// Wrap returns an error about a key, such as market[2].price_decimals, with its place in the file. A key that a profile
// gives has its place there.
func (p *places) Wrap(key string, err error) error {
	return &Error{Path: p.Path, Line: p.Line(key), Key: plainKey(p.place(key)), Err: err}
}

// refuse returns an error about a key in words.
func (p *places) refuse(key, words string) error { return p.Wrap(key, errors.New(words)) }

// sameAs returns the error for a key with the same value as another one, which must differ.
func (p *places) sameAs(key, other, words string) error {
	return p.Wrap(key, fmt.Errorf("is the same as on line %d%s", p.Line(other), words))
}

// refuseEmptyName returns the error for an empty text in a key with a list of names; nil if there is none.
func (p *places) refuseEmptyName(key string, names []string) error {
	if i := slices.IndexFunc(names, func(name string) bool { return canonical(name) == "" }); i >= 0 {
		return p.refuse(fmt.Sprintf("%s[%d]", key, i), "must be a name or an identifier, not an empty text")
	}
	return nil
}

// firstError returns the error for the problem on the lowest line.
func (p *places) firstError(problems []problem) error {
	if len(problems) == 0 {
		return nil
	}
	least := slices.MinFunc(problems, func(a, b problem) int {
		return cmp.Or(p.Line(a.key)-p.Line(b.key), strings.Compare(a.key, b.key))
	})
	return p.Wrap(least.key, least.err)
}

// syntaxError is the error for a text that is not TOML, or has a key twice.
func (p *places) syntaxError(err error) error {
	refused, ok := errors.AsType[*toml.DecodeError](err)
	if !ok {
		return &Error{Path: p.Path, Err: err}
	}
	line, _ := refused.Position()
	words := strings.TrimPrefix(refused.Error(), "toml: ")
	if strings.HasSuffix(words, "at start of value") || strings.HasPrefix(words, "expected keyword") || words == "strings must be quoted" {
		words = `this is not a value; a text needs quotes: "text"` // those of go-toml name half of a character such as “
	}
	return &Error{Path: p.Path, Line: line, Key: strings.Join(refused.Key(), "."), Err: errors.New(words)}
}

// ResolvePath returns a path that the file names. One that is not absolute begins at the folder of the file, and one
// that begins with ~/ at the user's own.
func (p *places) ResolvePath(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(p.Path), path)
}
