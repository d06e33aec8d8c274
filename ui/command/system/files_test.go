package system

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// expect checks the text of a file, and that it is for its owner alone.
func expect(t *testing.T, path, want string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil || string(text) != want {
		t.Errorf("%s has %q, not %q: %v", path, text, want, err)
	}
	if info, err := os.Stat(path); err == nil && runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%s has the mode %v", path, info.Mode())
	}
}

// expectAlone checks that a folder has only this file: nothing temporary is left behind.
func expectAlone(t *testing.T, path string) {
	t.Helper()
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 || entries[0].Name() != filepath.Base(path) {
		t.Errorf("the folder has %v: %v", entries, err)
	}
}

func TestReadHasALimit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	write(t, path, "12345")
	if text, err := ReadFile(t.Context(), path, 5); err != nil || string(text) != "12345" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := ReadFile(t.Context(), path, 4); err == nil || err.Error() != path+" has more than 4 bytes" {
		t.Error(err)
	}
}

func TestReadOfAMissingFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	_, err := ReadFile(t.Context(), path, 5)
	if !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), path+" cannot be read: ") || strings.Count(err.Error(), path) != 1 {
		t.Error(err)
	}
}

func TestWhyDone(t *testing.T) {
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	<-late.Done()
	if err := WhyDone(late); err == nil || err.Error() != "the timeout is over" {
		t.Error(err)
	}
	interrupted, interrupt := context.WithCancel(t.Context())
	interrupt()
	if err := WhyDone(interrupted); err != context.Canceled {
		t.Error(err)
	}
}

func TestReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	for _, text := range []string{"first", "second"} {
		if err := ReplaceFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		expect(t, path, text)
	}
	expectAlone(t, path)
}

func TestCreateWholeReplacesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := CreateFile(path, []byte("first")); err != nil {
		t.Fatal(err)
	}
	if err := CreateFile(path, []byte("second")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the error is %v", err)
	}
	expect(t, path, "first")
	expectAlone(t, path)
}

func TestWriteOwnReplacesOnlyItsOwnFiles(t *testing.T) {
	folder := t.TempDir()
	path, foreign := filepath.Join(folder, "own"), filepath.Join(folder, "foreign")
	for _, text := range []string{"first", "second"} {
		if err := WriteSimulatedFile(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
		expect(t, path, simulatedMark+text)
	}
	write(t, foreign, "mine")
	if err := WriteSimulatedFile(foreign, []byte("x")); err == nil || err.Error() != foreign+" exists already, and was not written by simulate" {
		t.Error(err)
	}
	expect(t, foreign, "mine")
	link := filepath.Join(folder, "link")
	if err := os.Symlink(path, link); err != nil {
		t.Skip("no links here: ", err)
	}
	if err := WriteSimulatedFile(link, []byte("x")); err == nil {
		t.Error("it wrote through a link")
	}
	expect(t, path, simulatedMark+"second")
}

func TestLockIsForOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	synctest.Test(t, func(t *testing.T) {
		unlock, err := LockFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := LockFile(path); err == nil || err.Error() != path+" is locked: another blotter is writing; try again" {
			t.Errorf("the second error is %v", err)
		}
		unlock()
		again, err := LockFile(path)
		if err != nil {
			t.Fatal(err)
		}
		again()
	})
	expect(t, path, "")
	if _, err := LockFile(filepath.Join(path, "lock")); err == nil || !strings.Contains(err.Error(), " cannot be locked: ") {
		t.Errorf("in a folder that is not there: %v", err)
	}
}

// TestFileSystemWithoutLocks is named in the error, with what to do.
func TestFileSystemWithoutLocks(t *testing.T) {
	for _, cause := range []error{syscall.ENOLCK, syscall.ENOTSUP, syscall.ENOSYS} {
		err := lockError("/net/names.lock", &fs.PathError{Op: "flock", Path: "/net/names.lock", Err: cause})
		want := "/net/names.lock cannot be locked, because its file system has no locks (" + cause.Error() + "): keep the configuration on another disk"
		if err.Error() != want {
			t.Errorf("%v, not %s", err, want)
		}
	}
}

// recordedFile records what is done with a file.
type recordedFile struct {
	did     []string
	failing string // what fails
}

func (f *recordedFile) do(what string) error {
	f.did = append(f.did, what)
	if what == f.failing {
		return errors.New(what + " failed")
	}
	return nil
}

func (f *recordedFile) Write(text []byte) (int, error) { return len(text), f.do("write") }
func (f *recordedFile) Sync() error                    { return f.do("sync") }
func (f *recordedFile) Close() error                   { return f.do("close") }

// TestFileIsSyncedBeforeItGetsItsName: a power failure just after the rename must not leave an empty file.
func TestFileIsSyncedBeforeItGetsItsName(t *testing.T) {
	for failing, want := range map[string]string{"": "write sync close", "write": "write close", "sync": "write sync close", "close": "write sync close"} {
		file := &recordedFile{failing: failing}
		err := writeSynced(file, []byte("x"))
		if got := strings.Join(file.did, " "); got != want {
			t.Errorf("where %q fails: %s, not %s", failing, got, want)
		}
		if (err == nil) != (failing == "") || err != nil && err.Error() != failing+" failed" {
			t.Errorf("where %q fails: the error is %v", failing, err)
		}
	}
}

// TestOldTemporaryFilesAreRemoved: a program that is killed leaves one behind. Those of a program that writes now, and
// the files of others, stay.
func TestOldTemporaryFilesAreRemoved(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	now := time.Now()
	files := map[string]time.Duration{ // and how old they are
		".blotter-123": 2 * time.Hour, ".blotter-456": time.Minute, ".blotter-notes": 2 * time.Hour, ".blotter-": 2 * time.Hour, "blotter-789": 2 * time.Hour,
	}
	for name, age := range files {
		name = filepath.Join(filepath.Dir(path), name)
		write(t, name, "x")
		if err := os.Chtimes(name, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := ReplaceFile(path, []byte("text")); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if got := strings.Join(names, " "); got != ".blotter- .blotter-456 .blotter-notes a blotter-789" {
		t.Errorf("the folder has %s", got)
	}
}

// TestRenameIsTriedAgain for a second: on Windows another program may have the file open.
func TestRenameIsTriedAgain(t *testing.T) {
	busy, full := errors.New("busy"), errors.New("full")
	isBusy := func(err error) bool { return err == busy }
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			err   error         // of the tries
			until time.Duration // from when a try succeeds
			want  error
			took  time.Duration
		}{
			{busy, 0, nil, 0},
			{busy, 500 * time.Millisecond, nil, 500 * time.Millisecond},
			{busy, time.Minute, busy, time.Second},
			{full, time.Minute, full, 0},
		} {
			began := time.Now()
			err := rename(func() error {
				if time.Since(began) < test.until {
					return test.err
				}
				return nil
			}, isBusy)
			if took := time.Since(began); err != test.want || took != test.took {
				t.Errorf("%+v: %v after %s", test, err, took)
			}
		}
	})
}

func TestLogWritesTheLinesThatWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	for range 2 { // the second is appended
		log, err := OpenLog(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 10 {
			log.Logger().Info("connected", "address", i)
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Count(string(text), "msg=connected address=") != 20 {
		t.Errorf("%v: the log has\n%s", err, text)
	}
}
