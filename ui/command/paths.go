package command

import (
	"os"
	"path/filepath"
	"strings"
)

// besides is a path that the configuration file names: one that is not absolute begins at the folder of that
// file, and ~/ is the user's own folder.
func (d *configDocument) besides(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(d.path), path)
}
