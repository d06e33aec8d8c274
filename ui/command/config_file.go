package command

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"blotter/ui/command/config"
)

// maxConfig is how many bytes the configuration file may have.
const maxConfig = 64 << 20

// readConfig reads the configuration file, with the keys of --profile. The one in the default place need not exist.
func (p *program) readConfig(ctx context.Context) (*config.File, error) {
	file, err := p.readConfigFile(ctx)
	if err != nil || p.profile == "" {
		return file, err
	}
	profiled, err := file.WithProfile(p.profile)
	if err != nil {
		return nil, usage("--profile: %w", err)
	}
	return profiled, nil
}

// readConfigFile reads the configuration file without a profile.
func (p *program) readConfigFile(ctx context.Context) (*config.File, error) {
	path, named := p.configPath()
	if path == "" {
		return config.Default(), nil
	}
	text, err := readFile(ctx, path, maxConfig)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named:
		return config.Default(), nil
	case err != nil:
		return nil, usage("the configuration: %w", err)
	}
	return config.Parse(path, text)
}

// configPath returns where the configuration is, and whether the command line or the environment says so.
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
