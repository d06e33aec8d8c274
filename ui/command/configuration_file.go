package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"blotter/ui"
	"blotter/ui/command/cli"
	"blotter/ui/command/config"
	"blotter/ui/command/saved"
	"blotter/ui/command/system"
	"blotter/ui/keys"
)

// readConfig reads the configuration file, with the keys of --profile. The one in the default place need not exist.
func (s *settings) readConfig(ctx context.Context) (*config.File, error) {
	if s.served != nil {
		return s.served.config.file, nil
	}
	file, err := s.readConfigFile(ctx)
	if err != nil {
		return nil, err
	}
	profiled, err := file.WithProfile(s.profile)
	if err != nil {
		return nil, cli.UsageError("--profile: %w", err)
	}
	return profiled, nil
}

// readConfigFile reads the configuration file without a profile, and the names beside it.
func (s *settings) readConfigFile(ctx context.Context) (*config.File, error) {
	path, named := s.configPath()
	if path == "" || s.withoutConfig {
		return config.Default(), nil
	}
	text, err := system.ReadFile(ctx, path, config.MaxBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		file := config.Default()
		s.namesProblem = saved.AddNames(ctx, path, file)
		return file, nil
	case errors.Is(err, context.Canceled):
		return nil, err
	case err != nil:
		return nil, cli.UsageError("the configuration: %w", err)
	}
	file, err := config.Parse(path, text)
	if err != nil {
		return nil, err
	}
	s.namesProblem = saved.AddNames(ctx, path, file)
	return file, checkKeys(file)
}

// warnOfNames warns once of names beside the configuration that are not used.
func (s *settings) warnOfNames() {
	if s.namesProblem != nil && !s.warnedOfNames && !errors.Is(s.namesProblem, context.Canceled) {
		s.warnedOfNames = true
		s.warn(s.namesProblem)
	}
}

// namesFile returns the file for names that are given on the screen; nil if there is no folder for it.
func (s *settings) namesFile(file *config.File) *saved.NamesFile {
	path, _ := s.configPath()
	if path == "" {
		return nil
	}
	return saved.NewNamesFile(path, file)
}

// checkKeys checks the keys that the file gives to actions. Of two actions with one key it names both lines, the error
// being on the second one.
func checkKeys(file *config.File) error {
	err := ui.DefaultKeys().Check(file.Keys)
	wrong, _ := errors.AsType[*keys.Error](err)
	if wrong == nil {
		return err
	}
	place, words := "keys."+wrong.Action, wrong.Words
	if wrong.Other == "" {
		return file.Wrap(fmt.Sprintf("%s[%d]", place, wrong.Index), errors.New(words))
	}
	other := "keys." + wrong.Other
	line, otherLine := file.Line(place), file.Line(other)
	if otherLine > line {
		place, otherLine = other, line
		words = fmt.Sprintf("%q is also a key of %s", file.Keys[wrong.Action][wrong.Index], wrong.Action)
	}
	return file.Wrap(place, fmt.Errorf("%s: %s:%d", words, file.Path, otherLine))
}

// configPath returns where the configuration is, and whether the command line or the environment gives it.
func (s *settings) configPath() (path string, named bool) {
	if s.config != "" {
		return s.config, true
	}
	if path := s.getenv("BLOTTER_CONFIG"); path != "" {
		return path, true
	}
	folder := s.getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(folder) {
		var err error
		if folder, err = os.UserConfigDir(); err != nil {
			return "", false
		}
	}
	return filepath.Join(folder, "blotter", "config.toml"), false
}
