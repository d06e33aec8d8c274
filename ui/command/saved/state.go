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
	"slices"
	"strings"
	"sync"

	"blotter/ui/alerts"
	"blotter/ui/command/system"
	"blotter/ui/persist"
	"blotter/ui/views"
)

// StateFile is what the screen remembers of one service, in the file of all services. The file is never the trader's
// configuration. A StateFile may be used by several goroutines.
type StateFile struct {
	path    string // empty: nothing is remembered
	service string
	mu      sync.Mutex
	state   persist.State // what this run has written last, or what the screen began with
	copied  bool          // that is of another service, and is not in the file yet
	closed  bool
}

// stateMark is how every state file begins.
const stateMark = "{\n  \"written_by\": \"blotter\",\n"

const (
	stateVersion = 2
	maxState     = 32 << 20 // bytes
	maxServices  = 50       // the ones that were used last
	maxDamaged   = 9        // files
)

// storedState is what is in a state file.
type storedState struct {
	WrittenBy string         `json:"written_by"`
	Version   int            `json:"version"`
	Screen    *persist.State `json:"screen,omitempty"` // of any service, from before version 2
	Services  []serviceState `json:"services"`         // the one that was used last is the last
}

// serviceState is what the screen remembers of a service.
type serviceState struct {
	Service string        `json:"service"`
	Screen  persist.State `json:"screen"`
}

// StatePath returns where the state is unless the trader names another file; empty if there is no folder for it. The
// package adrg/xdg is not used: it keeps the folders of the environment of the process in global variables, and tests
// have environments of their own.
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

// NewStateFile returns the state of a service in the file at a path. If the path is empty nothing is remembered.
func NewStateFile(path, service string) *StateFile { return &StateFile{path: path, service: service} }

// The errors of a file that blotter has written.
var (
	errDamaged = errors.New("damaged") // it cannot be understood
	errNewer   = errors.New("a newer blotter wrote it")
)

// readRegular reads a regular file of at most limit bytes. The text tooLarge is the error for a larger one.
func readRegular(path string, limit int64, tooLarge string) ([]byte, error) {
	info, err := os.Lstat(path)
	switch {
	case err != nil:
		return nil, system.WithoutPath(err)
	case !info.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case info.Size() > limit:
		return nil, errors.New(tooLarge)
	}
	text, err := os.ReadFile(path)
	return text, system.WithoutPath(err)
}

// Open reads the state; nil if there is none. If it or a part of it cannot be used, problem is the reason in one line.
// A file that this blotter did not write is not replaced either.
func (f *StateFile) Open() (state *persist.State, problem error) {
	if f.path == "" {
		return nil, nil
	}
	stored, err := readState(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case errors.Is(err, errDamaged): // perhaps by hand: views and alerts in it can still be read there
		return nil, damagedError(f.path, "the state is", "It is")
	case err != nil:
		path := f.path
		f.path = ""
		return nil, fmt.Errorf("the state is neither used nor replaced: %w: %s", err, path)
	}
	if state = stored.of(f.service); state != nil {
		if wrong := state.DropWrong(); wrong != nil {
			problem = fmt.Errorf("a part of the state is not used: %w: %s", wrong, f.path)
		}
	}
	return state, problem
}

// Groups reads the groups that were made of rows of the service. It changes no file.
func (f *StateFile) Groups() ([]persist.Group, error) {
	if f.path == "" {
		return nil, nil
	}
	stored, err := readState(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the groups that were made on the screen are not known: %w: %s", err, f.path)
	}
	state := stored.of(f.service)
	if state == nil {
		return nil, nil
	}
	_ = state.DropWrong()
	return state.Groups, nil
}

// keepDamaged gives a damaged file another name, and returns that. Of files that were damaged before, none is replaced
// but the last of many.
func keepDamaged(path string) (kept string, err error) {
	kept = path + ".damaged"
	for n := 2; n <= maxDamaged; n++ {
		if _, err := os.Lstat(kept); err != nil {
			break
		}
		kept = fmt.Sprint(path, ".damaged", n)
	}
	return kept, os.Rename(path, kept)
}

// damagedError keeps a damaged file, and returns the error about it: what the file has, and where it is kept.
func damagedError(path, whatIs, itIs string) error {
	if kept, err := keepDamaged(path); err == nil {
		return fmt.Errorf("%s damaged and not used. %s kept: %s", whatIs, itIs, kept)
	}
	return fmt.Errorf("%s damaged and not used: %s", whatIs, path)
}

// of returns the state of a service, or that of any from before version 2; nil if there is none.
func (s *storedState) of(service string) *persist.State {
	if at := s.find(service); at >= 0 {
		return &s.Services[at].Screen
	}
	return s.Screen
}

// find returns the place of a service; -1 if it has none.
func (s *storedState) find(service string) int {
	return slices.IndexFunc(s.Services, func(each serviceState) bool { return each.Service == service })
}

// readState reads a file that blotter wrote.
func readState(path string) (stored storedState, err error) {
	text, err := readRegular(path, maxState, "blotter did not write it")
	switch {
	case err != nil:
		return stored, err
	case !bytes.HasPrefix(text, []byte(stateMark)):
		return stored, errors.New("blotter did not write it")
	case json.Unmarshal(text, &stored) != nil:
		return storedState{}, errDamaged
	case stored.Version > stateVersion:
		return stored, errNewer
	}
	return stored, nil
}

// Begin notes the state that the screen begins with: a run that changes nothing writes nothing, unless the state is a
// copy of that of another service.
func (f *StateFile) Begin(state persist.State, isCopied bool) { f.state, f.copied = state, isCopied }

// Remember writes the parts that differ from the previous state. The parts that other programs have written, and the
// other services, stay. It replaces the file whole, or not at all.
func (f *StateFile) Remember(state persist.State) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.path == "" || f.closed || !f.copied && reflect.DeepEqual(state, f.state) {
		return nil
	}
	_ = os.MkdirAll(filepath.Dir(f.path), 0o700) // ReplaceFile returns why there is none
	// From reading to writing, or what another blotter saves at that moment would be lost. It may be, if nothing can be
	// locked: to remember nothing would be worse.
	if unlock, err := system.LockFile(f.path + ".lock"); err == nil {
		defer unlock()
	}
	stored, err := readState(f.path)
	if errors.Is(err, errDamaged) { // since this run began
		_, err = keepDamaged(f.path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return system.FileErrorf(f.path, "cannot be replaced: %w", err)
	}
	stored.WrittenBy, stored.Version = "blotter", stateVersion
	written := state
	if at := stored.find(f.service); at >= 0 {
		written = withChanges(stored.Services[at].Screen, f.state, state)
		stored.Services = slices.Delete(stored.Services, at, at+1)
	}
	stored.Services = append(stored.Services, serviceState{f.service, written})
	stored.Services = stored.Services[max(0, len(stored.Services)-maxServices):]
	text, err := json.MarshalIndent(stored, "", "  ")
	if err == nil {
		err = system.ReplaceFile(f.path, append(text, '\n'))
	}
	if err != nil {
		return err
	}
	f.state, f.copied = state, false
	return nil
}

// withChanges returns a stored state with the parts that differ between two states of this run. Another program may
// have changed the others: alerts and views that the trader saved there must not be lost.
func withChanges(stored, before, now persist.State) persist.State {
	now.Views = merged(stored.Views, before.Views, now.Views, func(v views.Saved) any { return v.Number })
	now.Groups = merged(stored.Groups, before.Groups, now.Groups, func(g persist.Group) any { return strings.ToLower(g.Name) })
	now.Alerts.Own = merged(stored.Alerts.Own, before.Alerts.Own, now.Alerts.Own, func(a alerts.Own) any { return a.Name })
	now.Alerts.Off = merged(stored.Alerts.Off, before.Alerts.Off, now.Alerts.Off, func(name string) any { return name })
	into, old, changed := reflect.ValueOf(&stored).Elem(), reflect.ValueOf(before), reflect.ValueOf(now)
	for i := range into.NumField() {
		if part := changed.Field(i); !reflect.DeepEqual(old.Field(i).Interface(), part.Interface()) {
			into.Field(i).Set(part)
		}
	}
	return stored
}

// merged returns a stored list with what differs between two lists of this run: what was removed, changed and added.
func merged[T any](stored, before, now []T, key func(T) any) []T {
	if reflect.DeepEqual(stored, before) {
		return now // in its order
	}
	at := func(list []T, of T) int {
		return slices.IndexFunc(list, func(each T) bool { return key(each) == key(of) })
	}
	all := slices.DeleteFunc(slices.Clone(stored), func(each T) bool { return at(before, each) >= 0 && at(now, each) < 0 })
	for _, each := range now {
		was, place := at(before, each), at(all, each)
		switch {
		case was >= 0 && reflect.DeepEqual(before[was], each):
		case place >= 0:
			all[place] = each
		default:
			all = append(all, each)
		}
	}
	return all
}

// Close remembers the last state. What is still about to be remembered then is older, and dropped.
func (f *StateFile) Close(state persist.State) error {
	err := f.Remember(state)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return err
}
