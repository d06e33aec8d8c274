package saved

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"

	"blotter/ui"
	"blotter/ui/command/system"
)

// StateFile is the file with what the screen remembers. It is never the trader's configuration. It may be used by
// several goroutines.
type StateFile struct {
	path   string // empty: nothing is remembered
	mu     sync.Mutex
	state  ui.State // what is in the file, or what the screen began with
	closed bool
}

// stateMark is how every state file begins.
const stateMark = "{\n  \"written_by\": \"blotter\",\n"

const (
	stateVersion = 1
	maxState     = 1 << 20 // bytes
)

// storedState is what is in a state file.
type storedState struct {
	WrittenBy string   `json:"written_by"`
	Version   int      `json:"version"`
	Screen    ui.State `json:"screen"`
}

// StatePath returns where the state is unless the trader names another file; empty if there is no folder for it.
func StatePath(getenv func(string) string) string {
	folder := getenv("XDG_STATE_HOME")
	switch home := getenv("HOME"); {
	case filepath.IsAbs(folder):
	case runtime.GOOS == "windows":
		folder = getenv("LocalAppData")
	case runtime.GOOS == "darwin" && home != "":
		folder = filepath.Join(home, "Library", "Application Support")
	case home != "":
		folder = filepath.Join(home, ".local", "state")
	}
	if !filepath.IsAbs(folder) {
		return ""
	}
	return filepath.Join(folder, "blotter", "state.json")
}

// NewStateFile returns the state at a path. If the path is empty nothing is remembered.
func NewStateFile(path string) *StateFile { return &StateFile{path: path} }

// Open reads the state. If that cannot be used, problem is the reason in one line; a file that is not of blotter is
// not replaced either.
func (f *StateFile) Open() (state *ui.State, problem error) {
	if f.path == "" {
		return nil, nil
	}
	text, err := readState(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	path := f.path
	if err != nil {
		f.path = ""
		return nil, fmt.Errorf("the state is neither used nor replaced: %w: %s", err, path)
	}
	var stored storedState
	switch err := json.Unmarshal(text, &stored); {
	case err == nil && stored.Version > stateVersion:
		f.path = ""
		return nil, fmt.Errorf("the state is neither used nor replaced: a newer blotter wrote it: %s", path)
	case err != nil:
		return nil, fmt.Errorf("the state is damaged and not used: %s", path)
	}
	return &stored.Screen, nil
}

// readState reads a file that blotter wrote.
func readState(path string) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, system.WithoutPath(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case info.Size() > maxState:
		return nil, errors.New("blotter did not write it")
	}
	text, err := os.ReadFile(path)
	switch {
	case err != nil:
		return nil, system.WithoutPath(err)
	case !bytes.HasPrefix(text, []byte(stateMark)):
		return nil, errors.New("blotter did not write it")
	}
	return text, nil
}

// Begin notes the state that the screen begins with: a run that changes nothing writes nothing.
func (f *StateFile) Begin(state ui.State) { f.state = state }

// Remember writes a state that differs from the one before. It replaces the file whole, or not at all.
func (f *StateFile) Remember(state ui.State) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" || f.closed || reflect.DeepEqual(state, f.state) {
		return nil
	}
	if _, err := readState(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return system.FileErrorf(f.path, "cannot be replaced: %w", err)
	}
	text, err := json.MarshalIndent(storedState{"blotter", stateVersion, state}, "", "  ")
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(f.path), 0o700), system.ReplaceFile(f.path, append(text, '\n')))
	}
	if err != nil {
		return system.FileErrorf(f.path, "cannot be written: %w", system.WithoutPath(err))
	}
	f.state = state
	return nil
}

// Close remembers the last state. What is still about to be remembered then is older, and dropped.
func (f *StateFile) Close(state ui.State) error {
	err := f.Remember(state)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return err
}
