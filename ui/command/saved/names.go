package saved

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"blotter/ui/command/config"
	"blotter/ui/command/system"
	"blotter/ui/persist"
)

// NamesFile is the file with the names and decimals that are given on the screen. It is beside the configuration, and
// is never the configuration itself.
type NamesFile struct {
	path   string
	places func() map[persist.NameField]string // where the configuration sets a key; few traders ask for it
	mu     sync.Mutex
	given  []persist.GivenName // what is not in the file yet
}

// NewNamesFile returns the names beside a configuration file.
func NewNamesFile(configuration string, file *config.File) *NamesFile {
	return &NamesFile{path: config.NamesPath(configuration), places: sync.OnceValue(file.NamePlaces)}
}

// Path returns where the names are kept.
func (n *NamesFile) Path() string { return n.path }

// SetAt returns where the configuration sets a key: FILE:LINE, or an empty text.
func (n *NamesFile) SetAt(key persist.NameField) string { return n.places()[key] }

// Keep writes names to the file, with those that could not be written before. Other names in it stay, also those that
// another blotter has written meanwhile. It replaces the file whole, or not at all.
func (n *NamesFile) Keep(given []persist.GivenName) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.given = append(n.given, given...)
	if err := os.MkdirAll(filepath.Dir(n.path), 0o700); err != nil {
		return system.FileErrorf(n.path, "cannot be written: %w", system.WithoutPath(err))
	}
	unlock, err := system.LockFile(n.path + ".lock") // from reading to writing, or names of another blotter would be lost
	if err != nil {
		return err
	}
	defer unlock()
	names, err := n.read()
	if err != nil {
		return err
	}
	names, refused := n.withGiven(names)
	if err := system.ReplaceFile(n.path, names.Text()); err != nil {
		return err
	}
	n.given = nil
	return refused
}

// withGiven returns the names with those that were given. One that cannot be added is left out, so that it does not
// keep later ones from being saved: another blotter may have given the same name to another party. The error is for the
// first of these.
func (n *NamesFile) withGiven(names *config.Names) (_ *config.Names, refused error) {
	for _, g := range n.given {
		with, err := n.with(names, g)
		if err != nil {
			refused = cmp.Or(refused, fmt.Errorf("%q is not saved as the %s of a %s: %w", g.Value, g.Key, g.Section, err))
			continue
		}
		names = with
	}
	return names, refused
}

// with returns a copy of the names with one that was given.
func (n *NamesFile) with(names *config.Names, g persist.GivenName) (*config.Names, error) {
	names, err := config.ParseNames(n.path, names.Text())
	if err != nil {
		return nil, err
	}
	if err := names.Set(g.NameField, g.Value); err != nil {
		return nil, err
	}
	names, err = config.ParseNames(n.path, names.Text())
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	return names, nil
}

// read reads the file as it is now. What blotter did not write, or cannot read, is an error: it must not be replaced.
func (n *NamesFile) read() (*config.Names, error) {
	text, err := readRegular(n.path, config.MaxBytes, "it is too large")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return config.ParseNames(n.path, nil)
	case err != nil:
		return nil, system.FileErrorf(n.path, "is not replaced: %w", err)
	case !bytes.HasPrefix(text, []byte(config.NamesMark)):
		return nil, system.FileErrorf(n.path, "is not replaced: blotter did not write it")
	}
	names, err := config.ParseNames(n.path, text)
	if err != nil {
		return nil, fmt.Errorf("%w: correct it or remove it", err)
	}
	return names, nil
}

// AddNames adds the names beside a configuration file to it. The error is what is wrong with them: the configuration is
// used without them.
func AddNames(ctx context.Context, configuration string, file *config.File) error {
	path := config.NamesPath(configuration)
	text, err := system.ReadFile(ctx, path, config.MaxBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("names are not used: %w", err)
	}
	names, err := config.ParseNames(path, text)
	if err == nil {
		err = file.AddNames(names)
	}
	switch {
	case err == nil:
		return nil
	case file.Names() != nil:
		return fmt.Errorf("a name is not used: %w", err)
	}
	return fmt.Errorf("names are not used: %w", err)
}
