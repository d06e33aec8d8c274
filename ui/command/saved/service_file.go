package saved

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"blotter/ui/command/system"
)

// serviceFile is a file about a service of a kind, beside the state.
type serviceFile struct {
	path, kind, service string
	version             int
	limit               int64 // bytes
}

// stamp is how these files begin.
type stamp struct {
	WrittenBy string `json:"written_by"`
	Version   int    `json:"version"`
	Service   string `json:"service"`
}

func (s *stamp) stamped() *stamp { return s }

// stamped is what is in a file: a struct that begins with a stamp.
type stamped interface{ stamped() *stamp }

// maxServiceFiles is how many files of a kind there are at most: those that were written last.
const maxServiceFiles = 50

// ofService returns the file of this kind that belongs to the service.
func (f *StateFile) ofService(kind string, version int, limit int64) *serviceFile {
	sum := sha256.Sum256([]byte(f.service))
	path := filepath.Join(filepath.Dir(f.path), fmt.Sprintf("%s-%x.json", kind, sum[:8]))
	return &serviceFile{path, kind, f.service, version, limit}
}

// read reads the file. A file of another service does not exist for this one.
func (s *serviceFile) read(into stamped) error {
	text, err := readRegular(s.path, s.limit, "it is too large")
	switch of := into.stamped(); {
	case err != nil:
		return err
	case json.Unmarshal(text, into) != nil || of.WrittenBy != "blotter":
		return errDamaged
	case of.Version > s.version:
		return errNewer
	case of.Service != s.service:
		return fs.ErrNotExist
	}
	return nil
}

// write replaces the file.
func (s *serviceFile) write(value stamped) error {
	*value.stamped() = stamp{"blotter", s.version, s.service}
	text, err := json.Marshal(value)
	if err == nil {
		err = system.ReplaceFile(s.path, append(text, '\n'))
	}
	if err == nil {
		removeOldest(filepath.Dir(s.path), s.kind+"-*.json", maxServiceFiles)
	}
	return err
}

// remove removes the file, if there is one.
func (s *serviceFile) remove() error {
	if err := os.Remove(s.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return system.FileErrorf(s.path, "cannot be removed: %w", system.WithoutPath(err))
	}
	return nil
}

// removeOldest removes the oldest files of a folder whose names match a pattern, if there are more than most. What
// cannot be removed stays.
func removeOldest(folder, pattern string, most int) {
	files, _ := filepath.Glob(filepath.Join(folder, pattern))
	if len(files) <= most {
		return
	}
	written := make(map[string]int64)
	for _, file := range files {
		if info, err := os.Lstat(file); err == nil {
			written[file] = info.ModTime().UnixNano()
		}
	}
	slices.SortFunc(files, func(a, b string) int { return cmp.Compare(written[a], written[b]) })
	for _, file := range files[:len(files)-most] {
		_ = os.Remove(file)
	}
}
