package command

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

	"github.com/spf13/cobra"

	"blotter/ui"
	"blotter/ui/command/files"
)

// stateFlags choose where the screen remembers columns, order and the like from one run to the next.
type stateFlags struct {
	path string
	none bool
}

func (f *stateFlags) register(command *cobra.Command) {
	set := command.Flags()
	set.StringVar(&f.path, "state", "", "remember columns, order and the like in this file (default blotter/state.json in $XDG_STATE_HOME, or where this system keeps such files)")
	set.BoolVar(&f.none, "no-state", false, "remember nothing, and begin as the configuration says")
	_ = command.MarkFlagFilename("state", "json")
}

// stateFile is the file with what the screen remembers. It is never the trader's configuration. The zero stateFile
// remembers nothing.
type stateFile struct {
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

// statePath returns where the state is; empty where nothing is remembered.
func (p *program) statePath(flags stateFlags) string {
	folder := p.Getenv("XDG_STATE_HOME")
	switch home := p.Getenv("HOME"); {
	case flags.none:
		return ""
	case flags.path != "":
		return flags.path
	case filepath.IsAbs(folder):
	case runtime.GOOS == "windows":
		folder = p.Getenv("LocalAppData")
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

// open reads the state. Where that cannot be used, problem is the reason in one line; a file that is not of blotter is
// not replaced either.
func (f *stateFile) open() (state *ui.State, problem error) {
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
		return nil, files.WithoutPath(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case info.Size() > maxState:
		return nil, errors.New("blotter did not write it")
	}
	text, err := os.ReadFile(path)
	switch {
	case err != nil:
		return nil, files.WithoutPath(err)
	case !bytes.HasPrefix(text, []byte(stateMark)):
		return nil, errors.New("blotter did not write it")
	}
	return text, nil
}

// remember writes a state that differs from the one before. It replaces the file whole, or not at all.
func (f *stateFile) remember(state ui.State) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" || f.closed || reflect.DeepEqual(state, f.state) {
		return nil
	}
	if _, err := readState(f.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s cannot be replaced: %w", f.path, err)
	}
	text, err := json.MarshalIndent(storedState{"blotter", stateVersion, state}, "", "  ")
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(f.path), 0o700), files.Replace(f.path, append(text, '\n')))
	}
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", f.path, files.WithoutPath(err))
	}
	f.state = state
	return nil
}

// close remembers the last state. What is still about to be remembered then is older, and dropped.
func (f *stateFile) close(state ui.State) error {
	err := f.remember(state)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return err
}
