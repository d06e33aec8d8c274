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
func (p *program) readConfig(ctx context.Context) (*config.File, error) {
	file, err := p.readConfigFile(ctx)
	if err != nil {
		return nil, err
	}
	profiled, err := file.WithProfile(p.profile)
	if err != nil {
		return nil, cli.UsageError("--profile: %w", err)
	}
	return profiled, nil
}

// readConfigFile reads the configuration file without a profile, and the names beside it.
func (p *program) readConfigFile(ctx context.Context) (*config.File, error) {
	path, named := p.configPath()
	if path == "" || p.withoutConfig {
		return config.Default(), nil
	}
	text, err := system.ReadFile(ctx, path, config.MaxBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		file := config.Default()
		p.namesProblem = saved.AddNames(ctx, path, file)
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
	p.namesProblem = saved.AddNames(ctx, path, file)
	return file, checkKeys(file)
}

// warnOfNames warns once of names beside the configuration that are not used.
func (p *program) warnOfNames() {
	if p.namesProblem != nil && !p.warnedOfNames && !errors.Is(p.namesProblem, context.Canceled) {
		p.warnedOfNames = true
		p.warn(p.namesProblem)
	}
}

// namesFile returns the file for names that are given on the screen; nil if there is no folder for it.
func (p *program) namesFile(file *config.File) *saved.NamesFile {
	path, _ := p.configPath()
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
func (p *program) configPath() (path string, named bool) {
	if p.config != "" {
		return p.config, true
	}
	if path := p.Getenv("BLOTTER_CONFIG"); path != "" {
		return path, true
	}
	folder := p.Getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(folder) {
		var err error
		if folder, err = os.UserConfigDir(); err != nil {
			return "", false
		}
	}
	return filepath.Join(folder, "blotter", "config.toml"), false
}
